/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

bool linux_is_terminal(int fd) { return isatty(fd); }

int linux_terminal_size(int fd, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -errno;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

static struct termios found;
static bool is_taken;

int linux_terminal_set_raw(int fd) {
    struct termios mode;
    if (tcgetattr(fd, &mode) < 0) return -errno;
    if (!is_taken) found = mode;
    mode.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    /* Otherwise Control-Z discards the output that the terminal has not shown, and cuts a control sequence in two. */
    mode.c_lflag |= NOFLSH;
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    int result;
    do result = tcsetattr(fd, TCSANOW, &mode);
    while (result < 0 && errno == EINTR);
    if (result < 0) return -errno;
    is_taken = true;
    return 0;
}

void linux_terminal_restore(int fd) {
    if (!is_taken) return;
    while (tcsetattr(fd, TCSANOW, &found) < 0 && errno == EINTR) {}
    is_taken = false;
}

int linux_screen_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGQUIT);
    sigaddset(&signals, SIGWINCH);
    sigaddset(&signals, SIGTSTP);
    sigaddset(&signals, SIGCONT);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int linux_next_screen_signal(int fd) {
    struct signalfd_siginfo info;
    if (linux_read(fd, &info, sizeof info) != sizeof info) return LINUX_SCREEN_SAME;
    switch (info.ssi_signo) {
    case SIGWINCH: return LINUX_SCREEN_RESIZED;
    case SIGTSTP: return LINUX_SCREEN_STOPPED;
    case SIGCONT: return LINUX_SCREEN_CONTINUED;
    default: return LINUX_SCREEN_ENDED;
    }
}

void linux_stop_process(void) { raise(SIGSTOP); }

uint32_t linux_milliseconds_of_day(void) {
    struct timespec now;
    struct tm local;
    clock_gettime(CLOCK_REALTIME, &now);
    if (!localtime_r(&now.tv_sec, &local)) return 0;
    return (uint32_t)(((local.tm_hour * 60 + local.tm_min) * 60 + local.tm_sec) * 1000) + (uint32_t)(now.tv_nsec / 1000000);
}
