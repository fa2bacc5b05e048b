/* Sound cards without a kernel that has any: what libasound and the library in this process ask the system
   for below /dev/snd is answered here, with the structures of the kernel's own interface. Other files that a
   machine with cards has are looked for in a folder of the test. Without standin_begin nothing is different
   from any other process. */
#ifndef STAND_IN_KERNEL_H
#define STAND_IN_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/* Paths that begin with one of the prefixes lead into the folder from now on; NULL ends the list. All cards
   are gone. */
void standin_begin(const char *folder, const char *const *prefixes);
void standin_end(void);

/* A card that can be opened as soon as the test has put controlC<card> into the folder. */
void standin_card(uint32_t card, const char *id, const char *driver, const char *name);
void standin_rename(uint32_t card, const char *id);
/* What opening its device gives: an errno value, 0 for success. */
void standin_refuse(uint32_t card, int error);
/* What changing an element's value gives. */
void standin_refuse_sets(uint32_t card, int error);
/* What the n-th request of its control device gives, counted from now on; 0: none fails. */
void standin_fail(uint32_t card, int error, uint32_t nth);
/* While it is held up a request to any control device waits. */
void standin_hold_up(bool on);
/* How many devices are open. */
uint32_t standin_open_devices(void);
/* Waits until no device is open; false after the time, in milliseconds. */
bool standin_await_closed(int32_t limit);
/* Pulled out: whoever has it open is told. */
void standin_remove(uint32_t card);
void standin_pcm(uint32_t card, uint32_t device, bool playback, const char *name);
/* What opening its PCM devices gives. */
void standin_refuse_pcm(uint32_t card, int error);

enum { STANDIN_CARD = 0, STANDIN_MIXER = 2, STANDIN_PCM = 3 };
enum { STANDIN_BOOLEAN = 1, STANDIN_INTEGER = 2, STANDIN_ENUMERATED = 3, STANDIN_BYTES = 4 };
/* Items: as many names as an enumerated one has, separated by '/'. The number of the new element. */
uint32_t standin_element(
    uint32_t card, uint32_t interface, const char *name, uint32_t type, uint32_t count, int32_t most, const char *items);
void standin_set(uint32_t card, uint32_t element, int32_t value);
int32_t standin_value(uint32_t card, uint32_t element);
/* Reports that nothing stands behind: elements were added; what no reader knows. */
void standin_report_new(uint32_t card);
void standin_report_other(uint32_t card);

/* A sound server behind the control device that libasound opens for one. False: nobody listens. */
void standin_server(bool listens);
/* Its levels, from 0 to 100, told to all that are connected. */
void standin_server_levels(uint8_t output, uint8_t input);
uint8_t standin_server_input(void);
void standin_server_dies(void);

#endif
