/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CLinux.h"
#include "fork_gate.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

/* No process can shorten the memory, so that access to it never raises SIGBUS. */
enum { SIZE_SEALS = F_SEAL_SHRINK | F_SEAL_GROW };

static void *private_address;
static size_t private_size;

/* The child of a fork gets other memory at this address, because it would write into the memory of its parent. */
static void make_private_in_child(void) {
    if (private_address)
        mmap(private_address, private_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

__attribute__((constructor)) static void install_handler(void) { pthread_atfork(NULL, NULL, make_private_in_child); }

void *linux_shared_memory(const char *name, size_t size, int *file) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) {
        *file = -errno;
        return NULL;
    }
    void *memory = ftruncate(fd, (off_t)size) == 0 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    /* Older kernels do not know the seal against writing. */
    if (memory != MAP_FAILED && fcntl(fd, F_ADD_SEALS, SIZE_SEALS | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) != 0 &&
        fcntl(fd, F_ADD_SEALS, SIZE_SEALS | F_SEAL_SEAL) != 0) {
        munmap(memory, size);
        memory = MAP_FAILED;
    }
    if (memory == MAP_FAILED) {
        *file = -errno;
        close(fd);
        return NULL;
    }
    fork_gate_enter();
    private_address = memory;
    private_size = size;
    fork_gate_leave();
    *file = fd;
    return memory;
}

const void *linux_map_shared_memory(int file, size_t size) {
    int seals = fcntl(file, F_GET_SEALS);
    struct linux_file_status status;
    if (seals < 0 || (seals & SIZE_SEALS) != SIZE_SEALS) return NULL;
    if (linux_status_of_descriptor(file, &status) < 0 || status.size != size) return NULL;
    const void *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void linux_unmap(const void *memory, size_t size) { munmap((void *)memory, size); }

bool linux_same_bytes(const void *left, const void *right, size_t size) { return memcmp(left, right, size) == 0; }

void linux_clear_bytes(void *to, size_t size) { memset(to, 0, size); }

enum { PIECE = 1024 };

void linux_copy_samples(void *to, const void *from, size_t size) {
    size_t done = 0;
    for (; done + PIECE <= size; done += PIECE) memcpy((char *)to + done, (const char *)from + done, PIECE);
    if (done < size) memcpy((char *)to + done, (const char *)from + done, size - done);
}

void linux_clear_samples(void *to, size_t size) {
    size_t done = 0;
    for (; done + PIECE <= size; done += PIECE) memset((char *)to + done, 0, PIECE);
    if (done < size) memset((char *)to + done, 0, size - done);
}
