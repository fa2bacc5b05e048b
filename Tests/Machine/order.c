/* Reads a recording of numbered frames: `order FILE`, 16-bit samples of two channels without a header, as
   `number FRAMES` in test-sound.sh writes them: left counts to 30,000, right how often. Frames of zeros are silence.
   Says how many different frames were heard, how often the next one heard was not the next one written, and the
   longest silence between two of them, in frames; on standard error, where the hearing began, leapt and ended. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PER_TURN = 30000, MOST = 1 << 22 };

int main(int count, char **words) {
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    char *known = calloc(MOST, 1);
    int16_t frame[2];
    long heard = 0, first = -1, last = -1, leaps = 0, silence = 0, longest = 0;
    if (!file || !known) return 1;
    while (fread(frame, sizeof frame, 1, file) == 1) {
        if (frame[0] == 0 && frame[1] == 0) {
            silence++;
            continue;
        }
        long number = (long)(frame[1] - 1) * PER_TURN + frame[0] - 1;
        if (number < 0 || number >= MOST) return 1;
        if (last >= 0 && number != last + 1) {
            leaps++;
            fprintf(stderr, "after frame %ld comes %ld, in between %ld frames of silence\n", last, number, silence);
        }
        if (last >= 0 && silence > longest) longest = silence;
        if (first < 0) first = number;
        if (!known[number]) heard++;
        known[number] = 1;
        last = number;
        silence = 0;
    }
    fprintf(stderr, "from frame %ld to frame %ld\n", first, last);
    printf("%ld %ld %ld\n", heard, leaps, longest);
    return 0;
}
