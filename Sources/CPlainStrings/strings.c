#include "CPlainStrings.h"

#include <stdbool.h>
#include <stdint.h>

/* Two strings are equal here if their bytes are: they are names of devices, files and settings, most of
   them ASCII. That an e with an accent can be written in two ways, and what a reader takes for one
   character, Embedded Swift looks up in 35 KB of tables, unless somebody else defines the functions that
   do it. These say of every character that there is nothing special about it. */
#ifdef EMBEDDED
#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN const uint8_t *const _swift_stdlib_nfd_decompositions = 0;

HIDDEN uint16_t _swift_stdlib_getNormData(uint32_t scalar) {
    (void)scalar;
    return 0;
}

HIDDEN uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) {
    (void)scalar;
    return UINT32_MAX;
}

HIDDEN uint32_t _swift_stdlib_getComposition(uint32_t first, uint32_t second) {
    (void)first, (void)second;
    return UINT32_MAX;
}

HIDDEN uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) {
    (void)scalar;
    return UINT8_MAX;
}

HIDDEN bool _swift_stdlib_isExtendedPictographic(uint32_t scalar) {
    (void)scalar;
    return false;
}

HIDDEN bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) {
    (void)scalar;
    return false;
}
#endif
