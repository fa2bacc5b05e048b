/* SPDX-License-Identifier: Apache-2.0 */
/* One of the programs: performs orders, and counts events. */
#include "soak.h"

#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolbox.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static struct answer state;
static bool is_interrupted;

static void on_interruption(void *data, UInt32 what) {
    (void)data;
    bool begins = what == kAudioSessionBeginInterruption;
    if (begins == is_interrupted) state.out_of_turn = true;
    is_interrupted = begins;
    if (begins) {
        state.events.begins++;
        return;
    }
    UInt32 type = 0, size = sizeof type;
    AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type);
    state.events.ends++;
    if (type == kAudioSessionInterruptionType_ShouldResume) state.events.resumes++;
}

static void on_route(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    (void)data, (void)id, (void)size, (void)value;
    state.events.routes++;
}

static OSStatus set(AudioSessionPropertyID id, UInt32 value) { return AudioSessionSetProperty(id, sizeof value, &value); }

static OSStatus simulate(const char *words, uint32_t port) {
    static const char *const ports[] = {"headphones", "line-out", "hdmi", "bluetooth-a2dp"};
    char line[64];
    snprintf(line, sizeof line, "%s %s", words, ports[port % 4]);
    return AudioSessionLinuxSimulate(line);
}

static OSStatus perform(struct order order) {
    static const UInt32 categories[] = {kAudioSessionCategory_AmbientSound, kAudioSessionCategory_SoloAmbientSound,
        kAudioSessionCategory_MediaPlayback, kAudioSessionCategory_RecordAudio, kAudioSessionCategory_PlayAndRecord};
    OSStatus status;
    switch (order.action) {
    case ACTIVATE:
        status = AudioSessionSetActive(true);
        /* Its own activation ends its interruption. */
        if (status == 0) is_interrupted = false;
        return status;
    case DEACTIVATE: return AudioSessionSetActive(false);
    case DEACTIVATE_NOTIFYING:
        return AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation);
    case SET_CATEGORY: return set(kAudioSessionProperty_AudioCategory, categories[order.value % CATEGORIES]);
    case SET_MIXING: return set(kAudioSessionProperty_OverrideCategoryMixWithOthers, order.value);
    case SET_DUCKING: return set(kAudioSessionProperty_OtherMixableAudioShouldDuck, order.value);
    case CALL_BEGINS: return AudioSessionLinuxSimulate("interrupt begin");
    case CALL_ENDS: return AudioSessionLinuxSimulate("interrupt end");
    case CALL_ENDS_FOR_GOOD: return AudioSessionLinuxSimulate("interrupt end --should-not-resume");
    case CALL_IS_CONFIRMED: return AudioSessionLinuxSimulate("interrupt confirm");
    case PLUG: return simulate("plug", order.value);
    case UNPLUG: return simulate("unplug", order.value);
    case SILENT: return AudioSessionLinuxSimulate(order.value ? "silent on" : "silent off");
    case LOCKED: return AudioSessionLinuxSimulate(order.value ? "lock on" : "lock off");
    default: return 0;
    }
}

static void measure(void) {
    char line[256];
    state.descriptors = 0;
    DIR *descriptors = opendir("/proc/self/fd");
    while (descriptors && readdir(descriptors)) state.descriptors++;
    if (descriptors) closedir(descriptors);
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) sscanf(line, "RssAnon: %ld", &state.kilobytes);
    if (status) fclose(status);
}

static void answer(int line, struct order order) {
    UInt32 size = sizeof state.others_play;
    state.status = perform(order);
    AudioSessionLinuxDispatchEvents();
    if (order.action == COUNT && order.value) measure();
    AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &state.others_play);
    if (write(line, &state, sizeof state) != (ssize_t)sizeof state) _exit(1);
}

void run_program(int line) {
    state.status = AudioSessionInitialize(NULL, NULL, on_interruption, NULL);
    if (state.status == 0) state.status = AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, on_route, NULL);
    struct pollfd waiting[2] = {{.fd = AudioSessionLinuxEventDescriptor(), .events = POLLIN}, {.fd = line, .events = POLLIN}};
    if (write(line, &state, sizeof state) != (ssize_t)sizeof state) _exit(1);
    for (;;) {
        struct order order;
        if (poll(waiting, 2, -1) < 0 && errno != EINTR) _exit(1);
        if (waiting[0].revents) AudioSessionLinuxDispatchEvents();
        if (!waiting[1].revents) continue;
        if (read(line, &order, sizeof order) != (ssize_t)sizeof order) _exit(0);
        answer(line, order);
    }
}
