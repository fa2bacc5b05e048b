/* SPDX-License-Identifier: Apache-2.0 */
/* The system calls of one transaction of the shared table alone, with the sizes that the library uses, on the file of the library.
   The file keeps its content. */
#ifndef TABLE_H
#define TABLE_H

#include "measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Parts of the file: the header, the word of a replacement, the record of a transaction, and the last entries. */
enum { FRONT = 2048, HEADER = 1024, MARK = 1024, REDO = 1536 };
enum { REDO_FRONT = 1048, REDO_ENTRY = 368, ENTRY_SIZE = 360, MOST_ENTRIES = 2 };

struct table {
    int file;
    char path[4096];
    char redo[REDO_FRONT + MOST_ENTRIES * REDO_ENTRY], entries[MOST_ENTRIES * ENTRY_SIZE];
};

/* Reads the parts that `table_commit` writes. */
static inline void table_read(struct table *table) {
    REQUIRE(pread(table->file, table->redo, sizeof table->redo, REDO) == sizeof table->redo);
    off_t entries = lseek(table->file, -(off_t)sizeof table->entries, SEEK_END);
    REQUIRE(pread(table->file, table->entries, sizeof table->entries, entries) == sizeof table->entries);
}

/* Opens the file of the sessions, which a session of this process has created. */
static inline void table_open(struct table *table) {
    const char *folder = getenv("AUDIOSESSION_RUNTIME_DIR");
    DIR *files = folder ? opendir(folder) : NULL;
    REQUIRE(files);
    for (struct dirent *file; (file = readdir(files));) {
        const char *version = strncmp(file->d_name, "sessions.", 9) == 0 ? file->d_name + 9 : "";
        if (*version && version[strspn(version, "0123456789")] == 0)
            snprintf(table->path, sizeof table->path, "%s/%s", folder, file->d_name);
    }
    closedir(files);
    table->file = open(table->path, O_RDWR | O_CLOEXEC | O_NOATIME);
    REQUIRE(table->file >= 0);
    table_read(table);
}

/* Another process must not hold the lock. */
static inline void table_lock(const struct table *table, short how) {
    struct flock lock = {.l_type = how, .l_whence = SEEK_SET};
    REQUIRE(fcntl(table->file, F_OFD_SETLK, &lock) == 0);
}

/* One transaction that reads `old` entries, which another process has changed, and changes `count` entries. */
static inline void table_commit(const struct table *table, size_t old, size_t count) {
    char front[FRONT], entries[MOST_ENTRIES * ENTRY_SIZE];
    size_t redo_size = REDO_FRONT + count * REDO_ENTRY, size = count * ENTRY_SIZE;
    struct stat status;
    table_lock(table, F_WRLCK);
    REQUIRE(lstat(table->path, &status) == 0 && pread(table->file, front, FRONT, 0) == FRONT);
    off_t place = status.st_size - (off_t)sizeof table->entries;
    if (old > 0) REQUIRE(pread(table->file, entries, old * ENTRY_SIZE, place) == (ssize_t)(old * ENTRY_SIZE));
    REQUIRE(pwrite(table->file, table->redo, redo_size, REDO) == (ssize_t)redo_size);
    REQUIRE(pwrite(table->file, table->entries, size, place) == (ssize_t)size);
    REQUIRE(pwrite(table->file, front, HEADER, 0) == HEADER && pread(table->file, front, 8, MARK) == 8);
    table_lock(table, F_UNLCK);
}

#endif
