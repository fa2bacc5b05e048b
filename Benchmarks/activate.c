/* SPDX-License-Identifier: Apache-2.0 */
/* activate [COUNT]: measures AudioSessionSetActive while no other session is active, and the system calls of one activation
   alone, with the same sizes, on the same file. */
#include "table.h"

#include <AudioToolbox/AudioToolbox.h>

enum { WARM_UP = 200 };

static struct table table;

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 5000);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    table_open(&table);
    for (int i = 0; i < WARM_UP + count; i++) {
        uint64_t start = now();
        OSStatus on = AudioSessionSetActive(1);
        uint64_t middle = now();
        OSStatus off = AudioSessionSetActive(0);
        uint64_t end = now();
        REQUIRE(on == 0 && off == 0);
        table_read(&table);
        uint64_t bare = now();
        table_commit(&table, 0, 1);
        uint64_t bare_end = now();
        if (i < WARM_UP) continue;
        sample("activate", "AudioSessionSetActive(true)", "us", (double)(middle - start) / 1e3);
        sample("activate", "AudioSessionSetActive(false)", "us", (double)(end - middle) / 1e3);
        sample("activate", "its system calls alone", "us", (double)(bare_end - bare) / 1e3);
    }
}
