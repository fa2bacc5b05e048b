/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAKE_KERNEL_INSIDE_H
#define FAKE_KERNEL_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

/* cards.c: -1 and errno for an error; -2 for a path that is not a device of a card. */
int fake_open(const char *path, int flags);
/* Whether the descriptor is that of a device, and the result of the request. */
bool fake_ioctl(int fd, unsigned long request, void *argument, int *result);
/* Whether the descriptor is that of a removed card. */
bool fake_is_gone(int fd);
/* paths.c */
const char *fake_path(const char *path, char *buffer, size_t size);

#endif
