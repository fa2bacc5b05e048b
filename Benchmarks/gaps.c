/* SPDX-License-Identifier: Apache-2.0 */
/* gaps FILE SUBJECT: reads a recording of two sinks at once, 16-bit samples of four channels at 48,000 Hz, the first two of one sink.
   A stream whose samples are never 0 changed between the sinks. Measures each silence between two sounds on different sinks, and
   on standard error prints each silence between two sounds on the same sink. */
#include "measure.h"

enum { RATE = 48000 };

int main(int count, char **words) {
    FILE *file = count > 2 ? fopen(words[1], "rb") : NULL;
    REQUIRE(file);
    int16_t frame[4];
    long silence = 0, number = 0;
    int last = -1, moves = 0;
    for (; fread(frame, sizeof frame, 1, file) == 1; number++) {
        int sinks = (frame[0] || frame[1] ? 1 : 0) + (frame[2] || frame[3] ? 2 : 0);
        if (sinks == 0) {
            silence++;
            continue;
        }
        /* Both sinks at once: the sound goes on without a silence. */
        int now_on = sinks == 3 ? last : sinks;
        if (last > 0 && now_on != last) {
            sample("gap", words[2], "us", (double)silence * 1e6 / RATE);
            moves++;
        } else if (last > 0 && silence > 0) {
            fprintf(stderr, "%s: %ld frames of silence at frame %ld\n", words[2], silence, number - silence);
        }
        last = now_on;
        silence = 0;
    }
    fclose(file);
    REQUIRE(moves > 0);
    return 0;
}
