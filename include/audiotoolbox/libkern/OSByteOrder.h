/* SPDX-License-Identifier: Apache-2.0 */
/* The order of bytes. OSSwap reverses the bytes of a number. Functions with BigToHost, HostToBig and similar parts in their
   names reverse them only if the order of the machine is different. */
#ifndef AUDIOTOOLBOX_LIBKERN_OSBYTEORDER_H
#define AUDIOTOOLBOX_LIBKERN_OSBYTEORDER_H

#include <stdint.h>

/* Results of OSHostByteOrder. */
enum { OSUnknownByteOrder, OSLittleEndian, OSBigEndian };

/* These macros can be used in constant expressions. */
#define OSSwapConstInt16(x) ((uint16_t)((((uint16_t)(x)&0xFF00u) >> 8) | (((uint16_t)(x)&0x00FFu) << 8)))
#define OSSwapConstInt32(x) \
    ((uint32_t)((((uint32_t)(x)&0xFF000000u) >> 24) | (((uint32_t)(x)&0x00FF0000u) >> 8) | (((uint32_t)(x)&0x0000FF00u) << 8) | \
        (((uint32_t)(x)&0x000000FFu) << 24)))
#define OSSwapConstInt64(x) \
    ((uint64_t)OSSwapConstInt32((uint64_t)(x)&0xFFFFFFFFu) << 32 | (uint64_t)OSSwapConstInt32((uint64_t)(x) >> 32))

#define OSSwapInt16(x) ((uint16_t)__builtin_bswap16((uint16_t)(x)))
#define OSSwapInt32(x) ((uint32_t)__builtin_bswap32((uint32_t)(x)))
#define OSSwapInt64(x) ((uint64_t)__builtin_bswap64((uint64_t)(x)))

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OSSwapBigToHostInt16(x) ((uint16_t)(x))
#define OSSwapHostToBigInt16(x) ((uint16_t)(x))
#define OSSwapBigToHostConstInt16(x) ((uint16_t)(x))
#define OSSwapHostToBigConstInt16(x) ((uint16_t)(x))
#define OSSwapBigToHostInt32(x) ((uint32_t)(x))
#define OSSwapHostToBigInt32(x) ((uint32_t)(x))
#define OSSwapBigToHostConstInt32(x) ((uint32_t)(x))
#define OSSwapHostToBigConstInt32(x) ((uint32_t)(x))
#define OSSwapBigToHostInt64(x) ((uint64_t)(x))
#define OSSwapHostToBigInt64(x) ((uint64_t)(x))
#define OSSwapBigToHostConstInt64(x) ((uint64_t)(x))
#define OSSwapHostToBigConstInt64(x) ((uint64_t)(x))
#define OSSwapLittleToHostInt16(x) OSSwapInt16(x)
#define OSSwapHostToLittleInt16(x) OSSwapInt16(x)
#define OSSwapLittleToHostConstInt16(x) OSSwapConstInt16(x)
#define OSSwapHostToLittleConstInt16(x) OSSwapConstInt16(x)
#define OSSwapLittleToHostInt32(x) OSSwapInt32(x)
#define OSSwapHostToLittleInt32(x) OSSwapInt32(x)
#define OSSwapLittleToHostConstInt32(x) OSSwapConstInt32(x)
#define OSSwapHostToLittleConstInt32(x) OSSwapConstInt32(x)
#define OSSwapLittleToHostInt64(x) OSSwapInt64(x)
#define OSSwapHostToLittleInt64(x) OSSwapInt64(x)
#define OSSwapLittleToHostConstInt64(x) OSSwapConstInt64(x)
#define OSSwapHostToLittleConstInt64(x) OSSwapConstInt64(x)
#else
#define OSSwapBigToHostInt16(x) OSSwapInt16(x)
#define OSSwapHostToBigInt16(x) OSSwapInt16(x)
#define OSSwapBigToHostConstInt16(x) OSSwapConstInt16(x)
#define OSSwapHostToBigConstInt16(x) OSSwapConstInt16(x)
#define OSSwapBigToHostInt32(x) OSSwapInt32(x)
#define OSSwapHostToBigInt32(x) OSSwapInt32(x)
#define OSSwapBigToHostConstInt32(x) OSSwapConstInt32(x)
#define OSSwapHostToBigConstInt32(x) OSSwapConstInt32(x)
#define OSSwapBigToHostInt64(x) OSSwapInt64(x)
#define OSSwapHostToBigInt64(x) OSSwapInt64(x)
#define OSSwapBigToHostConstInt64(x) OSSwapConstInt64(x)
#define OSSwapHostToBigConstInt64(x) OSSwapConstInt64(x)
#define OSSwapLittleToHostInt16(x) ((uint16_t)(x))
#define OSSwapHostToLittleInt16(x) ((uint16_t)(x))
#define OSSwapLittleToHostConstInt16(x) ((uint16_t)(x))
#define OSSwapHostToLittleConstInt16(x) ((uint16_t)(x))
#define OSSwapLittleToHostInt32(x) ((uint32_t)(x))
#define OSSwapHostToLittleInt32(x) ((uint32_t)(x))
#define OSSwapLittleToHostConstInt32(x) ((uint32_t)(x))
#define OSSwapHostToLittleConstInt32(x) ((uint32_t)(x))
#define OSSwapLittleToHostInt64(x) ((uint64_t)(x))
#define OSSwapHostToLittleInt64(x) ((uint64_t)(x))
#define OSSwapLittleToHostConstInt64(x) ((uint64_t)(x))
#define OSSwapHostToLittleConstInt64(x) ((uint64_t)(x))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the byte order of this machine. */
static __inline__ int32_t OSHostByteOrder(void) { return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? OSBigEndian : OSLittleEndian; }

/* Numbers in memory at a pointer plus an offset in bytes. The address need not be aligned. */
static __inline__ uint16_t OSReadBigInt16(const volatile void *base, uintptr_t offset) {
    uint16_t value;
    __builtin_memcpy(&value, (const char *)(uintptr_t)base + offset, sizeof value);
    return OSSwapBigToHostInt16(value);
}
static __inline__ void OSWriteBigInt16(volatile void *base, uintptr_t offset, uint16_t value) {
    value = OSSwapHostToBigInt16(value);
    __builtin_memcpy((char *)(uintptr_t)base + offset, &value, sizeof value);
}
static __inline__ uint16_t OSReadLittleInt16(const volatile void *base, uintptr_t offset) {
    uint16_t value;
    __builtin_memcpy(&value, (const char *)(uintptr_t)base + offset, sizeof value);
    return OSSwapLittleToHostInt16(value);
}
static __inline__ void OSWriteLittleInt16(volatile void *base, uintptr_t offset, uint16_t value) {
    value = OSSwapHostToLittleInt16(value);
    __builtin_memcpy((char *)(uintptr_t)base + offset, &value, sizeof value);
}
static __inline__ uint32_t OSReadBigInt32(const volatile void *base, uintptr_t offset) {
    uint32_t value;
    __builtin_memcpy(&value, (const char *)(uintptr_t)base + offset, sizeof value);
    return OSSwapBigToHostInt32(value);
}
static __inline__ void OSWriteBigInt32(volatile void *base, uintptr_t offset, uint32_t value) {
    value = OSSwapHostToBigInt32(value);
    __builtin_memcpy((char *)(uintptr_t)base + offset, &value, sizeof value);
}
static __inline__ uint32_t OSReadLittleInt32(const volatile void *base, uintptr_t offset) {
    uint32_t value;
    __builtin_memcpy(&value, (const char *)(uintptr_t)base + offset, sizeof value);
    return OSSwapLittleToHostInt32(value);
}
static __inline__ void OSWriteLittleInt32(volatile void *base, uintptr_t offset, uint32_t value) {
    value = OSSwapHostToLittleInt32(value);
    __builtin_memcpy((char *)(uintptr_t)base + offset, &value, sizeof value);
}
static __inline__ uint64_t OSReadBigInt64(const volatile void *base, uintptr_t offset) {
    uint64_t value;
    __builtin_memcpy(&value, (const char *)(uintptr_t)base + offset, sizeof value);
    return OSSwapBigToHostInt64(value);
}
static __inline__ void OSWriteBigInt64(volatile void *base, uintptr_t offset, uint64_t value) {
    value = OSSwapHostToBigInt64(value);
    __builtin_memcpy((char *)(uintptr_t)base + offset, &value, sizeof value);
}
static __inline__ uint64_t OSReadLittleInt64(const volatile void *base, uintptr_t offset) {
    uint64_t value;
    __builtin_memcpy(&value, (const char *)(uintptr_t)base + offset, sizeof value);
    return OSSwapLittleToHostInt64(value);
}
static __inline__ void OSWriteLittleInt64(volatile void *base, uintptr_t offset, uint64_t value) {
    value = OSSwapHostToLittleInt64(value);
    __builtin_memcpy((char *)(uintptr_t)base + offset, &value, sizeof value);
}

#ifdef __cplusplus
}
#endif

#endif
