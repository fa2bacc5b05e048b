/* SPDX-License-Identifier: Apache-2.0 */
/* memory NAME=PCM: measures the memory of a process that initializes the session, where it is linked, and plays through a PCM. */
#include "measure.h"
#include "playing.h"

#include <string.h>

#if defined(WITH_SESSION)
#include <AudioToolbox/AudioToolbox.h>
static void initialize(void) { REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0 && AudioSessionSetActive(1) == 0); }
#else
static void initialize(void) {}
#endif

enum { PERIOD = 1024, PERIODS = 4 };

static void say_memory(const char *name) {
    FILE *rollup = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long number, resident = 0, own = 0;
    REQUIRE(rollup);
    while (fgets(line, sizeof line, rollup)) {
        if (sscanf(line, "Rss: %ld", &number) == 1) resident = number;
        if (sscanf(line, "Private_Clean: %ld", &number) == 1 || sscanf(line, "Private_Dirty: %ld", &number) == 1) own += number;
    }
    fclose(rollup);
    sample("memory", name, "KB", (double)resident);
    sample("memory-own", name, "KB", (double)own);
}

int main(int argc, char **argv) {
    REQUIRE(argc == 2);
    char *pcm = strchr(argv[1], '=');
    REQUIRE(pcm);
    *pcm++ = '\0';
    initialize();
    snd_pcm_t *handle = opened(pcm, ways[0], PERIOD, PERIOD * PERIODS);
    REQUIRE(handle);
    char *sound = sound_of(bytes_of(ways[0], PERIOD));
    for (int i = 0; i < 2 * PERIODS; i++) REQUIRE(snd_pcm_writei(handle, sound, PERIOD) == PERIOD);
    say_memory(argv[1]);
    snd_pcm_close(handle);
}
