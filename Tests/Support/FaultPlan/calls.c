/* SPDX-License-Identifier: Apache-2.0 */
#include "FaultPlan.h"

#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void enter(struct fault_plan plan) {
    pthread_mutex_lock(&turn);
    plan.where = FAULT_THIS_THREAD;
    fault_plan_begin(plan);
}

void fault_plan_enter(int error, uint64_t nth, bool is_lasting) {
    enter((struct fault_plan){.how = FAULT_ERROR, .error = error, .nth = nth, .is_lasting = is_lasting});
}

void fault_plan_enter_short(uint64_t nth) { enter((struct fault_plan){.how = FAULT_SHORT, .nth = nth}); }

bool fault_plan_leave(void) {
    fault_plan_end();
    bool has_struck = fault_plan_struck() != NULL;
    pthread_mutex_unlock(&turn);
    return has_struck;
}
