/* SPDX-License-Identifier: Apache-2.0 */
/* activate [COUNT]: measures AudioSessionSetActive while no other session is active, and the system calls of one activation
   alone, with the same sizes, on the same file. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WARM_UP = 200 };

/* Parts of the table's file: the header, the record of a transaction, and one entry. */
enum { FRONT = 2048, HEADER = 1024, MARK = 1024, REDO = 1536, REDO_SIZE = 1416, ENTRY_SIZE = 360 };

static int table = -1;
static char path[4096];

static void open_table(void) {
    const char *folder = getenv("AUDIOSESSION_RUNTIME_DIR");
    DIR *files = folder ? opendir(folder) : NULL;
    REQUIRE(files);
    for (struct dirent *file; (file = readdir(files));) {
        const char *version = strncmp(file->d_name, "sessions.", 9) == 0 ? file->d_name + 9 : "";
        if (*version && version[strspn(version, "0123456789")] == 0) snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    }
    closedir(files);
    table = open(path, O_RDWR | O_CLOEXEC | O_NOATIME);
    REQUIRE(table >= 0);
}

static void lock_table(short how) {
    struct flock lock = {.l_type = how, .l_whence = SEEK_SET};
    REQUIRE(fcntl(table, F_OFD_SETLK, &lock) == 0);
}

/* Writes what the file has. */
static void call_system(const char *redo, const char *entry) {
    char front[FRONT];
    struct stat status;
    lock_table(F_WRLCK);
    REQUIRE(lstat(path, &status) == 0 && pread(table, front, FRONT, 0) == FRONT);
    REQUIRE(pwrite(table, redo, REDO_SIZE, REDO) == REDO_SIZE);
    REQUIRE(pwrite(table, entry, ENTRY_SIZE, status.st_size - ENTRY_SIZE) == ENTRY_SIZE);
    REQUIRE(pwrite(table, front, HEADER, 0) == HEADER && pread(table, front, 8, MARK) == 8);
    lock_table(F_UNLCK);
}

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 5000);
    char redo[REDO_SIZE], entry[ENTRY_SIZE];
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    open_table();
    REQUIRE(pread(table, redo, REDO_SIZE, REDO) == REDO_SIZE);
    REQUIRE(pread(table, entry, ENTRY_SIZE, lseek(table, -ENTRY_SIZE, SEEK_END)) == ENTRY_SIZE);
    for (int i = 0; i < WARM_UP + count; i++) {
        uint64_t start = now();
        OSStatus on = AudioSessionSetActive(1);
        uint64_t middle = now();
        OSStatus off = AudioSessionSetActive(0);
        uint64_t end = now();
        REQUIRE(on == 0 && off == 0);
        REQUIRE(pread(table, redo, REDO_SIZE, REDO) == REDO_SIZE);
        uint64_t bare = now();
        call_system(redo, entry);
        uint64_t bare_end = now();
        if (i < WARM_UP) continue;
        sample("activate", "AudioSessionSetActive(true)", "us", (double)(middle - start) / 1e3);
        sample("activate", "AudioSessionSetActive(false)", "us", (double)(end - middle) / 1e3);
        sample("activate", "its system calls alone", "us", (double)(bare_end - bare) / 1e3);
    }
}
