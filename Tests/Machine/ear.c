/* Listens to a recording: `ear FILE RATE FREQUENCY`, 16-bit samples of two channels without a header.
   Says how loud the tone was in each 5 ms, in decibels below full scale (-200: digital silence), then
   how long it sounded, and its loudest sample step. */
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

int main(int count, char **words) {
    if (count != 4) return 2;
    int rate = atoi(words[2]), window = rate / 200;
    double step = 2 * M_PI * atof(words[3]) / rate;
    FILE *file = fopen(words[1], "rb");
    int16_t *samples = malloc((size_t)window * 4);
    if (!file || !samples) return 1;
    for (int i = 0; fread(samples, 4, (size_t)window, file) == (size_t)window; i++)
        printf("%d %.2f\n", i * 5, level(samples, window, step));
    return 0;
}
