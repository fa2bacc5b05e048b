/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the Linux header. */
#include "conformance.h"

TEST(status_names, "StatusName gives every result its name and four characters, before initialization too") {
    EXPECT_TEXT(AudioSessionLinuxStatusName(0), "kAudioSessionNoError (0)");
    EXPECT_TEXT(AudioSessionLinuxStatusName(-1), "-1");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionNotInitialized), "kAudioSessionNotInitialized ('!ini')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionAlreadyInitialized), "kAudioSessionAlreadyInitialized ('init')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionInitializationError), "kAudioSessionInitializationError ('ini?')");
    EXPECT_TEXT(
        AudioSessionLinuxStatusName(kAudioSessionUnsupportedPropertyError), "kAudioSessionUnsupportedPropertyError ('pty?')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionBadPropertySizeError), "kAudioSessionBadPropertySizeError ('!siz')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionNotActiveError), "kAudioSessionNotActiveError ('!act')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioServicesNoHardwareError), "kAudioServicesNoHardwareError ('nohw')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionNoCategorySet), "kAudioSessionNoCategorySet ('?cat')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionIncompatibleCategory), "kAudioSessionIncompatibleCategory ('!cat')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionUnspecifiedError), "kAudioSessionUnspecifiedError ('what')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudio_ParamError), "kAudio_ParamError (-50)");
}

TEST(unknown_status_names, "StatusName of any other number is a text, never NULL") {
    const OSStatus numbers[] = {1, -1, INT32_MAX, INT32_MIN, 0x61626364, 0x00010203};
    for (int i = 0; i < 6; i++) {
        const char *name = AudioSessionLinuxStatusName(numbers[i]);
        EXPECT(name != NULL && name[0] != 0 && strlen(name) < 100);
    }
    EXPECT(strstr(AudioSessionLinuxStatusName(0x61626364), "'abcd'") != NULL);
}

static const char *name_elsewhere;

static void *name_another(void *unused) {
    name_elsewhere = AudioSessionLinuxStatusName(0x65666768);
    EXPECT(strstr(name_elsewhere, "'efgh'") != NULL);
    return unused;
}

TEST(status_names_stay,
    "the name of a result is constant; that of another number is valid until the next call on the same thread") {
    pthread_t thread;
    const char *known = AudioSessionLinuxStatusName(kAudioSessionNotInitialized);
    const char *unknown = AudioSessionLinuxStatusName(0x61626364);
    pthread_create(&thread, NULL, name_another, NULL);
    pthread_join(thread, NULL);
    EXPECT(strstr(unknown, "'abcd'") != NULL);
    EXPECT(AudioSessionLinuxStatusName(0x696A6B6C) != NULL);
    EXPECT_TEXT(known, "kAudioSessionNotInitialized ('!ini')");
    EXPECT_TEXT(AudioSessionLinuxStatusName(kAudioSessionNotInitialized), known);
}

TEST(device_names, "CopyDeviceName copies the name of the route's device and returns its size") {
    char name[64];
    UInt32 size = sizeof name;
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    memset(name, 'x', sizeof name);
    EXPECT_OK(AudioSessionLinuxCopyDeviceName(0, name, &size));
    EXPECT_INTEGER(size, strlen(name) + 1);
    EXPECT(size > 1);
    size = sizeof name;
    EXPECT_OK(AudioSessionLinuxCopyDeviceName(1, name, &size));
    EXPECT_INTEGER(size, strlen(name) + 1);
}

TEST(device_name_without_room, "a small buffer gives '!siz' and the required size; the buffer stays unchanged") {
    char name[64], small[64];
    UInt32 needed = sizeof name;
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionLinuxCopyDeviceName(0, name, &needed));
    for (UInt32 room = 0; room < needed; room++) {
        UInt32 size = room;
        memset(small, 'x', sizeof small);
        EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, small, &size), kAudioSessionBadPropertySizeError);
        EXPECT_INTEGER(size, needed);
        for (size_t i = 0; i < sizeof small; i++) EXPECT_INTEGER(small[i], 'x');
    }
    UInt32 exact = needed;
    EXPECT_OK(AudioSessionLinuxCopyDeviceName(0, small, &exact));
    EXPECT_TEXT(small, name);
}

TEST(device_name_without_device, "a direction that the route does not have gives 'nohw'; NULL gives -50") {
    char name[64];
    UInt32 size = sizeof name;
    BEGIN_SESSION();
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(1, name, &size), kAudioServicesNoHardwareError);
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(255, name, &size), kAudioServicesNoHardwareError);
    EXPECT_OK(set_category(kAudioSessionCategory_RecordAudio));
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, name, &size), kAudioServicesNoHardwareError);
    EXPECT_INTEGER(size, sizeof name);
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, NULL, &size), kAudio_ParamError);
    EXPECT_STATUS(AudioSessionLinuxCopyDeviceName(0, name, NULL), kAudio_ParamError);
}

TEST(display_names, "the display name accepts any text, truncated to the size of the record; NULL gives -50") {
    static char endless[100000];
    BEGIN_SESSION();
    memset(endless, 'n', sizeof endless - 1);
    EXPECT_OK(AudioSessionLinuxSetDisplayName("Player"));
    EXPECT_OK(AudioSessionLinuxSetDisplayName(""));
    EXPECT_OK(AudioSessionLinuxSetDisplayName("\xE9\x9F\xB3\xE6\xA5\xBD"));
    EXPECT_OK(AudioSessionLinuxSetDisplayName("\xFF\xFE\x80 not UTF-8"));
    EXPECT_OK(AudioSessionLinuxSetDisplayName(endless));
    EXPECT_STATUS(AudioSessionLinuxSetDisplayName(NULL), kAudio_ParamError);
}

TEST(the_descriptor, "the event descriptor is always the same, and readable exactly while events are pending") {
    struct pollfd waiting;
    BEGIN_SESSION();
    waiting.fd = AudioSessionLinuxEventDescriptor();
    waiting.events = POLLIN;
    EXPECT(waiting.fd >= 0);
    EXPECT_INTEGER(AudioSessionLinuxEventDescriptor(), waiting.fd);
    EXPECT_INTEGER(fcntl(waiting.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EXPECT_INTEGER(poll(&waiting, 1, 0), 0);
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    SIMULATE("volume 0.75");
    EXPECT_INTEGER(poll(&waiting, 1, TIME_LIMIT_MS), 1);
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT_INTEGER(event_count, 1);
    EXPECT_INTEGER(poll(&waiting, 1, 0), 0);
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT_INTEGER(event_count, 1);
}

TEST(taking_it_late, "a descriptor that is requested while events are pending is readable at once") {
    struct pollfd waiting;
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    SIMULATE("volume 0.75");
    waiting.fd = AudioSessionLinuxEventDescriptor();
    waiting.events = POLLIN;
    EXPECT_INTEGER(poll(&waiting, 1, 0), 1);
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT_INTEGER(event_count, 1);
}

TEST(dispatch_alone, "DispatchEvents delivers without the descriptor too") {
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    SIMULATE("volume 0.75");
    EXPECT_OK(AudioSessionLinuxDispatchEvents());
    EXPECT_INTEGER(event_count, 1);
}

TEST(every_command, "Simulate accepts the commands of the command line") {
    const char *commands[] = {"plug headphones", "unplug headphones", "plug headset", "unplug headset", "plug line-out",
        "unplug line-out", "plug line-in", "unplug line-in", "plug hdmi", "unplug hdmi", "plug usb", "unplug usb",
        "plug bluetooth-hfp", "unplug bluetooth-hfp", "plug bluetooth-a2dp", "unplug bluetooth-a2dp", "plug airplay",
        "unplug airplay", "unplug receiver", "plug receiver", "unplug speaker", "plug speaker", "unplug microphone",
        "plug microphone", "volume 0.4", "volume 0", "volume 1", "silent on", "silent off", "lock on", "lock off", "server die",
        "server restart", "wake", "interrupt begin", "interrupt end", "interrupt begin", "interrupt end --should-not-resume",
        "interrupt begin", "interrupt confirm"};
    BEGIN_SESSION();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        OSStatus status = AudioSessionLinuxSimulate(commands[i]);
        if (status != 0) failed(__FILE__, __LINE__, "\"%s\":", commands[i]);
        EXPECT_OK(status);
    }
}

TEST(malformed_commands, "a malformed command gives 'pty?' and changes nothing; NULL gives -50") {
    static char endless[100000];
    const char *commands[] = {"", " ", "plug", "unplug", "plug nothing", "plug headphones now", "PLUG headphones", "headphones",
        "volume", "volume x", "volume -0.1", "volume 1.1", "volume nan", "volume inf", "volume 0.5 0.6", "volume 0x1p-1x",
        "silent", "silent maybe", "lock", "lock 1", "server", "server maybe", "wake up", "interrupt", "interrupt begin now",
        "interrupt end --maybe", "interrupt end --should-not-resume x", "interrupt confirm now", "plug headphones\nplug hdmi",
        "\xFF\xFE", "%s%n%s%n", endless};
    BEGIN_SESSION();
    memset(endless, 'e', sizeof endless - 1);
    Float32 volume = get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        OSStatus status = AudioSessionLinuxSimulate(commands[i]);
        if (status != kAudioSessionUnsupportedPropertyError) failed(__FILE__, __LINE__, "\"%.40s\":", commands[i]);
        EXPECT_STATUS(status, kAudioSessionUnsupportedPropertyError);
    }
    EXPECT_STATUS(AudioSessionLinuxSimulate(NULL), kAudio_ParamError);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), volume);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 2);
}

TEST(real_hardware_refuses, "on real hardware commands that change it give 'pty?'; switches and calls work") {
    setenv("AUDIOSESSION_HARDWARE", "alsa", 1);
    BEGIN_SESSION();
    EXPECT_STATUS(AudioSessionLinuxSimulate("plug headphones"), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionLinuxSimulate("volume 0.5"), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionLinuxSimulate("server die"), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(AudioSessionLinuxSimulate("wake"), kAudioSessionUnsupportedPropertyError);
    EXPECT_OK(AudioSessionLinuxSimulate("silent on"));
    EXPECT_OK(AudioSessionLinuxSimulate("lock on"));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(AudioSessionLinuxSimulate("interrupt begin"));
    WAIT_UNTIL(event_count == 1);
    EXPECT_OK(AudioSessionLinuxSimulate("interrupt end"));
    WAIT_UNTIL(event_count == 2);
}

TEST(the_simulation_file, "the simulated machine is a text file that can be edited") {
    setenv("AUDIOSESSION_SIMULATION", "machine", 1);
    FILE *file = fopen("machine", "w");
    fputs("# two headphones are no headphones\nplug headphones\nvolume 0.3125\n", file);
    fclose(file);
    BEGIN_SESSION();
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 0.3125);
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
    EXPECT(AudioSessionLinuxEventDescriptor() >= 0);
    file = fopen("machine.new", "w");
    fputs("volume 0.625\n", file);
    fclose(file);
    REQUIRE(rename("machine.new", "machine") == 0);
    WAIT_UNTIL(event_count == 1);
    EXPECT_NUMBER(events[0].number, 0.625);
}

TEST(a_malformed_simulation_file,
    "a malformed simulation file: the log names file and line, the last good state stays, and no change overwrites the file") {
    setenv("AUDIOSESSION_SIMULATION", "machine", 1);
    begin_log();
    FILE *file = fopen("machine", "w");
    fputs("volume 0.3125\nplug\n", file);
    fclose(file);
    BEGIN_SESSION();
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 0.5);
    EXPECT(strstr(take_log(), "machine:2:") != NULL);
    EXPECT_STATUS(AudioSessionLinuxSimulate("volume 0.75"), kAudioSessionUnspecifiedError);
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 0.5);
    REQUIRE(truncate("machine", sizeof "volume 0.3125\n" - 1) == 0);
    SIMULATE("plug headphones");
    EXPECT_NUMBER(get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume), 0.3125);
}
