/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of calls that are rare: the program takes the place of three functions of the toolbox, and holds a callback of the queue
   until another thread is where the test wants it. */
#import "sounds.h"
#include <dlfcn.h>
#include <semaphore.h>

/* ---- The gate in front of the callback of the player's queue ---- */

static AudioQueueOutputCallback callback_of_player;
static sem_t arrived, passed;
static sem_t *gate;         /* the next callback waits here */
static bool opens_in_start; /* the next start lets the callback run before the queue starts */

static void hold(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    sem_t *wait = __atomic_exchange_n(&gate, NULL, __ATOMIC_ACQ_REL);
    if (wait) {
        sem_post(&arrived);
        while (sem_wait(wait) != 0) {}
    }
    callback_of_player(data, queue, buffer);
    if (wait) sem_post(&passed);
}

static void await(sem_t *semaphore) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += TIME_LIMIT_MS / 1000;
    REQUIRE(sem_timedwait(semaphore, &end) == 0);
}

#define REAL(function) ((__typeof__(&function))(intptr_t)dlsym(RTLD_NEXT, #function))

OSStatus AudioQueueNewOutput(const AudioStreamBasicDescription *format, AudioQueueOutputCallback callback, void *data,
    CFRunLoopRef loop, CFStringRef mode, UInt32 flags, AudioQueueRef *queue) {
    callback_of_player = callback;
    return REAL(AudioQueueNewOutput)(format, hold, data, loop, mode, flags, queue);
}

static sem_t opening;

OSStatus AudioQueueStart(AudioQueueRef queue, const AudioTimeStamp *time) {
    if (opens_in_start) {
        opens_in_start = false;
        sem_post(&opening);
        await(&passed);
    }
    return REAL(AudioQueueStart)(queue, time);
}

/* ---- Tests ---- */

@interface EndDelegate : NSObject <AVAudioPlayerDelegate>
@end

@implementation EndDelegate
- (void)audioPlayerDidFinishPlaying:(AVAudioPlayer *)player successfully:(BOOL)flag {
    EXPECT(flag && ![player isPlaying]);
    note(@"finished");
}
@end

/* The frames of a sound whose end the first callback reads: three buffers of 0.2 s, and 100 more. */
enum { FRAMES = 3 * 8820 + 100 };

/* A player that has paused while the callback with the end of the sound is on its way. */
static AVAudioPlayer *pause_before_the_end(void) {
    record_what_is_played();
    write_counting("sound.wav", kAudioFileWAVEType, 1, FRAMES);
    REQUIRE(sem_init(&arrived, 0, 0) == 0 && sem_init(&passed, 0, 0) == 0 && sem_init(&opening, 0, 0) == 0);
    AVAudioPlayer *player = [[AVAudioPlayer alloc] initWithContentsOfURL:url_of("sound.wav") error:NULL];
    REQUIRE(player != nil);
    player.delegate = [[[EndDelegate alloc] init] autorelease];
    gate = &opening;
    EXPECT([player play]);
    await(&arrived);
    [player pause];
    EXPECT(!player.playing);
    return player;
}

/* The delegate hears of one end, and the last frames are those of the file. The frames of all, at most. */
static void expect_one_end(size_t most) {
    size_t frames;
    WAIT_FOR_EVENT(@"finished");
    float *samples = sounding(&frames);
    EXPECT(frames <= most);
    EXPECT(find_run(samples, frames, FRAMES - 8000, 8001) >= 0);
    free(samples);
    EXPECT_INTEGER(times(@"finished"), 1);
}

OBJC_TEST(end_in_a_pause, "A sound that is read to its end during a pause goes on where it paused, and ends once") {
    AVAudioPlayer *player = pause_before_the_end();
    NSTimeInterval paused = player.currentTime;
    sem_post(&opening);
    await(&passed);
    EXPECT(player.currentTime >= paused && paused > 0.1);
    EXPECT([player play]);
    expect_one_end(FRAMES);
    [player release];
}

OBJC_TEST(end_in_a_start, "A sound that is read to its end while play continues it ends once, with its last frame") {
    AVAudioPlayer *player = pause_before_the_end();
    opens_in_start = true;
    EXPECT([player play]);
    expect_one_end(FRAMES);
    [player release];
}

OBJC_TEST(stop_in_a_pause, "A stop in a pause, with the last callback on its way, ends the sound: the delegate hears nothing") {
    AVAudioPlayer *player = pause_before_the_end();
    sem_post(&opening);
    [player stop];
    await(&passed);
    EXPECT(!player.playing && player.currentTime > 0.1 && player.currentTime < player.duration);
    NSTimeInterval stopped = player.currentTime;
    EXPECT_NUMBER(player.currentTime, stopped);
    EXPECT([player play]);
    expect_one_end(2 * FRAMES);
    [player release];
}
