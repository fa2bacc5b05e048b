/* SPDX-License-Identifier: Apache-2.0 */
/* A shared library with one function, which does as little as a getter can. */
#include <stdint.h>

static uint32_t number = 7;

int plain_get(uint32_t id, uint32_t *size, void *data) {
    if (id != 1 || *size < sizeof number) return -1;
    *size = sizeof number;
    *(uint32_t *)data = __atomic_load_n(&number, __ATOMIC_ACQUIRE);
    return 0;
}
