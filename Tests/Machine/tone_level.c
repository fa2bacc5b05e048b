/* SPDX-License-Identifier: Apache-2.0 */
/* tone_level FILE RATE FREQUENCY: prints the level of a tone in each 5 ms of a recording, in decibels relative to
   full scale. The recording is 16-bit samples of two channels without a header. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double level(const int16_t *samples, int count, double step) {
    double s1 = 0, s2 = 0, coefficient = 2 * cos(step);
    for (int i = 0; i < count; i++) {
        double s0 = samples[2 * i] / 32768.0 + coefficient * s1 - s2;
        s2 = s1;
        s1 = s0;
    }
    double power = s1 * s1 + s2 * s2 - coefficient * s1 * s2;
    return power <= 1e-12 ? -200 : 10 * log10(power * 4 / ((double)count * count));
}

/* The frames without silences of a millisecond or more, which a slow machine adds. */
static int16_t *sounding(FILE *file, int rate, long *count) {
    long room = 1 << 16, silence = 0;
    int16_t *frames = malloc((size_t)room * 4);
    for (*count = 0; frames && fread(frames + 2 * *count, 4, 1, file) == 1;) {
        int16_t *frame = frames + 2 * (*count)++;
        silence = frame[0] == 0 && frame[1] == 0 ? silence + 1 : 0;
        if (silence == rate / 1000) *count -= silence;
        if (silence > rate / 1000) --*count;
        if (*count == room) frames = realloc(frames, (size_t)(room *= 2) * 4);
    }
    return frames;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    int rate = atoi(words[2]), window = rate / 200;
    double step = 2 * M_PI * atof(words[3]) / rate;
    FILE *file = fopen(words[1], "rb");
    long frames;
    int16_t *samples = file ? sounding(file, rate, &frames) : NULL;
    if (!samples) return 1;
    for (long i = 0; (i + 1) * window <= frames; i++) printf("%ld %.2f\n", i * 5, level(samples + 2 * i * window, window, step));
    return 0;
}
