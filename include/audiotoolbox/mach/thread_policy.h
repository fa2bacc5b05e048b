/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduling of a thread. THREAD_TIME_CONSTRAINT_POLICY is SCHED_RR: Linux does not guarantee the computation time in a
   period, but threads of lower priority do not delay the thread. THREAD_STANDARD_POLICY is SCHED_OTHER. The other policies
   return KERN_NOT_SUPPORTED. All functions are inline; no library is needed. */
#ifndef AUDIOTOOLBOX_MACH_THREAD_POLICY_H
#define AUDIOTOOLBOX_MACH_THREAD_POLICY_H

#ifndef AUDIOTOOLBOX_MACH_MACH_H
#include <mach/mach.h>
#endif
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef natural_t thread_policy_flavor_t;
typedef integer_t *thread_policy_t;

#define THREAD_STANDARD_POLICY 1
#define THREAD_EXTENDED_POLICY 1
#define THREAD_TIME_CONSTRAINT_POLICY 2
#define THREAD_PRECEDENCE_POLICY 3

struct thread_standard_policy {
    natural_t no_data;
};
typedef struct thread_standard_policy thread_standard_policy_data_t;
typedef struct thread_standard_policy *thread_standard_policy_t;
#define THREAD_STANDARD_POLICY_COUNT 0u

struct thread_extended_policy {
    boolean_t timeshare;
};
typedef struct thread_extended_policy thread_extended_policy_data_t;
typedef struct thread_extended_policy *thread_extended_policy_t;
#define THREAD_EXTENDED_POLICY_COUNT 1u

/* In units of mach_absolute_time. */
struct thread_time_constraint_policy {
    uint32_t period;
    uint32_t computation;
    uint32_t constraint;
    boolean_t preemptible;
};
typedef struct thread_time_constraint_policy thread_time_constraint_policy_data_t;
typedef struct thread_time_constraint_policy *thread_time_constraint_policy_t;
#define THREAD_TIME_CONSTRAINT_POLICY_COUNT 4u

struct thread_precedence_policy {
    integer_t importance;
};
typedef struct thread_precedence_policy thread_precedence_policy_data_t;
typedef struct thread_precedence_policy *thread_precedence_policy_t;
#define THREAD_PRECEDENCE_POLICY_COUNT 1u

/* The headers of libc declare these functions only in some language modes. A struct sched_param is one int. */
extern int audiotoolbox_gettid_(void) __asm__("gettid");
extern int audiotoolbox_sched_setscheduler_(int thread, int policy, const int *priority) __asm__("sched_setscheduler");

/* Returns the number that Linux gives the calling thread. */
static __inline__ thread_t mach_thread_self(void) { return (thread_t)audiotoolbox_gettid_(); }

/* Returns the number of the calling thread. For other threads it returns 0, because libc does not provide their numbers.
   thread_policy_set returns an error for 0. */
static __inline__ thread_t pthread_mach_thread_np(pthread_t thread) {
    return pthread_equal(thread, pthread_self()) ? mach_thread_self() : MACH_PORT_NULL;
}

/* Changes the scheduling of a thread of this process. A real-time thread gets the highest priority, at most 10, that the limits
   of the process allow. Its children do not inherit the policy. KERN_FAILURE: the limits (ulimit -r) allow no priority. */
static __inline__ kern_return_t thread_policy_set(
    thread_t thread, thread_policy_flavor_t flavor, thread_policy_t info, mach_msg_type_number_t count) {
    int priority = 0;
    if (thread == MACH_PORT_NULL) return KERN_INVALID_ARGUMENT;
    switch (flavor) {
    case THREAD_STANDARD_POLICY:
        /* With THREAD_EXTENDED_POLICY, timeshare says whether threads of the same priority take turns. */
        if (count >= THREAD_EXTENDED_POLICY_COUNT && (!info || !*info)) return KERN_NOT_SUPPORTED;
        return audiotoolbox_sched_setscheduler_((int)thread, 0, &priority) == 0 ? KERN_SUCCESS : KERN_FAILURE;
    case THREAD_TIME_CONSTRAINT_POLICY:
        if (!info || count < THREAD_TIME_CONSTRAINT_POLICY_COUNT) return KERN_INVALID_ARGUMENT;
        /* 2 is SCHED_RR, 0x40000000 SCHED_RESET_ON_FORK. */
        for (priority = 10; priority > 0; priority--)
            if (audiotoolbox_sched_setscheduler_((int)thread, 2 | 0x40000000, &priority) == 0) return KERN_SUCCESS;
        return KERN_FAILURE;
    case THREAD_PRECEDENCE_POLICY: return KERN_NOT_SUPPORTED;
    default: return KERN_INVALID_ARGUMENT;
    }
}

#ifdef __cplusplus
}
#endif

#endif
