/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the units, queues and graphs of a process: a page of memory that its process writes and other processes read.
   An audio thread writes a counter with one store. A description has a sequence number, which is odd while it changes. */
#ifndef CSTATUSPAGE_H
#define CSTATUSPAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { STATUS_VERSION = 1, STATUS_SLOTS = 63, STATUS_PAGE_SIZE = 16384, STATUS_NAME_SIZE = 64 };

/* The subject of a slot: the subtype of a unit, or one of these. 0: the slot is free. */
enum {
    STATUS_OUTPUT_QUEUE = 0x61716F75, /* 'aqou' */
    STATUS_INPUT_QUEUE = 0x6171696E,  /* 'aqin' */
    STATUS_OUTPUT_MIX = 0x61716D6F,   /* 'aqmo': the stream that all queues of a process play on */
    STATUS_INPUT_MIX = 0x61716D69,    /* 'aqmi' */
    STATUS_GRAPH = 0x61756772         /* 'augr' */
};

enum {
    STATUS_IS_RUNNING = 1,
    STATUS_HAS_OUTPUT = 2,
    STATUS_HAS_INPUT = 4,
    STATUS_IS_PAUSED = 8,    /* a queue */
    STATUS_IS_STOPPING = 16, /* a queue that stops when its last buffer is finished */
    STATUS_IS_OPEN = 32,     /* a graph */
    STATUS_IS_INITIALIZED = 64
};

struct status_format {
    double rate;
    uint32_t id, flags, channels, bits;
};

struct status_description {
    uint32_t kind, state;
    struct status_format output, input; /* the formats on the side of the program */
    uint32_t slice_frames;
    uint32_t starts;  /* the number of starts */
    uint32_t buffers; /* of a queue: enqueued and not finished */
    uint32_t late;    /* of a queue: callbacks that returned after the queue had run dry */
    double queued;    /* of a queue: the seconds of these buffers */
    uint32_t graph;   /* the number of a graph in its process; of a unit, that of its graph, 0 without one */
    uint32_t nodes, connections, callbacks; /* of a graph */
};

/* The counters since the last start. The order is that of the words of PullCounters. */
struct status_counters {
    uint64_t cycles, underruns, overruns, lost_frames;
    uint64_t longest_ns, slice_ns; /* of the last second */
    uint64_t load;                 /* the bits of a float: 0 to 1 */
    uint64_t is_realtime;
};

struct status_slot {
    uint32_t is_claimed;
    uint32_t sequence;
    struct status_counters counters;
    struct status_description description;
    uint8_t reserved[256 - 8 - sizeof(struct status_counters) - sizeof(struct status_description)];
};

struct status_page {
    uint8_t magic[8];
    uint32_t version, slots;
    int32_t process;
    uint32_t unused;
    char name[STATUS_NAME_SIZE]; /* of the program */
    uint8_t reserved[256 - 24 - STATUS_NAME_SIZE];
    struct status_slot slot[STATUS_SLOTS];
};

/* Initializes a zeroed page. */
void status_page_init(struct status_page *page, int32_t process, const char *name);
/* Returns a free slot, filled with zeros; NULL when no slot is free. */
struct status_slot *status_claim(struct status_page *page);
void status_release(struct status_slot *slot);
struct status_counters *status_slot_counters(struct status_slot *slot);
/* One thread at a time. */
void status_describe(struct status_slot *slot, const struct status_description *description);

/* Checks a page that another process writes: its content can be anything. */
bool status_page_is_valid(const struct status_page *page);
/* Copies the name, at most STATUS_NAME_SIZE bytes with the terminating zero. */
void status_page_name(const struct status_page *page, char name[STATUS_NAME_SIZE]);
const struct status_slot *status_page_slot(const struct status_page *page, unsigned index);
/* False for a free slot, and for a slot that changes during every attempt. */
bool status_read(const struct status_slot *slot, struct status_description *description, struct status_counters *counters);
/* The counters of a slot of this process. */
struct status_counters status_counters_copy(const struct status_counters *counters);

/* Called on the audio thread that alone writes these counters. */
static inline void status_count_underrun(struct status_counters *counters) {
    __atomic_store_n(&counters->underruns, __atomic_load_n(&counters->underruns, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}
/* Called at a start. */
static inline void status_clear_underruns(struct status_counters *counters) {
    __atomic_store_n(&counters->underruns, 0, __ATOMIC_RELAXED);
}
static inline uint64_t status_underruns(const struct status_counters *counters) {
    return __atomic_load_n(&counters->underruns, __ATOMIC_RELAXED);
}

#endif
