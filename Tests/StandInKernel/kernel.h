#ifndef STAND_IN_KERNEL_INSIDE_H
#define STAND_IN_KERNEL_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

/* cards.c: -1 and errno as the system would; of a path that is no device of a card that there is, -2. */
int standin_open(const char *path, int flags);
/* Whether the descriptor is a device's; then the result of the request. */
bool standin_ioctl(int fd, unsigned long request, void *argument, int *result);
/* Whether it is that of a card that has gone. */
bool standin_is_gone(int fd);
/* paths.c */
const char *standin_path(const char *path, char *buffer, size_t size);

#endif
