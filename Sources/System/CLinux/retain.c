/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

/* Swift's compiler takes it that a retain returns its argument, and on arm64 both have the same register: it uses the result as the
   argument. The weak definitions of Embedded Swift (6.3.1) return the address of the object, without the bits that a string keeps
   beside it, so that a small string becomes a large one without characters. Elsewhere the compiler keeps the argument itself. */
#if defined(EMBEDDED_SWIFT) && defined(__aarch64__)
#define HIDDEN __attribute__((visibility("hidden")))
/* No object has to be counted: small strings, and those of the program's image. */
#define IS_IMMORTAL (UINT64_C(1) << 63)
#define ADDRESS UINT64_C(0x0FFFFFFFFFFFFFF8)

void *swift_retain_n(void *object, uint32_t count);
void *swift_bridgeObjectRetain(void *object);
void *swift_bridgeObjectRetain_n(void *object, uint32_t count);

HIDDEN void *swift_bridgeObjectRetain_n(void *object, uint32_t count) {
    uint64_t bits = (uintptr_t)object;
    if (!(bits & IS_IMMORTAL) && bits & ADDRESS) swift_retain_n((void *)(uintptr_t)(bits & ADDRESS), count);
    return object;
}

HIDDEN void *swift_bridgeObjectRetain(void *object) { return swift_bridgeObjectRetain_n(object, 1); }
#endif
