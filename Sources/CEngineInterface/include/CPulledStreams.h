/* SPDX-License-Identifier: Apache-2.0 */
/* A stream that calls a program for each slice: the types of the engine's table for units and queues.
   The engine moves 32-bit float frames, native byte order, interleaved, at the device's own rate. The caller converts
   formats and rates. Times are nanoseconds of CLOCK_MONOTONIC. */
#ifndef CPULLEDSTREAMS_H
#define CPULLEDSTREAMS_H

#include <stdbool.h>
#include <stdint.h>

enum pull_direction { PULL_OUTPUT = 1, PULL_INPUT = 2 };

/* Why a stream stopped. */
enum pull_stop_reason {
    PULL_STOPPED_BY_PROGRAM = 0,
    PULL_STOPPED_BY_INTERRUPTION = 1, /* or by the deactivation of the session */
    PULL_STOPPED_BY_DEAD_SERVER = 2,
    PULL_STOPPED_BY_CATEGORY = 3 /* the new category does not permit one of the directions */
};

/* The hardware's side of a stream. */
struct pull_format {
    double output_rate, input_rate; /* nominal, of the devices; 0: no such direction */
    uint32_t output_channels, input_channels;
    uint32_t slice;    /* the nominal length of a cycle, in frames of the device that drives the stream:
                                                    the output if there is one */
    bool shares_clock; /* input and output are one device, or are driven by one clock */
};

/* One cycle. The engine zeroes `output`. */
struct pull_cycle {
    uint64_t output_frame, input_frame; /* of the first frame, counted from the start; lost frames are counted */
    uint64_t output_time, input_time;   /* when the first frame will be heard, and was captured; smooth */
    double rate_scalar;                 /* measured / nominal rate of the driving device */
    double drift;                       /* measured input rate / output rate, divided by the nominal ratio; 1: one clock */
    uint32_t output_delay;              /* frames between writing and hearing the first frame, as the device reports */
    const float *input;
    uint32_t input_frames; /* captured and not consumed */
    float *output;
    uint32_t output_frames;      /* room: at least the slice */
    uint32_t consumed, produced; /* results. produced of a source without PULL_VARIABLE is output_frames */
};

struct pull_callbacks {
    /* The stream's thread, once for each cycle. */
    void (*render)(void *context, struct pull_cycle *cycle);
    /* The stream's thread, before the first cycle and after each change of the hardware's side. May allocate. */
    void (*configure)(void *context, const struct pull_format *format);
    /* A thread that is not real-time, without locks: the stream is not running any more, not by pull_stop. Once for each start. */
    void (*stopped)(void *context, enum pull_stop_reason reason);
    /* A thread that is not real-time: the format of the hardware's side has changed. */
    void (*format_changed)(void *context);
};

struct pull_counters {
    uint64_t cycles, underruns, overruns;
    uint64_t lost_frames;
    uint32_t longest_render_ns, slice_ns; /* of the last second */
    float load;                           /* time in render / time of the slice, 0 to 1, smoothed */
    bool is_realtime;
};

#endif
