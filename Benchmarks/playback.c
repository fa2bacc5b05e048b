/* SPDX-License-Identifier: Apache-2.0 */
/* playback SECONDS slices|many [ONLY]: units and queues of this library beside streams of PortAudio and devices of SDL. All play
   silence with two channels at 48,000 Hz. `slices`: the processor time of a slice, and the delay of its callback. `many`: the
   processor time of a second with several sounds. ONLY: slices of this length, or this number of sounds. PortAudio and SDL use
   ALSA's default device, and this library uses its route. In rounds with an even number the order of the libraries is reversed. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <SDL.h>
#include <dirent.h>
#include <portaudio.h>
#include <sound/asound.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { RATE = 48000, CHANNELS = 2, FRAME = 4, MANY = 32, MOST_DEVICES = 15, LONGEST = 1024, MOST_CALLS = 4096 };

static const AudioStreamBasicDescription int16 = {
    RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, FRAME, 1, FRAME, CHANNELS, 16, 0};

static const AudioStreamBasicDescription float32 = {
    RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, 2 * FRAME, 1, 2 * FRAME, CHANNELS, 32, 0};

/* Callbacks since the beginning of the program. */
static volatile int calls;
/* The descriptor of the card while delays are measured. At each callback: the frames that it had to play, and its room. */
static volatile int card = -1;
static volatile int queued[MOST_CALLS], room[MOST_CALLS];

/* The first statement of each callback. */
static void begin_call(void) {
    struct snd_pcm_status status;
    int call = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    if (card < 0 || ioctl(card, SNDRV_PCM_IOCTL_STATUS, &status) != 0) return;
    queued[call % MOST_CALLS] = (int)(status.appl_ptr - status.hw_ptr);
    room[call % MOST_CALLS] = (int)status.avail;
}

/* ---- processor time ---- */

/* Microseconds of processor time for a second of sound. `slice`: for one callback. */
static double spent_in_a_second(double seconds, double *slice) {
    /* The start is not measured. */
    pause_for(500000000);
    int first = calls;
    uint64_t start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID), begin = now();
    pause_for((uint64_t)(seconds * 1e9));
    double spent = (double)(nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e3, lasted = (double)(now() - begin) / 1e9;
    int count = calls - first;
    REQUIRE(count > 0);
    if (slice) *slice = spent / count;
    return spent / lasted;
}

/* ---- delays ---- */

/* The card that this process plays on. */
static int find_card(void) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int found = -1;
    REQUIRE(folder);
    while (found < 0 && (entry = readdir(folder))) {
        char target[256];
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = '\0';
        if (strncmp(target, "/dev/snd/pcm", 12) == 0 && target[length - 1] == 'p') found = atoi(entry->d_name);
    }
    closedir(folder);
    REQUIRE(found >= 0);
    return found;
}

/* A callback of a unit is due when the card has one slice to play, and one of PortAudio when the buffer has room for a slice. The
   delay is what the card has played since then, until the first statement of the callback. */
static void measure_delays(const char *subject, bool is_unit, int frames, double seconds) {
    card = find_card();
    pause_for(100000000);
    int first = calls;
    pause_for((uint64_t)(seconds * 1e9));
    int last = calls;
    card = -1;
    REQUIRE(last > first && last - first <= MOST_CALLS);
    for (int call = first; call < last; call++) {
        int late = is_unit ? frames - queued[call % MOST_CALLS] : room[call % MOST_CALLS] - frames;
        sample("playback-delay", subject, "us", late * 1e6 / RATE);
    }
}

static void prefer(int frames) {
    Float32 seconds = (Float32)frames / RATE;
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof seconds, &seconds) == 0);
}

/* ---- a slice ---- */

static OSStatus render(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames;
    begin_call();
    memset(list->mBuffers[0].mData, 0, list->mBuffers[0].mDataByteSize);
    return 0;
}

static void measure_slice(const char *subject, bool is_unit, bool is_float, int frames, double seconds) {
    double spent;
    spent_in_a_second(seconds, &spent);
    sample("playback-slice", subject, "us", spent);
    if (!is_float) measure_delays(subject, is_unit, frames, seconds);
}

static void measure_unit(bool is_float, int frames, double seconds) {
    AudioComponentDescription io = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    AURenderCallbackStruct callback = {render, NULL};
    const AudioStreamBasicDescription *format = is_float ? &float32 : &int16;
    char subject[64];
    AudioUnit unit;
    prefer(frames);
    REQUIRE(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &io), &unit) == 0);
    REQUIRE(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format, sizeof *format) == 0);
    REQUIRE(AudioUnitSetProperty(
                unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback) == 0);
    REQUIRE(AudioUnitInitialize(unit) == 0 && AudioOutputUnitStart(unit) == 0);
    snprintf(subject, sizeof subject, "RemoteIO, %s, %d frames", is_float ? "float" : "int16", frames);
    measure_slice(subject, true, is_float, frames, seconds);
    REQUIRE(AudioComponentInstanceDispose(unit) == 0);
}

static int fill_stream(const void *input, void *output, unsigned long frames, const PaStreamCallbackTimeInfo *time,
    PaStreamCallbackFlags flags, void *data) {
    (void)input, (void)time, (void)flags;
    begin_call();
    memset(output, 0, frames * (data ? 2 * FRAME : FRAME));
    return paContinue;
}

/* The host's buffer has two slices, as that of a unit. */
static PaStream *begin_stream(bool is_float, int frames) {
    PaStreamParameters output = {
        Pa_GetDefaultOutputDevice(), CHANNELS, is_float ? paFloat32 : paInt16, 2.0 * frames / RATE, NULL};
    PaStream *stream = NULL;
    REQUIRE(Pa_OpenStream(&stream, NULL, &output, RATE, (unsigned long)frames, paNoFlag, fill_stream,
                is_float ? (void *)&float32 : NULL) == 0);
    REQUIRE(Pa_StartStream(stream) == 0);
    return stream;
}

static void measure_stream(bool is_float, int frames, double seconds) {
    char subject[64];
    PaStream *stream = begin_stream(is_float, frames);
    snprintf(subject, sizeof subject, "libportaudio2, %s, %d frames", is_float ? "float" : "int16", frames);
    measure_slice(subject, false, is_float, frames, seconds);
    REQUIRE(Pa_CloseStream(stream) == 0);
}

/* ---- many sounds at once ---- */

static void enqueue_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    begin_call();
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

static double queues_at_once(int count, double seconds) {
    AudioQueueRef queues[MANY];
    prefer(LONGEST);
    for (int i = 0; i < count; i++) {
        REQUIRE(AudioQueueNewOutput(&int16, enqueue_again, NULL, NULL, NULL, 0, &queues[i]) == 0);
        for (int b = 0; b < 3; b++) {
            AudioQueueBufferRef buffer;
            REQUIRE(AudioQueueAllocateBuffer(queues[i], LONGEST * 4 * FRAME, &buffer) == 0);
            buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
            REQUIRE(AudioQueueEnqueueBuffer(queues[i], buffer, 0, NULL) == 0);
        }
        REQUIRE(AudioQueueStart(queues[i], NULL) == 0);
    }
    double spent = spent_in_a_second(seconds, NULL);
    for (int i = 0; i < count; i++) REQUIRE(AudioQueueDispose(queues[i], true) == 0);
    return spent;
}

static double streams_at_once(int count, double seconds) {
    PaStream *streams[MANY];
    for (int i = 0; i < count; i++) streams[i] = begin_stream(false, LONGEST);
    double spent = spent_in_a_second(seconds, NULL);
    for (int i = 0; i < count; i++) REQUIRE(Pa_CloseStream(streams[i]) == 0);
    return spent;
}

static void fill_device(void *data, Uint8 *bytes, int count) {
    (void)data;
    begin_call();
    memset(bytes, 0, (size_t)count);
}

/* SDL opens at most MOST_DEVICES. */
static double devices_at_once(int count, double seconds) {
    SDL_AudioSpec wanted, given;
    SDL_AudioDeviceID devices[MANY];
    memset(&wanted, 0, sizeof wanted);
    wanted.freq = RATE;
    wanted.format = AUDIO_S16SYS;
    wanted.channels = CHANNELS;
    wanted.samples = LONGEST;
    wanted.callback = fill_device;
    REQUIRE(SDL_Init(SDL_INIT_AUDIO) == 0);
    for (int i = 0; i < count; i++) {
        devices[i] = SDL_OpenAudioDevice(NULL, 0, &wanted, &given, 0);
        REQUIRE(devices[i] > 0);
        SDL_PauseAudioDevice(devices[i], 0);
    }
    double spent = spent_in_a_second(seconds, NULL);
    for (int i = 0; i < count; i++) SDL_CloseAudioDevice(devices[i]);
    SDL_Quit();
    return spent;
}

/* The libraries in turn. */
static bool is_reversed(void) {
    const char *round = getenv("BENCH_ROUND");
    return round && atoi(round) % 2 == 0;
}

static void measure_slices(double seconds, int only) {
    static const int lengths[] = {64, 256, LONGEST};
    for (int i = 0; i < 6; i++) {
        int frames = lengths[i / 2];
        if (only && frames != only) continue;
        for (int turn = 0; turn < 2; turn++) {
            if ((turn == 0) != is_reversed())
                measure_unit(i % 2 != 0, frames, seconds);
            else
                measure_stream(i % 2 != 0, frames, seconds);
        }
    }
}

static const struct player {
    const char *name, *names;
    double (*spent)(int count, double seconds);
    int most;
} players[] = {
    {"audio queue", "audio queues", queues_at_once, MANY},
    {"stream of libportaudio2", "streams of libportaudio2", streams_at_once, MANY},
    {"device of libSDL2", "devices of libSDL2", devices_at_once, MOST_DEVICES},
};
enum { PLAYERS = sizeof players / sizeof players[0] };

static void measure_many(double seconds, int only) {
    static const int counts[] = {1, 8, MANY};
    char subject[64];
    for (int i = 0; i < 3; i++) {
        if (only && counts[i] != only) continue;
        for (int turn = 0; turn < PLAYERS; turn++) {
            const struct player *player = &players[is_reversed() ? PLAYERS - 1 - turn : turn];
            int count = counts[i] < player->most ? counts[i] : player->most;
            snprintf(subject, sizeof subject, "%d %s", count, count == 1 ? player->name : player->names);
            sample("playback", subject, "us", player->spent(count, seconds));
        }
    }
}

int main(int argc, char **argv) {
    double seconds = count_from(argc, argv, 1, 2);
    int only = count_from(argc, argv, 3, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    REQUIRE(Pa_Initialize() == 0);
    if (argc > 2 && strcmp(argv[2], "slices") == 0)
        measure_slices(seconds, only);
    else
        measure_many(seconds, only);
    Pa_Terminate();
    return 0;
}
