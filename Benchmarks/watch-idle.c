/* SPDX-License-Identifier: Apache-2.0 */
/* watch-idle SECONDS NAME=PROGRAM...: counts how often each program wakes while it waits: the context switches of all its
   threads, as the kernel counts them. 0 means that it made no system call either. BENCH_SETTLE=1: the seconds before. */
#include "measure.h"

#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8 };

static long wakes(pid_t pid) {
    char path[512], line[256];
    long number, sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    REQUIRE(threads);
    struct dirent *thread;
    while ((thread = readdir(threads))) {
        if (thread->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/status", pid, thread->d_name);
        FILE *status = fopen(path, "r");
        if (!status) continue;
        while (fgets(line, sizeof line, status))
            if (sscanf(line, "voluntary_ctxt_switches: %ld", &number) == 1) sum += number;
        fclose(status);
    }
    closedir(threads);
    return sum;
}

/* 0 when the program cannot start. */
static pid_t begun(const char *program) {
    int answer[2];
    char byte;
    REQUIRE(pipe(answer) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(answer[1], 1);
        execl(program, program, (char *)NULL);
        _exit(1);
    }
    close(answer[1]);
    if (read(answer[0], &byte, 1) == 1) return pid;
    waitpid(pid, NULL, 0);
    return 0;
}

int main(int argc, char **argv) {
    int seconds = count_from(argc, argv, 1, 10), programs = 0;
    const char *names[MOST];
    pid_t pids[MOST];
    long before[MOST];
    for (int i = 2; i < argc && programs < MOST; i++) {
        char *path = strchr(argv[i], '=');
        REQUIRE(path);
        *path = '\0';
        pid_t pid = begun(path + 1);
        if (pid == 0) continue;
        names[programs] = argv[i];
        pids[programs++] = pid;
    }
    /* The program has finished its start. */
    const char *settle = getenv("BENCH_SETTLE");
    pause_for((uint64_t)(settle ? atoi(settle) : 1) * 1000000000u);
    for (int i = 0; i < programs; i++) before[i] = wakes(pids[i]);
    pause_for((uint64_t)seconds * 1000000000u);
    for (int i = 0; i < programs; i++) sample("idle", names[i], "", (double)(wakes(pids[i]) - before[i]) * 10 / seconds);
    for (int i = 0; i < programs; i++) {
        kill(pids[i], SIGKILL);
        waitpid(pids[i], NULL, 0);
    }
}
