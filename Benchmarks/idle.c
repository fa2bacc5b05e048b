/* SPDX-License-Identifier: Apache-2.0 */
/* idle-PEER: a program whose sound library is ready, and which waits. Prints "ready" and waits until it is killed. */
#include "measure.h"

#include <unistd.h>

#if defined(PEER_AUDIOSESSION)
#include <AudioToolbox/AudioToolbox.h>
static void begin(void) { REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0 && AudioSessionSetActive(1) == 0); }
#elif defined(PEER_QUEUE) || defined(PEER_PAUSED_QUEUE)
#include <AudioToolbox/AudioToolbox.h>
static void enqueue_again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)data;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}
/* A queue with buffers. It has played and is paused, or has not started. */
static void begin(void) {
    AudioStreamBasicDescription format = {
        48000, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
    AudioQueueRef queue;
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    REQUIRE(AudioQueueNewOutput(&format, enqueue_again, NULL, NULL, NULL, 0, &queue) == 0);
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer;
        REQUIRE(AudioQueueAllocateBuffer(queue, 16384, &buffer) == 0);
        buffer->mAudioDataByteSize = 16384;
        enqueue_again(NULL, queue, buffer);
    }
#if defined(PEER_PAUSED_QUEUE)
    REQUIRE(AudioQueueStart(queue, NULL) == 0);
    pause_for(500000000);
    REQUIRE(AudioQueuePause(queue) == 0);
#endif
    pause_for(500000000);
}
#elif defined(PEER_SDL)
#include <SDL.h>
/* SDL opens the device paused. */
static void begin(void) {
    SDL_AudioSpec wanted = {.freq = 48000, .format = AUDIO_S16SYS, .channels = 2, .samples = 1024};
    REQUIRE(SDL_Init(SDL_INIT_AUDIO) == 0 && SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0) != 0);
}
#elif defined(PEER_PULSE)
#include <pulse/pulseaudio.h>
static void begin(void) {
    static const pa_sample_spec format = {.format = PA_SAMPLE_S16LE, .rate = 48000, .channels = 2};
    pa_threaded_mainloop *loop = pa_threaded_mainloop_new();
    pa_context *context = pa_context_new(pa_threaded_mainloop_get_api(loop), "idle");
    REQUIRE(pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) >= 0);
    REQUIRE(pa_threaded_mainloop_start(loop) >= 0);
    while (pa_context_get_state(context) != PA_CONTEXT_READY) pause_for(1000000);
    pa_threaded_mainloop_lock(loop);
    pa_stream *stream = pa_stream_new(context, "idle", &format, NULL);
    REQUIRE(pa_stream_connect_playback(stream, NULL, NULL, PA_STREAM_START_CORKED, NULL, NULL) >= 0);
    pa_threaded_mainloop_unlock(loop);
    while (pa_stream_get_state(stream) != PA_STREAM_READY) pause_for(1000000);
}
#endif

int main(void) {
    begin();
    if (write(1, "ready\n", 6) != 6) return 1;
    for (;;) pause();
}
