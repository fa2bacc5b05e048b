/* SPDX-License-Identifier: Apache-2.0 */
/* A music player in the style of the platform: it plays in the background, pauses for phone calls and resumes
   after them, pauses when headphones are unplugged, and moves to new ones. It plays a WAV file with 16-bit
   samples, or a tune.

       cc player.c $(pkg-config --cflags --libs audiosession alsa) -lm -o player
       ./player [-d DEVICE] [MUSIC.wav] */
#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <unistd.h>

enum { TICK = 20 /* per second */, LATENCY = 200000 /* microseconds */ };

static const char *chosenDevice;
static snd_pcm_t *device;
static CFRunLoopTimerRef feeding;
static bool playing;

static void report(const char *what) {
    printf("player: %s\n", what);
    fflush(stdout);
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "player: %s: %s\n", what, why);
    exit(1);
}

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) fail(what, AudioSessionLinuxStatusName(status));
}

/* ---- The music ---- */

static unsigned rate = 44100, channels = 1;
static int16_t *samples;
static long length, position; /* in frames */

static void composeTune(void) {
    static const int semitones[] = {0, 4, 7, 12, 7, 4, 5, 9, 12, 9, 7, 5, 4, 2, 0, -5};
    const int notes = sizeof semitones / sizeof semitones[0], duration = (int)rate / 4;
    length = (long)notes * duration;
    samples = calloc((size_t)length, sizeof *samples);
    if (!samples) fail("the tune", strerror(errno));
    for (long i = 0; i < length; i++) {
        double seconds = (double)(i % duration) / rate;
        double frequency = 440 * pow(2, semitones[i / duration] / 12.0);
        samples[i] = (int16_t)(8000 * exp(-6 * seconds) * sin(2 * M_PI * frequency * seconds));
    }
}

/* The header has 44 bytes, as in the files of recorder.c. */
static void loadMusic(const char *path) {
    unsigned char header[44];
    FILE *file = fopen(path, "rb");
    if (!file) fail(path, strerror(errno));
    if (fread(header, sizeof header, 1, file) != 1 || memcmp(header, "RIFF", 4) != 0 || memcmp(header + 36, "data", 4) != 0 ||
        header[34] != 16 || header[22] < 1 || header[22] > 2)
        fail(path, "not a plain WAV file of 16-bit samples in one or two channels");
    channels = header[22];
    rate = header[24] | (unsigned)header[25] << 8 | (unsigned)header[26] << 16;
    fseek(file, 0, SEEK_END);
    length = (ftell(file) - (long)sizeof header) / (long)(channels * sizeof *samples);
    fseek(file, sizeof header, SEEK_SET);
    samples = calloc((size_t)length + 1, channels * sizeof *samples);
    if (!samples || fread(samples, channels * sizeof *samples, (size_t)length, file) != (size_t)length || length == 0)
        fail(path, "cut short");
    fclose(file);
}

/* ---- The device ---- */

/* The session names the device of its route; "plug" converts the format. */
static void openDevice(void) {
    char name[256], plugged[300];
    UInt32 size = sizeof name;
    int error;
    if (chosenDevice)
        snprintf(name, sizeof name, "%s", chosenDevice);
    else
        check(AudioSessionLinuxCopyDeviceName(false, name, &size), "the route's device");
    snprintf(plugged, sizeof plugged, "plug:'%s'", name);
    error = snd_pcm_open(&device, plugged, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (error == 0)
        error = snd_pcm_set_params(device, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, channels, rate, 1, LATENCY);
    if (error < 0) fail(name, snd_strerror(error));
}

static void closeDevice(void) {
    snd_pcm_sframes_t unheard;
    if (!device) return;
    /* The frames in the buffer of the device are played after the pause. */
    if (snd_pcm_delay(device, &unheard) == 0) position = (position + length - unheard % length) % length;
    snd_pcm_drop(device);
    snd_pcm_close(device);
    device = NULL;
}

/* On the run loop, TICK times a second: fills the buffer of the device. */
static void feed(CFRunLoopTimerRef timer, void *unused) {
    snd_pcm_sframes_t room, frames = 2 * rate / TICK;
    (void)timer, (void)unused;
    if (!device) return;
    room = snd_pcm_avail_update(device);
    if (room < 0) room = snd_pcm_recover(device, (int)room, 1);
    if (frames > room) frames = room;
    if (frames > length - position) frames = length - position;
    if (frames > 0) frames = snd_pcm_writei(device, samples + position * channels, (snd_pcm_uframes_t)frames);
    if (frames > 0) position = (position + frames) % length;
}

/* ---- The session ---- */

static void play(void) {
    OSStatus status = AudioSessionSetActive(true);
    if (status == kAudioSessionNotActiveError) {
        report("may not play now");
        return;
    }
    check(status, "activating");
    if (!device) openDevice();
    playing = true;
    report("plays");
}

static void interrupted(void *unused, UInt32 state) {
    UInt32 type = 0, size = sizeof type;
    (void)unused;
    if (state == kAudioSessionBeginInterruption) {
        closeDevice();
        report("is interrupted");
        return;
    }
    check(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type), "interruption type");
    if (type == kAudioSessionInterruptionType_ShouldResume && playing) {
        report("should resume");
        play();
    } else {
        report("stays paused");
    }
}

static void routeChanged(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    CFDictionaryRef change = (CFDictionaryRef)data;
    CFNumberRef number = (CFNumberRef)CFDictionaryGetValue(change, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
    SInt32 reason = 0;
    (void)unused, (void)property, (void)size;
    CFNumberGetValue(number, kCFNumberSInt32Type, &reason);
    if (reason == kAudioSessionRouteChangeReason_NewDeviceAvailable) {
        if (device) {
            closeDevice();
            openDevice();
        }
        report("moves to the new device");
    }
    if (reason == kAudioSessionRouteChangeReason_OldDeviceUnavailable) {
        closeDevice();
        playing = false;
        check(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation), "pausing");
        report("pauses: the headphones are unplugged");
    }
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    int option;
    while ((option = getopt(count, arguments, "d:")) != -1) {
        if (option != 'd') return 2;
        chosenDevice = optarg;
    }
    if (arguments[optind])
        loadMusic(arguments[optind]);
    else
        composeTune();

    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Music"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL), "listening");
    feeding = CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent(), 1.0 / TICK, 0, 0, feed, NULL);
    CFRunLoopAddTimer(CFRunLoopGetMain(), feeding, kCFRunLoopDefaultMode);
    play();
    CFRunLoopRun();
    return 0;
}
