/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/FaultPlan.h"
#include "wrap.h"

void *__real_malloc(size_t size);
int __real_fstat(int fd, struct stat *status);

/* A plan that was begun, and the calls counted for it. A thread that found the plan in force may still read
   it after the plan has ended: the fields that it reads never change, and the record is never freed. */
struct record {
    struct fault_plan plan;
    pthread_t planner;
    uint64_t count;     /* atomic */
    const char *struck; /* atomic */
    struct record *previous;
};

static struct record *in_force; /* atomic; NULL when calls do not fail */
static struct record *latest;   /* atomic; the plan that began last, ended or not */

void fault_plan_begin(struct fault_plan plan) {
    fault_plan_end();
    struct record *record = __real_malloc(sizeof *record);
    if (!record) abort();
    *record = (struct record){.plan = plan, .planner = pthread_self(), .previous = __atomic_load_n(&latest, __ATOMIC_ACQUIRE)};
    __atomic_store_n(&latest, record, __ATOMIC_RELEASE);
    __atomic_store_n(&in_force, record, __ATOMIC_RELEASE);
}

uint64_t fault_plan_end(void) {
    struct record *record = __atomic_load_n(&latest, __ATOMIC_ACQUIRE);
    __atomic_store_n(&in_force, NULL, __ATOMIC_RELEASE);
    return record ? __atomic_load_n(&record->count, __ATOMIC_RELAXED) : 0;
}

const char *fault_plan_struck(void) {
    struct record *record = __atomic_load_n(&latest, __ATOMIC_ACQUIRE);
    return record ? __atomic_load_n(&record->struck, __ATOMIC_ACQUIRE) : NULL;
}

/* The plan that concerns calls of this kind on this thread, or NULL. */
static struct record *find(enum fault_kind how) {
    struct record *record = __atomic_load_n(&in_force, __ATOMIC_ACQUIRE);
    if (!record || (record->plan.how != how && record->plan.how != FAULT_NONE)) return NULL;
    bool here = pthread_equal(record->planner, pthread_self());
    bool concerns = record->plan.where == FAULT_ALL_THREADS || here == (record->plan.where == FAULT_THIS_THREAD);
    return concerns ? record : NULL;
}

static bool strikes(struct record *record, const char *name) {
    const struct fault_plan *plan = &record->plan;
    uint64_t number = __atomic_add_fetch(&record->count, 1, __ATOMIC_RELAXED);
    if (plan->how == FAULT_NONE || (number != plan->nth && !(plan->is_lasting && number > plan->nth))) return false;
    const char *none = NULL;
    __atomic_compare_exchange_n(&record->struck, &none, name, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    return true;
}

bool fault_strikes(const char *name, enum fault_class class) {
    struct record *record = find(FAULT_ERROR);
    if (!record) return false;
    if (record->plan.error == EINTR && !(class & FAULT_INTERRUPTIBLE)) return false;
    if (record->plan.error == EMFILE && !(class & FAULT_OPENING)) return false;
    if (!strikes(record, name)) return false;
    errno = record->plan.error;
    return true;
}

size_t fault_part(const char *name, int fd, size_t wanted) {
    struct stat status;
    struct record *record = find(FAULT_SHORT);
    /* Other kinds of files move as much as is there, or none. */
    if (wanted < 2 || !record || __real_fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) return wanted;
    return strikes(record, name) ? wanted / 2 : wanted;
}

END_OF_UNINSTRUMENTED
