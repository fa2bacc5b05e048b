/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses PortAudio: plays two seconds of a tone through the default device. */
#include <portaudio.h>

#include <math.h>
#include <stdio.h>

enum { RATE = 48000, FRAMES = 2 * RATE };

int main(void) {
    static float buffer[480 * 2];
    PaStream *stream;
    PaError error = Pa_Initialize();
    if (error == paNoError) error = Pa_OpenDefaultStream(&stream, 0, 2, paFloat32, RATE, 480, NULL, NULL);
    if (error == paNoError) error = Pa_StartStream(stream);
    for (int done = 0; error == paNoError && done < FRAMES; done += 480) {
        for (int i = 0; i < 480; i++)
            buffer[2 * i] = buffer[2 * i + 1] = 0.5f * (float)sin((done + i) * 2 * M_PI * 440 / RATE + 0.1);
        error = Pa_WriteStream(stream, buffer, 480);
        /* After a long interruption PortAudio reports an underflow, and continues. */
        if (error == paOutputUnderflowed) error = paNoError;
    }
    if (error == paNoError) error = Pa_StopStream(stream);
    if (error == paNoError) error = Pa_CloseStream(stream);
    if (error != paNoError) fprintf(stderr, "%s\n", Pa_GetErrorText(error));
    Pa_Terminate();
    return error == paNoError ? 0 : 1;
}
