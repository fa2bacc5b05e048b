/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the calls of the classes fail: the program takes the place of the functions that libavfoundation-audio calls. Calls of other
   libraries, and of the program itself, reach the function. */
#ifndef OBJC_FAILURES_H
#define OBJC_FAILURES_H

/* dladdr */
#define _GNU_SOURCE
#import "sounds.h"
#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "CEngineTable.h"

/* ---- The plan ---- */

static int failing_call;        /* the number of the call that fails; 0: none */
static bool fails_from_there;   /* the later ones fail as well */
static int calls_made, hits;    /* since the plan began */
static const char *failed_call; /* the first */

static void plan_failure(int call, bool from_there) {
    __atomic_store_n(&calls_made, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&hits, 0, __ATOMIC_SEQ_CST);
    failed_call = "none";
    fails_from_there = from_there;
    __atomic_store_n(&failing_call, call, __ATOMIC_SEQ_CST);
}

static int hits_so_far(void) { return __atomic_load_n(&hits, __ATOMIC_SEQ_CST); }

static bool is_of_classes(void *caller) {
    static void *classes;
    Dl_info info;
    if (!classes && dladdr((void *)(intptr_t)AVAudioLinuxDispatchEvents, &info)) classes = info.dli_fbase;
    return dladdr(caller, &info) && info.dli_fbase == classes;
}

static bool fails(const char *name, void *caller) {
    int planned = __atomic_load_n(&failing_call, __ATOMIC_SEQ_CST);
    if (!planned || !is_of_classes(caller)) return false;
    int call = __atomic_add_fetch(&calls_made, 1, __ATOMIC_SEQ_CST);
    if (fails_from_there ? call < planned : call != planned) return false;
    if (__atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST) == 0) failed_call = name;
    return true;
}

#define FAILS(name) fails(name, __builtin_return_address(0))
#define REAL(function) ((__typeof__(&function))(intptr_t)dlsym(RTLD_NEXT, #function))

/* ---- Functions of C that refuse ---- */

#define REFUSES(type, name, failure, parameters, arguments) \
    type name parameters { return FAILS(#name) ? (failure) : REAL(name) arguments; }
/* A function that frees does so, and reports a failure nevertheless, as close(2) does. */
#define FREES(name, parameters, arguments) \
    OSStatus name parameters { \
        OSStatus status = REAL(name) arguments; \
        return FAILS(#name) ? kAudio_MemFullError : status; \
    }

#define SOUND(name, parameters, arguments) REFUSES(OSStatus, name, kAudio_MemFullError, parameters, arguments)

SOUND(AudioConverterSetProperty, (AudioConverterRef converter, AudioConverterPropertyID id, UInt32 size, const void *value),
    (converter, id, size, value))
SOUND(AudioFileGetGlobalInfoSize, (AudioFilePropertyID id, UInt32 count, void *specifier, UInt32 *size),
    (id, count, specifier, size))
SOUND(AudioFileInitializeWithCallbacks,
    (void *data, AudioFile_ReadProc read, AudioFile_WriteProc write, AudioFile_GetSizeProc size, AudioFile_SetSizeProc resize,
        AudioFileTypeID type, const AudioStreamBasicDescription *format, UInt32 flags, AudioFileID *file),
    (data, read, write, size, resize, type, format, flags, file))
SOUND(AudioFileLinuxOpenPath, (const char *path, AudioFilePermissions permissions, AudioFileTypeID hint, AudioFileID *file),
    (path, permissions, hint, file))
SOUND(AudioFileOpenWithCallbacks,
    (void *data, AudioFile_ReadProc read, AudioFile_WriteProc write, AudioFile_GetSizeProc size, AudioFile_SetSizeProc resize,
        AudioFileTypeID hint, AudioFileID *file),
    (data, read, write, size, resize, hint, file))
SOUND(AudioFormatGetProperty, (AudioFormatPropertyID id, UInt32 count, const void *specifier, UInt32 *size, void *value),
    (id, count, specifier, size, value))
SOUND(AudioQueueAddPropertyListener,
    (AudioQueueRef queue, AudioQueuePropertyID id, AudioQueuePropertyListenerProc listener, void *data),
    (queue, id, listener, data))
SOUND(AudioQueueAllocateBuffer, (AudioQueueRef queue, UInt32 size, AudioQueueBufferRef *buffer), (queue, size, buffer))
SOUND(AudioQueueEnqueueBuffer,
    (AudioQueueRef queue, AudioQueueBufferRef buffer, UInt32 count, const AudioStreamPacketDescription *packets),
    (queue, buffer, count, packets))
SOUND(AudioQueueGetCurrentTime,
    (AudioQueueRef queue, AudioQueueTimelineRef timeline, AudioTimeStamp *time, Boolean *discontinuity),
    (queue, timeline, time, discontinuity))
SOUND(
    AudioQueueGetParameter, (AudioQueueRef queue, AudioQueueParameterID id, AudioQueueParameterValue *value), (queue, id, value))
SOUND(AudioQueueGetProperty, (AudioQueueRef queue, AudioQueuePropertyID id, void *value, UInt32 *size), (queue, id, value, size))
SOUND(AudioQueueNewInput,
    (const AudioStreamBasicDescription *format, AudioQueueInputCallback callback, void *data, CFRunLoopRef loop, CFStringRef mode,
        UInt32 flags, AudioQueueRef *queue),
    (format, callback, data, loop, mode, flags, queue))
SOUND(AudioQueueNewOutput,
    (const AudioStreamBasicDescription *format, AudioQueueOutputCallback callback, void *data, CFRunLoopRef loop,
        CFStringRef mode, UInt32 flags, AudioQueueRef *queue),
    (format, callback, data, loop, mode, flags, queue))
SOUND(AudioQueuePause, (AudioQueueRef queue), (queue))
SOUND(AudioQueueSetParameter, (AudioQueueRef queue, AudioQueueParameterID id, AudioQueueParameterValue value), (queue, id, value))
SOUND(AudioQueueSetProperty, (AudioQueueRef queue, AudioQueuePropertyID id, const void *value, UInt32 size),
    (queue, id, value, size))
SOUND(AudioQueueStart, (AudioQueueRef queue, const AudioTimeStamp *time), (queue, time))
SOUND(AudioQueueStop, (AudioQueueRef queue, Boolean now), (queue, now))
SOUND(ExtAudioFileGetProperty, (ExtAudioFileRef file, ExtAudioFilePropertyID id, UInt32 *size, void *value),
    (file, id, size, value))
SOUND(ExtAudioFileLinuxCreateWithPath,
    (const char *path, AudioFileTypeID type, const AudioStreamBasicDescription *format, const AudioChannelLayout *layout,
        UInt32 flags, ExtAudioFileRef *file),
    (path, type, format, layout, flags, file))
SOUND(ExtAudioFileRead, (ExtAudioFileRef file, UInt32 *frames, AudioBufferList *list), (file, frames, list))
SOUND(ExtAudioFileSeek, (ExtAudioFileRef file, SInt64 frame), (file, frame))
SOUND(ExtAudioFileSetProperty, (ExtAudioFileRef file, ExtAudioFilePropertyID id, UInt32 size, const void *value),
    (file, id, size, value))
SOUND(ExtAudioFileWrapAudioFileID, (AudioFileID file, Boolean writes, ExtAudioFileRef *result), (file, writes, result))
SOUND(ExtAudioFileWrite, (ExtAudioFileRef file, UInt32 frames, const AudioBufferList *list), (file, frames, list))
FREES(AudioFileClose, (AudioFileID file), (file))
FREES(AudioQueueDispose, (AudioQueueRef queue, Boolean now), (queue, now))
FREES(ExtAudioFileDispose, (ExtAudioFileRef file), (file))

REFUSES(OSStatus, AudioSessionGetProperty, kAudioSessionUnspecifiedError, (AudioSessionPropertyID id, UInt32 *size, void *value),
    (id, size, value))
REFUSES(int, AudioSessionLinuxEventDescriptor, -1, (void), ())
REFUSES(int, epoll_create1, (errno = EMFILE, -1), (int flags), (flags))
REFUSES(int, epoll_ctl, (errno = ENOMEM, -1), (int set, int operation, int descriptor, struct epoll_event *event),
    (set, operation, descriptor, event))
REFUSES(int, eventfd, (errno = EMFILE, -1), (unsigned value, int flags), (value, flags))

/* The search for the function that is replaced may itself allocate. */
void *calloc(size_t count, size_t size) {
    static __typeof__(&calloc) real;
    static _Alignas(16) char early[4096];
    static size_t used;
    static bool searches;
    if (!real && searches) {
        void *memory = early + used;
        used += (count * size + 15) & ~(size_t)15;
        return used <= sizeof early ? memory : NULL;
    }
    if (!real) {
        searches = true;
        real = REAL(calloc);
    }
    return FAILS("calloc") ? NULL : real(count, size);
}

REFUSES(char *, strdup, NULL, (const char *text), (text))

/* ---- The engine's table ---- */

static const struct audiosession_engine *real_engine;

static int32_t failing_begin(void) {
    return FAILS("session_begin") ? AVAudioSessionErrorCodeUnspecified : real_engine->session_begin();
}
static bool failing_visit(uint32_t list, const struct session_visitor *visitor) {
    return !FAILS("session_visit_ports") && real_engine->session_visit_ports(list, visitor);
}
static int32_t failing_category(uint32_t category, uint32_t mode, uint64_t policy, uint64_t options) {
    return FAILS("session_set_category") ? AVAudioSessionErrorCodeUnspecified
                                         : real_engine->session_set_category(category, mode, policy, options);
}
static int32_t failing_mode(uint32_t mode) {
    return FAILS("session_set_mode") ? AVAudioSessionErrorCodeUnspecified : real_engine->session_set_mode(mode);
}
static int32_t failing_active(bool active, bool notifies) {
    return FAILS("session_set_active") ? AVAudioSessionErrorCodeUnspecified : real_engine->session_set_active(active, notifies);
}
static int32_t failing_number(uint32_t setting, double value) {
    return FAILS("session_set_number") ? AVAudioSessionErrorCodeUnspecified : real_engine->session_set_number(setting, value);
}
static int32_t failing_input(const char *uid) {
    return FAILS("session_prefer_input") ? AVAudioSessionErrorCodeUnspecified : real_engine->session_prefer_input(uid);
}
static int32_t failing_select(const char *uid, bool input, int32_t source) {
    return FAILS("session_select") ? AVAudioSessionErrorCodeUnspecified : real_engine->session_select(uid, input, source);
}
static void *failing_join(void (*pending)(void *), void *context) {
    return FAILS("session_join") ? NULL : real_engine->session_join(pending, context);
}

const struct audiosession_engine *audiosession_engine(const char *version, const char **own) {
    static struct audiosession_engine table;
    if (!is_of_classes(__builtin_return_address(0))) return REAL(audiosession_engine)(version, own);
    real_engine = REAL(audiosession_engine)(version, own);
    if (!real_engine) return NULL;
    table = *real_engine;
    table.session_begin = failing_begin;
    table.session_visit_ports = failing_visit;
    table.session_set_category = failing_category;
    table.session_set_mode = failing_mode;
    table.session_set_active = failing_active;
    table.session_set_number = failing_number;
    table.session_prefer_input = failing_input;
    table.session_select = failing_select;
    table.session_join = failing_join;
    return &table;
}

/* ---- Expectations ---- */

/* A message with an error: YES and no error, or NO and an error of the platform's domain. After a failure of the call it is NO. */
#define OBEYS(message) \
    do { \
        NSError *error = (NSError *)@"not cleared"; \
        int before_ = hits_so_far(); \
        bool result_ = (message); \
        bool isHit_ = hits_so_far() > before_; \
        if (result_ && (isHit_ || error)) \
            failed(__FILE__, __LINE__, "%s succeeds, but %s failed", #message, failed_call); \
        else if (!result_ && !isHit_) \
            failed(__FILE__, __LINE__, "%s fails after the failure of %s: %s", #message, failed_call, \
                [[error description] UTF8String]); \
        else if (!result_ && \
            (![[error domain] isEqual:NSOSStatusErrorDomain] || [error code] == 0 || \
                [[error localizedDescription] length] == 0)) \
            failed(__FILE__, __LINE__, "%s gives no error of the platform when %s fails", #message, failed_call); \
    } while (0)

#endif
