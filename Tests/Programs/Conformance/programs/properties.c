/* SPDX-License-Identifier: Apache-2.0 */
/* Every property: its size, access and default. */
#include "conformance.h"
#include "properties.h"

TEST(size_of_every_property, "GetPropertySize gives 0 and the size for every known property, whatever its access or the state") {
    BEGIN_SESSION();
    for (int state = 0; state < 2; state++) {
        for (int i = 0; i < PROPERTY_COUNT; i++) {
            UInt32 size = 99;
            EXPECT_OK(AudioSessionGetPropertySize(properties[i].id, &size));
            EXPECT_INTEGER(size, properties[i].size);
        }
        SIMULATE("unplug microphone");
        SIMULATE("unplug speaker");
        SIMULATE("unplug receiver");
    }
}

TEST(size_of_an_unknown_property, "GetPropertySize of an unknown property gives 'pty?'; the size stays unchanged") {
    UInt32 size = 99;
    BEGIN_SESSION();
    EXPECT_STATUS(AudioSessionGetPropertySize(0, &size), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionGetPropertySize(kAudioSessionCategory_MediaPlayback, &size), kAudioSessionUnsupportedPropertyError);
    EXPECT_INTEGER(size, 99);
}

/* The result of a get in a new session. */
static OSStatus fresh_answer(const struct property *property) {
    if (!allows(property, 'G')) return kAudioSessionUnsupportedPropertyError;
    switch (property->id) {
    case kAudioSessionProperty_InterruptionType: return kAudioSessionUnsupportedPropertyError;
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels: return kAudioSessionIncompatibleCategory;
    case kAudioSessionProperty_InputSource:
    case kAudioSessionProperty_OutputDestination:
    case kAudioSessionProperty_InputGainScalar:
    case kAudioSessionLinuxProperty_InputDevice: return kAudioServicesNoHardwareError;
    default: return kAudioSessionNoError;
    }
}

TEST(get_of_every_property, "a get returns the value and its size, or 'pty?' for a property without a get") {
    BEGIN_SESSION();
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        unsigned char data[64];
        UInt32 size = properties[i].size;
        memset(data, 0xA5, sizeof data);
        OSStatus expected = fresh_answer(&properties[i]);
        char name[5];
        OSStatus found = AudioSessionGetProperty(properties[i].id, &size, data);
        if (found != expected) failed(__FILE__, __LINE__, "of '%s':", code_text(properties[i].id, name));
        EXPECT_STATUS(found, expected);
        EXPECT_INTEGER(size, properties[i].size);
        for (size_t at = expected ? 0 : properties[i].size; at < sizeof data; at++)
            if (data[at] != 0xA5) failed(__FILE__, __LINE__, "'%s' wrote byte %zu", code_text(properties[i].id, name), at);
    }
}

TEST(a_larger_buffer, "a get with a larger buffer succeeds, and the true size is written back") {
    BEGIN_SESSION();
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        unsigned char data[64];
        UInt32 size = sizeof data;
        if (fresh_answer(&properties[i]) != 0) continue;
        memset(data, 0xA5, sizeof data);
        EXPECT_OK(AudioSessionGetProperty(properties[i].id, &size, data));
        EXPECT_INTEGER(size, properties[i].size);
        for (size_t at = properties[i].size; at < sizeof data; at++) EXPECT_INTEGER(data[at], 0xA5);
        size = 0xFFFFFFFF;
        EXPECT_OK(AudioSessionGetProperty(properties[i].id, &size, data));
        EXPECT_INTEGER(size, properties[i].size);
    }
}

TEST(a_smaller_buffer, "a get with a buffer smaller than the value gives '!siz'; size and buffer stay unchanged") {
    BEGIN_SESSION();
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        if (!allows(&properties[i], 'G')) continue;
        for (UInt32 room = 0; room < properties[i].size; room++) {
            unsigned char data[8];
            UInt32 size = room;
            memset(data, 0xA5, sizeof data);
            EXPECT_STATUS(AudioSessionGetProperty(properties[i].id, &size, data), kAudioSessionBadPropertySizeError);
            EXPECT_INTEGER(size, room);
            for (int at = 0; at < 8; at++) EXPECT_INTEGER(data[at], 0xA5);
        }
    }
}

TEST(set_of_every_property, "a set of a read-only property gives 'pty?' with any size") {
    unsigned char data[64] = {0};
    BEGIN_SESSION();
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        if (allows(&properties[i], 'S')) continue;
        for (UInt32 size = 0; size <= 64; size++)
            EXPECT_STATUS(AudioSessionSetProperty(properties[i].id, size, data), kAudioSessionUnsupportedPropertyError);
    }
}

TEST(set_with_a_wrong_size, "a set with any size but the property's own gives '!siz'") {
    unsigned char data[64] = {0};
    BEGIN_SESSION();
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        if (!allows(&properties[i], 'S')) continue;
        for (UInt32 size = 0; size <= 64; size++)
            if (size != properties[i].size)
                EXPECT_STATUS(AudioSessionSetProperty(properties[i].id, size, data), kAudioSessionBadPropertySizeError);
        EXPECT_STATUS(AudioSessionSetProperty(properties[i].id, 0xFFFFFFFF, data), kAudioSessionBadPropertySizeError);
    }
}

TEST(listeners_of_every_property, "a listener can be added to exactly the properties that have listeners") {
    BEGIN_SESSION();
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        EXPECT_STATUS(AudioSessionAddPropertyListener(properties[i].id, record_event, NULL),
            allows(&properties[i], 'L') ? kAudioSessionNoError : kAudioSessionUnsupportedPropertyError);
    }
    EXPECT_STATUS(AudioSessionAddPropertyListener(0, record_event, NULL), kAudioSessionUnsupportedPropertyError);
}

TEST(removing_from_every_property, "the removal of an unknown listener gives 0 for every known property, 'pty?' for others") {
    BEGIN_SESSION();
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        EXPECT_OK(AudioSessionRemovePropertyListener(properties[i].id));
        EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(properties[i].id, record_event, &events[0]));
    }
    EXPECT_STATUS(AudioSessionRemovePropertyListener(0), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionRemovePropertyListenerWithUserData(0, record_event, NULL), kAudioSessionUnsupportedPropertyError);
}

TEST(defaults, "the defaults of a new session") {
    BEGIN_SESSION();
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_PreferredHardwareSampleRate), 0);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), CODE("solo"));
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate), 44100);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 2);
    EXPECT(fabs(get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration) - 0.023220) < 0.00001);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherAudioIsPlaying), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioInputAvailable), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_Mode), CODE("dflt"));
    Float32 volume = get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume);
    EXPECT(volume >= 0 && volume <= 1);
}

TEST(preferred_sample_rate, "preferred values read back exactly as set, 0 as well; NaN, infinite and below zero give 'pty?'") {
    const Float64 good[] = {44100, 0, 48000.5, 1e-300, 1e300, 8000};
    const Float64 bad[] = {-1, -1e-300, NAN, -NAN, INFINITY, -INFINITY};
    BEGIN_SESSION();
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        EXPECT_OK(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, good[i]));
        EXPECT_NUMBER(get_f64(kAudioSessionProperty_PreferredHardwareSampleRate), good[i]);
        Float64 granted = get_f64(kAudioSessionProperty_CurrentHardwareSampleRate);
        EXPECT(granted >= 8000 && granted <= 384000);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EXPECT_STATUS(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, bad[i]), kAudioSessionUnsupportedPropertyError);
        EXPECT_NUMBER(get_f64(kAudioSessionProperty_PreferredHardwareSampleRate), 8000);
    }
}

TEST(granted_sample_rate, "the current sample rate is that of the route's device for the preference") {
    const struct {
        Float64 preferred, granted;
    } rows[] = {{48000, 48000}, {8000, 8000}, {44100, 44100}, {47000, 48000}, {1e-300, 8000}, {1e6, 48000}};
    BEGIN_SESSION();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EXPECT_OK(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, rows[i].preferred));
        EXPECT_NUMBER(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate), rows[i].granted);
    }
    EXPECT_OK(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, 96000));
    SIMULATE("plug usb");
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate), 96000);
    SIMULATE("unplug usb");
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate), 48000);
    /* The input of a category without output; any device without a route. */
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate), 48000);
    EXPECT_OK(set_category(kAudioSessionCategory_AudioProcessing));
    EXPECT(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate) > 0);
}

TEST(preferred_buffer_duration, "the preferred buffer duration reads back exactly; the current one is the granted one") {
    const Float32 good[] = {0.005f, 0, 0.1f, 0.0232f, 1e-30f, 1e30f, 0.01f};
    const Float32 bad[] = {-0.005f, NAN, INFINITY, -INFINITY};
    BEGIN_SESSION();
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, good[i]));
        EXPECT_NUMBER(get_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration), good[i]);
        Float32 granted = get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration);
        EXPECT(granted > 0 && granted < 10);
    }
    Float32 granted = get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration);
    EXPECT(granted > 0.005 && granted < 0.02);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EXPECT_STATUS(
            set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, bad[i]), kAudioSessionUnsupportedPropertyError);
        EXPECT_NUMBER(get_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration), 0.01f);
    }
}

TEST(input_channels, "input channels: '!cat' in a category without input, else those of the route's input, 0 without one") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        UInt32 category = categories[i];
        bool has_input = category == kAudioSessionCategory_RecordAudio || category == kAudioSessionCategory_PlayAndRecord ||
            category == kAudioSessionLinuxCategory_MultiRoute;
        EXPECT_OK(set_category(category));
        EXPECT_STATUS(get_status(kAudioSessionProperty_CurrentHardwareInputNumberChannels),
            has_input ? kAudioSessionNoError : kAudioSessionIncompatibleCategory);
    }
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareInputNumberChannels), 1);
    SIMULATE("plug usb");
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareInputNumberChannels), 2);
    SIMULATE("unplug usb");
    SIMULATE("unplug microphone");
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareInputNumberChannels), 0);
}

TEST(output_channels, "output channels are those of the route's output, 0 when it has none") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 1);
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 2);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 0);
    EXPECT_OK(set_category(kAudioSessionCategory_AudioProcessing));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 0);
}

TEST(output_volume, "the output volume is the mixer's, and 1 when there is no output or it has no volume control") {
    BEGIN_SESSION();
    SIMULATE("volume 0.25");
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 0.25);
    SIMULATE("volume 0");
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 0);
    SIMULATE("volume 1");
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 1);
    SIMULATE("volume 0.5");
    SIMULATE("plug hdmi");
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 1);
    SIMULATE("unplug hdmi");
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 0.5);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 1);
}

TEST(latencies, "latencies are in seconds, and 0 without that direction") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT(get_f32(kAudioSessionProperty_CurrentHardwareInputLatency) > 0);
    EXPECT(get_f32(kAudioSessionProperty_CurrentHardwareOutputLatency) > 0);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    EXPECT(get_f32(kAudioSessionProperty_CurrentHardwareInputLatency) > 0);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputLatency), 0);
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareInputLatency), 0);
    EXPECT(get_f32(kAudioSessionProperty_CurrentHardwareOutputLatency) > 0);
    EXPECT_OK(set_category(kAudioSessionCategory_AudioProcessing));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareInputLatency), 0);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputLatency), 0);
}

TEST(input_available, "AudioInputAvailable is 1 when any input device is present, whatever the category") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        EXPECT_OK(set_category(categories[i]));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioInputAvailable), 1);
        SIMULATE("unplug microphone");
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioInputAvailable), 0);
        SIMULATE("plug usb");
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioInputAvailable), 1);
        SIMULATE("unplug usb");
        SIMULATE("plug microphone");
    }
}

TEST(no_hardware_at_all, "without any device a property that needs one gives 'nohw', and the others have values") {
    BEGIN_SESSION();
    SIMULATE("unplug microphone");
    SIMULATE("unplug speaker");
    SIMULATE("unplug receiver");
    EXPECT_STATUS(get_status(kAudioSessionProperty_CurrentHardwareSampleRate), kAudioServicesNoHardwareError);
    EXPECT_STATUS(get_status(kAudioSessionProperty_CurrentHardwareIOBufferDuration), kAudioServicesNoHardwareError);
    EXPECT_STATUS(get_status(kAudioSessionProperty_InputGainScalar), kAudioServicesNoHardwareError);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioInputAvailable), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_InputGainAvailable), 0);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 1);
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        EXPECT_OK(set_category(categories[i]));
        EXPECT_STATUS(
            AudioSessionSetActive(1), categories[i] == kAudioSessionCategory_RecordAudio ? kAudioServicesNoHardwareError : 0);
        EXPECT_OK(AudioSessionSetActive(0));
    }
}

TEST(input_gain, "the input gain is clamped to 0 to 1, NaN gives 'pty?', and without gain 'nohw'") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_InputGainAvailable), 1);
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 0.25f));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 0.25);
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 7));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 1);
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, INFINITY));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 1);
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, -INFINITY));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 0);
    EXPECT_STATUS(set_f32(kAudioSessionProperty_InputGainScalar, NAN), kAudioSessionUnsupportedPropertyError);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 0);
    SIMULATE("plug line-in");
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_InputGainAvailable), 0);
    EXPECT_STATUS(set_f32(kAudioSessionProperty_InputGainScalar, 0.5f), kAudioServicesNoHardwareError);
    EXPECT_STATUS(get_status(kAudioSessionProperty_InputGainScalar), kAudioServicesNoHardwareError);
}

TEST(input_gain_comes_and_goes, "InputGainAvailable changes when the route gets an input with or without gain") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_InputGainAvailable, record_event, NULL));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_InputGainAvailable), 0);
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(events[0].whole, 1);
    SIMULATE("plug line-in");
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[1].whole, 0);
    SIMULATE("unplug line-in");
    WAIT_UNTIL(event_count == 3);
    EXPECT_INTEGER(events[2].whole, 1);
}

TEST(input_gain_is_put_back, "the gain before the first set is restored when no active session uses it any more") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    Float32 found = get_f32(kAudioSessionProperty_InputGainScalar);
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 0.125f));
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 0.0625f));
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), found);
}

TEST(input_gain_while_inactive,
    "the gain that an inactive session sets takes effect when it activates; until then a get returns the hardware's") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    Float32 found = get_f32(kAudioSessionProperty_InputGainScalar);
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 0.125f));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), found);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(AudioSessionSetActive(1));
        EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 0.125);
        EXPECT_OK(AudioSessionSetActive(0));
        EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), found);
    }
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), found);
}

TEST(preferences_of_zero, "the preferred rate and duration accept 0, which a get returns first") {
    BEGIN_SESSION();
    EXPECT_OK(
        set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, get_f64(kAudioSessionProperty_PreferredHardwareSampleRate)));
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration,
        get_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration)));
    Float64 rate = get_f64(kAudioSessionProperty_CurrentHardwareSampleRate);
    EXPECT_OK(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, 16000));
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate), 16000);
    EXPECT_OK(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, 0));
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_CurrentHardwareSampleRate), rate);
}

/* A process that is active and has changed the gain when this returns, or does so after a byte on `begin`. */
static pid_t start_gain_user(int *begin) {
    int ready[2], wait[2];
    REQUIRE(pipe(ready) == 0 && pipe(wait) == 0);
    pid_t user = fork();
    if (user == 0) {
        char byte = 'n';
        if (begin) (void)!read(wait[0], &byte, 1);
        bool done = AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0 &&
            set_category(kAudioSessionCategory_PlayAndRecord) == 0 && AudioSessionSetActive(1) == 0 &&
            set_f32(kAudioSessionProperty_InputGainScalar, 0.125f) == 0;
        if (write(ready[1], done ? "y" : "n", 1) != 1) _exit(1);
        for (;;) pause();
    }
    char answer = 'y';
    close(ready[1]); /* the read ends when the process ends */
    if (begin)
        *begin = wait[1];
    else if (read(ready[0], &answer, 1) != 1)
        answer = 'n';
    EXPECT_INTEGER(answer, 'y');
    return user;
}

TEST(input_gain_of_the_dead, "the next session that starts restores the gain of a killed process") {
    pid_t user = start_gain_user(NULL);
    kill(user, SIGKILL);
    waitpid(user, NULL, 0);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 0.75);
}

TEST(input_gain_of_the_killed, "another process restores the gain of a killed process, and its listener is called") {
    int begin;
    pid_t user = start_gain_user(&begin);
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_InputGainScalar, record_event, NULL));
    REQUIRE(write(begin, "y", 1) == 1);
    WAIT_UNTIL(events_of(kAudioSessionProperty_InputGainScalar) == 1);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 0.125);
    kill(user, SIGKILL);
    waitpid(user, NULL, 0);
    WAIT_UNTIL(events_of(kAudioSessionProperty_InputGainScalar) == 2);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_InputGainScalar), 0.75);
}
