/* SPDX-License-Identifier: Apache-2.0 */
/* latency TURNS: plays on a loopback card and records its other end. For each TURN and length of slices:
   `first-sound`: the time from the start of a unit, of a queue and of a stream of PortAudio to its first frame.
   `output-latency`: the time from a callback to its first frame, without the slice that the card plays meanwhile.
   `round-trip`: the time from a frame of an output callback to its return in the input of a callback.
   PortAudio uses ALSA's default device. This library uses its route: an output to the card, and an input from its other end. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <portaudio.h>
#include <pthread.h>
#include <string.h>

enum { RATE = 48000, CHANNELS = 2, FRAME = 4, LONGEST = 1024, BLOCK = 48, INTERVAL = RATE / 5, TIMES = 5, LEVEL = 1000 };

static const AudioStreamBasicDescription int16 = {
    RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, FRAME, 1, FRAME, CHANNELS, 16, 0};

/* ---- the other end of the card ---- */

static pthread_t listener;
static volatile bool is_listening;
/* The time at which the first frame was captured that is not silence, since it was set to 0. */
static volatile uint64_t heard;

static void *listen_to(void *name) {
    static int16_t frames[BLOCK][CHANNELS];
    snd_pcm_t *pcm;
    snd_pcm_sframes_t delay;
    REQUIRE(snd_pcm_open(&pcm, name, SND_PCM_STREAM_CAPTURE, 0) == 0);
    REQUIRE(snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, CHANNELS, RATE, 0, 100000) == 0);
    REQUIRE(snd_pcm_start(pcm) == 0);
    while (is_listening) {
        snd_pcm_sframes_t got = snd_pcm_readi(pcm, frames, BLOCK);
        if (got == -EPIPE) REQUIRE(snd_pcm_prepare(pcm) == 0 && snd_pcm_start(pcm) == 0);
        if (got < 0 || snd_pcm_delay(pcm, &delay) < 0) continue;
        uint64_t end = now() - (uint64_t)delay * 1000000000u / RATE;
        for (int i = 0; i < got && heard == 0; i++)
            if (frames[i][0]) heard = end - (uint64_t)(got - i) * 1000000000u / RATE;
    }
    snd_pcm_close(pcm);
    return NULL;
}

static void begin_listening(void) {
    is_listening = true;
    REQUIRE(pthread_create(&listener, NULL, listen_to, "hw:Loopback,1") == 0);
    /* The sound before has ended. */
    pause_for(300000000);
    heard = 0;
}

static void end_listening(void) {
    is_listening = false;
    pthread_join(listener, NULL);
}

static uint64_t wait_for_sound(void) {
    for (int i = 0; heard == 0; i++) {
        REQUIRE(i < 5000);
        pause_for(1000000);
    }
    return heard;
}

/* ---- the program ---- */

/* It plays a tone, or a frame from time to time, until the listener or the input of the program has it. */
enum subject { TONE, HEARD_FRAME, READ_FRAME };

static struct {
    enum subject subject;
    uint64_t frames;  /* the number of the next frame; the first is 1 */
    uint64_t sent;    /* the number of the frame that has not returned; 0: none */
    uint64_t sent_at; /* the time of its callback */
    volatile int count;
    double times[TIMES]; /* microseconds */
} program;

static void note(double microseconds) {
    program.sent = 0;
    if (program.count < TIMES) program.times[program.count++] = microseconds;
}

static void find_frame(const int16_t *input, int frames) {
    if (program.subject == HEARD_FRAME && heard) note(((double)heard - (double)program.sent_at) / 1e3);
    for (int i = 0; program.subject == READ_FRAME && input && program.sent && i < frames; i++)
        if (input[i * CHANNELS] == LEVEL) note((double)(program.frames + (uint64_t)i - program.sent) * 1e6 / RATE);
}

static void send_frame(int16_t *output) {
    heard = 0;
    program.sent = program.frames;
    program.sent_at = now();
    output[0] = output[1] = LEVEL;
}

static void process(const int16_t *input, int16_t *output, int frames) {
    memset(output, 0, (size_t)frames * FRAME);
    if (program.subject == TONE) {
        for (int i = 0; i < frames * CHANNELS; i++) output[i] = LEVEL;
    } else {
        if (program.sent) find_frame(input, frames);
        /* A late device loses it. */
        if (program.frames > program.sent + RATE) program.sent = 0;
        if (!program.sent && program.frames / INTERVAL != (program.frames + (uint64_t)frames) / INTERVAL) send_frame(output);
    }
    program.frames += (uint64_t)frames;
}

static void begin_program(enum subject subject) {
    memset(&program, 0, sizeof program);
    program.subject = subject;
    program.frames = 1;
}

/* ---- the peers ---- */

static AudioUnit unit;
static int16_t captured[LONGEST * 2 * CHANNELS];

static OSStatus render(void *has_input, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    AudioBufferList input = {1, {{CHANNELS, frames * FRAME, captured}}};
    (void)bus;
    bool is_read = has_input && AudioUnitRender(unit, flags, time, 1, frames, &input) == 0;
    process(is_read ? captured : NULL, list->mBuffers[0].mData, (int)frames);
    return 0;
}

static void prefer(int frames) {
    Float32 seconds = (Float32)frames / RATE;
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof seconds, &seconds) == 0);
}

static void make_unit(int frames, bool has_input) {
    AudioComponentDescription io = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
    AURenderCallbackStruct callback = {render, has_input ? &unit : NULL};
    UInt32 enabled = 1;
    prefer(frames);
    REQUIRE(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &io), &unit) == 0);
    if (has_input)
        REQUIRE(AudioUnitSetProperty(
                    unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &enabled, sizeof enabled) == 0);
    REQUIRE(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &int16, sizeof int16) == 0);
    REQUIRE(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &int16, sizeof int16) == 0);
    REQUIRE(AudioUnitSetProperty(
                unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback) == 0);
    REQUIRE(AudioUnitInitialize(unit) == 0);
}

static void start_unit(void) { REQUIRE(AudioOutputUnitStart(unit) == 0); }
static void end_unit(void) { REQUIRE(AudioComponentInstanceDispose(unit) == 0); }
static void make_output_unit(int frames) { make_unit(frames, false); }
static void make_duplex_unit(int frames) { make_unit(frames, true); }

static AudioQueueRef queue;

static void fill(void *data, AudioQueueRef ready, AudioQueueBufferRef buffer) {
    (void)data;
    process(NULL, buffer->mAudioData, (int)(buffer->mAudioDataBytesCapacity / FRAME));
    buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
    AudioQueueEnqueueBuffer(ready, buffer, 0, NULL);
}

static void make_queue(int frames) {
    prefer(frames);
    REQUIRE(AudioQueueNewOutput(&int16, fill, NULL, NULL, NULL, 0, &queue) == 0);
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer;
        REQUIRE(AudioQueueAllocateBuffer(queue, LONGEST * 4 * FRAME, &buffer) == 0);
        fill(NULL, queue, buffer);
    }
}

static void start_queue(void) { REQUIRE(AudioQueueStart(queue, NULL) == 0); }
static void end_queue(void) { REQUIRE(AudioQueueDispose(queue, true) == 0); }

static PaStream *stream;

static int fill_stream(const void *input, void *output, unsigned long frames, const PaStreamCallbackTimeInfo *time,
    PaStreamCallbackFlags flags, void *data) {
    (void)time, (void)flags, (void)data;
    process(input, output, (int)frames);
    return paContinue;
}

/* The host's buffers have two slices, as those of a unit. */
static void open_stream(int frames, bool has_input) {
    PaStreamParameters output = {Pa_GetDefaultOutputDevice(), CHANNELS, paInt16, 2.0 * frames / RATE, NULL};
    PaStreamParameters input = {Pa_GetDefaultInputDevice(), CHANNELS, paInt16, 2.0 * frames / RATE, NULL};
    REQUIRE(Pa_OpenStream(
                &stream, has_input ? &input : NULL, &output, RATE, (unsigned long)frames, paNoFlag, fill_stream, NULL) == 0);
}

static void make_stream(int frames) { open_stream(frames, false); }
static void make_duplex_stream(int frames) { open_stream(frames, true); }
static void start_stream(void) { REQUIRE(Pa_StartStream(stream) == 0); }
static void end_stream(void) { REQUIRE(Pa_CloseStream(stream) == 0); }

static const struct peer {
    const char *name;
    void (*make)(int frames);
    void (*make_duplex)(int frames); /* NULL: a queue has one direction */
    void (*start)(void);
    void (*end)(void);
} peers[] = {
    {"RemoteIO", make_output_unit, make_duplex_unit, start_unit, end_unit},
    {"audio queue", make_queue, NULL, start_queue, end_queue},
    {"libportaudio2", make_stream, make_duplex_stream, start_stream, end_stream},
};

/* ---- measurements ---- */

static const char *name_subject(const char *name, int frames) {
    static char subject[64];
    snprintf(subject, sizeof subject, "%s, %d frames", name, frames);
    return subject;
}

static void measure_first_sound(const struct peer *peer, int frames) {
    begin_program(TONE);
    peer->make(frames);
    begin_listening();
    uint64_t start = now();
    peer->start();
    uint64_t sound = wait_for_sound();
    end_listening();
    peer->end();
    sample("first-sound", name_subject(peer->name, frames), "us", (double)(sound - start) / 1e3);
}

static void wait_for_times(const struct peer *peer) {
    peer->start();
    for (int i = 0; program.count < TIMES; i++) {
        REQUIRE(i < 10000);
        pause_for(1000000);
    }
}

static void measure_output_latency(const struct peer *peer, int frames) {
    begin_program(HEARD_FRAME);
    peer->make(frames);
    begin_listening();
    wait_for_times(peer);
    end_listening();
    peer->end();
    for (int i = 0; i < TIMES; i++)
        sample("output-latency", name_subject(peer->name, frames), "us", program.times[i] - frames * 1e6 / RATE);
}

static void measure_round_trip(const struct peer *peer, int frames) {
    begin_program(READ_FRAME);
    peer->make_duplex(frames);
    wait_for_times(peer);
    peer->end();
    for (int i = 0; i < TIMES; i++) sample("round-trip", name_subject(peer->name, frames), "us", program.times[i]);
}

int main(int argc, char **argv) {
    static const int lengths[] = {256, 512, LONGEST};
    int turns = count_from(argc, argv, 1, 3);
    UInt32 category = kAudioSessionCategory_PlayAndRecord;
    setvbuf(stdout, NULL, _IOLBF, 0);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category) == 0);
    REQUIRE(AudioSessionSetActive(true) == 0);
    REQUIRE(Pa_Initialize() == 0);
    for (int turn = 0; turn < turns; turn++) {
        for (int length = 0; length < 3; length++) {
            for (int i = 0; i < 3; i++) {
                const struct peer *peer = &peers[i];
                measure_first_sound(peer, lengths[length]);
                if (!peer->make_duplex) continue;
                measure_output_latency(peer, lengths[length]);
                measure_round_trip(peer, lengths[length]);
            }
        }
    }
    Pa_Terminate();
    return 0;
}
