/* SPDX-License-Identifier: Apache-2.0 */
/* order FILE [FADE]: checks a recording of numbered frames, 16-bit samples of two channels without a header, as `numbered`
   in test-sound.sh writes them: the left sample counts to 30,000, the right one counts its turns. A frame of zeros is
   silence. Before the first frame, one that a fade has made so quiet that its right sample is 0 is silence as well. Prints
   the number of different frames, the number of frames out of order (one that follows the same frame as the one before
   counts once, because a card plays its memory again and again; one that no program has played counts as well), the longest
   silence between two frames, and the number of such silences, one more where the first frames are missing; on standard error
   the first frame, the first ten frames out of order, the places of the first ten silences, and the last frame. FADE: after a
   silence of a millisecond so many frames fade in, the first one with a gain of 0. They are assumed to be in order. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PER_TURN = 30000, MOST = 1 << 22, MILLISECOND = 48, MOST_LINES = 10 };

int main(int count, char **words) {
    FILE *file = count >= 2 ? fopen(words[1], "rb") : NULL;
    char *known = calloc(MOST, 1);
    int16_t frame[2];
    long recorded = 0, first = -1, last = -1, leaps = 0, silence = 0, longest = 0, gaps = 0, after = -1, to = -1;
    long fade = count > 2 ? atol(words[2]) : 0, faded = 0;
    if (!file || !known) return 1;
    while (fread(frame, sizeof frame, 1, file) == 1) {
        bool is_silent = frame[0] == 0 && frame[1] == 0;
        if (is_silent || (last < 0 && frame[1] == 0)) {
            silence++;
            continue;
        }
        if (fade > 0 && last >= 0 && silence >= MILLISECOND) {
            faded = fade - 1;
            known[++last] = 1;
            recorded++;
        }
        long number = faded > 0 ? last + 1 : (long)(frame[1] - 1) * PER_TURN + frame[0] - 1;
        if (faded > 0) faded--;
        if (number < 0 || number >= MOST) {
            /* The sum of two frames, or the remains of one. */
            if (++leaps <= MOST_LINES) fprintf(stderr, "after frame %ld come the samples %d and %d\n", last, frame[0], frame[1]);
            continue;
        }
        if (last >= 0 && number != last + 1) {
            if (number != to || last != after) leaps++;
            after = last, to = number;
            if (leaps <= MOST_LINES)
                fprintf(stderr, "after frame %ld comes %ld, in between %ld frames of silence\n", last, number, silence);
        } else if (last >= 0 && silence > 0 && gaps < MOST_LINES)
            fprintf(stderr, "%ld frames of silence after frame %ld\n", silence, last);
        if (last >= 0 && silence > longest) longest = silence;
        if (last >= 0 && silence > 0) gaps++;
        if (first < 0 && number > 0) gaps++;
        if (first < 0) first = number;
        if (!known[number]) recorded++;
        known[number] = 1;
        last = number;
        silence = 0;
    }
    fprintf(stderr, "from frame %ld to frame %ld\n", first, last);
    printf("%ld %ld %ld %ld\n", recorded, leaps, longest, gaps);
    return 0;
}
