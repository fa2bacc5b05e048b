/* SPDX-License-Identifier: Apache-2.0 */
/* A recorder: it records from the input of the route, selects a source of a USB device, sets the gain where the
   hardware has one, and writes a WAV file until Control-C.

       cc recorder.c $(pkg-config --cflags --libs audiosession alsa) -o recorder
       ./recorder [-d DEVICE] [-g GAIN] [-s SOURCE] FILE.wav          GAIN: 0 to 1; SOURCE: its number */
#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <signal.h>
#include <unistd.h>

enum { TICK = 20 /* per second */, LATENCY = 500000 /* microseconds */ };

static const char *chosenDevice;
static int chosenSource = -1;
static Float32 chosenGain = -1;
static snd_pcm_t *device;
static volatile sig_atomic_t finished;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "recorder: %s: %s\n", what, why);
    exit(1);
}

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) fail(what, AudioSessionLinuxStatusName(status));
}

static UInt32 number(AudioSessionPropertyID property) {
    UInt32 value = 0, size = sizeof value;
    check(AudioSessionGetProperty(property, &size, &value), "reading a property");
    return value;
}

/* ---- The file ---- */

static FILE *file;
static const unsigned channels = 1, rate = 44100;
static uint32_t recorded; /* bytes */

static void put(uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) fputc((int)(value >> 8 * i & 0xFF), file);
}

static void writeHeader(void) {
    const unsigned frame = channels * (unsigned)sizeof(int16_t);
    rewind(file);
    fputs("RIFF", file), put(36 + recorded, 4), fputs("WAVEfmt ", file), put(16, 4);
    put(1, 2), put(channels, 2), put(rate, 4), put(rate * frame, 4), put(frame, 2), put(16, 2);
    fputs("data", file), put(recorded, 4);
}

/* ---- The device ---- */

static void stop(void) {
    if (device) snd_pcm_close(device);
    device = NULL;
}

/* The gain of an input takes effect while the session is active. */
static void setGain(void) {
    Float32 gain = chosenGain;
    UInt32 size = sizeof gain;
    if (!number(kAudioSessionProperty_InputGainAvailable)) {
        printf("recorder: the input has no gain to set\n");
        return;
    }
    if (gain >= 0) check(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, sizeof gain, &gain), "gain");
    check(AudioSessionGetProperty(kAudioSessionProperty_InputGainScalar, &size, &gain), "gain");
    printf("recorder: gain %.2f\n", gain);
}

static void start(void) {
    char name[256], plugged[300];
    UInt32 size = sizeof name;
    int error;
    OSStatus status = AudioSessionSetActive(true);
    if (status == kAudioSessionNoError) setGain();
    /* The session stays active when the input is removed; it has no device then. */
    if (status == kAudioSessionNoError) status = AudioSessionLinuxCopyDeviceName(true, name, &size);
    if (status != kAudioSessionNoError) {
        printf("recorder: waits: %s\n", AudioSessionLinuxStatusName(status));
        return;
    }
    snprintf(plugged, sizeof plugged, "plug:'%s'", chosenDevice ? chosenDevice : name);
    error = snd_pcm_open(&device, plugged, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK);
    if (error == 0)
        error = snd_pcm_set_params(device, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, channels, rate, 1, LATENCY);
    if (error == 0) error = snd_pcm_start(device);
    if (error < 0) fail(name, snd_strerror(error));
    printf("recorder: records\n");
}

static void take(CFRunLoopTimerRef timer, void *unused) {
    int16_t samples[44100 * 2 / TICK];
    snd_pcm_sframes_t frames;
    (void)timer, (void)unused;
    if (finished) CFRunLoopStop(CFRunLoopGetMain());
    if (!device || finished) return;
    frames = snd_pcm_readi(device, samples, sizeof samples / sizeof *samples / channels);
    if (frames == -EPIPE) printf("recorder: overrun, some frames are lost\n");
    if (frames < 0 && frames != -EAGAIN && snd_pcm_recover(device, (int)frames, 1) == 0) snd_pcm_start(device);
    if (frames > 0) recorded += sizeof *samples * (uint32_t)fwrite(samples, sizeof *samples, (size_t)frames * channels, file);
}

/* ---- The input ---- */

/* A source is a dictionary of its number and its name. Only a USB device has sources. */
static void chooseSource(void) {
    CFArrayRef sources = NULL;
    UInt32 size = sizeof sources;
    check(AudioSessionGetProperty(kAudioSessionProperty_InputSources, &size, &sources), "input sources");
    for (CFIndex i = 0; i < CFArrayGetCount(sources); i++) {
        CFDictionaryRef source = (CFDictionaryRef)CFArrayGetValueAtIndex(sources, i);
        CFNumberRef identifier = (CFNumberRef)CFDictionaryGetValue(source, kAudioSession_InputSourceKey_ID);
        CFStringRef description = (CFStringRef)CFDictionaryGetValue(source, kAudioSession_InputSourceKey_Description);
        char name[64] = "";
        int value = -1;
        CFNumberGetValue(identifier, kCFNumberIntType, &value);
        CFStringGetCString(description, name, sizeof name, kCFStringEncodingUTF8);
        if (value == chosenSource)
            check(AudioSessionSetProperty(kAudioSessionProperty_InputSource, sizeof identifier, &identifier), "input source");
        printf("recorder: source %d is \"%s\"%s\n", value, name, value == chosenSource ? ", selected" : "");
    }
    CFRelease(sources);
}

static void routeChanged(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused, (void)property, (void)size, (void)data;
    stop();
    printf("recorder: another input\n");
    chooseSource();
    start();
}

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    if (state == kAudioSessionBeginInterruption) {
        stop();
        printf("recorder: is interrupted\n");
    } else {
        start(); /* into the same file, also without ShouldResume: a recording has no second chance */
    }
}

static void finish(int unused) {
    (void)unused;
    finished = 1;
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_RecordAudio;
    CFRunLoopTimerRef taking;
    int option;
    setlinebuf(stdout);
    while ((option = getopt(count, arguments, "d:g:s:")) != -1) {
        if (option == 'd')
            chosenDevice = optarg;
        else if (option == 'g')
            chosenGain = strtof(optarg, NULL);
        else if (option == 's')
            chosenSource = atoi(optarg);
        else
            return 2;
    }
    if (optind + 1 != count) fail("usage", "recorder [-d DEVICE] [-g GAIN] [-s SOURCE] FILE.wav");
    file = fopen(arguments[optind], "wb");
    if (!file) fail(arguments[optind], strerror(errno));
    writeHeader();
    signal(SIGINT, finish);

    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Recorder"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    chooseSource();
    check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL), "listening");
    start();
    taking = CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent(), 1.0 / TICK, 0, 0, take, NULL);
    CFRunLoopAddTimer(CFRunLoopGetMain(), taking, kCFRunLoopDefaultMode);
    CFRunLoopRun();

    stop();
    check(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation), "deactivating");
    writeHeader();
    if (fclose(file) != 0) fail(arguments[optind], strerror(errno));
    printf("recorder: wrote %u bytes\n", recorded);
    return 0;
}
