/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations, implemented by the built-in functions of the compiler. The functions with Barrier in their names are
   ordered with all memory accesses around them, the others are not ordered. All functions are inline; no library is needed,
   with one exception: on machines other than x86-64, gcc needs libatomic for lists. Not supported: the lists of
   OSAtomicFifoEnqueue and OSAtomicFifoDequeue. */
#ifndef AUDIOTOOLBOX_LIBKERN_OSATOMIC_H
#define AUDIOTOOLBOX_LIBKERN_OSATOMIC_H

#ifndef AUDIOTOOLBOX_AVAILABILITY_H
#include <Availability.h>
#endif
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On the platform int64_t, SInt64 and long long are one type. Here int64_t is long: the functions accept pointers to each. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
__extension__ typedef long long audiotoolbox_wide;
__extension__ typedef unsigned long long audiotoolbox_unsigned_wide;
#pragma GCC diagnostic pop

#if defined(__cplusplus)
#define AUDIOTOOLBOX_INT64_POINTER_ volatile int64_t *
#define AUDIOTOOLBOX_INT64_(value) (value)
#else
typedef union audiotoolbox_int64_pointer {
    volatile int64_t *int64;
    volatile uint64_t *uint64;
    volatile audiotoolbox_wide *wide;
    volatile audiotoolbox_unsigned_wide *unsigned_wide;
} audiotoolbox_int64_pointer __attribute__((__transparent_union__));
#define AUDIOTOOLBOX_INT64_POINTER_ audiotoolbox_int64_pointer
#define AUDIOTOOLBOX_INT64_(value) ((value).int64)
#endif

/* Adds and returns the new value. */
static __inline__ int32_t OSAtomicAdd32(int32_t amount, volatile int32_t *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_RELAXED);
}
static __inline__ int32_t OSAtomicAdd32Barrier(int32_t amount, volatile int32_t *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_SEQ_CST);
}
static __inline__ int64_t OSAtomicAdd64(int64_t amount, AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_add_fetch(AUDIOTOOLBOX_INT64_(value), amount, __ATOMIC_RELAXED);
}
static __inline__ int64_t OSAtomicAdd64Barrier(int64_t amount, AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_add_fetch(AUDIOTOOLBOX_INT64_(value), amount, __ATOMIC_SEQ_CST);
}

/* Adds or subtracts 1 and returns the new value. */
static __inline__ int32_t OSAtomicIncrement32(volatile int32_t *value) { return __atomic_add_fetch(value, 1, __ATOMIC_RELAXED); }
static __inline__ int32_t OSAtomicIncrement32Barrier(volatile int32_t *value) {
    return __atomic_add_fetch(value, 1, __ATOMIC_SEQ_CST);
}
static __inline__ int32_t OSAtomicDecrement32(volatile int32_t *value) { return __atomic_sub_fetch(value, 1, __ATOMIC_RELAXED); }
static __inline__ int32_t OSAtomicDecrement32Barrier(volatile int32_t *value) {
    return __atomic_sub_fetch(value, 1, __ATOMIC_SEQ_CST);
}
static __inline__ int64_t OSAtomicIncrement64(AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_add_fetch(AUDIOTOOLBOX_INT64_(value), 1, __ATOMIC_RELAXED);
}
static __inline__ int64_t OSAtomicIncrement64Barrier(AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_add_fetch(AUDIOTOOLBOX_INT64_(value), 1, __ATOMIC_SEQ_CST);
}
static __inline__ int64_t OSAtomicDecrement64(AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_sub_fetch(AUDIOTOOLBOX_INT64_(value), 1, __ATOMIC_RELAXED);
}
static __inline__ int64_t OSAtomicDecrement64Barrier(AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_sub_fetch(AUDIOTOOLBOX_INT64_(value), 1, __ATOMIC_SEQ_CST);
}

/* Combines bits and returns the new value; with Orig in the name, the value before. */
static __inline__ int32_t OSAtomicOr32(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_or_fetch(value, mask, __ATOMIC_RELAXED);
}
static __inline__ int32_t OSAtomicOr32Orig(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_fetch_or(value, mask, __ATOMIC_RELAXED);
}
static __inline__ int32_t OSAtomicOr32Barrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_or_fetch(value, mask, __ATOMIC_SEQ_CST);
}
static __inline__ int32_t OSAtomicOr32OrigBarrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_fetch_or(value, mask, __ATOMIC_SEQ_CST);
}
static __inline__ int32_t OSAtomicAnd32(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_and_fetch(value, mask, __ATOMIC_RELAXED);
}
static __inline__ int32_t OSAtomicAnd32Orig(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_fetch_and(value, mask, __ATOMIC_RELAXED);
}
static __inline__ int32_t OSAtomicAnd32Barrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_and_fetch(value, mask, __ATOMIC_SEQ_CST);
}
static __inline__ int32_t OSAtomicAnd32OrigBarrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_fetch_and(value, mask, __ATOMIC_SEQ_CST);
}
static __inline__ int32_t OSAtomicXor32(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_xor_fetch(value, mask, __ATOMIC_RELAXED);
}
static __inline__ int32_t OSAtomicXor32Orig(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_fetch_xor(value, mask, __ATOMIC_RELAXED);
}
static __inline__ int32_t OSAtomicXor32Barrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_xor_fetch(value, mask, __ATOMIC_SEQ_CST);
}
static __inline__ int32_t OSAtomicXor32OrigBarrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_fetch_xor(value, mask, __ATOMIC_SEQ_CST);
}

/* Stores the new value if the present value is the old one, and returns whether it was. */
static __inline__ int OSAtomicCompareAndSwap32(int32_t old_value, int32_t new_value, volatile int32_t *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static __inline__ int OSAtomicCompareAndSwap32Barrier(int32_t old_value, int32_t new_value, volatile int32_t *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static __inline__ int OSAtomicCompareAndSwap64(int64_t old_value, int64_t new_value, AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_compare_exchange_n(AUDIOTOOLBOX_INT64_(value), &old_value, new_value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static __inline__ int OSAtomicCompareAndSwap64Barrier(int64_t old_value, int64_t new_value, AUDIOTOOLBOX_INT64_POINTER_ value) {
    return __atomic_compare_exchange_n(AUDIOTOOLBOX_INT64_(value), &old_value, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static __inline__ int OSAtomicCompareAndSwapInt(int old_value, int new_value, volatile int *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static __inline__ int OSAtomicCompareAndSwapIntBarrier(int old_value, int new_value, volatile int *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static __inline__ int OSAtomicCompareAndSwapLong(long old_value, long new_value, volatile long *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static __inline__ int OSAtomicCompareAndSwapLongBarrier(long old_value, long new_value, volatile long *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static __inline__ int OSAtomicCompareAndSwapPtr(void *old_value, void *new_value, void *volatile *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static __inline__ int OSAtomicCompareAndSwapPtrBarrier(void *old_value, void *new_value, void *volatile *value) {
    return __atomic_compare_exchange_n(value, &old_value, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Sets or clears one bit and returns its former value. Bit n is bit 0x80 >> (n & 7) of byte n >> 3. */
static __inline__ int OSAtomicTestAndSet(uint32_t n, volatile void *address) {
    unsigned char bit = (unsigned char)(0x80 >> (n & 7));
    return (__atomic_fetch_or((volatile unsigned char *)address + (n >> 3), bit, __ATOMIC_RELAXED) & bit) != 0;
}
static __inline__ int OSAtomicTestAndSetBarrier(uint32_t n, volatile void *address) {
    unsigned char bit = (unsigned char)(0x80 >> (n & 7));
    return (__atomic_fetch_or((volatile unsigned char *)address + (n >> 3), bit, __ATOMIC_SEQ_CST) & bit) != 0;
}
static __inline__ int OSAtomicTestAndClear(uint32_t n, volatile void *address) {
    unsigned char bit = (unsigned char)(0x80 >> (n & 7));
    return (__atomic_fetch_and((volatile unsigned char *)address + (n >> 3), (unsigned char)~bit, __ATOMIC_RELAXED) & bit) != 0;
}
static __inline__ int OSAtomicTestAndClearBarrier(uint32_t n, volatile void *address) {
    unsigned char bit = (unsigned char)(0x80 >> (n & 7));
    return (__atomic_fetch_and((volatile unsigned char *)address + (n >> 3), (unsigned char)~bit, __ATOMIC_SEQ_CST) & bit) != 0;
}

/* Orders all memory accesses before it with all after it. */
static __inline__ void OSMemoryBarrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/* ---- Lists ---- */

/* The newest element, and a number that changes with each call. The number shows that an element was removed and added again
   between two reads. */
typedef volatile struct {
    void *opaque1;
    long opaque2;
} __attribute__((__aligned__(16))) OSQueueHead;
#define OS_ATOMIC_QUEUE_INIT \
    { NULL, 0 }

/* If the head is equal to the old one, stores the new head with the next number. Returns whether it has stored it. The caller
   may have read the halves of the old head at different moments: then the head is not equal. */
static __inline__ int audiotoolbox_exchange_head_(OSQueueHead *list, void *old_first, long old_number, void *new_first) {
#if defined(__x86_64__)
    unsigned char is_stored;
    long new_number = (long)((unsigned long)old_number + 1);
    __asm__ __volatile__("lock cmpxchg16b %1\n\tsete %0"
                         : "=q"(is_stored), "+m"(*list), "+a"(old_first), "+d"(old_number)
                         : "b"(new_first), "c"(new_number)
                         : "cc", "memory");
    return is_stored;
#else
    struct {
        void *first;
        long number;
    } __attribute__((__aligned__(2 * sizeof(void *)))) old_head, new_head;
    old_head.first = old_first;
    old_head.number = old_number;
    new_head.first = new_first;
    new_head.number = (long)((unsigned long)old_number + 1);
    return __atomic_compare_exchange(
        (__typeof__(old_head) *)(void *)(uintptr_t)list, &old_head, &new_head, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
}

/* Adds an element at the front of a list. The link is a pointer in the element, at this offset in bytes. */
static __inline__ void OSAtomicEnqueue(OSQueueHead *list, void *element, size_t offset) {
    void *first;
    long number;
    do {
        number = __atomic_load_n(&list->opaque2, __ATOMIC_ACQUIRE);
        first = __atomic_load_n(&list->opaque1, __ATOMIC_ACQUIRE);
        __atomic_store_n((void **)(void *)((char *)element + offset), first, __ATOMIC_RELAXED);
    } while (!audiotoolbox_exchange_head_(list, first, number, element));
}

/* Removes the newest element, and returns it, or NULL if the list is empty. Another thread may still read the link of a removed
   element: the memory of the element must stay mapped. */
static __inline__ void *OSAtomicDequeue(OSQueueHead *list, size_t offset) {
    void *first, *next;
    long number;
    do {
        number = __atomic_load_n(&list->opaque2, __ATOMIC_ACQUIRE);
        first = __atomic_load_n(&list->opaque1, __ATOMIC_ACQUIRE);
        if (!first) return NULL;
        next = __atomic_load_n((void **)(void *)((char *)first + offset), __ATOMIC_RELAXED);
    } while (!audiotoolbox_exchange_head_(list, first, number, next));
    return first;
}

/* ---- Spin locks ---- */

typedef int32_t OSSpinLock;
#define OS_SPINLOCK_INIT 0

extern int audiotoolbox_sched_yield_(void) __asm__("sched_yield");

/* Locks if the lock is free, and returns whether it was. */
static __inline__ int OSSpinLockTry(volatile OSSpinLock *lock) { return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0; }

/* Waits for the lock by yielding the processor. */
static __inline__ void OSSpinLockLock(volatile OSSpinLock *lock) {
    while (!OSSpinLockTry(lock)) audiotoolbox_sched_yield_();
}

/* Frees the lock. */
static __inline__ void OSSpinLockUnlock(volatile OSSpinLock *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

#ifdef __cplusplus
}
#endif

/* ---- C++ ---- */

#if defined(__cplusplus) && defined(__LP64__)
/* The same functions for long long. */
extern "C++" {
static __inline__ int64_t OSAtomicAdd64(int64_t amount, volatile audiotoolbox_wide *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_RELAXED);
}
static __inline__ int64_t OSAtomicAdd64Barrier(int64_t amount, volatile audiotoolbox_wide *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_SEQ_CST);
}
static __inline__ int64_t OSAtomicIncrement64(volatile audiotoolbox_wide *value) {
    return __atomic_add_fetch(value, 1, __ATOMIC_RELAXED);
}
static __inline__ int64_t OSAtomicIncrement64Barrier(volatile audiotoolbox_wide *value) {
    return __atomic_add_fetch(value, 1, __ATOMIC_SEQ_CST);
}
static __inline__ int64_t OSAtomicDecrement64(volatile audiotoolbox_wide *value) {
    return __atomic_sub_fetch(value, 1, __ATOMIC_RELAXED);
}
static __inline__ int64_t OSAtomicDecrement64Barrier(volatile audiotoolbox_wide *value) {
    return __atomic_sub_fetch(value, 1, __ATOMIC_SEQ_CST);
}
static __inline__ int OSAtomicCompareAndSwap64(int64_t old_value, int64_t new_value, volatile audiotoolbox_wide *value) {
    audiotoolbox_wide expected = old_value;
    return __atomic_compare_exchange_n(value, &expected, new_value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static __inline__ int OSAtomicCompareAndSwap64Barrier(int64_t old_value, int64_t new_value, volatile audiotoolbox_wide *value) {
    audiotoolbox_wide expected = old_value;
    return __atomic_compare_exchange_n(value, &expected, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
}
#endif

#endif
