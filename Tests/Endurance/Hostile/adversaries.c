/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile.h"

#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", shared_folder(), name);
    return path;
}

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

static void for_each_file(const char *ending, void (*body)(const char *path)) {
    DIR *folder = opendir(shared_folder());
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (ends_with(entry->d_name, ending)) body(path_of(entry->d_name));
    closedir(folder);
}

/* ---- Wake-up FIFOs ---- */

static void fill_fifo(const char *fifo) {
    static const char noise[65536];
    int file = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    for (int i = 0; i < 64; i++)
        if (write(file, noise, sizeof noise) < 0 && errno != EAGAIN) break;
    close(file);
}

static void flood(void) {
    signal(SIGPIPE, SIG_IGN);
    report_begin();
    for (;;) for_each_file(".wakeup", fill_fifo);
}

/* Each byte wakes its process once more. */
static void write_often(const char *fifo) {
    int file = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    for (int i = 0; i < 2000; i++)
        if (write(file, "", 1) < 0) break;
    close(file);
}

static void wake_often(void) {
    signal(SIGPIPE, SIG_IGN);
    report_begin();
    for (;;) for_each_file(".wakeup", write_often);
}

static void remove_file(const char *path) { unlink(path); }

/* Removes the files by which the other processes are reached. */
static void remove_fifos(void) {
    report_begin();
    for (;;) {
        for_each_file(".wakeup", remove_file);
        for_each_file(".alive", remove_file);
        sleep_milliseconds(5);
    }
}

/* ---- The lock ---- */

static int locked(const char *name) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(path_of(name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0 && fcntl(file, F_OFD_SETLKW, &lock) == 0) return file;
    if (file >= 0) close(file);
    return -1;
}

static bool is_left(int file) {
    struct stat status;
    return fstat(file, &status) != 0 || status.st_nlink == 0;
}

/* Locks each file of the table's name for as long as it has that name. */
static void hold(void) {
    bool has_begun = false;
    for (;;) {
        int file = locked(TABLE);
        if (file < 0) continue;
        if (!has_begun) report_begin();
        has_begun = true;
        while (!is_left(file)) sleep_milliseconds(1);
        close(file);
    }
}

/* Releases the lock again and again, but holds it most of the time. */
static void hold_often(void) {
    report_begin();
    for (;;) {
        int file = locked(TABLE);
        if (file < 0) continue;
        sleep_milliseconds(20);
        close(file);
    }
}

static pid_t stopped_holder(const char *name) {
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        locked(name);
        raise(SIGSTOP);
        _exit(0);
    }
    int status;
    waitpid(child, &status, WUNTRACED);
    return child;
}

/* Each time that the others have replaced the table of a stopped holder, another holder stops. */
static void stop(void) {
    enum { KEPT = 8 };
    pid_t holders[KEPT] = {0};
    for (unsigned turn = 0;; turn++) {
        pid_t *place = &holders[turn % KEPT];
        if (*place > 0) {
            kill(*place, SIGCONT);
            waitpid(*place, NULL, 0);
        }
        struct stat before, now;
        *place = stopped_holder(TABLE);
        if (stat(path_of(TABLE), &before) != 0) continue;
        if (turn == 0) report_begin();
        while (stat(path_of(TABLE), &now) == 0 && now.st_ino == before.st_ino) sleep_milliseconds(1);
        sleep_milliseconds(300);
    }
}

/* A holder of the table has stopped, and so has a process that was replacing the table. */
static void stop_twice(void) {
    stopped_holder(TABLE ".replacing");
    stopped_holder(TABLE);
    report_begin();
    for (;;) pause();
}

/* ---- The table ---- */

static uint64_t dice(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void scribble(int file) {
    static const unsigned places[] = {0, 1024, 1536, 350000};
    char bytes[64];
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (char)dice();
    unsigned place = places[dice() % 4];
    (void)!pwrite(file, bytes, 1 + dice() % sizeof bytes, (off_t)(place + dice() % 1024));
}

static void garble(void) {
    report_begin();
    for (;;) {
        int file = open(path_of(TABLE), O_RDWR | O_CLOEXEC);
        if (file >= 0) {
            scribble(file);
            if (dice() % 16 == 0) (void)!ftruncate(file, (off_t)(dice() % 400000));
            close(file);
        }
        if (dice() % 64 == 0) unlink(path_of(TABLE));
        sleep_milliseconds(2);
    }
}

/* ---- Disk space ---- */

static void fill(void) {
    static const char block[65536];
    char name[32];
    bool has_begun = false;
    for (unsigned i = 0;; i++) {
        snprintf(name, sizeof name, "filler.%u", i);
        int file = open(path_of(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        bool has_room = false;
        for (size_t size = sizeof block; file >= 0 && size > 0;)
            if (write(file, block, size) > 0)
                has_room = true;
            else
                size /= 2;
        if (file >= 0) close(file);
        if (has_room) continue;
        if (!has_begun) report_begin();
        has_begun = true;
        sleep_milliseconds(1);
    }
}

/* ---- Many processes ---- */

/* A user has 128 inotify instances. Many sessions would take all of them, and a program of another test that starts meanwhile
   would not notice a change of its simulated machine. So they get none: the library calls this function instead of libc's. */
static bool is_one_of_many;
static int refused_instances;

int inotify_init1(int flags) {
    if (!is_one_of_many) return (int)syscall(SYS_inotify_init1, flags);
    refused_instances++;
    errno = EMFILE;
    return -1;
}

static void run_session(int reply) {
    UInt32 category = kAudioSessionCategory_AmbientSound;
    is_one_of_many = true;
    OSStatus status = AudioSessionInitialize(NULL, NULL, NULL, NULL);
    if (refused_instances == 0) fail("a child takes inotify instances from other programs of this user");
    if (status == 0) AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category);
    if (status == 0) status = AudioSessionSetActive(true);
    if (status != 0) fail("a child was refused its session: %s", AudioSessionLinuxStatusName(status));
    (void)!write(reply, "y", 1);
    for (;;) pause();
}

/* Starts children, each with a session of its own. */
static pid_t *spawn(int count) {
    int replies[2];
    pid_t *children = calloc((size_t)count, sizeof *children);
    if (!children || pipe(replies) != 0) fail("no memory");
    for (int i = 0; i < count; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            close(replies[0]);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close_progress_line();
            run_session(replies[1]);
        }
        if (children[i] < 0) fail("child %d of %d: %s", i, count, strerror(errno));
    }
    close(replies[1]);
    for (int i = 0; i < count; i++) {
        char answer;
        if (read(replies[0], &answer, 1) != 1) fail("only %d of %d children have a session", i, count);
        report_step();
    }
    close(replies[0]);
    return children;
}

static void fork_thousand(void) {
    enum { COUNT = 1000 };
    if (AudioSessionInitialize(NULL, NULL, NULL, NULL) != 0) fail("no session");
    pid_t *children = spawn(COUNT);
    report_begin();
    /* They end and start, a few at a time. */
    for (int i = 0;; i = (i + 1) % COUNT) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
        pid_t *other = spawn(1);
        children[i] = other[0];
        free(other);
        sleep_milliseconds(20);
    }
}

/* Many processes are woken and do not run. */
static void stop_thousand(void) {
    enum { COUNT = 1000 };
    pid_t *children = spawn(COUNT);
    for (int i = 0; i < COUNT; i++) kill(children[i], SIGSTOP);
    report_begin();
    for (;;) pause();
}

/* More sessions than the table holds. Each child has a session all the same. */
static void exhaust(void) {
    spawn(1040);
    report_begin();
    for (;;) pause();
}

const struct adversary adversaries[] = {
    {"none", "does not exist", NULL, false},
    {"flood", "keeps all wake-up FIFOs full", flood, false},
    {"wake-often", "writes single bytes into all wake-up FIFOs without end", wake_often, false},
    {"remove-fifos", "removes all FIFOs", remove_fifos, false},
    {"hold", "holds the table's lock", hold, false},
    {"hold-often", "holds the table's lock for 20 ms at a time", hold_often, false},
    {"stop", "is stopped while it holds the table's lock, again and again", stop, false},
    {"stop-twice", "is stopped while it holds the lock, and once more while it replaces the table", stop_twice, false},
    {"garble", "writes garbage into the table, cuts it, removes it", garble, false},
    {"fill", "fills the disk", fill, true},
    {"fork", "forks 1,000 children, each with a session, and kills them one after the other", fork_thousand, false},
    {"stopped", "has 1,000 children with sessions, all of them stopped", stop_thousand, false},
    {"exhaust", "fills the table with sessions", exhaust, false},
    {NULL, NULL, NULL, false},
};
