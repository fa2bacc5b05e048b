/* SPDX-License-Identifier: Apache-2.0 */
/* The system-call layer. Every libc call of the library is made here.
   No system header is included, so that Swift imports only these names, in Embedded and in
   ordinary Swift. Calls that can fail return -errno. */
#ifndef CLINUX_H
#define CLINUX_H

#include "linux_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- files ---- */
enum {
    LINUX_READ = 0,
    LINUX_WRITE = 1,
    LINUX_READ_WRITE = 2, /* one of these, or'ed with: */
    LINUX_CREATE = 4,
    LINUX_EXCLUSIVE = 8,
    LINUX_NONBLOCK = 16,
    LINUX_TRUNCATE = 32,
    LINUX_DIRECTORY = 64,
    LINUX_NOFOLLOW = 128,
    LINUX_APPEND = 256,
    LINUX_NO_ACCESS_TIME = 512 /* reading does not change the access time; own files only */
};
struct linux_file_status {
    uint64_t device, inode, size, links;
    uint64_t changed;     /* ctime in nanoseconds: differs between two files that used one inode */
    uint32_t owner, mode; /* mode: permission bits only */
    bool is_regular, is_directory, is_fifo;
};
/* Reads and sets errno. A public function of a library may return a reason to its caller in errno. */
void linux_set_last_error(int number);
int linux_last_error(void);
int linux_open(const char *path, int how, uint32_t mode); /* always close-on-exec */
int linux_close(int fd);
ptrdiff_t linux_read(int fd, void *bytes, size_t count);
ptrdiff_t linux_write(int fd, const void *bytes, size_t count);
ptrdiff_t linux_pread(int fd, void *bytes, size_t count, uint64_t offset);
ptrdiff_t linux_pwrite(int fd, const void *bytes, size_t count, uint64_t offset);
int linux_status_of_descriptor(int fd, struct linux_file_status *out);
int linux_status_of_path(const char *path, bool follow, struct linux_file_status *out);
bool linux_may_read_and_write(const char *path);
int linux_rename(const char *from, const char *to);
int linux_unlink(const char *path);
int linux_mkdir(const char *path, uint32_t mode);
int linux_mkfifo(const char *path, uint32_t mode);
int linux_truncate(int fd, uint64_t size);
int linux_reserve(int fd, uint64_t size);                        /* posix_fallocate */
int linux_try_lock(int fd);                                      /* exclusive open-file-description lock; -EAGAIN when held */
int linux_unlock(int fd);                                        /* before closing: a child may have the open file too */
int linux_readlink(const char *path, char *buffer, size_t size); /* length, unterminated when full */
/* Writes a byte into a non-blocking FIFO. -EPIPE when no process has it open; 0 also when the FIFO is full. */
int linux_wake(int fd);
/* The names in a directory, without "." and "..". Returns NULL and sets a negative errno if it cannot be opened. */
void *linux_directory_open(const char *path, int *error);
const char *linux_directory_next(void *directory); /* NULL at the end */
void linux_directory_close(void *directory);

/* ---- memory that other processes read ---- */
/* Zeroed memory of this process, and a file descriptor of the memory; NULL and a negative errno. No process can change the size.
   No other process can write, if the kernel knows that seal. A child of fork() has other memory at this address. */
void *linux_shared_memory(const char *name, size_t size, int *file);
/* Returns NULL unless the file is such memory with this size. */
const void *linux_map_shared_memory(int file, size_t size);
void linux_unmap(const void *memory, size_t size);
bool linux_same_bytes(const void *left, const void *right, size_t size);
void linux_clear_bytes(void *to, size_t size);
/* Copies and clears a slice of samples, in pieces of 1 KB; the areas do not overlap. For more than 2 KB, memcpy and memset use `rep`
   instructions, and an emulator executes each of their bytes as an instruction. */
void linux_copy_samples(void *to, const void *from, size_t size);
void linux_clear_samples(void *to, size_t size);

/* ---- events ---- */
enum { LINUX_READABLE = 1, LINUX_WRITABLE = 4, LINUX_FAILED = 8, LINUX_HUNG_UP = 16 };
struct linux_event {
    uint32_t events;
    uint64_t token;
};
int linux_epoll_create(void);
int linux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int linux_epoll_remove(int epoll, int fd);
int linux_epoll_wait(int epoll, struct linux_event *events, int capacity, int timeout_ms);
int linux_poll(int fd, uint32_t events, int timeout_ms); /* the events that are true, 0 on time-out */
int linux_eventfd(void);                                 /* non-blocking */
int linux_eventfd_signal(int fd);
int linux_eventfd_clear(int fd);
int linux_pidfd_open(int pid);
int linux_wake_timer_create(void);     /* readable after the machine wakes, or its clock is set */
int linux_wake_timer_await(int timer); /* clears it, and waits for the next time */
int linux_alarm_create(void);          /* non-blocking; readable after the seconds that were set */
int linux_alarm_set(int alarm, int seconds);
void linux_alarm_clear(int alarm);

int linux_inotify_create(void);                                 /* non-blocking */
int linux_inotify_watch(int inotify, const char *path);         /* files are added or removed, or change their permissions */
int linux_inotify_watch_names(int inotify, const char *path);   /* only: files are added, removed or replaced */
int linux_inotify_watch_writing(int inotify, const char *path); /* only: something is written into the file */
int linux_inotify_watch_content(int inotify, const char *path); /* only: the file has been written and closed */
int linux_inotify_watch_name(int inotify, const char *path);    /* only: the file loses its name */
int linux_inotify_unwatch(int inotify, int watch);
/* Reads the pending events. Returns 1 if one of them concerns this name, or the watched file or directory itself. NULL: any. */
int linux_inotify_drain(int inotify, const char *name);

/* ---- processes, time, environment ---- */
int linux_process_id(void);
uint32_t linux_user_id(void);
uint64_t linux_monotonic_nanoseconds(void);
uint64_t linux_nanoseconds_asleep(void);            /* how long the machine has been suspended since it started */
void linux_sleep_nanoseconds(uint64_t nanoseconds); /* where the kernel has no event: a lock is held, a card plays */
void linux_yield(void);                             /* sched_yield */
const char *linux_environment(const char *name);    /* NULL when unset, and in set-user-id programs */
const char *linux_error_text(int error);            /* a constant string, never NULL */
/* The time at which a process started, in clock ticks since boot; pid 0 is this process. -ENOENT: there is none. */
int linux_process_start_time(int pid, uint64_t *ticks);
/* Equal for processes whose pids and start times can be compared; 0 if the system does not report it. */
uint64_t linux_process_namespace(void);
int linux_argument_count(void);
const char *linux_argument(int index); /* of the program's command line */
void linux_exit(int status);
void linux_at_exit(void (*body)(void)); /* is called when the process ends by exit() or return from main */
int linux_set_environment(const char *name, const char *value);
/* Replaces the program by another one, found on PATH. Returns only after an error. `arguments` ends with NULL. */
int linux_execute(const char *const *arguments);
/* Returns a descriptor that becomes readable when a signal asks the program to end. The signals no longer kill the program. */
int linux_end_signals(void);
int linux_random(void *bytes, size_t count);
const char *linux_program_name(void); /* the short name, never NULL */

/* ---- the terminal of a full-screen program ---- */
bool linux_is_terminal(int fd);
int linux_terminal_size(int fd, int *columns, int *rows); /* 0 where the terminal does not know */
/* Makes keys readable at once, without echo. No key discards output. Saves the former settings, for one terminal at a time. */
int linux_terminal_set_raw(int fd);
void linux_terminal_restore(int fd);
/* As linux_end_signals, also with the other signals for a full-screen program. */
int linux_screen_signals(void);
enum { LINUX_SCREEN_SAME, LINUX_SCREEN_RESIZED, LINUX_SCREEN_STOPPED, LINUX_SCREEN_CONTINUED, LINUX_SCREEN_ENDED };
int linux_next_screen_signal(int fd);     /* LINUX_SCREEN_SAME when there is none */
void linux_stop_process(void);            /* returns when the process continues */
uint32_t linux_milliseconds_of_day(void); /* local time */

/* ---- threads ---- */
/* Starts a thread with all signals blocked and a small stack. NULL when it could not be started. */
void *linux_thread_start(void (*body)(void *context), void *context, const char *name);
/* Starts a thread that calls functions of the program: it has a larger stack, and does not block signals that an instruction
   causes. */
void *linux_thread_start_for_program(void (*body)(void *context), void *context, const char *name);
void linux_thread_join(void *thread);   /* a thread that joins itself is detached */
void linux_thread_detach(void *thread); /* for a thread that may never end */
uint64_t linux_thread_self(void);
/* Lets another thread run that waits for this processor. */
void linux_thread_yield(void);
/* Makes the calling thread real-time (SCHED_RR). False if the limits of the process do not allow it. */
bool linux_thread_set_realtime(int priority);
enum { LINUX_THREAD_BUFFER_SIZE = 64 };
/* The calling thread yields its processor, and takes none from a thread that runs (SCHED_BATCH). False where it has another
 * policy than the ordinary one, which it keeps: then it does not end the background. */
bool linux_thread_begin_background(void);
void linux_thread_end_background(void);
char *linux_thread_buffer(void); /* one for each thread */
void *linux_mutex_create(void);
void linux_mutex_destroy(void *mutex);
void linux_mutex_lock(void *mutex);
void linux_mutex_unlock(void *mutex);
void *linux_condition_create(void);
void linux_condition_destroy(void *condition);
/* False when `deadline` (of linux_monotonic_nanoseconds) passes before a signal. */
bool linux_condition_wait_until(void *condition, void *mutex, uint64_t deadline);
void linux_condition_broadcast(void *condition);

/* ---- 32-bit words that threads share ---- */
static inline uint32_t linux_load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void linux_store(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
static inline uint64_t linux_load64(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void linux_store64(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
static inline bool linux_compare_and_store(uint32_t *word, uint32_t expected, uint32_t value) {
    return __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
/* Calls initialize in the first thread that calls this with the predicate, which is 0 at first. Other threads sleep until
   initialize has returned. A child of fork() calls it again if the parent was in it. */
void linux_once(int64_t *predicate, void (*initialize)(void *context), void *context);

/* ---- fork ---- */
/* 32-bit words that the kernel sets to 0 in every child of fork(). They exist before main; each index has one user.
   On a system that cannot wipe memory they are ordinary words. */
enum linux_word {
    LINUX_WORD_OF_ENGINE,
    LINUX_WORD_OF_SESSION,
    LINUX_WORD_OF_C_API,
    LINUX_WORD_OF_C_INITIALIZATION,
    LINUX_WORD_OF_FILE_QUEUE,
    LINUX_WORD_OF_IO_SLICE, /* the bits of a float: seconds */
    LINUX_WORD_OF_STATUS_PAGE,
    LINUX_WORD_OF_UNITS_AND_QUEUES,
    LINUX_WORD_OF_EXPLORATION, /* 1 while the sound cards are explored for the first time; fork() waits meanwhile */
    LINUX_WORD_OF_FILTERS,     /* of changes of the sample rate */
    LINUX_WORD_OF_TESTS,       /* the library does not use it */
    LINUX_WORDS_WIPED_ON_FORK
};
extern uint32_t *linux_the_words_wiped_on_fork;
static inline uint32_t *linux_word_wiped_on_fork(enum linux_word word) { return linux_the_words_wiped_on_fork + word; }
/* The object that a word records. It is not wiped, and is valid while the word says so. */
extern void *linux_the_objects_of_words[LINUX_WORDS_WIPED_ON_FORK];
static inline void **linux_object_of_word(enum linux_word word) { return linux_the_objects_of_words + word; }
/* This thread explores the sound cards: its own fork() does not wait for the exploration. */
void linux_begin_exploration(void);
/* Waits until the sound cards have been explored, for at most a second: false if they have not. Takes no lock: a signal
 * handler may call it. */
bool linux_await_exploration(void);
/* Closes the descriptor in children of fork(), because another process waits for its hang-up. */
void linux_close_on_fork(int fd);
void linux_forget_on_fork(int fd);

/* ---- libraries ---- */
void *linux_symbol(const char *name); /* in the program and its libraries; NULL without one */
/* Loads a library from this folder beside the caller's file, else from where the loader finds it. It is global and never
   unloaded; signal handlers are restored. */
bool linux_load_library(const char *name, const char *folder);
/* The file of a library, without symbolic links, valid on this thread until the next call; NULL if it cannot be loaded. */
const char *linux_loadable_library(const char *name);
/* A program that contains the library states the folder in which linux_module_function finds the folders of modules. It calls this
   before it uses the library. */
void linux_set_module_folder(const char *folder);
/* A function of the module `name`, which is loaded from this folder beside the caller's library, or from the folder that the
   environment variable names, and never unloaded. In ordinary Swift, where the caller is part of a program, it is also loaded
   from where packages install it. NULL: *reason is the text of the loader, valid on this thread until the next call. */
void *linux_module_function(
    const char *name, const char *folder, const char *variable, const char *function, const char **reason);
uint64_t linux_libraries_added(void); /* grows when the process loads a library */
/* CoreFoundation assumes that the thread that loads it is the main thread. This sets its variable to the main thread, if that
   is known: the thread that loaded this library. */
void linux_correct_main_thread(const char *symbol);

/* ---- streams of the program ---- */
void linux_write_stream(void *file, const void *text, size_t length); /* a FILE; NULL is stderr */

/* ---- numbers ---- */
/* Parses all of text as a number, in the C locale. False when it is not a number. */
bool linux_parse_double(const char *text, double *out);
/* Writes the shortest text that parses to the same float. Returns its length. */
size_t linux_format_float(float value, char *buffer, size_t size);
size_t linux_format_double(double value, char *buffer, size_t size);

#endif
