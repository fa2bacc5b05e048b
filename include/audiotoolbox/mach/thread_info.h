/* SPDX-License-Identifier: Apache-2.0 */
/* The times, the state and the scheduling of a thread of this process, from the kernel (proc(5), sched(7)). thread_info reads a
   file: audio threads do not call it. All functions are inline; no library is needed. */
#ifndef AUDIOTOOLBOX_MACH_THREAD_INFO_H
#define AUDIOTOOLBOX_MACH_THREAD_INFO_H

#ifndef AUDIOTOOLBOX_MACH_KERN_RETURN_H
#include <mach/kern_return.h>
#endif
#ifndef AUDIOTOOLBOX_MACH_POLICY_H
#include <mach/policy.h>
#endif
#ifndef AUDIOTOOLBOX_MACH_TIME_VALUE_H
#include <mach/time_value.h>
#endif
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef natural_t thread_flavor_t;
typedef integer_t *thread_info_t;

#define THREAD_INFO_MAX 1024
typedef integer_t thread_info_data_t[THREAD_INFO_MAX];

#define THREAD_BASIC_INFO 3
#define THREAD_IDENTIFIER_INFO 4
#define THREAD_SCHED_TIMESHARE_INFO 10
#define THREAD_SCHED_RR_INFO 11
#define THREAD_SCHED_FIFO_INFO 12

/* The times have the resolution of the kernel, 10 ms. cpu_usage is the part of its life that the thread has run, in parts of
   TH_USAGE_SCALE. A thread is never suspended, and sleep_time is 0. */
struct thread_basic_info {
    time_value_t user_time;
    time_value_t system_time;
    integer_t cpu_usage;
    policy_t policy;
    integer_t run_state; /* TH_STATE_ */
    integer_t flags;     /* 0 */
    integer_t suspend_count;
    integer_t sleep_time;
};
typedef struct thread_basic_info thread_basic_info_data_t;
typedef struct thread_basic_info *thread_basic_info_t;
#define THREAD_BASIC_INFO_COUNT ((mach_msg_type_number_t)(sizeof(thread_basic_info_data_t) / sizeof(natural_t)))

#define TH_USAGE_SCALE 1000

#define TH_STATE_RUNNING 1
#define TH_STATE_STOPPED 2
#define TH_STATE_WAITING 3
#define TH_STATE_UNINTERRUPTIBLE 4
#define TH_STATE_HALTED 5

#define TH_FLAGS_SWAPPED 1
#define TH_FLAGS_IDLE 2

/* thread_info does not support THREAD_IDENTIFIER_INFO. */
struct thread_identifier_info {
    uint64_t thread_id;
    uint64_t thread_handle;
    uint64_t dispatch_qaddr;
};
typedef struct thread_identifier_info thread_identifier_info_data_t;
typedef struct thread_identifier_info *thread_identifier_info_t;
#define THREAD_IDENTIFIER_INFO_COUNT ((mach_msg_type_number_t)(sizeof(thread_identifier_info_data_t) / sizeof(natural_t)))

/* The headers of libc declare these functions only in some language modes. A struct sched_param is one int, a struct timespec is
   two longs. */
extern int audiotoolbox_sched_getscheduler_(int thread) __asm__("sched_getscheduler");
extern int audiotoolbox_sched_getparam_(int thread, int *priority) __asm__("sched_getparam");
extern int audiotoolbox_sched_rr_get_interval_(int thread, long *time) __asm__("sched_rr_get_interval");
extern int audiotoolbox_sched_get_priority_max_(int policy) __asm__("sched_get_priority_max");
extern int audiotoolbox_thread_clock_gettime_(int clock, long *time) __asm__("clock_gettime");

/* What the kernel writes about a thread. The times are in ticks. */
struct audiotoolbox_thread_status_ {
    char state;
    unsigned long user_time;
    unsigned long system_time;
    unsigned long start;
    int nice;
};

static __inline__ int audiotoolbox_thread_status_(thread_t thread, struct audiotoolbox_thread_status_ *status) {
    char text[1024];
    const char *behind_name = 0;
    FILE *file;
    sprintf(text, "/proc/self/task/%u/stat", thread);
    file = fopen(text, "re");
    if (!file) return 0;
    if (fgets(text, sizeof text, file)) behind_name = strrchr(text, ')');
    fclose(file);
    return behind_name &&
        sscanf(behind_name, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %d %*d %*d %lu", &status->state,
            &status->user_time, &status->system_time, &status->nice, &status->start) == 5;
}

/* POLICY_, or POLICY_NULL if this process has no such thread. */
static __inline__ policy_t audiotoolbox_thread_scheduling_(thread_t thread) {
    /* The bit is SCHED_RESET_ON_FORK. */
    int scheduler = audiotoolbox_sched_getscheduler_((int)thread);
    if (thread == MACH_PORT_NULL || scheduler < 0) return POLICY_NULL;
    switch (scheduler & ~0x40000000) {
    case 0:
    case 3:
    case 5: return POLICY_TIMESHARE;
    case 1: return POLICY_FIFO;
    default: return POLICY_RR;
    }
}

static __inline__ time_value_t audiotoolbox_thread_time_(unsigned long ticks, unsigned long ticks_per_second) {
    time_value_t time;
    time.seconds = (integer_t)(ticks / ticks_per_second);
    time.microseconds = (integer_t)(ticks % ticks_per_second * 1000000 / ticks_per_second);
    return time;
}

static __inline__ void audiotoolbox_thread_basic_info_(
    const struct audiotoolbox_thread_status_ *status, policy_t policy, thread_basic_info_t basic) {
    unsigned long ticks_per_second = (unsigned long)sysconf(_SC_CLK_TCK), used = status->user_time + status->system_time, lived;
    long now[2] = {0, 0};
    audiotoolbox_thread_clock_gettime_(7, now); /* CLOCK_BOOTTIME, as the start of the thread */
    lived = (unsigned long)now[0] * ticks_per_second + (unsigned long)now[1] / (1000000000 / ticks_per_second) - status->start;
    basic->user_time = audiotoolbox_thread_time_(status->user_time, ticks_per_second);
    basic->system_time = audiotoolbox_thread_time_(status->system_time, ticks_per_second);
    basic->cpu_usage = used >= lived ? (used ? TH_USAGE_SCALE : 0) : (integer_t)((double)used * TH_USAGE_SCALE / (double)lived);
    basic->policy = policy;
    switch (status->state) {
    case 'R': basic->run_state = TH_STATE_RUNNING; break;
    case 'T':
    case 't': basic->run_state = TH_STATE_STOPPED; break;
    case 'D': basic->run_state = TH_STATE_UNINTERRUPTIBLE; break;
    case 'Z':
    case 'X': basic->run_state = TH_STATE_HALTED; break;
    default: basic->run_state = TH_STATE_WAITING;
    }
    basic->flags = 0;
    basic->suspend_count = 0;
    basic->sleep_time = 0;
}

/* Writes the priorities of a thread that has this policy. */
static __inline__ kern_return_t audiotoolbox_thread_priorities_(
    thread_t thread, policy_t policy, const struct audiotoolbox_thread_status_ *status, thread_info_t info) {
    int priority = 0;
    long quantum[2] = {0, 0};
    if (policy == POLICY_TIMESHARE) {
        policy_timeshare_info_t timeshare = (policy_timeshare_info_t)(void *)info;
        timeshare->max_priority = 40;
        timeshare->base_priority = timeshare->cur_priority = 20 - status->nice;
        timeshare->depressed = 0;
        timeshare->depress_priority = -1;
        return KERN_SUCCESS;
    }
    if (audiotoolbox_sched_getparam_((int)thread, &priority) != 0) return KERN_FAILURE;
    if (policy == POLICY_RR) {
        policy_rr_info_t rr = (policy_rr_info_t)(void *)info;
        if (audiotoolbox_sched_rr_get_interval_((int)thread, quantum) != 0) return KERN_FAILURE;
        rr->max_priority = audiotoolbox_sched_get_priority_max_(2);
        rr->base_priority = priority;
        rr->quantum = (integer_t)(quantum[0] * 1000 + quantum[1] / 1000000);
        rr->depressed = 0;
        rr->depress_priority = -1;
    } else {
        policy_fifo_info_t fifo = (policy_fifo_info_t)(void *)info;
        fifo->max_priority = audiotoolbox_sched_get_priority_max_(1);
        fifo->base_priority = priority;
        fifo->depressed = 0;
        fifo->depress_priority = -1;
    }
    return KERN_SUCCESS;
}

/* Writes a struct thread_basic_info, or the struct policy_..._info of the policy that the thread has, and its size in words. For
   the priorities of another policy the result is KERN_INVALID_POLICY. */
static __inline__ kern_return_t thread_info(
    thread_t thread, thread_flavor_t flavor, thread_info_t info, mach_msg_type_number_t *count) {
    struct audiotoolbox_thread_status_ status = {0, 0, 0, 0, 0};
    mach_msg_type_number_t needed = 0;
    policy_t wanted = POLICY_NULL, policy = audiotoolbox_thread_scheduling_(thread);
    switch (flavor) {
    case THREAD_BASIC_INFO: needed = THREAD_BASIC_INFO_COUNT; break;
    case THREAD_SCHED_TIMESHARE_INFO: wanted = POLICY_TIMESHARE, needed = POLICY_TIMESHARE_INFO_COUNT; break;
    case THREAD_SCHED_RR_INFO: wanted = POLICY_RR, needed = POLICY_RR_INFO_COUNT; break;
    case THREAD_SCHED_FIFO_INFO: wanted = POLICY_FIFO, needed = POLICY_FIFO_INFO_COUNT; break;
    default: return KERN_INVALID_ARGUMENT;
    }
    if (policy == POLICY_NULL || !info || !count || *count < needed) return KERN_INVALID_ARGUMENT;
    if (wanted != POLICY_NULL && wanted != policy) return KERN_INVALID_POLICY;
    if (!audiotoolbox_thread_status_(thread, &status)) return KERN_INVALID_ARGUMENT;
    *count = needed;
    if (wanted != POLICY_NULL) return audiotoolbox_thread_priorities_(thread, policy, &status, info);
    audiotoolbox_thread_basic_info_(&status, policy, (thread_basic_info_t)(void *)info);
    return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
