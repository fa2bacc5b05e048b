/* SPDX-License-Identifier: Apache-2.0 */
/* The session of this process as the Objective-C classes call it: values beyond the C API, in C types. */
#ifndef CSESSIONACCESS_H
#define CSESSIONACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* UTF-8 without a null byte at the end. Valid until the return of the function that receives it. */
struct session_text {
    const char *bytes;
    size_t size;
};

struct session_port {
    /* The value of the constant of AVAudioSession. */
    struct session_text type;
    struct session_text name, uid;
    /* The name for snd_pcm_open. */
    struct session_text device;
    uint32_t channels;
    bool is_input;
};

/* One of several sources or destinations of a port. */
struct session_selectable {
    int32_t id;
    bool is_selected;
    struct session_text name;
};

/* Called for each port, and after it for each of its selectables. */
struct session_visitor {
    void *context;
    void (*port)(void *context, const struct session_port *port);
    void (*selectable)(void *context, const struct session_selectable *selectable);
};

enum session_ports { SESSION_ROUTE, SESSION_AVAILABLE_INPUTS, SESSION_PREFERRED_INPUT };

/* The state as far as it is known, without a call of the registry or the hardware. */
struct session_values {
    /* Codes of the C API. A category is never an older name of another one. */
    uint32_t category, mode;
    /* Numbers of AVAudioSession. */
    uint64_t options, policy;
    double preferred_rate, preferred_duration;
    uint32_t preferred_input_channels, preferred_output_channels;
    double input_latency, output_latency;
    float output_volume, input_gain;
    bool gain_is_settable;
    bool allows_haptics_during_recording, prefers_no_system_alerts;
};

/* The settings without a property of the C API, which one word has. */
struct session_choices {
    /* Numbers of AVAudioSession. */
    uint16_t options;
    uint8_t policy;
    uint16_t preferred_input_channels, preferred_output_channels;
    bool allows_haptics_during_recording, prefers_no_system_alerts;
};

/* The settings that are numbers. */
enum session_setting {
    SESSION_PREFERRED_RATE,
    SESSION_PREFERRED_DURATION,
    SESSION_PREFERRED_INPUT_CHANNELS,
    SESSION_PREFERRED_OUTPUT_CHANNELS,
    SESSION_INPUT_GAIN,
    SESSION_OUTPUT_OVERRIDE,
    /* 0 or 1 */
    SESSION_ALLOWS_HAPTICS_DURING_RECORDING,
    SESSION_PREFERS_NO_SYSTEM_ALERTS
};

enum session_event_kind {
    SESSION_INTERRUPTION_BEGAN,
    SESSION_INTERRUPTION_ENDED, /* 1: the program may resume */
    SESSION_ROUTE_CHANGED,      /* the reason; the ports are those of the previous route */
    SESSION_SERVER_DIED,
    SESSION_SERVER_RESTARTED,
    SESSION_SECONDARY_AUDIO_HINT, /* 1: silence secondary audio */
    SESSION_INPUT_AVAILABILITY,
    SESSION_INPUT_CHANNELS,
    SESSION_OUTPUT_CHANNELS,
    SESSION_OUTPUT_VOLUME,
    SESSION_INPUT_GAIN_CHANGED,
    SESSION_SAMPLE_RATE
};

struct session_event {
    uint32_t kind;
    double value;
};

/* A category's mode that stays if it fits. */
enum { SESSION_SAME_MODE = 0 };

#endif
