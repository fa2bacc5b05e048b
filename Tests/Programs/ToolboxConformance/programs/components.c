/* SPDX-License-Identifier: Apache-2.0 */
/* The component manager, and pointers that are no units. */
#include "toolbox.h"

TEST(search, "a search finds each component once, in one order, and 0 matches everything") {
    AudioComponentDescription any, found;
    AudioComponent component = NULL;
    UInt32 version = 0, count = 0;
    memset(&any, 0, sizeof any);
    while ((component = AudioComponentFindNext(component, &any)) != NULL) {
        UNIT_OK(AudioComponentGetDescription(component, &found));
        EXPECT_INTEGER(found.componentManufacturer, kAudioUnitManufacturer_Apple);
        EXPECT_INTEGER(found.componentFlags, 0);
        EXPECT(AudioComponentFindNext(NULL, &found) == component);
        UNIT_OK(AudioComponentGetVersion(component, &version));
        EXPECT(version >= 0x10000);
        count++;
    }
    EXPECT_INTEGER(AudioComponentCount(&any), count);
    any.componentType = kAudioUnitType_Output;
    EXPECT_INTEGER(AudioComponentCount(&any), count - AudioComponentCount(&any) > 0 ? AudioComponentCount(&any) : 0);
    EXPECT(find(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO) != NULL);
    EXPECT(find(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput) != NULL);
    EXPECT(find(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter) != NULL);
    EXPECT(find(kAudioUnitType_Effect, kAudioUnitSubType_AUConverter) == NULL);
    EXPECT(find(kAudioUnitType_Output, kAudioUnitSubType_HALOutput) == NULL);
    EXPECT(AudioComponentFindNext(NULL, NULL) == NULL);
    EXPECT(AudioComponentFindNext((AudioComponent)&any, &any) == NULL);
    EXPECT_INTEGER(AudioComponentCount(NULL), 0);
    EXPECT_INTEGER(AudioComponentGetDescription(NULL, &found), kAudio_ParamError);
    EXPECT_INTEGER(AudioComponentGetVersion((AudioComponent)&any, &version), kAudio_ParamError);
}

static void expect_name(UInt32 type, UInt32 subtype, const char *expected) {
    CFStringRef name = NULL;
    char text[64] = "";
    UNIT_OK(AudioComponentCopyName(find(type, subtype), &name));
    if (!name) return;
    EXPECT(CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8));
    EXPECT_TEXT(text, expected);
    CFRelease(name);
}

TEST(names, "a component's name has the manufacturer, a colon and the platform's name of the unit") {
    CFStringRef name = NULL;
    expect_name(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, "Apple: AURemoteIO");
    expect_name(kAudioUnitType_Output, kAudioUnitSubType_VoiceProcessingIO, "Apple: AUVoiceIO");
    expect_name(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput, "Apple: GenericOutput");
    expect_name(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter, "Apple: AUConverter");
    expect_name(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed, "Apple: AUVarispeed");
    expect_name(kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch, "Apple: AUNewTimePitch");
    expect_name(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, "Apple: AUMultiChannelMixer");
    EXPECT_INTEGER(AudioComponentCopyName(NULL, &name), kAudio_ParamError);
    EXPECT_INTEGER(AudioComponentCopyName(find(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO), NULL), kAudio_ParamError);
}

TEST(instances, "an instance has its component, and an instance of no component is an error") {
    AudioUnit unit = make_io(), none = NULL;
    EXPECT(AudioComponentInstanceGetComponent(unit) == find(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO));
    EXPECT(AudioComponentInstanceGetComponent(NULL) == NULL);
    EXPECT(AudioComponentInstanceNew(NULL, &none) != 0 && none == NULL);
    EXPECT(AudioComponentInstanceNew((AudioComponent)&none, &none) != 0 && none == NULL);
    EXPECT(AudioComponentInstanceNew(find(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO), NULL) != 0);
    UNIT_OK(AudioComponentInstanceDispose(unit));
    EXPECT_INTEGER(AudioComponentInstanceDispose(unit), kAudio_ParamError);
    EXPECT(AudioComponentInstanceGetComponent(unit) == NULL);
}

static OSStatus silence(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames, (void)list;
    return 0;
}

static void nobody(void *data, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
    (void)data, (void)unit, (void)id, (void)scope, (void)element;
}

TEST(no_unit, "NULL, a disposed unit and any other pointer are errors in every function") {
    AudioUnit gone = make_io();
    UNIT_OK(AudioComponentInstanceDispose(gone));
    AudioUnit pointers[] = {NULL, gone, (AudioUnit)&gone, (AudioUnit)(uintptr_t)5, (AudioUnit) ~(uintptr_t)0};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        AudioUnit unit = pointers[i];
        AudioTimeStamp time;
        AudioBufferList list;
        UInt32 number = 0, size = sizeof number;
        Float32 value = 0;
        Boolean writable;
        memset(&time, 0, sizeof time);
        memset(&list, 0, sizeof list);
        UNIT(AudioUnitInitialize(unit), kAudio_ParamError);
        UNIT(AudioUnitUninitialize(unit), kAudio_ParamError);
        UNIT(AudioOutputUnitStart(unit), kAudio_ParamError);
        UNIT(AudioOutputUnitStop(unit), kAudio_ParamError);
        UNIT(AudioUnitGetPropertyInfo(unit, 8, 1, 0, &size, &writable), kAudio_ParamError);
        UNIT(AudioUnitGetProperty(unit, 2001, 0, 0, &number, &size), kAudio_ParamError);
        UNIT(AudioUnitSetProperty(unit, 14, 0, 0, &number, sizeof number), kAudio_ParamError);
        UNIT(AudioUnitAddPropertyListener(unit, 8, nobody, NULL), kAudio_ParamError);
        UNIT(AudioUnitRemovePropertyListenerWithUserData(unit, 8, nobody, NULL), kAudio_ParamError);
        UNIT(AudioUnitAddRenderNotify(unit, silence, NULL), kAudio_ParamError);
        UNIT(AudioUnitRemoveRenderNotify(unit, silence, NULL), kAudio_ParamError);
        UNIT(AudioUnitGetParameter(unit, 14, 0, 0, &value), kAudio_ParamError);
        UNIT(AudioUnitSetParameter(unit, 14, 0, 0, 1, 0), kAudio_ParamError);
        UNIT(AudioUnitScheduleParameters(unit, NULL, 0), kAudio_ParamError);
        UNIT(AudioUnitRender(unit, NULL, &time, 0, 64, &list), kAudio_ParamError);
        UNIT(AudioUnitProcess(unit, NULL, &time, 64, &list), kAudio_ParamError);
        UNIT(AudioUnitProcessMultiple(unit, NULL, &time, 64, 0, NULL, 0, NULL), kAudio_ParamError);
        UNIT(AudioUnitReset(unit, 0, 0), kAudio_ParamError);
        UNIT(AudioComponentInstanceDispose(unit), kAudio_ParamError);
    }
}

TEST(null_arguments, "NULL arguments of a living unit are errors, and none is written through") {
    AudioUnit unit = make_io();
    UInt32 size = 40;
    UNIT(AudioUnitGetProperty(unit, 8, 1, 0, NULL, NULL), kAudio_ParamError);
    UNIT_OK(AudioUnitGetProperty(unit, 8, 1, 0, NULL, &size));
    EXPECT_INTEGER(size, 40);
    UNIT_OK(AudioUnitGetPropertyInfo(unit, 8, 1, 0, NULL, NULL));
    UNIT(AudioUnitSetProperty(unit, 8, 1, 0, NULL, 40), kAudioUnitErr_InvalidPropertyValue);
    UNIT(AudioUnitAddPropertyListener(unit, 8, NULL, NULL), kAudio_ParamError);
    UNIT(AudioUnitAddRenderNotify(unit, NULL, NULL), kAudio_ParamError);
    UNIT(AudioUnitGetParameter(unit, 14, 0, 0, NULL), kAudio_ParamError);
    UNIT(AudioUnitScheduleParameters(unit, NULL, 3), kAudio_ParamError);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

static volatile int calls;
static AudioUnit seen_unit;
static UInt32 seen_id, seen_scope, seen_element;

static void listen(void *data, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
    EXPECT(data == &calls);
    seen_unit = unit, seen_id = id, seen_scope = scope, seen_element = element;
    __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
}

TEST(listeners, "a listener is called for each change of its property, and not after it was removed") {
    AudioUnit unit = make_io();
    UNIT_OK(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_StreamFormat, listen, (void *)&calls));
    UNIT(AudioUnitAddPropertyListener(unit, 9999, listen, (void *)&calls), kAudioUnitErr_InvalidProperty);
    UNIT_OK(set_format(unit, kAudioUnitScope_Output, 1, int16_format(8000, 1)));
    WAIT_FOR(calls, 1);
    EXPECT(seen_unit == unit && seen_id == 8 && seen_scope == kAudioUnitScope_Output && seen_element == 1);
    UNIT_OK(set_number(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, 512));
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(8000, 1)));
    WAIT_FOR(calls, 2);
    UNIT_OK(AudioUnitRemovePropertyListenerWithUserData(unit, kAudioUnitProperty_StreamFormat, listen, (void *)&calls));
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(16000, 1)));
    EXPECT_INTEGER(calls, 2);
    UNIT_OK(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_StreamFormat, listen, (void *)&calls));
    UNIT_OK(AudioComponentInstanceDispose(unit));
    EXPECT_INTEGER(calls, 2);
}
