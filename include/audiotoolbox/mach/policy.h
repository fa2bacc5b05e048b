/* SPDX-License-Identifier: Apache-2.0 */
/* The policies of the scheduler, and their priorities as thread_info writes them. */
#ifndef AUDIOTOOLBOX_MACH_POLICY_H
#define AUDIOTOOLBOX_MACH_POLICY_H

#ifndef AUDIOTOOLBOX_MACH_MACH_TYPES_H
#include <mach/mach_types.h>
#endif

typedef int policy_t;
typedef integer_t *policy_info_t;
typedef integer_t *policy_base_t;
typedef integer_t *policy_limit_t;

#define POLICY_NULL 0
#define POLICY_TIMESHARE 1 /* SCHED_OTHER, SCHED_BATCH, SCHED_IDLE */
#define POLICY_RR 2        /* SCHED_RR, SCHED_DEADLINE */
#define POLICY_FIFO 4      /* SCHED_FIFO */
#define POLICYCLASS_FIXEDPRI (POLICY_RR | POLICY_FIFO)

#define invalid_policy(policy) ((policy) != POLICY_TIMESHARE && (policy) != POLICY_RR && (policy) != POLICY_FIFO)

struct policy_timeshare_base {
    integer_t base_priority;
};
typedef struct policy_timeshare_base *policy_timeshare_base_t;
typedef struct policy_timeshare_base policy_timeshare_base_data_t;
#define POLICY_TIMESHARE_BASE_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_timeshare_base) / sizeof(integer_t)))

struct policy_timeshare_limit {
    integer_t max_priority;
};
typedef struct policy_timeshare_limit *policy_timeshare_limit_t;
typedef struct policy_timeshare_limit policy_timeshare_limit_data_t;
#define POLICY_TIMESHARE_LIMIT_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_timeshare_limit) / sizeof(integer_t)))

/* 1 is the nicest thread (nice 19), 20 a usual one, 40 the least nice (nice -20). No thread is depressed. */
struct policy_timeshare_info {
    integer_t max_priority;
    integer_t base_priority;
    integer_t cur_priority;
    boolean_t depressed;
    integer_t depress_priority;
};
typedef struct policy_timeshare_info *policy_timeshare_info_t;
typedef struct policy_timeshare_info policy_timeshare_info_data_t;
#define POLICY_TIMESHARE_INFO_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_timeshare_info) / sizeof(integer_t)))

struct policy_rr_base {
    integer_t base_priority;
    integer_t quantum;
};
typedef struct policy_rr_base *policy_rr_base_t;
typedef struct policy_rr_base policy_rr_base_data_t;
#define POLICY_RR_BASE_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_rr_base) / sizeof(integer_t)))

struct policy_rr_limit {
    integer_t max_priority;
};
typedef struct policy_rr_limit *policy_rr_limit_t;
typedef struct policy_rr_limit policy_rr_limit_data_t;
#define POLICY_RR_LIMIT_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_rr_limit) / sizeof(integer_t)))

/* Priorities from 1 to 99, as in sched(7). The quantum is in milliseconds. */
struct policy_rr_info {
    integer_t max_priority;
    integer_t base_priority;
    integer_t quantum;
    boolean_t depressed;
    integer_t depress_priority;
};
typedef struct policy_rr_info *policy_rr_info_t;
typedef struct policy_rr_info policy_rr_info_data_t;
#define POLICY_RR_INFO_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_rr_info) / sizeof(integer_t)))

struct policy_fifo_base {
    integer_t base_priority;
};
typedef struct policy_fifo_base *policy_fifo_base_t;
typedef struct policy_fifo_base policy_fifo_base_data_t;
#define POLICY_FIFO_BASE_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_fifo_base) / sizeof(integer_t)))

struct policy_fifo_limit {
    integer_t max_priority;
};
typedef struct policy_fifo_limit *policy_fifo_limit_t;
typedef struct policy_fifo_limit policy_fifo_limit_data_t;
#define POLICY_FIFO_LIMIT_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_fifo_limit) / sizeof(integer_t)))

struct policy_fifo_info {
    integer_t max_priority;
    integer_t base_priority;
    boolean_t depressed;
    integer_t depress_priority;
};
typedef struct policy_fifo_info *policy_fifo_info_t;
typedef struct policy_fifo_info policy_fifo_info_data_t;
#define POLICY_FIFO_INFO_COUNT ((mach_msg_type_number_t)(sizeof(struct policy_fifo_info) / sizeof(integer_t)))

struct policy_bases {
    policy_timeshare_base_data_t ts;
    policy_rr_base_data_t rr;
    policy_fifo_base_data_t fifo;
};
typedef struct policy_bases policy_base_data_t;

struct policy_limits {
    policy_timeshare_limit_data_t ts;
    policy_rr_limit_data_t rr;
    policy_fifo_limit_data_t fifo;
};
typedef struct policy_limits policy_limit_data_t;

struct policy_infos {
    policy_timeshare_info_data_t ts;
    policy_rr_info_data_t rr;
    policy_fifo_info_data_t fifo;
};
typedef struct policy_infos policy_info_data_t;

#endif
