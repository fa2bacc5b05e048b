/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STACK_SIZE = 256 * 1024, PROGRAM_STACK_SIZE = 1024 * 1024 };

struct thread {
    pthread_t handle;
    void (*body)(void *);
    void *context;
    char name[16]; /* a copy, as long as the kernel keeps it: the thread reads it after the caller has returned */
    uint32_t state;
};

/* The end of the thread and its detachment happen in any order. The second of them frees the record. */
enum { THREAD_RUNNING, THREAD_ENDED, THREAD_DETACHED };

static void mark(struct thread *thread, uint32_t state) {
    if (__atomic_exchange_n(&thread->state, state, __ATOMIC_ACQ_REL) != THREAD_RUNNING) free(thread);
}

static void *run(void *argument) {
    struct thread *thread = argument;
    pthread_setname_np(pthread_self(), thread->name);
    thread->body(thread->context);
    mark(thread, THREAD_ENDED);
    return NULL;
}

/* Signals that an instruction of the program causes. They are not blocked, so that the handlers of the program are called. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
enum { FAULTS = sizeof faults / sizeof *faults };

static void *start(void (*body)(void *), void *context, const char *name, size_t stack, size_t unblocked) {
    struct thread *thread = malloc(sizeof *thread);
    if (!thread) return NULL;
    *thread = (struct thread){.body = body, .context = context};
    snprintf(thread->name, sizeof thread->name, "%s", name);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        free(thread);
        return NULL;
    }
    pthread_attr_setstacksize(&attributes, stack > (size_t)PTHREAD_STACK_MIN ? stack : (size_t)PTHREAD_STACK_MIN);
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < unblocked; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread->handle, &attributes, run, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error == 0) return thread;
    free(thread);
    return NULL;
}

void *linux_thread_start(void (*body)(void *context), void *context, const char *name) {
    return start(body, context, name, STACK_SIZE, 0);
}

void *linux_thread_start_for_program(void (*body)(void *context), void *context, const char *name) {
    return start(body, context, name, PROGRAM_STACK_SIZE, FAULTS);
}

void linux_thread_detach(void *handle) {
    struct thread *thread = handle;
    pthread_detach(thread->handle);
    mark(thread, THREAD_DETACHED);
}

void linux_thread_join(void *handle) {
    struct thread *thread = handle;
    /* A thread can release the last reference to the object that owns it. The object then ends its own thread. */
    if (thread->handle == pthread_self()) {
        linux_thread_detach(thread);
        return;
    }
    pthread_join(thread->handle, NULL);
    free(thread);
}

bool linux_thread_set_realtime(int priority) {
    struct sched_param parameters = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_RR | SCHED_RESET_ON_FORK, &parameters) == 0;
}

bool linux_thread_begin_background(void) {
    struct sched_param parameters = {.sched_priority = 0};
    if (sched_getscheduler(0) != SCHED_OTHER || sched_setscheduler(0, SCHED_BATCH, &parameters) != 0) return false;
    sched_yield();
    return true;
}
void linux_thread_end_background(void) {
    struct sched_param parameters = {.sched_priority = 0};
    sched_setscheduler(0, SCHED_OTHER, &parameters);
}

char *linux_thread_buffer(void) {
    static _Thread_local char buffer[LINUX_THREAD_BUFFER_SIZE];
    return buffer;
}

uint64_t linux_thread_self(void) { return (uint64_t)pthread_self(); }

void linux_thread_yield(void) { sched_yield(); }

void *linux_mutex_create(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    if (mutex) pthread_mutex_init(mutex, NULL);
    return mutex;
}
void linux_mutex_destroy(void *mutex) {
    pthread_mutex_destroy(mutex);
    free(mutex);
}
void linux_mutex_lock(void *mutex) { pthread_mutex_lock(mutex); }
void linux_mutex_unlock(void *mutex) { pthread_mutex_unlock(mutex); }

void *linux_condition_create(void) {
    pthread_cond_t *condition = malloc(sizeof *condition);
    if (condition) pthread_cond_init(condition, NULL);
    return condition;
}
void linux_condition_destroy(void *condition) {
    pthread_cond_destroy(condition);
    free(condition);
}
bool linux_condition_wait_until(void *condition, void *mutex, uint64_t deadline) {
    struct timespec until = {.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until) == 0;
}
void linux_condition_broadcast(void *condition) { pthread_cond_broadcast(condition); }
