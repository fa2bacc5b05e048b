/* SPDX-License-Identifier: Apache-2.0 */
/* A set-user-id program must ignore the environment of its caller. */
#include "hostile.h"

#include <AudioToolbox/AudioToolbox.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWNER = 65533, CALLER = 65534 };

void initialize_session(void) { _exit(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0 ? 0 : 1); }

static void copy_program(const char *path, mode_t mode) {
    struct stat status;
    int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_WRONLY | O_CREAT | O_EXCL, 0700);
    if (from < 0 || to < 0 || fstat(from, &status) != 0) fail("no copy: %s", strerror(errno));
    for (off_t done = 0; done < status.st_size;)
        if (sendfile(to, from, &done, (size_t)(status.st_size - done)) <= 0) fail("no copy: %s", strerror(errno));
    if (fchown(to, OWNER, OWNER) != 0 || fchmod(to, mode) != 0) fail("no copy: %s", strerror(errno));
    close(from);
    close(to);
}

static int files_in(const char *path) {
    int count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) count += entry->d_name[0] != '.';
    if (folder) closedir(folder);
    return count;
}

/* The number of files that it creates in the directory that its environment names. */
static int files_made_by(const char *program, uid_t caller, const char *place) {
    int status = 0, before = files_in(place);
    pid_t child = fork();
    if (child == 0) {
        if (setgid(caller) != 0 || setuid(caller) != 0) _exit(2);
        setenv("AUDIOSESSION_RUNTIME_DIR", place, 1);
        execl(program, program, "--session", (char *)NULL);
        _exit(3);
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("%s does not run: %d", program, status);
    return files_in(place) - before;
}

int check_set_user_id(void) {
    char ordinary[128], privileged[128], place[128], elsewhere[64], command[256];
    if (geteuid() != 0) {
        puts("ok - # skipped: only root can make a set-user-id program of another user");
        return 0;
    }
    snprintf(place, sizeof place, "%s/place", shared_folder());
    snprintf(ordinary, sizeof ordinary, "%s/ordinary", shared_folder());
    snprintf(privileged, sizeof privileged, "%s/privileged", shared_folder());
    snprintf(elsewhere, sizeof elsewhere, "/tmp/audiosession-%d", OWNER);
    unsetenv("XDG_RUNTIME_DIR");
    setenv("HOME", place, 1);
    if (chmod(shared_folder(), 0755) != 0 || mkdir(place, 0700) != 0 || chown(place, OWNER, OWNER) != 0) fail("no folder");
    copy_program(ordinary, 0755);
    copy_program(privileged, 04755);
    int by_ordinary = files_made_by(ordinary, OWNER, place), by_privileged = files_made_by(privileged, CALLER, place);
    snprintf(command, sizeof command, "rm -rf %s", elsewhere);
    (void)!system(command);
    if (by_ordinary == 0) fail("an ordinary program ignores the environment");
    if (by_privileged != 0) fail("a set-user-id program uses the environment of its caller");
    puts("ok - a set-user-id program ignores the environment of its caller");
    return 0;
}
