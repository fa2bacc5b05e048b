/* SPDX-License-Identifier: Apache-2.0 */
/* Sound cards without kernel drivers. System calls of libasound and of the library for /dev/snd are answered
   here, with the structures of the kernel's interface. Other files of a machine with cards are in a folder of
   the test. Without fake_begin all system calls go to the kernel. */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/* Removes all cards. Paths that begin with one of the prefixes lead into the folder from now on; NULL ends the
   list. */
void fake_begin(const char *folder, const char *const *prefixes);
void fake_end(void);

/* Adds a card. The test then creates controlC<card> in the folder. */
void fake_card(uint32_t card, const char *id, const char *driver, const char *name);
void fake_rename(uint32_t card, const char *id);
/* The result of opening its control device: an errno value, or 0. */
void fake_refuse(uint32_t card, int error);
/* The result of changing a value. */
void fake_refuse_sets(uint32_t card, int error);
/* The result of the n-th request to its control device from now on; 0: no request fails. */
void fake_fail(uint32_t card, int error, uint32_t nth);
/* While this is on, requests to all control devices block. */
void fake_block(bool on);
/* The number of open devices. */
uint32_t fake_open_devices(void);
/* Waits until no device is open; false when the limit, in milliseconds, is reached. */
bool fake_await_closed(int32_t limit);
/* Removes the card and wakes all processes that have it open. */
void fake_remove(uint32_t card);
void fake_pcm(uint32_t card, uint32_t device, bool playback, const char *name);
/* Whether another program has opened its stream. */
void fake_occupy_pcm(uint32_t card, uint32_t device, bool playback, bool on);
/* The result of opening its PCM devices. */
void fake_refuse_pcm(uint32_t card, int error);

enum { FAKE_CARD = 0, FAKE_MIXER = 2, FAKE_PCM = 3 };
enum { FAKE_BOOLEAN = 1, FAKE_INTEGER = 2, FAKE_ENUMERATED = 3, FAKE_BYTES = 4 };
/* Adds an element and returns its number. The items of an enumerated element are separated by '/'. */
uint32_t fake_element(
    uint32_t card, uint32_t interface, const char *name, uint32_t type, uint32_t count, int32_t most, const char *items);
/* Elements of one name have different indexes. The index of a new element is 0. */
void fake_index(uint32_t card, uint32_t element, uint32_t index);
/* Removes an element, and reports it. */
void fake_remove_element(uint32_t card, uint32_t element);
void fake_set(uint32_t card, uint32_t element, int32_t value);
int32_t fake_value(uint32_t card, uint32_t element);
/* Events without a change: an added element, and an event of another type. */
void fake_report_new(uint32_t card);
void fake_report_other(uint32_t card);

/* A sound server behind the control device of a server. False: the server does not listen. */
void fake_server(bool listens);
/* Its levels, from 0 to 100, sent to all connections. */
void fake_server_levels(uint8_t output, uint8_t input);
uint8_t fake_server_input(void);
void fake_server_dies(void);

#endif
