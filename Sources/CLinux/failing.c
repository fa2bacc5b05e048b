#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failing.h"

#ifdef FAILING

static struct failing_plan plan;
static pthread_t planner;
static bool is_in_force;
static uint64_t count;
static const char *struck;

void failing_begin(struct failing_plan new) {
    failing_end();
    plan = new;
    planner = pthread_self();
    struck = NULL;
    __atomic_store_n(&count, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&is_in_force, true, __ATOMIC_RELEASE);
}

uint64_t failing_end(void) {
    __atomic_store_n(&is_in_force, false, __ATOMIC_RELEASE);
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

const char *failing_struck(void) { return struck; }

static bool is_concerned(enum failing_how how) {
    if (!__atomic_load_n(&is_in_force, __ATOMIC_ACQUIRE)) return false;
    if (plan.how != how && plan.how != FAILING_NOT) return false;
    bool here = pthread_equal(planner, pthread_self());
    return plan.where == FAILING_EVERYWHERE || here == (plan.where == FAILING_THIS_THREAD);
}

static bool strikes(const char *name) {
    uint64_t number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (plan.how == FAILING_NOT || (number != plan.nth && !(plan.from_there_on && number > plan.nth))) return false;
    if (!struck) struck = name;
    return true;
}

bool failing(const char *name, enum failing_class class) {
    if (!is_concerned(FAILING_ERROR)) return false;
    if (plan.error == EINTR && !(class & FAILING_INTERRUPTIBLE)) return false;
    if (plan.error == EMFILE && !(class & FAILING_OPENING)) return false;
    if (!strikes(name)) return false;
    errno = plan.error;
    return true;
}

int failing_close(int fd) {
    /* Whatever close() returns, the descriptor is gone. */
    int result = (close)(fd);
    return failing("close", FAILING_INTERRUPTIBLE) ? -1 : result;
}

size_t failing_part(const char *name, int fd, size_t wanted) {
    struct stat status;
    /* Other kinds of files move as much as is there, or none. */
    if (wanted < 2 || !is_concerned(FAILING_SHORT) || (fstat)(fd, &status) < 0 || !S_ISREG(status.st_mode)) return wanted;
    return strikes(name) ? wanted / 2 : wanted;
}

#endif
