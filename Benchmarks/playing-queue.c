/* SPDX-License-Identifier: Apache-2.0 */
/* playing-queue [MS]: a queue with three buffers of a quarter of a second plays a constant of two channels until the process is
   killed. MS: the preferred duration of a slice, in milliseconds; without it that of a new session. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <unistd.h>

enum { RATE = 48000, FRAME = 4, BUFFER = RATE / 4 * FRAME, LEVEL = 1000 };

static void fill(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    (void)user;
    int16_t *samples = buffer->mAudioData;
    for (int i = 0; i < BUFFER / 2; i++) samples[i] = LEVEL;
    buffer->mAudioDataByteSize = BUFFER;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

int main(int count, char **words) {
    Float32 preferred = (Float32)count_from(count, words, 1, 0) / 1000;
    AudioStreamBasicDescription format = {
        RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, FRAME, 1, FRAME, 2, 16, 0};
    AudioQueueRef queue;
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    AudioSessionPropertyID duration = kAudioSessionProperty_PreferredHardwareIOBufferDuration;
    if (preferred > 0) REQUIRE(AudioSessionSetProperty(duration, sizeof preferred, &preferred) == 0);
    REQUIRE(AudioQueueNewOutput(&format, fill, NULL, NULL, NULL, 0, &queue) == 0);
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer;
        REQUIRE(AudioQueueAllocateBuffer(queue, BUFFER, &buffer) == 0);
        fill(NULL, queue, buffer);
    }
    REQUIRE(AudioQueueStart(queue, NULL) == 0);
    for (;;) pause();
}
