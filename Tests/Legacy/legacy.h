/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the tests of the legacy programs: a transcript of the events that a program receives, and waits
   for its lines. The programs do not use this file. */
#ifndef LEGACY_H
#define LEGACY_H

#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAYBE_UNUSED __attribute__((unused))

static pthread_mutex_t transcriptLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t transcriptGrew = PTHREAD_COND_INITIALIZER;
static char transcript[1 << 16];
static size_t written, waitedFor;

/* A program that receives events on the main run loop needs a thread that runs it; a program with a run loop on its
   own thread does not. A line from another thread ends the wait as well. */
static CFRunLoopSourceRef lineWritten;

static void lookAtLine(void *unused) { (void)unused; }

static MAYBE_UNUSED void turnMainRunLoop(void) {
    CFRunLoopSourceContext context;
    memset(&context, 0, sizeof context);
    context.perform = lookAtLine;
    lineWritten = CFRunLoopSourceCreate(NULL, 0, &context);
    CFRunLoopAddSource(CFRunLoopGetMain(), lineWritten, kCFRunLoopDefaultMode);
}

static MAYBE_UNUSED void giveUp(const char *file, int line, const char *what) {
    printf("# %s:%d: %s\n# the program has received:\n%s", file, line, what, transcript);
    fflush(stdout);
    _exit(1);
}

#define EXPECT(condition) \
    do { \
        if (!(condition)) giveUp(__FILE__, __LINE__, #condition " does not hold"); \
    } while (0)

static MAYBE_UNUSED void expectStatus(const char *file, int line, OSStatus found, OSStatus expected) {
    char what[200];
    snprintf(what, sizeof what, "%s is not ", AudioSessionLinuxStatusName(found));
    strncat(what, AudioSessionLinuxStatusName(expected), sizeof what - strlen(what) - 1);
    if (found != expected) giveUp(file, line, what);
}

#define EXPECT_STATUS(found, expected) expectStatus(__FILE__, __LINE__, found, expected)

/* Any thread: appends a line to the transcript. */
__attribute__((format(printf, 1, 2))) static MAYBE_UNUSED void note(const char *format, ...) {
    va_list arguments;
    pthread_mutex_lock(&transcriptLock);
    va_start(arguments, format);
    written += (size_t)vsnprintf(transcript + written, sizeof transcript - written - 2, format, arguments);
    va_end(arguments);
    transcript[written++] = '\n';
    transcript[written] = 0;
    pthread_cond_broadcast(&transcriptGrew);
    pthread_mutex_unlock(&transcriptLock);
    if (lineWritten) {
        CFRunLoopSourceSignal(lineWritten);
        CFRunLoopWakeUp(CFRunLoopGetMain());
    }
}

/* True when the line follows the last awaited one. The next search begins after it. */
static MAYBE_UNUSED int takeLine(const char *words) {
    const char *found;
    pthread_mutex_lock(&transcriptLock);
    found = strstr(transcript + waitedFor, words);
    if (found) waitedFor = (size_t)(found - transcript) + strlen(words);
    pthread_mutex_unlock(&transcriptLock);
    return found != NULL;
}

static MAYBE_UNUSED void waitForLine(const char *file, int line, const char *words) {
    struct timespec deadline;
    char what[200];
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 60;
    while (!takeLine(words)) {
        int late = time(NULL) > deadline.tv_sec;
        if (lineWritten) {
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, 1);
        } else {
            pthread_mutex_lock(&transcriptLock);
            if (!strstr(transcript + waitedFor, words))
                late = pthread_cond_timedwait(&transcriptGrew, &transcriptLock, &deadline) != 0;
            pthread_mutex_unlock(&transcriptLock);
        }
        snprintf(what, sizeof what, "waited 60 s in vain for \"%s\"", words);
        if (late) giveUp(file, line, what);
    }
}

#define WAIT_FOR(words) waitForLine(__FILE__, __LINE__, words)
#define EXPECT_NOT_HEARD(words) EXPECT(strstr(transcript, words) == NULL)

#define SIMULATE(command) EXPECT_STATUS(AudioSessionLinuxSimulate(command), kAudioSessionNoError)

/* Another program that plays music until it is stopped. It starts before the first AudioSessionInitialize of this
   process, or after it. */
static pid_t musicProcess;
static int musicStop[2];

static MAYBE_UNUSED void startMusic(void) {
    int started[2];
    char byte = 0;
    EXPECT(pipe(started) == 0 && pipe(musicStop) == 0);
    musicProcess = fork();
    EXPECT(musicProcess >= 0);
    if (musicProcess == 0) {
        UInt32 category = kAudioSessionCategory_MediaPlayback;
        close(musicStop[1]);
        EXPECT_STATUS(AudioSessionInitialize(NULL, NULL, NULL, NULL), 0);
        EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), 0);
        EXPECT_STATUS(AudioSessionSetActive(1), 0);
        EXPECT(write(started[1], &byte, 1) == 1);
        _exit(read(musicStop[0], &byte, 1) == 1 ? AudioSessionSetActiveWithFlags(0, 1) : 0);
    }
    close(musicStop[0]);
    EXPECT(read(started[0], &byte, 1) == 1);
    close(started[0]);
    close(started[1]);
}

static MAYBE_UNUSED void stopMusic(void) {
    int status = -1;
    EXPECT(write(musicStop[1], "", 1) == 1);
    EXPECT(waitpid(musicProcess, &status, 0) == musicProcess && status == 0);
    close(musicStop[1]);
}

#endif
