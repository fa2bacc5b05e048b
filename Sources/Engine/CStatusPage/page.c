/* SPDX-License-Identifier: Apache-2.0 */
#include "CStatusPage.h"

#include <stddef.h>
#include <string.h>

#include "linux_words.h"

_Static_assert(sizeof(struct status_slot) == 256, "the layout of a slot");
_Static_assert(sizeof(struct status_page) == STATUS_PAGE_SIZE, "the layout of the page");
_Static_assert(sizeof(struct status_description) % 8 == 0, "a description is copied in words");
_Static_assert(offsetof(struct status_slot, description) % 8 == 0, "a description is aligned");

static const char magic[8] = "ASunits";

enum {
    COUNTER_WORDS = sizeof(struct status_counters) / 8,
    DESCRIPTION_WORDS = sizeof(struct status_description) / 8,
    MOST_ATTEMPTS = 64
};

static void clear_words(void *words, unsigned count) {
    for (unsigned i = 0; i < count; i++) __atomic_store_n((uint64_t *)words + i, 0, __ATOMIC_RELAXED);
}

void status_page_init(struct status_page *page, int32_t process, const char *name) {
    page->version = STATUS_VERSION;
    page->slots = STATUS_SLOTS;
    page->process = process;
    for (unsigned i = 0; i < sizeof page->name - 1 && name[i]; i++) page->name[i] = name[i];
    memcpy(page->magic, magic, sizeof magic);
}

struct status_slot *status_claim(struct status_page *page) {
    for (unsigned i = 0; i < STATUS_SLOTS; i++) {
        uint32_t unclaimed = 0;
        struct status_slot *slot = &page->slot[i];
        if (!__atomic_compare_exchange_n(&slot->is_claimed, &unclaimed, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
        clear_words(&slot->counters, COUNTER_WORDS);
        return slot;
    }
    return NULL;
}

void status_release(struct status_slot *slot) {
    static const struct status_description none;
    status_describe(slot, &none);
    __atomic_store_n(&slot->is_claimed, 0, __ATOMIC_RELEASE);
}

struct status_counters *status_slot_counters(struct status_slot *slot) {
    return &slot->counters;
}

void status_describe(struct status_slot *slot, const struct status_description *description) {
    uint32_t begun = linux_sequence_begin(&slot->sequence);
    linux_copy_words(&slot->description, description, DESCRIPTION_WORDS);
    linux_sequence_end(&slot->sequence, begun);
}

bool status_page_is_valid(const struct status_page *page) {
    return memcmp(page->magic, magic, sizeof magic) == 0 && page->version == STATUS_VERSION && page->slots == STATUS_SLOTS;
}

void status_page_name(const struct status_page *page, char name[STATUS_NAME_SIZE]) {
    memcpy(name, page->name, STATUS_NAME_SIZE);
    name[STATUS_NAME_SIZE - 1] = '\0';
}

const struct status_slot *status_page_slot(const struct status_page *page, unsigned index) {
    return index < STATUS_SLOTS ? &page->slot[index] : NULL;
}

struct status_counters status_counters_copy(const struct status_counters *counters) {
    struct status_counters copy;
    linux_copy_words(&copy, counters, COUNTER_WORDS);
    return copy;
}

bool status_read(const struct status_slot *slot, struct status_description *description, struct status_counters *counters) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        uint32_t before = linux_sequence_read(&slot->sequence);
        linux_copy_words(description, &slot->description, DESCRIPTION_WORDS);
        *counters = status_counters_copy(&slot->counters);
        if (linux_sequence_is(&slot->sequence, before)) return description->kind != 0;
    }
    return false;
}
