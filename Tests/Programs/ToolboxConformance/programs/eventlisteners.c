/* SPDX-License-Identifier: Apache-2.0 */
/* Listeners for parameters and properties, called on the run loop of the program. */
#include "toolbox.h"

#include "corefoundation.h"
#include "mixer.h"

#include <sched.h>

static int parameter_calls, event_calls, object;
static float last_value;
static AudioUnitEvent heard_event;

static void parameter_changed(void *data, void *sender, const AudioUnitParameter *parameter, AudioUnitParameterValue value) {
    EXPECT(data == &parameter_calls && sender == &object);
    EXPECT_INTEGER(parameter->mParameterID, kHALOutputParam_Volume);
    parameter_calls++;
    last_value = value;
}

static void event_came(void *data, void *sender, const AudioUnitEvent *event, UInt64 time, AudioUnitParameterValue value) {
    EXPECT(data == &event_calls && sender == &object && time > 0);
    event_calls++;
    heard_event = *event;
    last_value = value;
}

static AudioUnitParameter volume_of(AudioUnit unit) {
    AudioUnitParameter parameter;
    parameter.mAudioUnit = unit;
    parameter.mParameterID = kHALOutputParam_Volume;
    parameter.mScope = kAudioUnitScope_Output;
    parameter.mElement = 0;
    return parameter;
}

static void turn_until(int *count, int wanted) {
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (*count < wanted && milliseconds() < deadline) turn_of_run_loop(deadline);
    EXPECT_INTEGER(*count, wanted);
}

TEST(parameter_values, "a parameter that is set is heard once on the run loop, by others than the sender") {
    AudioUnit unit = make_io();
    AudioUnitParameter volume = volume_of(unit);
    AUParameterListenerRef listener = NULL, silent = NULL;
    Float32 value;
    UNIT_OK(AUListenerCreate(parameter_changed, &parameter_calls, NULL, NULL, 0.1f, &listener));
    UNIT_OK(AUListenerCreate(parameter_changed, &parameter_calls, CFRunLoopGetMain(), kCFRunLoopDefaultMode, 0, &silent));
    UNIT_OK(AUListenerAddParameter(listener, &object, &volume));
    UNIT_OK(AUParameterSet(NULL, NULL, &volume, 0.75f, 0));
    UNIT_OK(AUParameterSet(NULL, NULL, &volume, 0.5f, 0));
    EXPECT_INTEGER(parameter_calls, 0);
    turn_until(&parameter_calls, 1);
    EXPECT_NUMBER(last_value, 0.5);
    UNIT_OK(AudioUnitGetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, &value));
    EXPECT_NUMBER(value, 0.5);
    /* The sender's own object hears nothing. */
    UNIT_OK(AUParameterSet(listener, &object, &volume, 0.25f, 0));
    UNIT_OK(AUParameterSet(silent, &object, &volume, 0.125f, 0));
    turn_until(&parameter_calls, 2);
    EXPECT_NUMBER(last_value, 0.125);
    UNIT_OK(AUListenerRemoveParameter(listener, &object, &volume));
    UNIT_OK(AUParameterListenerNotify(NULL, NULL, &volume));
    volume.mParameterID = kAUParameterListener_AnyParameter;
    UNIT_OK(AUListenerAddParameter(listener, &object, &volume));
    volume.mParameterID = kHALOutputParam_Volume;
    UNIT_OK(AUParameterListenerNotify(NULL, NULL, &volume));
    turn_until(&parameter_calls, 3);
    volume.mParameterID = 77;
    UNIT(AUParameterSet(NULL, NULL, &volume, 1, 0), kAudioUnitErr_InvalidParameter);
    UNIT_OK(AUListenerDispose(listener));
    UNIT(AUListenerDispose(listener), kAudio_ParamError);
    UNIT(AUListenerAddParameter(listener, &object, &volume), kAudio_ParamError);
    UNIT_OK(AUListenerDispose(silent));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

static int mixer_calls;
static AudioUnitParameter heard_parameter;

static void mixer_changed(void *data, void *sender, const AudioUnitParameter *parameter, AudioUnitParameterValue value) {
    (void)data, (void)sender;
    mixer_calls++;
    heard_parameter = *parameter;
    last_value = value;
}

static AudioUnitParameter parameter_of(AudioUnit unit, UInt32 id, UInt32 scope, UInt32 element) {
    AudioUnitParameter parameter;
    parameter.mAudioUnit = unit;
    parameter.mParameterID = id;
    parameter.mScope = scope;
    parameter.mElement = element;
    return parameter;
}

TEST(places, "a parameter is that of one unit, one number, one scope and one element") {
    AudioUnit unit = make_mixer(3), other = make_mixer(3);
    AUParameterListenerRef listener = NULL;
    UNIT_OK(AUListenerCreate(mixer_changed, NULL, NULL, NULL, 0, &listener));
    AudioUnitParameter volume = parameter_of(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 1);
    const AudioUnitParameter others[] = {
        parameter_of(other, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 1),
        parameter_of(unit, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 1),
        parameter_of(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0),
        parameter_of(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 2),
        parameter_of(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0),
    };
    for (int life = 1; life <= 2; life++) {
        UNIT_OK(AUListenerAddParameter(listener, &object, &volume));
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            UNIT_OK(AUParameterSet(NULL, NULL, &others[i], 0.25f * (float)life, 0));
        UNIT_OK(AUParameterSet(NULL, NULL, &volume, 0.375f * (float)life, 0));
        turn_until(&mixer_calls, life);
        EXPECT(heard_parameter.mAudioUnit == unit && heard_parameter.mParameterID == kMultiChannelMixerParam_Volume);
        EXPECT(heard_parameter.mScope == kAudioUnitScope_Input && heard_parameter.mElement == 1);
        EXPECT_NUMBER(last_value, 0.375 * life);
        /* To remove another place removes nothing. */
        UNIT_OK(AUListenerRemoveParameter(listener, &object, &others[2]));
        UNIT_OK(AUParameterListenerNotify(NULL, NULL, &volume));
        turn_until(&mixer_calls, life + 1);
        mixer_calls = life;
        UNIT_OK(AUListenerRemoveParameter(listener, &object, &volume));
    }
    UNIT_OK(AUListenerDispose(listener));
    UNIT_OK(AudioComponentInstanceDispose(other));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

static int removed_calls, other_calls;

static void count_by_sender(void *data, void *sender, const AudioUnitParameter *parameter, AudioUnitParameterValue value) {
    (void)data, (void)parameter, (void)value;
    if (sender == &object)
        removed_calls++;
    else
        other_calls++;
}

TEST(removed_while_it_waits, "an object that is removed hears nothing of what waits for the run loop, and others hear it") {
    AudioUnit unit = make_mixer(2);
    AUParameterListenerRef listener = NULL;
    const AudioUnitParameter volume = parameter_of(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 1);
    const AudioUnitParameter any = parameter_of(unit, kAUParameterListener_AnyParameter, kAudioUnitScope_Input, 1);
    UNIT_OK(AUListenerCreate(count_by_sender, NULL, NULL, NULL, 0, &listener));
    UNIT_OK(AUListenerAddParameter(listener, &other_calls, &volume));
    for (int life = 1; life <= 4; life++) {
        const AudioUnitParameter *registered = life % 2 ? &volume : &any;
        UNIT_OK(AUListenerAddParameter(listener, &object, registered));
        UNIT_OK(AUParameterSet(NULL, NULL, &volume, 0.125f * (float)life, 0));
        UNIT_OK(AUListenerRemoveParameter(listener, &object, registered));
        turn_until(&other_calls, life);
        EXPECT_INTEGER(removed_calls, 0);
    }
    UNIT_OK(AUListenerDispose(listener));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(properties, "a property that changes is an event on the run loop, and so is a gesture") {
    AudioUnit unit = make_io();
    AUEventListenerRef listener = NULL;
    AudioUnitEvent event;
    memset(&event, 0, sizeof event);
    event.mEventType = kAudioUnitEvent_PropertyChange;
    event.mArgument.mProperty.mAudioUnit = unit;
    event.mArgument.mProperty.mPropertyID = kAudioUnitProperty_StreamFormat;
    event.mArgument.mProperty.mScope = kAudioUnitScope_Input;
    event.mArgument.mProperty.mElement = 0;
    UNIT_OK(AUEventListenerCreate(event_came, &event_calls, NULL, NULL, 0.01f, 0.01f, &listener));
    UNIT_OK(AUEventListenerAddEventType(listener, &object, &event));
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(8000, 1)));
    turn_until(&event_calls, 1);
    EXPECT_INTEGER(heard_event.mEventType, kAudioUnitEvent_PropertyChange);
    EXPECT(heard_event.mArgument.mProperty.mAudioUnit == unit);
    /* Another place of the property is another event. */
    UNIT_OK(set_format(unit, kAudioUnitScope_Output, 1, int16_format(8000, 1)));
    UNIT_OK(AUEventListenerRemoveEventType(listener, &object, &event));
    UNIT_OK(set_format(unit, kAudioUnitScope_Input, 0, int16_format(16000, 1)));
    memset(&event, 0, sizeof event);
    event.mEventType = kAudioUnitEvent_BeginParameterChangeGesture;
    event.mArgument.mParameter = volume_of(unit);
    UNIT_OK(AUEventListenerAddEventType(listener, &object, &event));
    UNIT_OK(AUEventListenerNotify(NULL, NULL, &event));
    turn_until(&event_calls, 2);
    EXPECT_INTEGER(heard_event.mEventType, kAudioUnitEvent_BeginParameterChangeGesture);
    event.mEventType = kAudioUnitEvent_PropertyChange;
    event.mArgument.mProperty.mPropertyID = 7777;
    for (int turn = 0; turn < 2; turn++)
        UNIT(AUEventListenerAddEventType(listener, &object, &event), kAudioUnitErr_InvalidProperty);
    event.mEventType = 9;
    UNIT(AUEventListenerAddEventType(listener, &object, &event), kAudio_ParamError);
    UNIT(AUEventListenerNotify(NULL, NULL, &event), kAudio_ParamError);
    UNIT_OK(AUListenerDispose(listener));
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

/* ---- a disposal on another thread while calls are under way ---- */

static AUEventListenerRef disposed_listener;
static int disposer;     /* atomic: its thread identifier, from just before the disposal */
static int has_disposed; /* atomic */
static int outer_calls, inner_calls;
static pthread_t disposal;

static void *dispose_on_thread(void *nothing) {
    __atomic_store_n(&disposer, (int)gettid(), __ATOMIC_RELEASE);
    UNIT_OK(AUListenerDispose(disposed_listener));
    __atomic_store_n(&has_disposed, 1, __ATOMIC_RELEASE);
    return nothing;
}

/* The thread waits in the kernel, or it has disposed of the listener. */
static void await_disposer(void) {
    char path[64], state = 0;
    for (long long end = milliseconds() + TIME_LIMIT_MS; state != 'S' && milliseconds() < end; sched_yield()) {
        int thread = __atomic_load_n(&disposer, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&has_disposed, __ATOMIC_ACQUIRE)) return;
        if (thread == 0) continue;
        snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
        FILE *file = fopen(path, "r");
        /* The name has no blank. */
        if (file && fscanf(file, "%*d %*s %c", &state) != 1) state = 0;
        if (file) fclose(file);
    }
    EXPECT(state == 'S');
}

/* The first event notifies of a second one, which the run loop delivers inside of this call. */
static void nested_event(void *data, void *sender, const AudioUnitEvent *event, UInt64 time, AudioUnitParameterValue value) {
    (void)data, (void)sender, (void)time, (void)value;
    if (event->mEventType == kAudioUnitEvent_EndParameterChangeGesture) {
        inner_calls++;
        return;
    }
    AudioUnitEvent second = *event;
    second.mEventType = kAudioUnitEvent_EndParameterChangeGesture;
    UNIT_OK(AUEventListenerNotify(NULL, NULL, &second));
    turn_until(&inner_calls, 1);
    REQUIRE(pthread_create(&disposal, NULL, dispose_on_thread, NULL) == 0);
    await_disposer();
    EXPECT_INTEGER(__atomic_load_n(&has_disposed, __ATOMIC_ACQUIRE), 0);
    outer_calls++;
}

TEST(nested_calls, "a listener is disposed of after the call that is under way, also when that call turns the run loop") {
    AudioUnit unit = make_io();
    AudioUnitEvent event;
    memset(&event, 0, sizeof event);
    event.mArgument.mParameter = volume_of(unit);
    UNIT_OK(AUEventListenerCreate(nested_event, NULL, NULL, NULL, 0, 0, &disposed_listener));
    event.mEventType = kAudioUnitEvent_EndParameterChangeGesture;
    UNIT_OK(AUEventListenerAddEventType(disposed_listener, &object, &event));
    event.mEventType = kAudioUnitEvent_BeginParameterChangeGesture;
    UNIT_OK(AUEventListenerAddEventType(disposed_listener, &object, &event));
    UNIT_OK(AUEventListenerNotify(NULL, NULL, &event));
    turn_until(&outer_calls, 1);
    pthread_join(disposal, NULL);
    UNIT_OK(AudioComponentInstanceDispose(unit));
}
