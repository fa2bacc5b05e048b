/* SPDX-License-Identifier: Apache-2.0 */
/* initialize-PEER: measures the first call of a process to its sound library. A second sample is the number of bytes that
   the call writes to standard error. */
#include "measure.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(PEER_AUDIOSESSION)
#include <AudioToolbox/AudioToolbox.h>
static const char *subject = "AudioSessionInitialize";
static void initialize(void) { REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0); }
#elif defined(PEER_AUDIOSESSION_VOLUME)
#include <AudioToolbox/AudioToolbox.h>
static const char *subject = "AudioSessionInitialize, and a get of the volume";
/* The first get that depends on the hardware waits for it. */
static void initialize(void) {
    Float32 volume;
    UInt32 size = sizeof volume;
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputVolume, &size, &volume);
}
#elif defined(PEER_PORTAUDIO)
#include <portaudio.h>
static const char *subject = "Pa_Initialize (libportaudio2)";
static void initialize(void) { REQUIRE(Pa_Initialize() == paNoError); }
#elif defined(PEER_SDL)
#include <SDL.h>
static const char *subject = "SDL_Init (libSDL2)";
/* Without a card and a server the call fails after it has looked for both. */
static void initialize(void) { SDL_Init(SDL_INIT_AUDIO); }
#elif defined(PEER_HINTS)
#include <alsa/asoundlib.h>
static const char *subject = "snd_device_name_hint (libasound)";
static void initialize(void) {
    void **hints;
    REQUIRE(snd_device_name_hint(-1, "pcm", &hints) == 0);
    snd_device_name_free_hint(hints);
}
#elif defined(PEER_CONTROLS)
#include <stdlib.h>
#include <sound/asound.h>
#include <sys/ioctl.h>
static const char *subject = "the controls of all cards, by ioctl alone";
static void walk(int card) {
    char path[32];
    snprintf(path, sizeof path, "/dev/snd/controlC%d", card);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    struct snd_ctl_elem_list list = {0};
    REQUIRE(ioctl(fd, SNDRV_CTL_IOCTL_ELEM_LIST, &list) == 0);
    list.space = list.count;
    list.pids = calloc(list.count ? list.count : 1, sizeof *list.pids);
    REQUIRE(list.pids && ioctl(fd, SNDRV_CTL_IOCTL_ELEM_LIST, &list) == 0);
    for (unsigned i = 0; i < list.used; i++) {
        struct snd_ctl_elem_info info = {.id = list.pids[i]};
        ioctl(fd, SNDRV_CTL_IOCTL_ELEM_INFO, &info);
        struct snd_ctl_elem_value value = {.id = list.pids[i]};
        ioctl(fd, SNDRV_CTL_IOCTL_ELEM_READ, &value);
    }
    free(list.pids);
    close(fd);
}
static void initialize(void) {
    for (int card = 0; card < 32; card++) walk(card);
}
#endif

int main(void) {
    FILE *said = tmpfile();
    int standard_error = dup(2);
    REQUIRE(said && standard_error >= 0 && dup2(fileno(said), 2) == 2);
    uint64_t start = now();
    initialize();
    uint64_t end = now();
    struct stat status;
    REQUIRE(fstat(fileno(said), &status) == 0 && dup2(standard_error, 2) == 2);
    sample("initialize", subject, "us", (double)(end - start) / 1e3);
    sample("initialize-noise", subject, "bytes", (double)status.st_size);
    fflush(stdout);
    _exit(0);
}
