/* SPDX-License-Identifier: Apache-2.0 */
/* A navigation prompt: the music is ducked while the prompt plays. It has no run loop; it waits with poll. Each
   letter of a line of standard input is a beep.

       cc prompt.c $(pkg-config --cflags --libs audiosession alsa) -lm -o prompt
       echo turn left | ./prompt [-d DEVICE] */
#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <poll.h>
#include <unistd.h>

enum { RATE = 44100, BEEP = RATE / 16 /* frames per letter */, LONGEST = 80 /* letters */, LATENCY = 100000 /* microseconds */ };

static const char *chosenDevice;
static snd_pcm_t *device;
static double silentAt;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "prompt: %s: %s\n", what, why);
    exit(1);
}

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) fail(what, AudioSessionLinuxStatusName(status));
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- Sound ---- */

static void play(const char *words) {
    static int16_t samples[LONGEST * BEEP];
    const long length = (long)strlen(words) * BEEP;
    char name[256], plugged[300];
    UInt32 size = sizeof name;
    int error;
    for (long i = 0; i < length; i++) {
        int letter = words[i / BEEP];
        double fade = sin(M_PI * (double)(i % BEEP) / BEEP);
        samples[i] = letter == ' ' ? 0 : (int16_t)(12000 * fade * sin(2 * M_PI * (400 + 20 * (letter % 32)) * (double)i / RATE));
    }
    if (chosenDevice)
        snprintf(name, sizeof name, "%s", chosenDevice);
    else
        check(AudioSessionLinuxCopyDeviceName(false, name, &size), "the route's device");
    snprintf(plugged, sizeof plugged, "plug:'%s'", name);
    /* The whole prompt fits into the buffer of the device. */
    error = snd_pcm_open(&device, plugged, SND_PCM_STREAM_PLAYBACK, 0);
    if (error == 0)
        error = snd_pcm_set_params(device, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, RATE, 1,
            LATENCY + (unsigned)(length * 1000000.0 / RATE));
    if (error < 0) fail(name, snd_strerror(error));
    snd_pcm_writei(device, samples, (snd_pcm_uframes_t)length);
    if (snd_pcm_state(device) == SND_PCM_STATE_PREPARED) snd_pcm_start(device);
    silentAt = now() + (double)length / RATE;
}

/* ---- The session ---- */

static void fallSilent(void) {
    if (!device) return;
    snd_pcm_close(device);
    device = NULL;
    check(AudioSessionSetActive(false), "deactivating");
    printf("prompt: has finished\n");
}

static void speak(const char *words) {
    OSStatus status;
    fallSilent();
    status = AudioSessionSetActive(true);
    if (status != kAudioSessionNoError) {
        printf("prompt: does not play \"%s\": %s\n", words, AudioSessionLinuxStatusName(status));
        return;
    }
    play(words);
    printf("prompt: plays \"%s\"\n", words);
}

/* A late prompt is wrong: an interrupted prompt is not resumed. */
static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    if (state != kAudioSessionBeginInterruption) return;
    printf("prompt: is interrupted\n");
    fallSilent();
}

/* False at the end of the input. */
static bool listen(void) {
    char line[LONGEST + 1];
    if (!fgets(line, sizeof line, stdin)) return false;
    line[strcspn(line, "\n")] = 0;
    if (line[0]) speak(line);
    return true;
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_MediaPlayback, yes = 1;
    int option;
    setlinebuf(stdout);
    setvbuf(stdin, NULL, _IONBF, 0); /* poll does not see lines in the buffer of stdio */
    while ((option = getopt(count, arguments, "d:")) != -1) {
        if (option != 'd') return 2;
        chosenDevice = optarg;
    }
    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Navigation"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    check(AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof yes, &yes), "mixing");
    check(AudioSessionSetProperty(kAudioSessionProperty_OtherMixableAudioShouldDuck, sizeof yes, &yes), "ducking");

    struct pollfd waiting[] = {{AudioSessionLinuxEventDescriptor(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    bool open = true;
    while (open || device) {
        double left = device ? silentAt - now() : -1;
        if (device && left <= 0) {
            fallSilent();
            continue;
        }
        poll(waiting, open ? 2 : 1, device ? (int)(left * 1000) + 1 : -1);
        if (waiting[0].revents) AudioSessionLinuxDispatchEvents();
        if (open && waiting[1].revents) open = listen();
    }
    return 0;
}
