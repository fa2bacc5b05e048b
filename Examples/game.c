/* SPDX-License-Identifier: Apache-2.0 */
/* A game with ambient sound: each bounce of a ball makes a sound. While another program plays music, the game
   plays no music of its own. A phone call pauses the game. The game loop keeps its frame rate and runs the run
   loop for the rest of each frame.

       cc game.c $(pkg-config --cflags --libs audiosession alsa) -lm -o game
       ./game [-d DEVICE] [-f FRAMES] */
#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <unistd.h>

enum { FRAMES_A_SECOND = 60, RATE = 44100, LATENCY = 60000 /* microseconds */, FRAME = RATE / FRAMES_A_SECOND };

static const char *chosenDevice;
static snd_pcm_t *device;
static bool paused, ownMusic;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "game: %s: %s\n", what, why);
    exit(1);
}

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) fail(what, AudioSessionLinuxStatusName(status));
}

/* ---- Sound ---- */

static long clock_, bounced = -RATE; /* in samples since the game began */

static double music(double seconds) {
    static const double bass[] = {55, 55, 82.5, 73.4};
    return 0.15 * sin(2 * M_PI * bass[(long)seconds % 4] * seconds);
}

static double bounce(double seconds) { return 0.5 * exp(-20 * seconds) * sin(2 * M_PI * 220 * seconds); }

static void mixFrame(void) {
    int16_t samples[FRAME];
    if (!device) return;
    for (int i = 0; i < FRAME; i++, clock_++) {
        double level = bounce((double)(clock_ - bounced) / RATE);
        if (ownMusic) level += music((double)clock_ / RATE);
        samples[i] = (int16_t)(level * 32767);
    }
    /* The device has no room for the frame: drop it. */
    snd_pcm_sframes_t written = snd_pcm_writei(device, samples, FRAME);
    if (written < 0 && written != -EAGAIN) snd_pcm_recover(device, (int)written, 1);
}

static void openDevice(void) {
    char name[256], plugged[300];
    UInt32 size = sizeof name;
    int error;
    if (device) snd_pcm_close(device);
    device = NULL;
    if (!chosenDevice && AudioSessionLinuxCopyDeviceName(false, name, &size) != kAudioSessionNoError)
        return; /* the game also runs without sound */
    snprintf(plugged, sizeof plugged, "plug:'%s'", chosenDevice ? chosenDevice : name);
    error = snd_pcm_open(&device, plugged, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (error == 0) error = snd_pcm_set_params(device, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, RATE, 1, LATENCY);
    if (error < 0) fail(plugged, snd_strerror(error));
}

/* ---- The session ---- */

static void chooseMusic(void) {
    UInt32 others = 0, size = sizeof others;
    check(AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &others), "other audio");
    ownMusic = !others;
    printf("game: %s\n", ownMusic ? "plays its own music" : "another program plays music");
}

static void enter(void) {
    check(AudioSessionSetActive(true), "activating"); /* ambient sound mixes: a call does not refuse it */
    openDevice();
    paused = false;
    printf("game: resumed\n");
}

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    if (state == kAudioSessionEndInterruption) {
        enter();
        return;
    }
    paused = true;
    if (device) snd_pcm_drop(device);
    printf("game: paused\n");
}

static void routeChanged(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused, (void)property, (void)size, (void)data;
    if (!paused) openDevice();
    printf("game: moves to another device\n");
}

/* ---- The game ---- */

static double height = 1, speed;

static void moveBall(void) {
    speed -= 9.81 / FRAMES_A_SECOND;
    height += speed / FRAMES_A_SECOND;
    if (height > 0) return;
    height = -height;
    speed = -speed;
    bounced = clock_;
}

static void draw(long frame) {
    if (isatty(STDOUT_FILENO) && frame % 3 == 0) printf("\r%*s\033[K\r", 2 + (int)(40 * height), "o");
    fflush(stdout);
}

int main(int count, char **arguments) {
    UInt32 category = kAudioSessionCategory_AmbientSound;
    long frames = LONG_MAX;
    int option;
    setlinebuf(stdout);
    while ((option = getopt(count, arguments, "d:f:")) != -1) {
        if (option == 'd')
            chosenDevice = optarg;
        else if (option == 'f')
            frames = atol(optarg);
        else
            return 2;
    }
    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Game"), "naming");
    check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), "category");
    check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL), "listening");
    chooseMusic();
    enter();

    CFAbsoluteTime next = CFAbsoluteTimeGetCurrent();
    for (long frame = 0; frame < frames; frame += !paused) {
        if (!paused) moveBall(), mixFrame(), draw(frame);
        next += 1.0 / FRAMES_A_SECOND;
        CFTimeInterval left = next - CFAbsoluteTimeGetCurrent();
        if (left < 0) next -= left, left = 0;
        while (left >= 0 && CFRunLoopRunInMode(kCFRunLoopDefaultMode, left, true) == kCFRunLoopRunHandledSource)
            left = next - CFAbsoluteTimeGetCurrent();
    }
    if (device) snd_pcm_close(device);
    check(AudioSessionSetActive(false), "leaving");
    printf("game: over\n");
    return 0;
}
