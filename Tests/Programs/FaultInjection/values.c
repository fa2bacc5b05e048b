/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are objects of CoreFoundation, which is loaded for the first of them. */
#include "failures.h"

#include <dlfcn.h>
#include <stdlib.h>

static const AudioSessionPropertyID objects[] = {
    kAudioSessionProperty_AudioRouteDescription,
    kAudioSessionProperty_AudioRoute,
    kAudioSessionProperty_InputSources,
    kAudioSessionProperty_InputSource,
};
enum { OBJECTS = sizeof objects / sizeof *objects };

static void with_session(void) {
    UInt32 category = kAudioSessionCategory_PlayAndRecord;
    setenv("AUDIOSESSION_HARDWARE", "simulated", 1);
    if (AudioSessionInitialize(NULL, NULL, NULL, NULL) || AudioSessionLinuxSimulate("plug usb") ||
        AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category)) {
        complain("before: no session");
        exit(2);
    }
}

static OSStatus get(AudioSessionPropertyID property) {
    const void *object = NULL;
    UInt32 size = sizeof object;
    OSStatus status = AudioSessionGetProperty(property, &size, &object);
    void (*release)(const void *) = (void (*)(const void *))dlsym(RTLD_DEFAULT, "CFRelease");
    EXPECT((status == 0) == (object != NULL));
    if (object && release) release(object);
    return status;
}

static OSStatus get_objects(void) {
    for (int i = 0; i < OBJECTS; i++) {
        OSStatus status = get(objects[i]);
        if (status) return status;
    }
    return 0;
}

static void can_be_had(OSStatus status) {
    (void)status;
    EXPECT_OK(get_objects());
    EXPECT_OK(AudioSessionLinuxSimulate("unplug usb"));
    EXPECT_OK(AudioSessionSetActive(true));
    EXPECT_OK(AudioSessionSetActive(false));
}

const struct step steps[] = {
    {"GetProperty of the first objects", FAULT_THIS_THREAD, with_session, get_objects, {kAudioSessionUnspecifiedError},
        can_be_had, LOADS},
};
const int step_count = sizeof steps / sizeof *steps;
