/* SPDX-License-Identifier: Apache-2.0 */
/* One session and a phone call. */
#include "conformance.h"

#define TYPE kAudioSessionProperty_InterruptionType

static UInt32 type_at[64];
static OSStatus type_status_at[64];

static void note_type(void *data, UInt32 state) {
    UInt32 size = sizeof(UInt32);
    type_status_at[event_count] = AudioSessionGetProperty(TYPE, &size, &type_at[event_count]);
    record_interruption(data, state);
}

static void begin_playing(void) {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, note_type, NULL));
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionSetActive(1));
}

TEST(begin_and_end, "an active session gets a begin and then an end") {
    begin_playing();
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(events[0].whole, kAudioSessionBeginInterruption);
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[1].whole, kAudioSessionEndInterruption);
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 2);
}

TEST(type_inside_the_end, "InterruptionType: 'irsm' or '!rsm' inside the end callback, 'pty?' elsewhere") {
    begin_playing();
    EXPECT_STATUS(get_status(TYPE), kAudioSessionUnsupportedPropertyError);
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 2);
    EXPECT_STATUS(type_status_at[0], kAudioSessionUnsupportedPropertyError);
    EXPECT_OK(type_status_at[1]);
    EXPECT_INTEGER(type_at[1], kAudioSessionInterruptionType_ShouldResume);
    EXPECT_STATUS(get_status(TYPE), kAudioSessionUnsupportedPropertyError);
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end --should-not-resume");
    WAIT_UNTIL(event_count == 4);
    EXPECT_OK(type_status_at[3]);
    EXPECT_INTEGER(type_at[3], kAudioSessionInterruptionType_ShouldNotResume);
}

static void interrupt_inside_the_end(void *data, UInt32 state) {
    int call = event_count;
    note_type(data, state);
    if (call != 1) return;
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end --should-not-resume");
    WAIT_UNTIL(event_count == 4);
    UInt32 type = 0, size = sizeof type;
    EXPECT_OK(AudioSessionGetProperty(TYPE, &size, &type));
    EXPECT_INTEGER(type, kAudioSessionInterruptionType_ShouldResume);
}

TEST(nested_ends, "an end that is delivered inside another end's callback has its own type; afterwards the outer type is back") {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, interrupt_inside_the_end, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 4);
    EXPECT_STATUS(type_status_at[0], kAudioSessionUnsupportedPropertyError);
    EXPECT_INTEGER(type_at[1], kAudioSessionInterruptionType_ShouldResume);
    EXPECT_STATUS(type_status_at[2], kAudioSessionUnsupportedPropertyError);
    EXPECT_INTEGER(type_at[3], kAudioSessionInterruptionType_ShouldNotResume);
}

static OSStatus elsewhere = 1;

static void *read_type(void *unused) {
    elsewhere = get_status(TYPE);
    return unused;
}

static void let_another_read(void *data, UInt32 state) {
    pthread_t thread;
    note_type(data, state);
    pthread_create(&thread, NULL, read_type, NULL);
    pthread_join(thread, NULL);
}

TEST(type_elsewhere, "during an end callback another thread reads 'pty?' for InterruptionType") {
    UInt32 size = 3, value = 0;
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, let_another_read, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 2);
    EXPECT_OK(type_status_at[1]);
    EXPECT_STATUS(elsewhere, kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionGetProperty(TYPE, &size, &value), kAudioSessionBadPropertySizeError);
    EXPECT_INTEGER(size, 3);
}

TEST(inactive_sessions, "an inactive session is not interrupted") {
    BEGIN_SESSION();
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 0);
}

TEST(activation_during_a_call,
    "while a call lasts, activating a session that does not mix gives '!act'; one that mixes succeeds") {
    begin_playing();
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotActiveError);
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
    /* Its activation ended the interruption. */
    EXPECT_INTEGER(event_count, 1);
}

TEST(an_interruption_ends_mixing,
    "an interruption resets cmix to 0; duck keeps its value and has no effect until the session mixes again") {
    begin_playing();
    EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 1);
    SIMULATE("interrupt begin");
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck), 1);
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotActiveError);
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 2);
    EXPECT_OK(AudioSessionSetActive(1));
}

TEST(stopping_to_mix_during_a_call, "during a call cmix can be set to 0: the session stops mixing, and the call interrupts it") {
    begin_playing();
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 0));
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[1].whole, kAudioSessionBeginInterruption);
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 3);
    EXPECT_INTEGER(events[2].whole, kAudioSessionEndInterruption);
    EXPECT_INTEGER(type_at[2], kAudioSessionInterruptionType_ShouldResume);
}

TEST(a_refused_activation, "an activation that a call refuses changes nothing: the end still comes") {
    begin_playing();
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    for (int i = 0; i < 3; i++) EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotActiveError);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_MediaPlayback);
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[1].whole, kAudioSessionEndInterruption);
    EXPECT_INTEGER(type_at[1], kAudioSessionInterruptionType_ShouldResume);
}

TEST(input_before_priority, "recording without an input during a call: 'nohw', which comes before '!act'") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    SIMULATE("unplug microphone");
    SIMULATE("interrupt begin");
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioServicesNoHardwareError);
    SIMULATE("plug microphone");
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionNotActiveError);
}

TEST(deactivating_inside_begin, "SetActive(false) inside the begin callback gives 0, and the end still comes") {
    begin_playing();
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    EXPECT_OK(AudioSessionSetActive(0));
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[1].whole, kAudioSessionEndInterruption);
    EXPECT_INTEGER(type_at[1], kAudioSessionInterruptionType_ShouldResume);
}

TEST(the_end_does_not_activate, "the end does not activate: the program calls SetActive(true)") {
    begin_playing();
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    WAIT_UNTIL(event_count == 2);
    /* Were it active, the second call would interrupt it. */
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 2);
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 3);
}

TEST(one_call_at_a_time, "a second begin is refused with '!act'") {
    begin_playing();
    SIMULATE("interrupt begin");
    EXPECT_STATUS(AudioSessionLinuxSimulate("interrupt begin"), kAudioSessionNotActiveError);
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 2);
}

TEST(a_confirmed_call, "a confirmed call ends without an end event; afterwards the session may activate") {
    begin_playing();
    SIMULATE("interrupt begin");
    SIMULATE("interrupt confirm");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
    (void)AudioSessionLinuxSimulate("interrupt end");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
    EXPECT_OK(AudioSessionSetActive(1));
}

TEST(mixing_sessions_too, "a call interrupts every active session, mixing or not") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_AmbientSound));
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(events[0].whole, kAudioSessionBeginInterruption);
}

TEST(overtaken_interruptions, "an activation by the program drops pending begins and ends, and nothing else") {
    begin_playing();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, record_event, NULL));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    SIMULATE("interrupt begin");
    SIMULATE("unplug microphone");
    SIMULATE("interrupt end");
    EXPECT_OK(AudioSessionSetActive(1));
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(events_of(0), 0);
    EXPECT_INTEGER(events_of(kAudioSessionProperty_AudioInputAvailable), 1);
}

static void resume_inside(void *data, UInt32 state) {
    record_interruption(data, state);
    EXPECT_OK(AudioSessionSetActive(state == kAudioSessionBeginInterruption ? 0 : 1));
}

TEST(the_usual_listener, "the listener may call SetActive(false) at each begin and SetActive(true) at each end") {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, resume_inside, NULL));
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionSetActive(1));
    for (int i = 0; i < 50; i++) {
        SIMULATE("interrupt begin");
        WAIT_UNTIL(event_count == 2 * i + 1);
        SIMULATE("interrupt end");
        WAIT_UNTIL(event_count == 2 * i + 2);
    }
    for (int i = 0; i < event_count; i++)
        EXPECT_INTEGER(events[i].whole, i % 2 ? kAudioSessionEndInterruption : kAudioSessionBeginInterruption);
}

TEST(the_server_dies, "ServerDied is 1 when the server dies, 0 when it is back; an activation in between gives 'what'") {
    begin_playing();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_ServerDied, record_event, NULL));
    SIMULATE("server die");
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(events[0].id, kAudioSessionProperty_ServerDied);
    EXPECT_INTEGER(events[0].whole, 1);
    EXPECT_STATUS(AudioSessionSetActive(1), kAudioSessionUnspecifiedError);
    SIMULATE("server restart");
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[1].whole, 0);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_MediaPlayback);
    EXPECT_OK(AudioSessionSetActive(1));
}

TEST(the_server_leaves_properties, "a server death keeps every property") {
    begin_playing();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1));
    EXPECT_OK(set_f64(kAudioSessionProperty_PreferredHardwareSampleRate, 48000));
    EXPECT_OK(set_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 0.01f));
    SIMULATE("server die");
    SIMULATE("server restart");
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_PlayAndRecord);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 1);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 1);
    EXPECT_NUMBER(get_f64(kAudioSessionProperty_PreferredHardwareSampleRate), 48000);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_PreferredHardwareIOBufferDuration), 0.01f);
}

TEST(the_server_takes_interruptions_along, "a server death ends interruptions without an event, and the session is inactive") {
    begin_playing();
    SIMULATE("interrupt begin");
    WAIT_UNTIL(event_count == 1);
    SIMULATE("server die");
    SIMULATE("interrupt end");
    SIMULATE("server restart");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
    /* The session is inactive: another call does not interrupt it. */
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
}

TEST(a_call_ends_with_its_holder, "a call ends with the process that holds it") {
    begin_playing();
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    int ready[2], hold[2];
    REQUIRE(pipe(ready) == 0 && pipe(hold) == 0);
    pid_t caller = fork();
    if (caller == 0) {
        char byte = 0;
        close(hold[1]);
        bool rings = AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0 && AudioSessionLinuxSimulate("interrupt begin") == 0;
        if (write(ready[1], rings ? "y" : "n", 1) != 1) _exit(1);
        (void)!read(hold[0], &byte, 1);
        _exit(0);
    }
    char answer = 0;
    close(ready[1]); /* the read ends when the process ends */
    EXPECT_INTEGER(read(ready[0], &answer, 1), 1);
    EXPECT_INTEGER(answer, 'y');
    WAIT_UNTIL(event_count == 1);
    kill(caller, SIGKILL);
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(type_at[1], kAudioSessionInterruptionType_ShouldResume);
    waitpid(caller, NULL, 0);
}
