#include "FailingCalls.h"

#include <pthread.h>


static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void enter(struct failing_plan plan) {
    pthread_mutex_lock(&turn);
    plan.where = FAILING_THIS_THREAD;
    failing_begin(plan);
}

void failing_enter(int error, uint64_t nth, bool from_there_on) {
    enter((struct failing_plan){.how = FAILING_ERROR, .error = error, .nth = nth, .from_there_on = from_there_on});
}

void failing_enter_short(uint64_t nth) { enter((struct failing_plan){.how = FAILING_SHORT, .nth = nth}); }

bool failing_leave(void) {
    failing_end();
    bool has_struck = failing_struck() != NULL;
    pthread_mutex_unlock(&turn);
    return has_struck;
}
