/* SPDX-License-Identifier: Apache-2.0 */
/* Events reach the program through one descriptor: an epoll set of an eventfd of the classes, and of the descriptor of the C API.
   The main thread's run loop watches it. */
#import "SessionAccess.h"

#import <AudioToolbox/AudioSession.h>
#import <AudioToolbox/AudioSessionLinux.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#import "ObjectMemory.h"

/* An observer that causes an event for each event does not keep the main thread busy: the rest waits for the next turn of the
   run loop. */
enum { EVENTS_PER_TURN = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    pid_t process; /* a child of fork has a session of its own */
    int set, wake;
    void *subscription;
    BOOL isWatched;
} events = {0, -1, -1, NULL, NO};

/* Once. A version ends with the line feed of its file. */
static void logVersions(const char *found) {
    static bool isLogged;
    char line[160];
    if (__atomic_exchange_n(&isLogged, true, __ATOMIC_RELAXED)) return;
    snprintf(line, sizeof line, "libavfoundation-audio %.*s needs libAudioSession of the same version, not %.*s",
        (int)strcspn(AUDIOSESSION_VERSION, "\n"), AUDIOSESSION_VERSION, (int)strcspn(found, "\n"), found);
    NSLog(@"AVFoundation: %s; install both from one build", line);
}

const struct audiosession_engine *AVAudioEngineTable(void) {
    static const struct audiosession_engine *table;
    const struct audiosession_engine *present = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
    if (present) return present;
    const char *own = NULL;
    present = audiosession_engine(AUDIOSESSION_VERSION, &own);
    if (!present) logVersions(own ? own : "an older one");
    __atomic_store_n(&table, present, __ATOMIC_RELEASE);
    return present;
}

/* ---- Delivery ---- */

static void sessionEventsArePending(void *context) {
    (void)context;
    AVAudioSignalEvents();
}

void AVAudioSignalEvents(void) {
    uint64_t one = 1;
    int wake = __atomic_load_n(&events.wake, __ATOMIC_ACQUIRE);
    /* Fails only if the counter is full, and then the descriptor is readable. */
    if (wake >= 0 && write(wake, &one, sizeof one) < 0) return;
}

static void clearSignal(void) {
    uint64_t count;
    if (read(events.wake, &count, sizeof count) < 0) return; /* no signal since the last call */
}

static BOOL watch(int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return descriptor >= 0 && (epoll_ctl(events.set, EPOLL_CTL_ADD, descriptor, &event) == 0 || errno == EEXIST);
}

struct event_reading {
    struct session_event event;
    bool isThere;
};

static bool readEvent(void *context, const struct session_visitor *visitor) {
    struct event_reading *reading = context;
    reading->isThere = AVAudioEngineTable()->session_next_event(events.subscription, &reading->event, visitor);
    return reading->isThere;
}

/* Delivers the event that waits longest. */
static BOOL deliverSessionEvent(void) {
    struct event_reading reading = {{0, 0}, false};
    AV_POOL_BEGIN
    AVAudioSessionRouteDescription *previous = [[AVAudioSessionRouteDescription alloc] init];
    [previous readPortsWith:readEvent context:&reading];
    if (reading.isThere) AVAudioSessionDeliver(&reading.event, previous);
    AV_RELEASE(previous);
    AV_POOL_END
    return reading.isThere;
}

static void deliverReceivers(void);

void AVAudioLinuxDispatchEvents(void) {
    if (events.process != getpid()) return;
    clearSignal();
    /* Without listeners of C this delivers nothing. */
    AudioSessionLinuxDispatchEvents();
    deliverReceivers();
    int count = 0;
    while (count < EVENTS_PER_TURN && deliverSessionEvent()) count++;
    if (count == EVENTS_PER_TURN) AVAudioSignalEvents();
    AVAudioSessionNoticeCategory();
}

int AVAudioLinuxEventDescriptor(void) {
    AVAudioBegin();
    return events.isWatched ? events.set : -1;
}

/* The run loop of the main thread calls it. */
@interface AVAudioEventWatcher : NSObject <RunLoopEvents>
@end

@implementation AVAudioEventWatcher
- (void)receivedEvent:(void *)data type:(RunLoopEventType)type extra:(void *)extra forMode:(NSString *)mode {
    (void)extra;
    /* A child of fork has the run loop of its parent, whose descriptor is readable until the parent delivers its events. */
    if (events.process == getpid() && (int)(intptr_t)data == events.set)
        AVAudioLinuxDispatchEvents();
    else
        [[NSRunLoop currentRunLoop] removeEvent:data type:type forMode:mode all:YES];
}

/* On the main thread. */
- (void)watch {
    NSRunLoop *runLoop = [NSRunLoop currentRunLoop];
    NSString *modes[] = {NSDefaultRunLoopMode, @"NSEventTrackingRunLoopMode", @"NSModalPanelRunLoopMode"};
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        [runLoop addEvent:(void *)(intptr_t)events.set type:ET_RDESC watcher:self forMode:modes[i]];
}
@end

static void attachToRunLoop(void) {
    static AVAudioEventWatcher *watcher;
    if (!watcher) watcher = [[AVAudioEventWatcher alloc] init];
    if ([NSThread isMainThread])
        [watcher watch];
    else
        [watcher performSelectorOnMainThread:@selector(watch) withObject:nil waitUntilDone:NO];
}

/* Under the lock. Without descriptors the next message tries again. */
static BOOL openDescriptors(void) {
    if (events.set < 0) events.set = epoll_create1(EPOLL_CLOEXEC);
    if (events.wake < 0) __atomic_store_n(&events.wake, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), __ATOMIC_RELEASE);
    int listeners = AudioSessionLinuxEventDescriptor();
    if (events.set >= 0 && watch(events.wake) && watch(listeners)) return YES;
    static BOOL isReported;
    if (!isReported)
        NSLog(@"AVFoundation: no descriptors left: delegates and observers are not called; close some, or raise RLIMIT_NOFILE");
    isReported = YES;
    return NO;
}

/* Under the lock. */
static BOOL begin(const struct audiosession_engine *engine) {
    if (engine->session_begin() != 0) return NO;
    if (events.process != getpid()) {
        /* The descriptors of the parent are no part of this process's session. */
        events.set = -1;
        __atomic_store_n(&events.wake, -1, __ATOMIC_RELEASE);
        events.subscription = NULL;
        events.isWatched = NO;
        events.process = getpid();
    }
    if (!events.subscription) events.subscription = engine->session_join(sessionEventsArePending, NULL);
    /* Without memory for a subscription the next message tries again. */
    events.isWatched = openDescriptors() && events.subscription;
    return events.isWatched;
}

void AVAudioBegin(void) {
    const struct audiosession_engine *engine = AVAudioEngineTable();
    if (!engine) return;
    pthread_mutex_lock(&lock);
    BOOL isNew = (events.process != getpid() || !events.isWatched) && begin(engine);
    pthread_mutex_unlock(&lock);
    if (isNew) {
        attachToRunLoop();
        AVAudioSignalEvents();
    }
}

/* ---- Receivers ---- */

/* Refers to a receiver without retaining it. */
@interface AVAudioReceiverReference : NSObject {
  @public
    AV_WEAK id<AVAudioEventReceiver> receiver;
}
@end

@implementation AVAudioReceiverReference
@end

static NSMutableArray *receivers; /* AVAudioReceiverReference */
static unsigned receiverCount;
static pthread_mutex_t receiversLock = PTHREAD_MUTEX_INITIALIZER;

void AVAudioAddReceiver(id<AVAudioEventReceiver> receiver) {
    AVAudioReceiverReference *reference = [[AVAudioReceiverReference alloc] init];
    reference->receiver = receiver;
    pthread_mutex_lock(&receiversLock);
    if (!receivers) receivers = [[NSMutableArray alloc] init];
    [receivers addObject:reference];
    __atomic_add_fetch(&receiverCount, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&receiversLock);
    AV_RELEASE(reference);
}

static void removeReceiver(id<AVAudioEventReceiver> receiver) {
    for (NSUInteger i = 0; i < [receivers count]; i++) {
        AVAudioReceiverReference *reference = [receivers objectAtIndex:i];
        if (reference->receiver != receiver && reference->receiver) continue;
        [receivers removeObjectAtIndex:i];
        __atomic_sub_fetch(&receiverCount, 1, __ATOMIC_RELAXED);
        return;
    }
}

void AVAudioRemoveReceiver(id<AVAudioEventReceiver> receiver) {
    pthread_mutex_lock(&receiversLock);
    removeReceiver(receiver);
    pthread_mutex_unlock(&receiversLock);
}

#if !__has_feature(objc_arc)
void AVAudioRemoveReceiverAtLastRelease(id<AVAudioEventReceiver> receiver) {
    pthread_mutex_lock(&receiversLock);
    if ([receiver retainCount] == 1) removeReceiver(receiver);
    pthread_mutex_unlock(&receiversLock);
}
#endif

/* Retains each receiver, so that a delegate may release it. */
static NSArray *copyReceivers(void) {
    NSMutableArray *present = [[NSMutableArray alloc] init];
    pthread_mutex_lock(&receiversLock);
    for (NSUInteger i = 0; i < [receivers count]; i++) {
        AVAudioReceiverReference *reference = [receivers objectAtIndex:i];
        id<AVAudioEventReceiver> receiver = reference->receiver;
        if (receiver) [present addObject:receiver];
    }
    pthread_mutex_unlock(&receiversLock);
    return present;
}

static void deliverReceivers(void) {
    if (__atomic_load_n(&receiverCount, __ATOMIC_RELAXED) == 0) return;
    AV_POOL_BEGIN
    NSArray *present = copyReceivers();
    for (NSUInteger i = 0; i < [present count]; i++) [[present objectAtIndex:i] deliverEvents];
    AV_RELEASE(present);
    AV_POOL_END
}

static void tell(id<AVAudioEventReceiver> receiver, const struct session_event *event) {
    switch (event->kind) {
    case SESSION_INTERRUPTION_BEGAN: [receiver sessionWasInterrupted]; break;
    case SESSION_INTERRUPTION_ENDED: [receiver sessionInterruptionEndedWithOptions:(NSUInteger)event->value]; break;
    case SESSION_SERVER_DIED: [receiver sessionStoppedSound]; break;
    default: break;
    }
}

void AVAudioTellReceivers(const struct session_event *event) {
    NSArray *present = copyReceivers();
    for (NSUInteger i = 0; i < [present count]; i++) tell([present objectAtIndex:i], event);
    AV_RELEASE(present);
}

void AVAudioStopReceivers(void) {
    NSArray *present = copyReceivers();
    for (NSUInteger i = 0; i < [present count]; i++) [[present objectAtIndex:i] sessionStoppedSound];
    AV_RELEASE(present);
}

/* ---- Errors and texts ---- */

NSError *AVAudioErrorWithText(int32_t code, const char *text) {
    NSString *description = [NSString stringWithUTF8String:text];
    return [NSError errorWithDomain:NSOSStatusErrorDomain
                               code:code
                           userInfo:[NSDictionary dictionaryWithObject:description forKey:NSLocalizedDescriptionKey]];
}

BOOL AVAudioFinish(int32_t code, NSError **outError) {
    const struct audiosession_engine *engine = AVAudioEngineTable();
    if (outError) {
        if (code == 0)
            *outError = nil;
        else
            *outError =
                AVAudioErrorWithText(code, engine ? engine->session_error_text(code) : "libAudioSession has another version.");
    }
    return code == 0;
}

NSString *AVAudioCopyText(struct session_text text) {
    NSString *string = [[NSString alloc] initWithBytes:text.bytes length:text.size encoding:NSUTF8StringEncoding];
    return string ? string : [[NSString alloc] init];
}
