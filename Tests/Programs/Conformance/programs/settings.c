/* SPDX-License-Identifier: Apache-2.0 */
/* Categories, overrides and modes: their combinations, and the effect of a change on the others. */
#include "conformance.h"
#include "properties.h"

static bool can_mix_by_choice(UInt32 category) {
    return category == kAudioSessionCategory_MediaPlayback || category == kAudioSessionCategory_LiveAudio ||
        category == kAudioSessionCategory_PlayAndRecord || category == kAudioSessionLinuxCategory_MultiRoute;
}

static OSStatus allowed_if(bool allowed) { return allowed ? kAudioSessionNoError : kAudioSessionIncompatibleCategory; }

TEST(every_category, "every category can be set and reads back as it was set, the equivalents too") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        EXPECT_OK(set_category(categories[i]));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), categories[i]);
    }
}

TEST(unknown_category, "an unknown category gives 'pty?'") {
    const UInt32 unknown[] = {0, 1, 0xFFFFFFFF, CODE("none"), kAudioSessionMode_VoiceChat, 0x69626D61 /* 'ambi' backwards */};
    BEGIN_SESSION();
    for (int i = 0; i < 6; i++) EXPECT_STATUS(set_category(unknown[i]), kAudioSessionUnsupportedPropertyError);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_SoloAmbientSound);
}

TEST(category_while_active, "the category may change while the session is active") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionSetActive(1));
    for (int i = 0; i < CATEGORY_COUNT; i++) EXPECT_OK(set_category(categories[i]));
    EXPECT_OK(AudioSessionSetActive(0));
}

TEST(mix_override, "MixWithOthers: nonzero with MediaPlayback, LiveAudio, PlayAndRecord and MultiRoute only; 0 always") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        EXPECT_OK(set_category(categories[i]));
        EXPECT_STATUS(
            set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1), allowed_if(can_mix_by_choice(categories[i])));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), can_mix_by_choice(categories[i]));
        EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 0));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
    }
}

TEST(speaker_override, "DefaultToSpeaker: nonzero with PlayAndRecord only; 0 always") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        EXPECT_OK(set_category(categories[i]));
        EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1),
            allowed_if(categories[i] == kAudioSessionCategory_PlayAndRecord));
        EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 0));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 0);
    }
}

TEST(bluetooth_override, "EnableBluetoothInput: nonzero with RecordAudio and PlayAndRecord only; 0 always") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        EXPECT_OK(set_category(categories[i]));
        EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1),
            allowed_if(
                categories[i] == kAudioSessionCategory_PlayAndRecord || categories[i] == kAudioSessionCategory_RecordAudio));
        EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 0));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 0);
    }
}

TEST(duck, "OtherMixableAudioShouldDuck is accepted in every category") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        EXPECT_OK(set_category(categories[i]));
        EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck), 1);
        EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 0));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck), 0);
    }
}

TEST(duck_sets_mix, "in a category that may mix, a nonzero duck also sets MixWithOthers; duck 0 keeps it") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        bool mixes = can_mix_by_choice(categories[i]);
        EXPECT_OK(set_category(categories[i]));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
        EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), mixes);
        EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 0));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), mixes);
    }
}

TEST(any_nonzero_is_true, "any nonzero number is true and reads back as 1") {
    const UInt32 truths[] = {1, 2, 0x100, 0x80000000, 0xFFFFFFFF};
    const AudioSessionPropertyID ids[] = {kAudioSessionProperty_OtherMixableAudioShouldDuck,
        kAudioSessionProperty_OverrideCategoryMixWithOthers, kAudioSessionProperty_OverrideCategoryDefaultToSpeaker,
        kAudioSessionProperty_OverrideCategoryEnableBluetoothInput};
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++) {
            EXPECT_OK(set_u32(ids[i], truths[j]));
            EXPECT_INTEGER(get_u32(ids[i]), 1);
        }
        EXPECT_OK(set_u32(ids[i], 0));
        EXPECT_INTEGER(get_u32(ids[i]), 0);
    }
}

static void set_all_overrides(void) {
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1));
    EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1));
}

TEST(category_change_resets, "a change of category resets mixing, speaker and Bluetooth, not ducking") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    set_all_overrides();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck), 1);
}

TEST(same_category_resets_nothing, "a set of the present category resets nothing") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    set_all_overrides();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 1);
}

TEST(route_override_values, "OverrideAudioRoute accepts None and Speaker, in PlayAndRecord only; it cannot be read") {
    BEGIN_SESSION();
    for (int i = 0; i < CATEGORY_COUNT; i++) {
        OSStatus allowed = allowed_if(categories[i] == kAudioSessionCategory_PlayAndRecord);
        EXPECT_OK(set_category(categories[i]));
        EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker), allowed);
        EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_None), allowed);
        EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideAudioRoute, 1), kAudioSessionUnsupportedPropertyError);
        EXPECT_STATUS(set_u32(kAudioSessionProperty_OverrideAudioRoute, 0xFFFFFFFF), kAudioSessionUnsupportedPropertyError);
    }
    EXPECT_STATUS(get_status(kAudioSessionProperty_OverrideAudioRoute), kAudioSessionUnsupportedPropertyError);
}

static bool plays(UInt32 category) {
    return category != kAudioSessionCategory_RecordAudio && category != kAudioSessionCategory_AudioProcessing;
}

static bool fits(UInt32 mode, UInt32 category) {
    bool chats = category == kAudioSessionCategory_PlayAndRecord;
    bool records = chats || category == kAudioSessionCategory_RecordAudio;
    bool shows = category == kAudioSessionCategory_MediaPlayback || category == kAudioSessionCategory_LiveAudio;
    switch (mode) {
    case kAudioSessionMode_VoiceChat:
    case kAudioSessionMode_GameChat:
    case kAudioSessionLinuxMode_VideoChat: return chats;
    case kAudioSessionMode_VideoRecording: return records;
    case kAudioSessionMode_Measurement: return records || shows;
    case kAudioSessionLinuxMode_MoviePlayback: return shows;
    case kAudioSessionLinuxMode_SpokenAudio:
    case kAudioSessionLinuxMode_VoicePrompt: return plays(category);
    default: return true;
    }
}

TEST(modes_and_categories,
    "each mode fits its categories, and gives '!cat' in the others; SpokenAudio fits AmbientSound, which always mixes, as well") {
    BEGIN_SESSION();
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        for (int m = 0; m < MODE_COUNT; m++) {
            char category[5], mode[5];
            EXPECT_OK(set_category(categories[c]));
            EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
            OSStatus found = set_u32(kAudioSessionProperty_Mode, modes[m]), expected = allowed_if(fits(modes[m], categories[c]));
            if (found != expected)
                failed(__FILE__, __LINE__, "mode '%s' in category '%s':", code_text(modes[m], mode),
                    code_text(categories[c], category));
            EXPECT_STATUS(found, expected);
            EXPECT_INTEGER(get_u32(kAudioSessionProperty_Mode), expected == 0 ? modes[m] : (UInt32)kAudioSessionMode_Default);
        }
    }
}

TEST(unknown_modes, "an unknown mode gives 'pty?'") {
    const UInt32 unknown[] = {0, 1, 0xFFFFFFFF, CODE("none"), kAudioSessionCategory_MediaPlayback};
    BEGIN_SESSION();
    for (int i = 0; i < 5; i++)
        EXPECT_STATUS(set_u32(kAudioSessionProperty_Mode, unknown[i]), kAudioSessionUnsupportedPropertyError);
}

TEST(mode_while_active, "a change of mode while active gives 'what'; a set of the present mode gives 0") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
    EXPECT_STATUS(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat), kAudioSessionUnspecifiedError);
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat));
    EXPECT_STATUS(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default), kAudioSessionUnspecifiedError);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_Mode), kAudioSessionMode_VoiceChat);
}

TEST(mode_while_interrupted, "an interrupted session is inactive: its mode may change") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat));
    SIMULATE("interrupt end");
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
}

TEST(mode_while_mixing, "a change of mode while the session mixes gives 'what'") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_STATUS(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat), kAudioSessionUnspecifiedError);
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 0));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat));
}

TEST(category_puts_mode_back, "a category that the mode does not fit resets the mode to default; one that it fits keeps it") {
    BEGIN_SESSION();
    for (int m = 0; m < MODE_COUNT; m++) {
        for (int from = 0; from < CATEGORY_COUNT; from++) {
            for (int to = 0; to < CATEGORY_COUNT; to++) {
                if (!fits(modes[m], categories[from])) continue;
                EXPECT_OK(set_category(categories[from]));
                EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
                EXPECT_OK(set_u32(kAudioSessionProperty_Mode, modes[m]));
                EXPECT_OK(set_category(categories[to]));
                EXPECT_INTEGER(get_u32(kAudioSessionProperty_Mode),
                    fits(modes[m], categories[to]) ? modes[m] : (UInt32)kAudioSessionMode_Default);
            }
        }
    }
}

TEST(chat_modes_enable_bluetooth, "the chat modes enable Bluetooth input; it can be reset, and stays when the mode ends") {
    const UInt32 chats[] = {kAudioSessionMode_VoiceChat, kAudioSessionMode_GameChat, kAudioSessionLinuxMode_VideoChat};
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 0));
        EXPECT_OK(set_u32(kAudioSessionProperty_Mode, chats[i]));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 1);
        EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 1);
        EXPECT_OK(set_u32(kAudioSessionProperty_Mode, chats[i]));
        EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 0));
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 0);
        EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
    }
}

TEST(video_chat_defaults_to_speaker, "mode VideoChat sets DefaultToSpeaker too") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionLinuxMode_VideoChat));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 1);
}

TEST(interruptions_and_overrides, "an interruption resets MixWithOthers; DefaultToSpeaker, Bluetooth input and ducking stay") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    set_all_overrides();
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(events_of(0), 2);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck), 1);
}

TEST(record_without_input, "RecordAudio can be set without an input device; activating it gives 'nohw'") {
    BEGIN_SESSION();
    SIMULATE("unplug microphone");
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioServicesNoHardwareError);
    SIMULATE("plug microphone");
    EXPECT_OK(AudioSessionSetActive(1));
}
