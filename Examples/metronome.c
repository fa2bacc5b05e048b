/* SPDX-License-Identifier: Apache-2.0 */
/* A metronome without a run loop: one poll waits for the beat, for the session and for the keyboard. A line
   with a number sets the tempo, an empty line starts and stops, the end of the input ends the program.

       cc metronome.c $(pkg-config --cflags --libs audiosession alsa) -lm -o metronome
       ./metronome [-d DEVICE] [TEMPO] */
#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { RATE = 44100, CLICK = RATE / 50, LATENCY = 30000 /* microseconds */ };

static const char *chosenDevice;
static snd_pcm_t *device;
static int beating;
static double tempo = 120; /* beats a minute */

static void fail(const char *what, const char *why) {
    fprintf(stderr, "metronome: %s: %s\n", what, why);
    exit(1);
}

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) fail(what, AudioSessionLinuxStatusName(status));
}

/* ---- Sound ---- */

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
    if (error == 0) error = snd_pcm_set_params(device, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, RATE, 1, LATENCY);
    if (error < 0) fail(name, snd_strerror(error));
}

static void click(void) {
    int16_t samples[CLICK];
    uint64_t beats;
    if (read(beating, &beats, sizeof beats) != sizeof beats || !device) return;
    for (int i = 0; i < CLICK; i++) samples[i] = (int16_t)(20000 * exp(-i / 100.0) * sin(2 * M_PI * 1500 * i / RATE));
    /* The device underruns between two clicks; each click starts it again. */
    if (snd_pcm_state(device) != SND_PCM_STATE_PREPARED) snd_pcm_prepare(device);
    if (snd_pcm_writei(device, samples, CLICK) == CLICK) snd_pcm_start(device);
}

/* ---- The beat ---- */

static void beat(bool on) {
    const double interval = 60 / tempo;
    struct timespec each = {(time_t)interval, (long)(fmod(interval, 1) * 1e9)};
    struct itimerspec schedule = {each, {0, 1}};
    if (!on) memset(&schedule, 0, sizeof schedule);
    timerfd_settime(beating, 0, &schedule, NULL);
}

static void stop(void) {
    beat(false);
    if (device) snd_pcm_close(device);
    device = NULL;
}

static void start(void) {
    OSStatus status = AudioSessionSetActive(true);
    if (status != kAudioSessionNoError) {
        printf("metronome: cannot start: %s\n", AudioSessionLinuxStatusName(status));
        return;
    }
    if (!device) openDevice();
    beat(true);
    printf("metronome: %g beats a minute\n", tempo);
}

/* ---- The session ---- */

static bool wasBeating;

static void interrupted(void *unused, UInt32 state) {
    UInt32 type = 0, size = sizeof type;
    (void)unused;
    if (state == kAudioSessionBeginInterruption) {
        wasBeating = device != NULL;
        stop();
        printf("metronome: interrupted\n");
        return;
    }
    check(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type), "interruption type");
    if (wasBeating && type == kAudioSessionInterruptionType_ShouldResume) start();
}

static void routeChanged(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused, (void)property, (void)size, (void)data;
    printf("metronome: moves to another device\n");
    if (!device) return;
    stop();
    start();
}

/* False at the end of the input. */
static bool obey(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return false;
    double wanted = atof(line);
    if (wanted >= 1 && wanted <= 1000) tempo = wanted;
    if (wanted == 0 && device) {
        stop();
        check(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation), "deactivating");
        printf("metronome: stopped\n");
    } else {
        start();
    }
    return true;
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    int option;
    setlinebuf(stdout);
    setvbuf(stdin, NULL, _IONBF, 0); /* poll does not see lines in the buffer of stdio */
    while ((option = getopt(count, arguments, "d:")) != -1) {
        if (option != 'd') return 2;
        chosenDevice = optarg;
    }
    if (optind < count && !((tempo = atof(arguments[optind])) >= 1 && tempo <= 1000)) fail("tempo", "a number from 1 to 1000");
    beating = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (beating < 0) fail("timer", strerror(errno));

    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Metronome"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL), "listening");
    start();

    struct pollfd waiting[] = {{beating, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    while (poll(waiting, 3, -1) > 0) {
        if (waiting[0].revents) click();
        if (waiting[1].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[2].revents && !obey()) break;
    }
    stop();
    check(AudioSessionSetActive(false), "deactivating");
    return 0;
}
