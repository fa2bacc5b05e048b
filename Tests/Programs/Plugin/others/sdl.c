/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses SDL2: plays two seconds of a tone, and ends when the device has accepted them. */
#include <SDL.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { RATE = 48000, FRAMES = 2 * RATE };

static int done;

static void play(void *data, Uint8 *bytes, int size) {
    int16_t *samples = (int16_t *)(void *)bytes;
    (void)data;
    for (int i = 0; i < size / 4; i++, done++) {
        int16_t value = done < FRAMES ? (int16_t)(16000 * sin(done * 2 * M_PI * 440 / RATE + 0.1)) : 0;
        samples[2 * i] = samples[2 * i + 1] = value ? value : done < FRAMES;
    }
}

int main(void) {
    SDL_AudioSpec wanted = {.freq = RATE, .format = AUDIO_S16SYS, .channels = 2, .samples = 1024, .callback = play};
    if (SDL_Init(SDL_INIT_AUDIO) != 0 || SDL_OpenAudio(&wanted, NULL) != 0) {
        fprintf(stderr, "%s\n", SDL_GetError());
        return 1;
    }
    SDL_PauseAudio(0);
    /* One more second, so that the last frames are played. */
    while (done < FRAMES + RATE) SDL_Delay(20);
    SDL_CloseAudio();
    SDL_Quit();
    return 0;
}
