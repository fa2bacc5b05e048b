/* SPDX-License-Identifier: Apache-2.0 */
/* load COUNT NAME=PROGRAM...: measures how long each program takes to start and end, in turn, the processor time of that, and the
   memory that each prints. */
#include "measure.h"

#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 32 };

static double in_microseconds(struct timeval time) { return (double)time.tv_sec * 1e6 + (double)time.tv_usec; }

/* Writes the processor time as well. */
static double microseconds(const char *program, double *processor) {
    char *arguments[] = {(char *)program, NULL};
    pid_t pid;
    int status;
    struct rusage usage;
    uint64_t start = now();
    REQUIRE(posix_spawn(&pid, program, NULL, NULL, arguments, environ) == 0);
    REQUIRE(wait4(pid, &status, 0, &usage) == pid && status == 0);
    *processor = in_microseconds(usage.ru_utime) + in_microseconds(usage.ru_stime);
    return (double)(now() - start) / 1e3;
}

static void memory(const char *name, const char *program) {
    char command[4096];
    long resident, own;
    snprintf(command, sizeof command, "'%s' tell", program);
    FILE *answer = popen(command, "r");
    REQUIRE(answer && fscanf(answer, "%ld %ld", &resident, &own) == 2 && pclose(answer) == 0);
    sample("load-resident", name, "KB", (double)resident);
    sample("load-own", name, "KB", (double)own);
}

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 200), programs = 0;
    const char *names[MOST], *paths[MOST];
    for (int i = 2; i < argc && programs < MOST; i++) {
        char *path = strchr(argv[i], '=');
        REQUIRE(path);
        *path = '\0';
        names[programs] = argv[i];
        paths[programs++] = path + 1;
    }
    double processor;
    for (int i = 0; i < programs; i++) microseconds(paths[i], &processor);
    for (int turn = 0; turn < count; turn++)
        for (int i = 0; i < programs; i++) {
            int next = (i + turn) % programs;
            sample("load", names[next], "us", microseconds(paths[next], &processor));
            sample("load-processor", names[next], "us", processor);
        }
    for (int i = 0; i < programs; i++) memory(names[i], paths[i]);
}
