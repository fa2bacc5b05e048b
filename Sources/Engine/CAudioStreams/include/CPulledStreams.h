/* SPDX-License-Identifier: Apache-2.0 */
/* The types of a pulled stream in the engine's interface for units and queues. The stream calls a program for each slice.
   The engine moves interleaved 32-bit float frames in native byte order, at the device's own rate. The caller converts
   formats and rates. If a device has 16-bit samples, a caller that has such samples can write them without a conversion. Times
   are nanoseconds of CLOCK_MONOTONIC. */
#ifndef CPULLEDSTREAMS_H
#define CPULLEDSTREAMS_H

#include <stdbool.h>
#include <stdint.h>

/* Swift imports a set of flags as an OptionSet, and other enumerations as enums with these names. */
#if defined(__clang__)
#define PULL_OPTIONS(name) __attribute__((flag_enum, enum_extensibility(open), swift_name(name)))
#define PULL_ENUM(name) __attribute__((enum_extensibility(open), swift_name(name)))
#define PULL_CASE(name) __attribute__((swift_name(name)))
#else
#define PULL_OPTIONS(name)
#define PULL_ENUM(name)
#define PULL_CASE(name)
#endif

enum PULL_OPTIONS("StreamDirections") pull_directions { PULL_OUTPUT PULL_CASE("output") = 1, PULL_INPUT PULL_CASE("input") = 2 };

/* The room of a cycle exceeds the nominal slice by this number of frames, for a source that converts the rate. */
enum { PULL_EXTRA_FRAMES = 16 };

/* The reason why a stream stopped. */
enum PULL_ENUM("StopReason") pull_stop_reason {
    PULL_STOPPED_BY_PROGRAM PULL_CASE("program") = 0,
    PULL_STOPPED_BY_INTERRUPTION PULL_CASE("interruption") = 1, /* or by the deactivation of the session */
    PULL_STOPPED_BY_DEAD_SERVER PULL_CASE("deadServer") = 2,
    PULL_STOPPED_BY_CATEGORY PULL_CASE("category") = 3 /* the new category does not permit one of the directions */
};

/* The format of a stream on the side of the hardware. */
struct pull_format {
    double output_rate, input_rate; /* nominal, of the devices; 0: no such direction */
    uint32_t output_channels, input_channels;
    uint32_t slice;    /* the nominal length of a cycle, in frames of the device that drives the stream: the output if
                          there is one. 0 before the first start */
    bool shares_clock; /* input and output are one device, or are driven by one clock */
    bool is_start;     /* in `configure`: the stream starts; false: its devices have changed */
};

/* One cycle. The caller writes each frame that it produces. For a direction that the stream does not have, the pointer is NULL
   and the numbers are 0. */
struct pull_cycle {
    /* The number of the first frame, counted from the start in frames of the device, with lost frames. On a device with another
       rate, the count continues at the same time, in frames of the new rate. */
    uint64_t output_frame, input_frame;
    uint64_t output_time, input_time; /* when the first frame will be heard, and was captured; smooth */
    double rate_scalar;               /* measured / nominal rate of the driving device */
    double drift;                     /* measured input rate / output rate, divided by the nominal ratio; 1: one clock */
    uint32_t output_delay;            /* frames between writing and hearing the first frame, as the device reports */
    const float *input;
    uint32_t input_frames; /* captured and not consumed; can be less than a slice */
    float *output;
    int16_t *output_int16;  /* room for the same frames in the samples of the device, in place of `output`. NULL if the device has
                              other samples, or the engine changes their gain */
    uint32_t output_frames; /* room: the slice and PULL_EXTRA_FRAMES */
    uint32_t consumed, produced; /* results, 0 before the call. With `produced` 0 a slice of silence is played */
    bool produces_int16;         /* a result, false before the call: all frames are in `output_int16` */
};

struct pull_callbacks {
    /* Called on the stream's thread, once for each cycle. */
    void (*render)(void *context, struct pull_cycle *cycle);
    /* Called on the stream's thread, before the first cycle of each start and after each change of a device. May allocate. */
    void (*configure)(void *context, const struct pull_format *format);
    /* Called on the delivery thread of the stream, which is not real-time and holds no lock: the stream has stopped for a reason
       other than pull_stop. Called at most once for each start. */
    void (*stopped)(void *context, enum pull_stop_reason reason);
    /* Called on the delivery thread: the rates or channels of the hardware have changed while the stream runs. */
    void (*format_changed)(void *context);
    /* Called on a thread that is about to report an interruption or a deactivation of the session to the program, which holds no
       lock: the session has stopped the stream. A render may still run, and `stopped` follows. Must not wait for a render of the
       program. */
    void (*session_stopped)(void *context);
};

/* The counters since the last start, or of the period that a member states. */
struct pull_counters {
    uint64_t cycles, underruns, overruns;
    uint64_t lost_frames;
    uint32_t longest_render_ns, slice_ns; /* of the last second */
    float load;                           /* time in render / time of the slice, 0 to 1, smoothed */
    bool is_realtime;
};

#endif
