/* SPDX-License-Identifier: Apache-2.0 */
/* The headers define these functions themselves, without a library: host time, memory that is mapped twice, clocks, threads,
   atomic operations, facts about the system, functions of libc, and in C++ the helpers for formats. */
#include "toolbox.h"

#include <AssertMacros.h>
#include <libkern/OSByteOrder.h>
#include <CoreServices/CoreServices.h>
#include <errno.h>
#include <limits.h>
#include <mach/thread_act.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <time.h>

static uint64_t monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static volatile sig_atomic_t signals;
static void note_signal(int number) { (void)number, signals = signals + 1; }

static void host_time(void) {
    mach_timebase_info_data_t base = {0, 0};
    uint64_t before = monotonic(), now = mach_absolute_time(), after = monotonic();
    EXPECT(before <= now && now <= after);
    EXPECT(mach_timebase_info(&base) == KERN_SUCCESS && base.numer == 1 && base.denom == 1);
    EXPECT(mach_wait_until(now) == KERN_SUCCESS);
    EXPECT(mach_wait_until(now + 30000000) == KERN_SUCCESS);
    EXPECT(mach_absolute_time() >= now + 30000000);

    /* A signal in the middle. */
    struct sigaction action;
    struct itimerval timer = {{0, 0}, {0, 5000}};
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    sigaction(SIGALRM, &action, NULL);
    now = mach_absolute_time();
    setitimer(ITIMER_REAL, &timer, NULL);
    EXPECT(mach_wait_until(now + 30000000) == KERN_SUCCESS);
    EXPECT(signals == 1);
    EXPECT(mach_absolute_time() >= now + 30000000);
}

static void mirrored_ring(void) {
    vm_size_t page = vm_page_size, length = round_page(page + 1);
    vm_address_t ring = 0, mirror, target;
    vm_prot_t current = 0, maximum = 0;
    EXPECT(length == 2 * page && trunc_page(page + 1) == page && round_page(page) == page);
    EXPECT(vm_allocate(mach_task_self(), &ring, 2 * length, VM_FLAGS_ANYWHERE) == KERN_SUCCESS);
    EXPECT(vm_deallocate(mach_task_self(), ring + length, length) == KERN_SUCCESS);
    mirror = ring + length;
    EXPECT(vm_remap(mach_task_self(), &mirror, length, 0, 0, mach_task_self(), ring, 0, &current, &maximum, VM_INHERIT_DEFAULT) ==
        KERN_SUCCESS);
    EXPECT(mirror == ring + length && current == VM_PROT_DEFAULT && maximum == VM_PROT_DEFAULT);
    if (failures) return;
    memset((char *)ring, 'a', length);
    memcpy((char *)ring + length - 2, "1234", 4);
    EXPECT(memcmp((char *)ring, "34", 2) == 0 && memcmp((char *)mirror + length - 2, "12", 2) == 0);

    /* A mapping at the target stays as it is. */
    target = mirror;
    EXPECT(vm_remap(mach_task_self(), &target, length, 0, 0, mach_task_self(), ring, 0, NULL, NULL, 0) == KERN_NO_SPACE);
    target = mirror;
    EXPECT(vm_allocate(mach_task_self(), &target, length, VM_FLAGS_FIXED) == KERN_NO_SPACE);
    EXPECT(memcmp((char *)mirror, "34", 2) == 0);
    target = 0;
    EXPECT(vm_remap(mach_task_self(), &target, length, 0, VM_FLAGS_ANYWHERE, mach_task_self(), ring, 1, NULL, NULL, 0) ==
        KERN_INVALID_ARGUMENT);
    EXPECT(vm_remap(mach_task_self(), &target, length, 0, VM_FLAGS_ANYWHERE, mach_task_self(), ring, 0, NULL, NULL, 0) ==
        KERN_SUCCESS);
    EXPECT(memcmp((char *)target, "34", 2) == 0);
    EXPECT(vm_deallocate(mach_task_self(), target, length) == KERN_SUCCESS);
    EXPECT(vm_deallocate(mach_task_self(), ring, 2 * length) == KERN_SUCCESS);
    EXPECT(vm_deallocate(mach_task_self(), 1, length) == KERN_INVALID_ADDRESS);
    EXPECT(vm_allocate(mach_task_self(), &target, (vm_size_t)-1 / 2, VM_FLAGS_ANYWHERE) == KERN_NO_SPACE);
    EXPECT(strcmp(mach_error_string(KERN_NO_SPACE), "KERN_NO_SPACE") == 0);
}

static void clocks(void) {
    clock_serv_t clock = 99;
    mach_timespec_t now;
    struct timespec before, after;
    clock_gettime(CLOCK_REALTIME, &before);
    EXPECT(host_get_clock_service(mach_host_self(), CALENDAR_CLOCK, &clock) == KERN_SUCCESS);
    EXPECT(clock_get_time(clock, &now) == KERN_SUCCESS);
    /* time() is up to a tick behind this clock. */
    clock_gettime(CLOCK_REALTIME, &after);
    EXPECT((time_t)now.tv_sec >= before.tv_sec && (time_t)now.tv_sec <= after.tv_sec);
    EXPECT(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    EXPECT(mach_port_deallocate(mach_task_self(), clock) == KERN_SUCCESS);
    EXPECT(host_get_clock_service(mach_host_self(), SYSTEM_CLOCK, &clock) == KERN_SUCCESS);
    EXPECT(clock_get_time(clock, &now) == KERN_SUCCESS);
    EXPECT((uint64_t)now.tv_sec * 1000000000u <= monotonic() && monotonic() - (uint64_t)now.tv_sec * 1000000000u < 61000000000u);
    EXPECT(host_get_clock_service(mach_host_self(), 7, &clock) == KERN_INVALID_ARGUMENT);
    EXPECT(clock_get_time(12345, &now) == KERN_INVALID_ARGUMENT);
}

/* One call of the plain function and one of the function with a barrier. */
#define BOTH(function, arguments, first, second) \
    EXPECT(function arguments == (first)); \
    EXPECT(function##Barrier arguments == (second))

static void atomics(void) {
    volatile int32_t n = 5;
    volatile int64_t m = 5;
    volatile uint32_t bits = 0xF0;
    volatile int whole = 1;
    volatile long wide = 1;
    int left, right;
    void *volatile pointer = &left;
    unsigned char bytes[4] = {0, 0, 0, 0};
    BOTH(OSAtomicAdd32, (3, &n), 8, 11);
    BOTH(OSAtomicAdd64, (-3, &m), 2, -1);
    BOTH(OSAtomicIncrement32, (&n), 12, 13);
    BOTH(OSAtomicDecrement32, (&n), 12, 11);
    BOTH(OSAtomicIncrement64, (&m), 0, 1);
    BOTH(OSAtomicDecrement64, (&m), 0, -1);
    BOTH(OSAtomicOr32, (0x0F, &bits), 0xFF, 0xFF);
    BOTH(OSAtomicAnd32, (0x3C, &bits), 0x3C, 0x3C);
    BOTH(OSAtomicXor32, (0x0F, &bits), 0x33, 0x3C);
    BOTH(OSAtomicOr32Orig, (0x03, &bits), 0x3C, 0x3F);
    BOTH(OSAtomicAnd32Orig, (0x33, &bits), 0x3F, 0x33);
    BOTH(OSAtomicXor32Orig, (0x01, &bits), 0x33, 0x32);
    BOTH(OSAtomicCompareAndSwap32, (11, 20, &n), 1, 0);
    EXPECT(n == 20 && OSAtomicCompareAndSwap32Barrier(20, 21, &n) == 1 && n == 21);
    BOTH(OSAtomicCompareAndSwap64, (-1, 20, &m), 1, 0);
    EXPECT(m == 20 && OSAtomicCompareAndSwap64Barrier(20, 21, &m) == 1 && m == 21);
    BOTH(OSAtomicCompareAndSwapInt, (1, 2, &whole), 1, 0);
    BOTH(OSAtomicCompareAndSwapLong, (1, 2, &wide), 1, 0);
    EXPECT(whole == 2 && wide == 2);
    BOTH(OSAtomicCompareAndSwapPtr, (&left, &right, &pointer), 1, 0);
    EXPECT(pointer == &right);
    BOTH(OSAtomicTestAndSet, (9, bytes), 0, 1);
    EXPECT(bytes[0] == 0 && bytes[1] == 0x40);
    BOTH(OSAtomicTestAndClear, (9, bytes), 1, 0);
    EXPECT(bytes[1] == 0);
    OSMemoryBarrier();
}

enum { THREADS = 4, TURNS = 20000 };
static OSSpinLock lock = OS_SPINLOCK_INIT;
static int guarded;
static volatile int32_t counted;

static void *count(void *unused) {
    int i;
    for (i = 0; i < TURNS; i++) {
        OSSpinLockLock(&lock);
        guarded++;
        OSSpinLockUnlock(&lock);
        OSAtomicIncrement32(&counted);
    }
    return unused;
}

static void spin_locks(void) {
    pthread_t threads[THREADS];
    int i;
    EXPECT(OSSpinLockTry(&lock) && !OSSpinLockTry(&lock));
    OSSpinLockUnlock(&lock);
    for (i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, count, NULL);
    for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    EXPECT(guarded == THREADS * TURNS && counted == THREADS * TURNS);
}

/* Threads take elements from one list and put them into another, in which they may be put back at once. */
struct element {
    int owner;
    void *link;
};
enum { ELEMENTS = 7, LINK = offsetof(struct element, link) };
static OSQueueHead lists[2] = {OS_ATOMIC_QUEUE_INIT, OS_ATOMIC_QUEUE_INIT};
static struct element elements[ELEMENTS];

static void *move(void *unused) {
    unsigned int i, seed = (unsigned int)(uintptr_t)&i;
    for (i = 0; i < TURNS * 5; i++) {
        struct element *taken[2];
        int count = 0;
        while (count < 2 && (taken[count] = (struct element *)OSAtomicDequeue(&lists[(seed >> 16) & 1], LINK))) {
            /* An element belongs to one thread at a time. */
            EXPECT(__atomic_exchange_n(&taken[count]->owner, 1, __ATOMIC_SEQ_CST) == 0);
            count++;
            seed = seed * 1103515245 + 12345;
        }
        seed = seed * 1103515245 + 12345;
        while (count > 0) {
            count--;
            EXPECT(__atomic_exchange_n(&taken[count]->owner, 0, __ATOMIC_SEQ_CST) == 1);
            OSAtomicEnqueue(&lists[(seed >> (17 + count)) & 1], taken[count], LINK);
        }
    }
    return unused;
}

static void atomic_lists(void) {
    pthread_t threads[THREADS];
    int i, list, seen = 0;
    EXPECT(sizeof(OSQueueHead) == 16 && ((uintptr_t)lists & 15) == 0);
    EXPECT(OSAtomicDequeue(&lists[0], LINK) == NULL);
    for (i = 0; i < ELEMENTS; i++) OSAtomicEnqueue(&lists[0], &elements[i], LINK);
    EXPECT(OSAtomicDequeue(&lists[0], LINK) == &elements[ELEMENTS - 1]);
    OSAtomicEnqueue(&lists[1], &elements[ELEMENTS - 1], LINK);
    for (i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, move, NULL);
    for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (list = 0; list < 2; list++) {
        struct element *element;
        for (; seen <= ELEMENTS && (element = (struct element *)OSAtomicDequeue(&lists[list], LINK)); seen++) {
            EXPECT(element->owner == 0);
            element->owner = 2;
        }
    }
    EXPECT(seen == ELEMENTS);
}

/* The priorities of the calling thread, which has this policy. */
static void expect_scheduling(policy_t policy, int priority) {
    thread_basic_info_data_t basic;
    policy_info_data_t found;
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
    thread_t self = mach_thread_self();
    memset(&basic, 0xFF, sizeof basic);
    EXPECT(thread_info(self, THREAD_BASIC_INFO, (thread_info_t)&basic, &count) == KERN_SUCCESS);
    EXPECT(count == THREAD_BASIC_INFO_COUNT && basic.policy == policy && basic.run_state == TH_STATE_RUNNING);
    EXPECT(basic.cpu_usage >= 0 && basic.cpu_usage <= TH_USAGE_SCALE && basic.user_time.seconds >= 0);
    EXPECT(basic.user_time.microseconds < TIME_MICROS_MAX && basic.system_time.microseconds < TIME_MICROS_MAX);
    EXPECT(basic.flags == 0 && basic.suspend_count == 0 && basic.sleep_time == 0);
    count = THREAD_BASIC_INFO_COUNT - 1;
    EXPECT(thread_info(self, THREAD_BASIC_INFO, (thread_info_t)&basic, &count) == KERN_INVALID_ARGUMENT);

    memset(&found, 0xFF, sizeof found);
    count = POLICY_TIMESHARE_INFO_COUNT;
    EXPECT(thread_info(self, THREAD_SCHED_TIMESHARE_INFO, (thread_info_t)&found.ts, &count) ==
        (policy == POLICY_TIMESHARE ? KERN_SUCCESS : KERN_INVALID_POLICY));
    EXPECT(policy != POLICY_TIMESHARE ||
        (found.ts.max_priority == 40 && found.ts.base_priority == priority && found.ts.cur_priority == priority &&
            !found.ts.depressed && found.ts.depress_priority == -1));
    count = POLICY_RR_INFO_COUNT;
    EXPECT(thread_info(self, THREAD_SCHED_RR_INFO, (thread_info_t)&found.rr, &count) ==
        (policy == POLICY_RR ? KERN_SUCCESS : KERN_INVALID_POLICY));
    EXPECT(policy != POLICY_RR ||
        (found.rr.max_priority == 99 && found.rr.base_priority == priority && found.rr.quantum > 0 && !found.rr.depressed &&
            found.rr.depress_priority == -1));
    count = POLICY_FIFO_INFO_COUNT;
    EXPECT(thread_info(self, THREAD_SCHED_FIFO_INFO, (thread_info_t)&found.fifo, &count) ==
        (policy == POLICY_FIFO ? KERN_SUCCESS : KERN_INVALID_POLICY));
    EXPECT(policy != POLICY_FIFO ||
        (found.fifo.max_priority == 99 && found.fifo.base_priority == priority && !found.fifo.depressed &&
            found.fifo.depress_priority == -1));
}

/* A thread that computes for a while: its time is counted, and is more than half of its life. */
static void *compute(void *unused) {
    thread_basic_info_data_t basic;
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
    struct timespec used = {0, 0};
    while (used.tv_nsec < 200000000) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    EXPECT(thread_info(mach_thread_self(), THREAD_BASIC_INFO, (thread_info_t)&basic, &count) == KERN_SUCCESS);
    EXPECT(basic.user_time.microseconds + basic.system_time.microseconds >= 180000 && basic.user_time.seconds == 0);
    EXPECT(basic.cpu_usage > 0);
    return unused;
}

static void thread_times(void) {
    thread_basic_info_data_t basic;
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
    thread_info_t info = (thread_info_t)&basic;
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, compute, NULL) == 0);
    pthread_join(thread, NULL);
    EXPECT(thread_info(MACH_PORT_NULL, THREAD_BASIC_INFO, info, &count) == KERN_INVALID_ARGUMENT);
    EXPECT(thread_info(1, THREAD_BASIC_INFO, info, &count) == KERN_INVALID_ARGUMENT || getpid() == 1);
    EXPECT(thread_info(mach_thread_self(), THREAD_IDENTIFIER_INFO, info, &count) == KERN_INVALID_ARGUMENT);
    EXPECT(thread_info(mach_thread_self(), THREAD_BASIC_INFO, NULL, &count) == KERN_INVALID_ARGUMENT);
    EXPECT(thread_info(mach_thread_self(), THREAD_BASIC_INFO, info, NULL) == KERN_INVALID_ARGUMENT);
    EXPECT(THREAD_BASIC_INFO_COUNT == 10 && POLICY_TIMESHARE_INFO_COUNT == 5 && POLICY_RR_INFO_COUNT == 5);
    EXPECT(POLICY_FIFO_INFO_COUNT == 4 && THREAD_BASIC_INFO == 3 && THREAD_SCHED_TIMESHARE_INFO == 10);
    EXPECT(THREAD_SCHED_RR_INFO == 11 && THREAD_SCHED_FIFO_INFO == 12 && !invalid_policy(POLICY_FIFO) && invalid_policy(3));
}

/* In a thread of its own, which ends with the policy. */
static void *use_policies(void *other) {
    thread_time_constraint_policy_data_t constraint = {2902494, 1000000, 2902494, 1};
    thread_extended_policy_data_t fixed = {0}, shared = {1};
    thread_precedence_policy_data_t precedence = {5};
    struct sched_param parameters;
    thread_t self = mach_thread_self();
    kern_return_t result;
    EXPECT(self != MACH_PORT_NULL && self == pthread_mach_thread_np(pthread_self()));
    EXPECT(pthread_mach_thread_np(*(pthread_t *)other) == MACH_PORT_NULL);
    EXPECT(THREAD_TIME_CONSTRAINT_POLICY_COUNT * sizeof(integer_t) == sizeof constraint);
    result =
        thread_policy_set(self, THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&constraint, THREAD_TIME_CONSTRAINT_POLICY_COUNT);
    EXPECT(result == KERN_SUCCESS || result == KERN_FAILURE);
    EXPECT((sched_getscheduler(0) & 0xFFFF) == (result == KERN_SUCCESS ? SCHED_RR : SCHED_OTHER));
    EXPECT(sched_getparam(0, &parameters) == 0);
    if (result == KERN_SUCCESS) {
        EXPECT(parameters.sched_priority >= 1 && parameters.sched_priority <= 10);
        expect_scheduling(POLICY_RR, parameters.sched_priority);
        parameters.sched_priority = 1;
        EXPECT(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0);
        expect_scheduling(POLICY_FIFO, 1);
    } else {
        parameters.sched_priority = 1;
        EXPECT(sched_setscheduler(0, SCHED_RR, &parameters) != 0);
    }
    EXPECT(thread_policy_set(self, THREAD_EXTENDED_POLICY, (thread_policy_t)&fixed, 1) == KERN_NOT_SUPPORTED);
    EXPECT(thread_policy_set(self, THREAD_EXTENDED_POLICY, (thread_policy_t)&shared, 1) == KERN_SUCCESS);
    EXPECT((sched_getscheduler(0) & 0xFFFF) == SCHED_OTHER);
    EXPECT(thread_policy_set(self, THREAD_STANDARD_POLICY, NULL, 0) == KERN_SUCCESS);
    expect_scheduling(POLICY_TIMESHARE, 20 - getpriority(PRIO_PROCESS, 0));
    EXPECT(thread_policy_set(self, THREAD_PRECEDENCE_POLICY, (thread_policy_t)&precedence, 1) == KERN_NOT_SUPPORTED);
    EXPECT(thread_policy_set(self, THREAD_TIME_CONSTRAINT_POLICY, NULL, 4) == KERN_INVALID_ARGUMENT);
    EXPECT(thread_policy_set(self, THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&constraint, 3) == KERN_INVALID_ARGUMENT);
    EXPECT(thread_policy_set(self, 9, (thread_policy_t)&constraint, 4) == KERN_INVALID_ARGUMENT);
    EXPECT(thread_policy_set(MACH_PORT_NULL, THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&constraint, 4) ==
        KERN_INVALID_ARGUMENT);
    return NULL;
}

static void policies(void) {
    pthread_t thread, self = pthread_self();
    EXPECT(pthread_create(&thread, NULL, use_policies, &self) == 0);
    pthread_join(thread, NULL);
}

static void formats(void) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mFormatID = kAudioFormatLinearPCM;
    EXPECT(TestAudioFormatNativeEndian(format));
    format.mFormatFlags = kAudioFormatFlagIsBigEndian;
    EXPECT(!TestAudioFormatNativeEndian(format));
    format.mFormatID = kAudioFormatULaw;
    format.mFormatFlags = 0;
    EXPECT(!TestAudioFormatNativeEndian(format));
    EXPECT(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_MPEG_5_1_A) == 6);
    EXPECT(nil == NULL);
#ifdef __cplusplus
    EXPECT(CalculateLPCMFlags(16, 16, false, false) == 12);
    EXPECT(CalculateLPCMFlags(24, 32, false, true) == 22);
    EXPECT(CalculateLPCMFlags(32, 32, true, false, true) == 41);
    memset(&format, 0xFF, sizeof format);
    FillOutASBDForLPCM(format, 44100, 2, 16, 16, false, false);
    EXPECT(format.mSampleRate == 44100 && format.mFormatID == kAudioFormatLinearPCM && format.mFormatFlags == 12);
    EXPECT(format.mBytesPerPacket == 4 && format.mFramesPerPacket == 1 && format.mBytesPerFrame == 4);
    EXPECT(format.mChannelsPerFrame == 2 && format.mBitsPerChannel == 16 && format.mReserved == 0);
    EXPECT(IsAudioFormatNativeEndian(format));
    FillOutASBDForLPCM(format, 8000, 2, 24, 32, false, true, true);
    EXPECT(format.mFormatFlags == 54 && format.mBytesPerFrame == 4 && format.mBitsPerChannel == 24);
    EXPECT(!IsAudioFormatNativeEndian(format));
    AudioTimeStamp stamp;
    memset(&stamp, 0xFF, sizeof stamp);
    FillOutAudioTimeStampWithSampleTime(stamp, 512);
    EXPECT(stamp.mSampleTime == 512 && stamp.mHostTime == 0 && stamp.mFlags == 1 && stamp.mReserved == 0);
    FillOutAudioTimeStampWithHostTime(stamp, 7);
    EXPECT(stamp.mSampleTime == 0 && stamp.mHostTime == 7 && stamp.mFlags == 2);
    FillOutAudioTimeStampWithSampleAndHostTime(stamp, 512, 7);
    EXPECT(stamp.mSampleTime == 512 && stamp.mHostTime == 7 && stamp.mFlags == 3);
#endif
}

static void byte_order(void) {
    unsigned char memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    char constant[OSSwapConstInt16(0x0100) == 1 ? 1 : -1];
    int host = TARGET_RT_BIG_ENDIAN ? OSBigEndian : OSLittleEndian;
    EXPECT(sizeof constant == 1 && OSUnknownByteOrder == 0 && OSLittleEndian == 1 && OSBigEndian == 2);
    EXPECT(OSHostByteOrder() == host);
    EXPECT(OSSwapInt16(0x1234) == 0x3412 && OSSwapInt32(0x12345678) == 0x78563412);
    EXPECT(OSSwapInt64((uint64_t)0x12345678 << 32 | 0x9ABCDEF0u) == ((uint64_t)0xF0DEBC9Au << 32 | 0x78563412));
    EXPECT(OSSwapConstInt32(0x12345678) == 0x78563412 && OSSwapConstInt64(1) == (uint64_t)1 << 56);
    EXPECT(OSReadBigInt16(memory, 1) == 0x0102 && OSReadLittleInt16(memory, 1) == 0x0201);
    EXPECT(OSReadBigInt32(memory, 3) == 0x03040506 && OSReadLittleInt32(memory, 3) == 0x06050403);
    EXPECT(OSReadBigInt64(memory, 1) == ((uint64_t)0x01020304 << 32 | 0x05060708));
    EXPECT(OSReadLittleInt64(memory, 1) == ((uint64_t)0x08070605 << 32 | 0x04030201));
    OSWriteBigInt32(memory, 1, 0xA0B0C0D0u);
    EXPECT(memory[0] == 0 && memory[1] == 0xA0 && memory[4] == 0xD0 && memory[5] == 5);
    OSWriteLittleInt16(memory, 7, 0x0A0B);
    OSWriteBigInt64(memory, 0, 1);
    EXPECT(memory[7] == 1 && memory[8] == 0x0A && memory[0] == 0);
    EXPECT(OSSwapBigToHostInt32(OSSwapHostToBigInt32(7)) == 7 && OSSwapLittleToHostInt16(OSSwapHostToLittleInt16(7)) == 7);
    EXPECT(OSSwapHostToBigConstInt32(1) == OSSwapHostToBigInt32(1) && OSSwapHostToLittleInt64(1) != OSSwapHostToBigInt64(1));
}

static void strings(void) {
    char text[8], *grown;
    volatile int huge = 1;
    memset(text, 'x', sizeof text);
    EXPECT(strlcpy(text, "abc", sizeof text) == 3 && strcmp(text, "abc") == 0 && text[4] == 'x');
    EXPECT(strlcpy(text, "12345678", sizeof text) == 8 && strcmp(text, "1234567") == 0);
    EXPECT(strlcpy(text, "1234567", sizeof text) == 7 && strcmp(text, "1234567") == 0);
    EXPECT(strlcpy(text, "abc", 0) == 3 && text[0] == '1');
    EXPECT(strlcpy(text, "abc", 1) == 3 && text[0] == 0 && text[1] == '2');
    EXPECT(strlcat(text, "ab", sizeof text) == 2 && strcmp(text, "ab") == 0);
    EXPECT(strlcat(text, "cdefg", sizeof text) == 7 && strcmp(text, "abcdefg") == 0);
    EXPECT(strlcat(text, "h", sizeof text) == 8 && strcmp(text, "abcdefg") == 0);
    EXPECT(strlcpy(text, "abcd", sizeof text) == 4 && strlcat(text, "efgh", sizeof text) == 8 && strcmp(text, "abcdefg") == 0);
    memset(text, 'x', sizeof text);
    EXPECT(strlcat(text, "ab", 4) == 6 && text[3] == 'x' && text[4] == 'x' && strlcat(text, "ab", 0) == 2);
    grown = (char *)reallocf(NULL, 4);
    EXPECT(grown != NULL);
    if (grown) memcpy(grown, "abc", 4);
    grown = (char *)reallocf(grown, 4000);
    EXPECT(grown && strcmp(grown, "abc") == 0);
    /* No memory has this size. A checker of memory sees that the old memory is free. */
    EXPECT(reallocf(grown, (size_t)-1 >> huge) == NULL);
    EXPECT(strcmp(getprogname(), "inline") == 0);
}

static pthread_mutex_t waiting_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int signalled;

static void *signal_condition(void *unused) {
    pthread_mutex_lock(&waiting_mutex);
    signalled = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&waiting_mutex);
    return unused;
}

static void relative_waits(void) {
    struct timespec brief = {0, 30000000}, carried = {0, 999999999}, hour = {3600, 0}, forever = {LONG_MAX, 0};
    uint64_t before = monotonic();
    pthread_t thread;
    int result = 0;
    pthread_mutex_lock(&waiting_mutex);
    while (result == 0) result = pthread_cond_timedwait_relative_np(&condition, &waiting_mutex, &brief);
    EXPECT(result == ETIMEDOUT && monotonic() >= before + 30000000);
    EXPECT(pthread_create(&thread, NULL, signal_condition, NULL) == 0);
    result = 0;
    while (!signalled && result == 0) result = pthread_cond_timedwait_relative_np(&condition, &waiting_mutex, &hour);
    EXPECT(result == 0 && signalled);
    pthread_mutex_unlock(&waiting_mutex);
    pthread_join(thread, NULL);
    signalled = 0;
    pthread_mutex_lock(&waiting_mutex);
    EXPECT(pthread_create(&thread, NULL, signal_condition, NULL) == 0);
    result = 0;
    while (!signalled && result == 0) result = pthread_cond_timedwait_relative_np(&condition, &waiting_mutex, &forever);
    EXPECT(result == 0 && signalled);
    before = monotonic();
    result = 0;
    while (result == 0) result = pthread_cond_timedwait_relative_np(&condition, &waiting_mutex, &carried);
    EXPECT(result == ETIMEDOUT && monotonic() >= before + 999999999);
    pthread_mutex_unlock(&waiting_mutex);
}

static void system_facts(void) {
    struct utsname system;
    char text[256];
    int number = 0, names[2] = {CTL_HW, HW_NCPU};
    uint64_t memory = 0;
    size_t size = sizeof number;
    EXPECT(uname(&system) == 0);
    EXPECT(sysctlbyname("hw.ncpu", &number, &size, NULL, 0) == 0);
    EXPECT(size == 4 && number == sysconf(_SC_NPROCESSORS_CONF));
    number = 0;
    EXPECT(sysctl(names, 2, &number, &size, NULL, 0) == 0 && number == sysconf(_SC_NPROCESSORS_CONF));
    EXPECT(sysctlbyname("hw.logicalcpu_max", &number, &size, NULL, 0) == 0 && number == sysconf(_SC_NPROCESSORS_CONF));
    EXPECT(sysctlbyname("hw.activecpu", &number, &size, NULL, 0) == 0 && number == sysconf(_SC_NPROCESSORS_ONLN));
    EXPECT(sysctlbyname("hw.logicalcpu", &number, &size, NULL, 0) == 0 && number == sysconf(_SC_NPROCESSORS_ONLN));
    EXPECT(sysctlbyname("hw.pagesize", &number, &size, NULL, 0) == 0 && number == sysconf(_SC_PAGESIZE));
    size = sizeof memory;
    EXPECT(sysctlbyname("hw.memsize", &memory, &size, NULL, 0) == 0 && size == 8);
    EXPECT(memory == (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    size = 0;
    EXPECT(sysctlbyname("hw.machine", NULL, &size, NULL, 0) == 0 && size == strlen(system.machine) + 1);
    EXPECT(sysctlbyname("hw.machine", text, &size, NULL, 0) == 0 && strcmp(text, system.machine) == 0);
    size = sizeof text;
    EXPECT(sysctlbyname("kern.osrelease", text, &size, NULL, 0) == 0 && strcmp(text, system.release) == 0);
    EXPECT(size == strlen(text) + 1);
    size = sizeof text;
    EXPECT(sysctlbyname("kern.ostype", text, &size, NULL, 0) == 0 && strcmp(text, "Linux") == 0);
    size = sizeof text;
    EXPECT(sysctlbyname("kern.version", text, &size, NULL, 0) == 0 && strcmp(text, system.version) == 0);
    size = sizeof text;
    EXPECT(sysctlbyname("kern.hostname", text, &size, NULL, 0) == 0 && strcmp(text, system.nodename) == 0);
    size = 3;
    memset(text, 'x', sizeof text);
    EXPECT(sysctlbyname("kern.ostype", text, &size, NULL, 0) == -1 && errno == ENOMEM && size == 3);
    EXPECT(memcmp(text, "Linx", 4) == 0);
    EXPECT(sysctlbyname("hw.model", text, &size, NULL, 0) == -1 && errno == ENOENT);
    EXPECT(sysctlbyname(NULL, text, &size, NULL, 0) == -1 && errno == ENOENT);
    EXPECT(sysctlbyname("hw.ncpu", NULL, NULL, &number, sizeof number) == -1 && errno == EPERM);
    EXPECT(sysctlbyname("hw.ncpu", NULL, NULL, NULL, 0) == 0 && sysctl(names, 1, NULL, NULL, NULL, 0) == -1);
}

static void releases(void) {
    EXPECT(kCFCoreFoundationVersionNumber == kCFCoreFoundationVersionNumber_iOS_6_1);
    EXPECT(kCFCoreFoundationVersionNumber > kCFCoreFoundationVersionNumber10_6);
    EXPECT(kCFCoreFoundationVersionNumber > kCFCoreFoundationVersionNumber_iPhoneOS_3_2);
    EXPECT(kCFCoreFoundationVersionNumber < kCFCoreFoundationVersionNumber_iOS_7_0);
    EXPECT(kCFCoreFoundationVersionNumber10_6 == 550 && kCFCoreFoundationVersionNumber10_4 == 368);
    EXPECT(kCFCoreFoundationVersionNumber_iPhoneOS_2_0 == 478.23 && kCFCoreFoundationVersionNumber_iOS_7_1 == 847.24);
}

/* Both 64-bit types of the compiler are accepted. */
static void wide_types(void) {
    volatile SInt64 wide = 1;
    volatile int64_t number = 1;
    long long *same = NULL;
    SInt64 *present = same;
    EXPECT(present == NULL && sizeof(SInt64) == 8 && (UInt64)-1 > 0 && (SInt64)-1 < 0);
    EXPECT(OSAtomicAdd64(2, &wide) == 3 && OSAtomicAdd64Barrier(2, &wide) == 5 && OSAtomicIncrement64(&wide) == 6);
    EXPECT(OSAtomicIncrement64Barrier(&wide) == 7 && OSAtomicDecrement64(&wide) == 6 && OSAtomicDecrement64Barrier(&wide) == 5);
    EXPECT(OSAtomicCompareAndSwap64(5, 6, &wide) && !OSAtomicCompareAndSwap64(5, 7, &wide) && wide == 6);
    EXPECT(OSAtomicCompareAndSwap64Barrier(6, 7, &wide) && !OSAtomicCompareAndSwap64Barrier(6, 8, &wide) && wide == 7);
    EXPECT(OSAtomicAdd64(2, &number) == 3 && OSAtomicCompareAndSwap64(3, 4, &number) && number == 4);
}

static int evaluated;
static int evaluate(int value) { return evaluated++, value; }

/* Returns how far a function with checks came. */
static int checked(int first, int second) {
    int place = 0;
    require_noerr(evaluate(first), failure);
    place = 1;
    require_action(evaluate(second) != 0, failure, place = 2);
    place = 3;
    __Require_Quiet(evaluate(1), failure);
    verify(evaluate(0));
    verify_noerr(evaluate(-50));
    check(evaluate(0));
    check_noerr(evaluate(-50));
    __Verify_noErr_Action(evaluate(-50), place = 4);
    nrequire_action_quiet(evaluate(second) == 9, failure, place = 5);
failure:
    return place;
}

__Check_Compile_Time(sizeof(int) == 4);

static void checks(void) {
    EXPECT(checked(-50, 1) == 0 && evaluated == 1);
    EXPECT(checked(0, 0) == 2 && evaluated == 3);
    evaluated = 0;
    EXPECT(checked(0, 1) == 4 && evaluated == 7);
    EXPECT(checked(0, 9) == 5);
}

int main(void) {
    host_time();
    mirrored_ring();
    clocks();
    atomics();
    byte_order();
    checks();
    spin_locks();
    atomic_lists();
    policies();
    thread_times();
    strings();
    relative_waits();
    system_facts();
    releases();
    wide_types();
    formats();
    return finish();
}
