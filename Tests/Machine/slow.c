/* SPDX-License-Identifier: Apache-2.0 */
/* A preloaded library that simulates a driver which blocks its callers, such as that of a USB device on a busy bus.
   While the FIFO of the variable SLOW exists, each request that changes a control (SLOW_CALL=write) or reads the
   description of a card (SLOW_CALL=card) blocks until the FIFO is written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sound/asound.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void block(void) {
    char byte;
    int fifo = open(getenv("SLOW"), O_RDONLY);
    if (fifo < 0) return;
    while (read(fifo, &byte, 1) > 0) continue;
    close(fifo);
}

int ioctl(int descriptor, unsigned long request, ...) {
    static int (*next)(int, unsigned long, void *);
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!next) next = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
    unsigned long slow = strcmp(getenv("SLOW_CALL"), "card") == 0 ? SNDRV_CTL_IOCTL_CARD_INFO : SNDRV_CTL_IOCTL_ELEM_WRITE;
    if (request == slow) block();
    return next(descriptor, request, argument);
}
