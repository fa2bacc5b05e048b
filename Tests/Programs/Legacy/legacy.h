/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the tests of the legacy programs: a transcript of the events that a program receives, waits for
   its lines, and what the machine plays and records. The programs do not use this file. */
#ifndef LEGACY_H
#define LEGACY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* environ */
#endif
#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <spawn.h>
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

/* ---- Sound ---- */

/* A counter of the audio threads. The wait for it dispatches no events. */
static MAYBE_UNUSED void countOne(int *counter) {
    pthread_mutex_lock(&transcriptLock);
    ++*counter;
    pthread_cond_broadcast(&transcriptGrew);
    pthread_mutex_unlock(&transcriptLock);
}

static MAYBE_UNUSED int countOf(const int *counter) {
    int count;
    pthread_mutex_lock(&transcriptLock);
    count = *counter;
    pthread_mutex_unlock(&transcriptLock);
    return count;
}

static MAYBE_UNUSED void waitForMore(const char *file, int line, const int *counter, int more) {
    struct timespec deadline;
    int wanted, late = 0;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 60;
    pthread_mutex_lock(&transcriptLock);
    wanted = *counter + more;
    while (*counter < wanted && !late) late = pthread_cond_timedwait(&transcriptGrew, &transcriptLock, &deadline) != 0;
    late = *counter < wanted;
    pthread_mutex_unlock(&transcriptLock);
    if (late) giveUp(file, line, "the audio threads stand still for 60 s");
}

#define WAIT_FOR_MORE(counter, more) waitForMore(__FILE__, __LINE__, &(counter), more)

/* Bursts of a rectangular wave: half a second of them in a second. */
static MAYBE_UNUSED void writeMicrophone(void) {
    static const unsigned char header[44] =
        "RIFF\x24\x7D\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\x3E\0\0\0\x7D\0\0\2\0\x10\0data\0\x7D\0";
    FILE *file = fopen(getenv("AUDIOSESSION_SIMULATION_MICROPHONE"), "wb");
    int i;
    EXPECT(file && fwrite(header, 44, 1, file) == 1);
    for (i = 0; i < 16000; i++) {
        short sample = i / 1000 % 2 ? (short)(i / 40 % 2 ? 8000 : -8000) : 0;
        EXPECT(fwrite(&sample, 2, 1, file) == 1);
    }
    EXPECT(fclose(file) == 0);
}

/* The samples that are louder than a twentieth, of one recording of the machine. -1: there is no such file. */
static MAYBE_UNUSED long loudSamplesOf(const char *path) {
    unsigned char header[44];
    UInt32 left;
    float sample;
    long loud = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    if (fread(header, 44, 1, file) == 1) {
        EXPECT(header[34] == 32);
        memcpy(&left, header + 40, 4);
        for (; left >= 4 && fread(&sample, 4, 1, file) == 1; left -= 4)
            if (sample > 0.05f || sample < -0.05f) loud++;
    }
    fclose(file);
    return loud;
}

/* Of all recordings of this process: each stream has its own. */
static MAYBE_UNUSED long loudSamples(void) {
    const char *first = getenv("AUDIOSESSION_SIMULATION_WAV");
    char path[4096];
    long loud = 0, all = 0;
    int number;
    snprintf(path, sizeof path, "%s", first);
    for (number = 2; (loud = loudSamplesOf(path)) >= 0; number++) {
        all += loud;
        snprintf(path, sizeof path, "%.*s.%d.wav", (int)strlen(first) - 4, first, number);
    }
    return all;
}

/* ---- Events ---- */

#define SIMULATE(command) EXPECT_STATUS(AudioSessionLinuxSimulate(command), kAudioSessionNoError)

/* Another program that plays music until it is stopped: this program, executed again. A child of fork() alone would not do:
   with gcc's AddressSanitizer it can deadlock, when another thread begins or ends at the moment of the fork. It starts
   before the first AudioSessionInitialize of this process, or after it. */
static pid_t musicProcess;
static int musicStop[2];

static void playMusic(int started) {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    char byte = 0;
    EXPECT_STATUS(AudioSessionInitialize(NULL, NULL, NULL, NULL), 0);
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category), 0);
    EXPECT_STATUS(AudioSessionSetActive(1), 0);
    EXPECT(write(started, &byte, 1) == 1);
    _exit(read(STDIN_FILENO, &byte, 1) == 1 ? AudioSessionSetActiveWithFlags(0, 1) : 0);
}

/* Before main(), which has no arguments. */
__attribute__((constructor)) static MAYBE_UNUSED void beMusic(int count, char **arguments) {
    if (count == 2) playMusic(atoi(arguments[1]));
}

static MAYBE_UNUSED void startMusic(void) {
    int started[2];
    char byte = 0, name[] = "music", descriptor[16];
    char *arguments[] = {name, descriptor, NULL};
    posix_spawn_file_actions_t files;
    EXPECT(pipe(started) == 0 && pipe(musicStop) == 0);
    snprintf(descriptor, sizeof descriptor, "%d", started[1]);
    EXPECT(posix_spawn_file_actions_init(&files) == 0);
    EXPECT(posix_spawn_file_actions_adddup2(&files, musicStop[0], STDIN_FILENO) == 0);
    EXPECT(posix_spawn_file_actions_addclose(&files, musicStop[1]) == 0);
    EXPECT(posix_spawn(&musicProcess, "/proc/self/exe", &files, NULL, arguments, environ) == 0);
    posix_spawn_file_actions_destroy(&files);
    close(musicStop[0]);
    close(started[1]); /* the read ends when the process ends */
    EXPECT(read(started[0], &byte, 1) == 1);
    close(started[0]);
}

static MAYBE_UNUSED void stopMusic(void) {
    int status = -1;
    EXPECT(write(musicStop[1], "", 1) == 1);
    EXPECT(waitpid(musicProcess, &status, 0) == musicProcess && status == 0);
    close(musicStop[1]);
}

#endif
