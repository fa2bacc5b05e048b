/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the programs in Objective-C share, beside the harness of Tests/Programs/Conformance. Each test has an
   autorelease pool and waits in the run loop of the main thread. */
#ifndef OBJC_TESTS_H
#define OBJC_TESTS_H

#import <AVFoundation/AVFoundation.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_CLO_CHANGE(option) (void)(option)
#endif

#include "../Conformance/conformance.h"

/* One turn of the run loop, until the next event or the deadline. */
static MAYBE_UNUSED bool turn_of_run_loop(long long deadline) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    double left = (double)(deadline - milliseconds()) / 1000;
    if (left > 0) [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode beforeDate:[NSDate dateWithTimeIntervalSinceNow:left]];
    [pool release];
    return left > 0;
}

/* A child drops the session of its parent, whose memory Valgrind reports as lost. */
static MAYBE_UNUSED pid_t fork_without_leak_check(void) {
    pid_t child = fork();
    if (child == 0) VALGRIND_CLO_CHANGE("--leak-check=no");
    return child;
}

/* A test with a pool, which is empty at its end. */
#define OBJC_TEST(name, sentence) \
    static void name##_in_pool(void); \
    TEST(name, sentence) { \
        NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init]; \
        turn = turn_of_run_loop; \
        name##_in_pool(); \
        [pool release]; \
    } \
    static void name##_in_pool(void)

#define EXPECT_STRING(found, expected) \
    do { \
        NSString *found_ = (found); \
        if (![found_ isEqual:(expected)]) \
            failed(__FILE__, __LINE__, "%s is %s, not %s", #found, found_ ? [[found_ description] UTF8String] : "nil", \
                [(expected) UTF8String]); \
    } while (0)

/* A message with an error succeeds, and clears the error. */
#define EXPECT_YES(...) EXPECT_YES_OF(#__VA_ARGS__, (__VA_ARGS__))
#define EXPECT_YES_OF(text, message) \
    do { \
        NSError *error = (NSError *)@"not cleared"; \
        if (!(message)) \
            failed(__FILE__, __LINE__, "%s gives NO: %s", text, [[error description] UTF8String]); \
        else if (error) \
            failed(__FILE__, __LINE__, "%s succeeds with an error", text); \
    } while (0)

/* A message with an error gives NO and an error of the platform's domain with this code, and NO without a place for an error. */
#define EXPECT_NO(message, expected) \
    do { \
        NSError *error = nil; \
        if (message) \
            failed(__FILE__, __LINE__, "%s gives YES", #message); \
        else if (![[error domain] isEqual:NSOSStatusErrorDomain] || [error code] != (NSInteger)(expected)) \
            failed(__FILE__, __LINE__, "%s gives the error %s, not %ld", #message, [[error description] UTF8String], \
                (long)(expected)); \
        else if ([[error localizedDescription] length] == 0) \
            failed(__FILE__, __LINE__, "%s gives an error without a description", #message); \
    } while (0)

/* A name and the value with which it came, in the order of arrival. */
static MAYBE_UNUSED NSMutableArray *log_of_events;

static MAYBE_UNUSED void note(NSString *event) {
    if (!log_of_events) log_of_events = [[NSMutableArray alloc] init];
    [log_of_events addObject:event];
}

static MAYBE_UNUSED int times(NSString *event) {
    int count = 0;
    for (NSString *noted in log_of_events) count += [noted isEqual:event];
    return count;
}

/* Waits for what no event reports: a position in the sound. */
#define WAIT_FOR_SOUND(condition) \
    do { \
        long long deadline_ = milliseconds() + TIME_LIMIT_MS; \
        while (!(condition)) { \
            turn(milliseconds() + 5); \
            if (milliseconds() > deadline_) end_of_time(__FILE__, __LINE__, #condition); \
        } \
    } while (0)

#define WAIT_FOR_EVENT(event) \
    do { \
        long long deadline_ = milliseconds() + TIME_LIMIT_MS; \
        while (times(event) == 0) \
            if (!turn(deadline_)) { \
                failed( \
                    __FILE__, __LINE__, "awaited %s; came: %s", [(event) UTF8String], [[log_of_events description] UTF8String]); \
                exit(1); \
            } \
    } while (0)

/* Sound of the microphone and of the machine's output. */
static MAYBE_UNUSED AVAudioSession *session(void) { return [AVAudioSession sharedInstance]; }

#define SET_CATEGORY(...) EXPECT_YES([session() setCategory:__VA_ARGS__ error:&error])
#define ACTIVATE() EXPECT_YES([session() setActive:YES error:&error])

#endif
