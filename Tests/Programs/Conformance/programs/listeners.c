/* SPDX-License-Identifier: Apache-2.0 */
/* Listeners of a program without a run loop: their calls, payloads and order. */
#include "conformance.h"
#include "properties.h"

#define VOLUME kAudioSessionProperty_CurrentHardwareOutputVolume
#define ROUTE kAudioSessionProperty_AudioRouteChange

static int one, two;

TEST(a_scalar_payload, "the payload of a number is the address of the value; its size is that of the property") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count > 0);
    EXPECT_INTEGER(event_count, 1);
    EXPECT_INTEGER(events[0].id, VOLUME);
    EXPECT_INTEGER(events[0].size, 4);
    EXPECT(events[0].payload != NULL);
    EXPECT_NUMBER(events[0].number, 0.75);
    EXPECT(events[0].client_data == &one);
}

TEST(nothing_without_a_change, "a call that changes no value sends no event") {
    BEGIN_SESSION();
    SIMULATE("volume 0.75");
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_event, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, record_event, NULL));
    SIMULATE("volume 0.75");
    SIMULATE("plug speaker");
    SIMULATE("unplug headphones");
    EXPECT_OK(set_category(kAudioSessionCategory_SoloAmbientSound));
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioSessionRemovePropertyListener(VOLUME));
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 0);
}

TEST(events_before_a_listener, "a listener receives no event from before its addition") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    SIMULATE("volume 0.75");
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &two));
    WAIT_UNTIL(event_count > 0);
    DELIVER_ALL_EVENTS();
    for (int i = 0; i < event_count; i++)
        if (events[i].number == 0.75) EXPECT(events[i].client_data == &one);
}

TEST(volume_of_the_route, "the volume's listener is called when the route changes to another volume") {
    BEGIN_SESSION();
    SIMULATE("volume 0.25");
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_event, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    SIMULATE("plug hdmi");
    WAIT_UNTIL(event_count == 2);
    EXPECT_INTEGER(events[0].id, ROUTE);
    EXPECT_INTEGER(events[1].id, VOLUME);
    EXPECT_NUMBER(events[1].number, 1);
    SIMULATE("unplug hdmi");
    WAIT_UNTIL(event_count == 4);
    EXPECT_NUMBER(events[3].number, 0.25);
}

TEST(own_sets, "listeners are also called for the program's own sets") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_InputGainScalar, record_event, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, record_event, NULL));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 0.125f));
    WAIT_UNTIL(events_of(kAudioSessionProperty_InputGainScalar) == 1);
    EXPECT_NUMBER(events[0].number, 0.125);
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1));
    WAIT_UNTIL(events_of(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == 1);
    EXPECT_INTEGER(last_event(kAudioSessionProperty_CurrentHardwareOutputNumberChannels)->whole, 2);
}

TEST(input_channels_without_input, "input channels: the payload is 0 in a category without input") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareInputNumberChannels, record_event, NULL));
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    WAIT_UNTIL(event_count > 0);
    EXPECT_INTEGER(events[0].size, 4);
    EXPECT_INTEGER(events[0].whole, 0);
}

static int position(AudioSessionPropertyID id) {
    if (id == ROUTE) return -1;
    for (int i = 0; i < PROPERTY_COUNT; i++)
        if (properties[i].id == id) return i;
    return PROPERTY_COUNT;
}

TEST(order_of_one_plug, "one plug brings the route change first, then the other properties in the header's order") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    for (int i = PROPERTY_COUNT - 1; i >= 0; i--)
        if (allows(&properties[i], 'L')) EXPECT_OK(AudioSessionAddPropertyListener(properties[i].id, record_event, NULL));
    SIMULATE("plug usb");
    WAIT_UNTIL(events_of(kAudioSessionProperty_OutputDestinations) == 1);
    EXPECT_INTEGER(events[0].id, ROUTE);
    for (int i = 1; i < event_count; i++) EXPECT(position(events[i - 1].id) < position(events[i].id));
    EXPECT_INTEGER(events_of(kAudioSessionProperty_CurrentHardwareInputNumberChannels), 1);
    EXPECT_INTEGER(events_of(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 1);
    EXPECT_INTEGER(events_of(kAudioSessionProperty_InputSources), 1);
}

static UInt32 channels_seen, inputs_seen;

static void look_around(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    record_event(data, id, size, value);
    channels_seen = get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels);
    inputs_seen = get_u32(kAudioSessionProperty_CurrentHardwareInputNumberChannels);
}

TEST(gets_show_the_new_state, "every get inside the listener returns the new state") {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, look_around, NULL));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 1);
    SIMULATE("plug usb");
    WAIT_UNTIL(event_count == 1);
    EXPECT_INTEGER(channels_seen, 2);
    EXPECT_INTEGER(inputs_seen, 2);
}

TEST(gets_show_at_once, "the next get returns the change of a call, before any listener is called") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    for (int i = 1; i <= 100; i++) {
        char command[32];
        snprintf(command, sizeof command, "volume %.2f", i / 100.0);
        SIMULATE(command);
        EXPECT(fabs(get_f32(VOLUME) - i / 100.0) < 1e-6);
    }
    EXPECT_INTEGER(event_count, 0);
}

static int other_calls;
static void *other_data;

static void count_other(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    (void)id, (void)size, (void)value;
    other_calls++;
    other_data = data;
}

TEST(one_listener_per_pair, "each pair of property and client data has one listener: a second addition replaces the procedure") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, count_other, &one));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(other_calls > 0);
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 0);
    EXPECT(other_data == &one);
}

TEST(added_again_while_events_wait, "a listener that is added again receives the pending events, with its new procedure") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    SIMULATE("volume 0.75");
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, count_other, &one));
    WAIT_UNTIL(other_calls > 0);
    EXPECT_INTEGER(other_calls, 1);
    EXPECT_INTEGER(event_count, 0);
}

TEST(pairs_are_distinct, "other client data is another listener; both are called, in the order of their addition") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &two));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count == 3);
    EXPECT(events[0].client_data == &two);
    EXPECT(events[1].client_data == &one);
    EXPECT(events[2].client_data == NULL);
}

TEST(remove_all, "RemovePropertyListener removes all listeners of that property, and of no other") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &two));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, record_event, &one));
    EXPECT_OK(AudioSessionRemovePropertyListener(VOLUME));
    SIMULATE("volume 0.75");
    SIMULATE("unplug microphone");
    WAIT_UNTIL(event_count > 0);
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
    EXPECT_INTEGER(events[0].id, kAudioSessionProperty_AudioInputAvailable);
    EXPECT_INTEGER(events[0].whole, 0);
}

TEST(remove_one, "RemovePropertyListenerWithUserData removes exactly the listener named by property, procedure and data") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &one));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, &two));
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(VOLUME, count_other, &one));
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(VOLUME, record_event, NULL));
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioInputAvailable, record_event, &two));
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(VOLUME, record_event, &two));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count > 0);
    DELIVER_ALL_EVENTS();
    for (int i = 0; i < event_count; i++) EXPECT(events[i].client_data == &one);
}

TEST(removed_while_pending, "a listener that is removed while its event is pending is not called") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    SIMULATE("volume 0.75");
    EXPECT_OK(AudioSessionRemovePropertyListener(VOLUME));
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 0);
}

static void remove_myself(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    record_event(data, id, size, value);
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(id, remove_myself, data));
}

TEST(removing_itself, "a listener may remove itself") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, remove_myself, &one));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count == 1);
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
}

static void remove_everybody(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    record_event(data, id, size, value);
    EXPECT_OK(AudioSessionRemovePropertyListener(id));
}

TEST(removing_the_next, "a listener that another one removes is not called, even for the same event") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, remove_everybody, &one));
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, remove_everybody, &two));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count == 1);
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(event_count, 1);
    EXPECT(events[0].client_data == &one);
}

static void call_everything(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    UInt32 number, room;
    Float32 gain = 0.5f;
    record_event(data, id, size, value);
    if (event_count > 3) return;
    EXPECT_STATUS(AudioSessionInitialize(NULL, NULL, NULL, NULL), kAudioSessionAlreadyInitialized);
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionSetActiveWithFlags(0, 1));
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        unsigned char bytes[8];
        room = sizeof bytes;
        (void)AudioSessionGetProperty(properties[i].id, &room, bytes);
        EXPECT_OK(AudioSessionGetPropertySize(properties[i].id, &number));
    }
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, sizeof gain, &gain));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, count_other, &two));
    EXPECT_OK(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioInputAvailable, count_other, &two));
    EXPECT_OK(AudioSessionRemovePropertyListener(kAudioSessionProperty_InputSources));
    SIMULATE("plug usb");
    SIMULATE("unplug usb");
    EXPECT_OK(AudioSessionLinuxSetDisplayName("inside"));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
}

TEST(everything_inside_a_listener, "every function may be called from inside a listener") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, call_everything, NULL));
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, call_everything, NULL));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count > 3);
}

static void interrupted_inside(void *data, UInt32 state) {
    record_interruption(data, state);
    call_everything(data, 0, 0, NULL);
}

TEST(everything_inside_the_interruption_listener, "every function may be called from inside the interruption listener") {
    EXPECT_OK(AudioSessionInitialize(NULL, NULL, interrupted_inside, NULL));
    EXPECT_OK(set_category(kAudioSessionCategory_AmbientSound));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_event, NULL));
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    /* The listener activated the session: that ends the interruption, and no end follows. */
    WAIT_UNTIL(events_of(ROUTE) > 0);
}

TEST(changes_merge, "undelivered changes of one property merge into the latest") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    for (int i = 1; i <= 1000; i++) {
        char command[32];
        snprintf(command, sizeof command, "volume %.3f", i / 1000.0);
        SIMULATE(command);
    }
    WAIT_UNTIL(event_count > 0);
    EXPECT_INTEGER(event_count, 1);
    EXPECT_NUMBER(events[0].number, 1);
}

TEST(route_changes_are_bounded, "beyond 64 pending events route changes merge into one: a thousand leave at most 64") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_event, NULL));
    for (int i = 0; i < 500; i++) {
        SIMULATE("plug headphones");
        SIMULATE("unplug headphones");
    }
    DELIVER_ALL_EVENTS();
    EXPECT(events_of(ROUTE) >= 1 && events_of(ROUTE) <= 64);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock_and_record(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    pthread_mutex_lock(&mutex);
    record_event(data, id, size, value);
    (void)get_status(VOLUME);
    pthread_mutex_unlock(&mutex);
}

static void *set_under_lock(void *unused) {
    (void)unused;
    for (int i = 0; i < 200; i++) {
        char command[32];
        snprintf(command, sizeof command, "volume %.3f", i / 1000.0);
        pthread_mutex_lock(&mutex);
        (void)AudioSessionLinuxSimulate(command);
        (void)set_category(i % 2 ? kAudioSessionCategory_MediaPlayback : kAudioSessionCategory_PlayAndRecord);
        (void)get_status(kAudioSessionProperty_AudioCategory);
        pthread_mutex_unlock(&mutex);
    }
    (void)AudioSessionLinuxSimulate("volume 1");
    return NULL;
}

TEST(a_mutex_of_the_program, "a program may call with a mutex held that its listener locks as well") {
    pthread_t setter;
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, lock_and_record, NULL));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    pthread_create(&setter, NULL, set_under_lock, NULL);
    WAIT_UNTIL(event_count > 0 && events[event_count - 1].number == 1);
    pthread_join(setter, NULL);
}

static pthread_t calling_thread;

static void record_thread(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
    calling_thread = pthread_self();
    record_event(data, id, size, value);
}

TEST(the_calling_thread, "listeners are called on the thread that dispatches, and on no other") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_thread, NULL));
    SIMULATE("volume 0.75");
    WAIT_UNTIL(event_count == 1);
    EXPECT(pthread_equal(calling_thread, pthread_self()));
}

TEST(events_of_inactive_sessions, "inactive and interrupted sessions get route and property events too") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(ROUTE, record_event, NULL));
    SIMULATE("plug headphones");
    WAIT_UNTIL(events_of(ROUTE) == 1);
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    SIMULATE("unplug headphones");
    WAIT_UNTIL(events_of(ROUTE) == 2);
    EXPECT_INTEGER(events_of(0), 1);
}

TEST(another_process_plugs, "a change of the shared machine by another process is delivered") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(VOLUME, record_event, NULL));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    if (fork() == 0) {
        bool done = AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0 && AudioSessionLinuxSimulate("volume 0.3125") == 0;
        _exit(done ? 0 : 1);
    }
    int status = -1;
    wait(&status);
    EXPECT_INTEGER(status, 0);
    WAIT_UNTIL(event_count == 1);
    EXPECT_NUMBER(events[0].number, 0.3125);
}
