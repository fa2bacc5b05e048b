/* SPDX-License-Identifier: Apache-2.0 */
/* Routes, their old names, and their changes. */
#include "corefoundation.h"
#include "properties.h"

#define OVERRIDE(value) EXPECT_OK(set_u32(kAudioSessionProperty_OverrideAudioRoute, (value)))

static void begin(UInt32 category) {
    BEGIN_ON_RUN_LOOP();
    EXPECT_OK(set_category(category));
    EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, record_route, NULL));
}

TEST(constants, "the 24 string constants have their values") {
    char text[TEXT];
    struct {
        CFStringRef constant;
        const char *value;
    } all[] = {
        {kAudioSession_RouteChangeKey_Reason, "OutputDeviceDidChange_Reason"},
        {kAudioSession_AudioRouteChangeKey_PreviousRouteDescription, "ActiveAudioRouteDidChange_OldDetailedRoute"},
        {kAudioSession_AudioRouteChangeKey_CurrentRouteDescription, "ActiveAudioRouteDidChange_NewDetailedRoute"},
        {kAudioSession_AudioRouteKey_Inputs, "RouteDetailedDescription_Inputs"},
        {kAudioSession_AudioRouteKey_Outputs, "RouteDetailedDescription_Outputs"},
        {kAudioSession_AudioRouteKey_Type, "RouteDetailedDescription_PortType"},
        {kAudioSessionInputRoute_LineIn, "LineIn"},
        {kAudioSessionInputRoute_BuiltInMic, "MicrophoneBuiltIn"},
        {kAudioSessionInputRoute_HeadsetMic, "MicrophoneWired"},
        {kAudioSessionInputRoute_BluetoothHFP, "MicrophoneBluetooth"},
        {kAudioSessionInputRoute_USBAudio, "USBInput"},
        {kAudioSessionOutputRoute_LineOut, "LineOut"},
        {kAudioSessionOutputRoute_Headphones, "Headphones"},
        {kAudioSessionOutputRoute_BluetoothHFP, "BluetoothHFPOutput"},
        {kAudioSessionOutputRoute_BluetoothA2DP, "BluetoothA2DPOutput"},
        {kAudioSessionOutputRoute_BuiltInReceiver, "Receiver"},
        {kAudioSessionOutputRoute_BuiltInSpeaker, "Speaker"},
        {kAudioSessionOutputRoute_USBAudio, "USBOutput"},
        {kAudioSessionOutputRoute_HDMI, "HDMIOutput"},
        {kAudioSessionOutputRoute_AirPlay, "AirPlay"},
        {kAudioSession_InputSourceKey_ID, "input source ID"},
        {kAudioSession_InputSourceKey_Description, "input source name"},
        {kAudioSession_OutputDestinationKey_ID, "output destination ID"},
        {kAudioSession_OutputDestinationKey_Description, "output destination name"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) EXPECT_TEXT(text_of(all[i].constant, text), all[i].value);
    EXPECT(CFEqual(kAudioSession_RouteChangeKey_Reason, CFSTR(kAudioSession_AudioRouteChangeKey_Reason)));
    EXPECT_TEXT(kAudioSession_AudioRouteChangeKey_OldRoute, "OutputDeviceDidChange_OldRoute");
}

/* A category, the devices in order of arrival, and the route. */
struct situation {
    UInt32 category;
    const char *plugged;
    const char *ports;
    const char *name;
};

static void plug_all(const char *verb, const char *plugged) {
    char list[TEXT], command[TEXT], *rest = list;
    snprintf(list, sizeof list, "%s", plugged);
    for (char *port = strsep(&rest, " "); port && *port; port = strsep(&rest, " ")) {
        snprintf(command, sizeof command, "%s %s", verb, port);
        SIMULATE(command);
    }
}

static void expect_situations(const struct situation *situations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char category[5];
        int before = failures;
        EXPECT_OK(set_category(situations[i].category));
        plug_all("plug", situations[i].plugged);
        EXPECT_TEXT(current_ports(), situations[i].ports);
        EXPECT_TEXT(current_route(), situations[i].name);
        if (failures != before)
            failed(__FILE__, __LINE__, "with '%s' plugged in '%s'", situations[i].plugged,
                code_text(situations[i].category, category));
        plug_all("unplug", situations[i].plugged);
    }
}

#define AMBI kAudioSessionCategory_AmbientSound
#define SOLO kAudioSessionCategory_SoloAmbientSound
#define MEDI kAudioSessionCategory_MediaPlayback
#define RECA kAudioSessionCategory_RecordAudio
#define PLAR kAudioSessionCategory_PlayAndRecord
#define PROC kAudioSessionCategory_AudioProcessing
#define MULT kAudioSessionLinuxCategory_MultiRoute
#define EXPECT_SITUATIONS(array) expect_situations(array, sizeof array / sizeof array[0])

TEST(playing, "playing: the last attachable output to arrive, else the speaker, with the old name of the route") {
    const struct situation situations[] = {
        {SOLO, "", ">Speaker", "Speaker"},
        {AMBI, "headphones", ">Headphones", "Headphone"},
        {MEDI, "headset", ">Headphones", "Headset"},
        {MEDI, "line-out", ">LineOut", "LineOut"},
        {MEDI, "hdmi", ">HDMIOutput", "HDMIOutput"},
        {MEDI, "usb", ">USBOutput", "USBOutput"},
        {MEDI, "bluetooth-a2dp", ">BluetoothA2DPOutput", "HeadphonesBT"},
        {MEDI, "airplay", ">AirPlay", "AirTunes"},
        {SOLO, "airplay", ">AirPlay", "AirTunes"},
        {MEDI, "bluetooth-hfp", ">Speaker", "Speaker"},
        {MEDI, "line-in", ">Speaker", "Speaker"},
        {MEDI, "headphones hdmi", ">HDMIOutput", "HDMIOutput"},
        {MEDI, "hdmi headphones", ">Headphones", "Headphone"},
        {MEDI, "usb line-out bluetooth-a2dp", ">BluetoothA2DPOutput", "HeadphonesBT"},
        {AMBI, "bluetooth-a2dp usb", ">USBOutput", "USBOutput"},
    };
    begin(SOLO);
    EXPECT_SITUATIONS(situations);
}

TEST(recording, "recording: no outputs; headset, USB, line in, hands-free where enabled, else the microphone") {
    const struct situation situations[] = {
        {RECA, "", "MicrophoneBuiltIn>", "MicrophoneBuiltIn"},
        {RECA, "headset", "MicrophoneWired>", "MicrophoneWired"},
        {RECA, "headphones", "MicrophoneBuiltIn>", "MicrophoneBuiltIn"},
        {RECA, "line-in", "LineIn>", "LineIn"},
        {RECA, "usb", "USBInput>", "USBInput"},
        {RECA, "usb headset", "MicrophoneWired>", "MicrophoneWired"},
        {RECA, "headset usb", "USBInput>", "USBInput"},
        {RECA, "bluetooth-hfp", "MicrophoneBuiltIn>", "MicrophoneBuiltIn"},
        {PROC, "headset usb", ">", ""},
    };
    begin(SOLO);
    EXPECT_SITUATIONS(situations);
    EXPECT_OK(set_category(RECA));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1));
    SIMULATE("plug bluetooth-hfp");
    EXPECT_TEXT(current_ports(), "MicrophoneBluetooth>");
    EXPECT_TEXT(current_route(), "HeadsetBT");
}

TEST(playing_and_recording, "PlayAndRecord: the receiver where nothing is attached; names with the input") {
    const struct situation situations[] = {
        {PLAR, "", "MicrophoneBuiltIn>Receiver", "ReceiverAndMicrophone"},
        {PLAR, "headphones", "MicrophoneBuiltIn>Headphones", "HeadphonesAndMicrophone"},
        {PLAR, "headset", "MicrophoneWired>Headphones", "HeadsetInOut"},
        {PLAR, "line-out", "MicrophoneBuiltIn>LineOut", "LineOut"},
        {PLAR, "line-in line-out", "LineIn>LineOut", "LineInOut"},
        {PLAR, "usb", "USBInput>USBOutput", "USBOutput"},
        {PLAR, "hdmi", "MicrophoneBuiltIn>HDMIOutput", "HDMIOutput"},
        {PLAR, "airplay", "MicrophoneBuiltIn>Receiver", "ReceiverAndMicrophone"},
        {PLAR, "bluetooth-a2dp", "MicrophoneBuiltIn>Receiver", "ReceiverAndMicrophone"},
        {PLAR, "bluetooth-hfp", "MicrophoneBuiltIn>Receiver", "ReceiverAndMicrophone"},
    };
    begin(SOLO);
    EXPECT_SITUATIONS(situations);
}

TEST(speakers, "DefaultToSpeaker and mode VideoChat send PlayAndRecord to the speaker, not past headphones") {
    begin(PLAR);
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1));
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
    EXPECT_TEXT(current_route(), "SpeakerAndMicrophone");
    SIMULATE("plug headphones");
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Headphones");
    SIMULATE("unplug headphones");
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 0));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionLinuxMode_VideoChat));
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
}

TEST(hands_free, "hands-free devices: only with EnableBluetoothInput, and then with precedence over later output-only devices") {
    begin(PLAR);
    SIMULATE("plug bluetooth-hfp");
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Receiver");
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1));
    EXPECT_TEXT(current_ports(), "MicrophoneBluetooth>BluetoothHFPOutput");
    EXPECT_TEXT(current_route(), "HeadsetBT");
    SIMULATE("plug headphones");
    EXPECT_TEXT(current_ports(), "MicrophoneBluetooth>BluetoothHFPOutput");
}

TEST(hands_free_and_later_inputs,
    "a microphone that arrives after the hands-free one replaces it, and the output is no longer hands-free") {
    begin(PLAR);
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1));
    SIMULATE("plug bluetooth-hfp");
    SIMULATE("plug bluetooth-a2dp");
    EXPECT_TEXT(current_ports(), "MicrophoneBluetooth>BluetoothHFPOutput");
    SIMULATE("plug headset");
    EXPECT_TEXT(current_ports(), "MicrophoneWired>Headphones");
    SIMULATE("unplug headset");
    EXPECT_TEXT(current_ports(), "MicrophoneBluetooth>BluetoothHFPOutput");
    /* Hands-free output only with hands-free input. */
    EXPECT_OK(set_category(MEDI));
    EXPECT_TEXT(current_ports(), ">BluetoothA2DPOutput");
    EXPECT_OK(set_category(MULT));
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
}

TEST(every_chat_mode,
    "each chat mode: no line in, line out, HDMI, A2DP or AirPlay; USB, headset and hands-free devices are used") {
    const UInt32 chats[] = {kAudioSessionMode_VoiceChat, kAudioSessionMode_GameChat, kAudioSessionLinuxMode_VideoChat};
    begin(PLAR);
    plug_all("plug", "usb headset bluetooth-hfp line-in line-out hdmi bluetooth-a2dp airplay");
    EXPECT_TEXT(current_ports(), "LineIn>HDMIOutput");
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(set_u32(kAudioSessionProperty_Mode, chats[i]));
        EXPECT_TEXT(current_ports(), "MicrophoneBluetooth>BluetoothHFPOutput");
        EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 0));
        EXPECT_TEXT(current_ports(), "MicrophoneWired>Headphones");
        SIMULATE("unplug headset");
        EXPECT_TEXT(current_ports(), "USBInput>USBOutput");
        SIMULATE("unplug usb");
        EXPECT_TEXT(current_ports(),
            chats[i] == kAudioSessionLinuxMode_VideoChat ? "MicrophoneBuiltIn>Speaker" : "MicrophoneBuiltIn>Receiver");
        plug_all("unplug", "bluetooth-hfp");
        plug_all("plug", "usb headset bluetooth-hfp");
        EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
    }
}

TEST(chat_modes, "the chat modes use only receiver, speaker, headphones, USB and hands-free, and never line in") {
    begin(PLAR);
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat));
    SIMULATE("plug hdmi");
    SIMULATE("plug line-out");
    SIMULATE("plug line-in");
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Receiver");
    SIMULATE("plug usb");
    EXPECT_TEXT(current_ports(), "USBInput>USBOutput");
    SIMULATE("plug headphones");
    EXPECT_TEXT(current_ports(), "USBInput>Headphones");
    SIMULATE("plug bluetooth-hfp");
    EXPECT_TEXT(current_ports(), "MicrophoneBluetooth>BluetoothHFPOutput");
}

TEST(multi_route, "MultiRoute: all attached outputs at once, the speaker only where there is none") {
    begin(MULT);
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
    SIMULATE("plug headphones");
    SIMULATE("plug airplay");
    SIMULATE("plug line-in");
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Headphones");
    SIMULATE("plug hdmi");
    SIMULATE("plug usb");
    EXPECT_TEXT(strchr(current_ports(), '>') ? strtok(strdup(current_ports()), ">") : "", "USBInput");
    EXPECT(
        strstr(current_ports(), "Headphones") && strstr(current_ports(), "HDMIOutput") && strstr(current_ports(), "USBOutput"));
    EXPECT(!strstr(current_ports(), "Speaker") && !strstr(current_ports(), "AirPlay"));
}

TEST(multi_route_in_order,
    "MultiRoute: the last input to arrive of USB and headset; named by its first output; never A2DP or hands-free") {
    begin(MULT);
    EXPECT_TEXT(current_route(), "Speaker");
    plug_all("plug", "bluetooth-a2dp bluetooth-hfp usb headset");
    EXPECT_TEXT(current_ports(), "MicrophoneWired>USBOutput+Headphones");
    EXPECT_TEXT(current_route(), "USBOutput");
    plug_all("unplug", "usb");
    plug_all("plug", "usb line-out");
    EXPECT_TEXT(current_ports(), "USBInput>Headphones+USBOutput+LineOut");
    EXPECT_TEXT(current_route(), "Headset");
    plug_all("unplug", "usb headset line-out");
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
}

TEST(video_chat_stays_loud,
    "in mode VideoChat the output is the speaker also without DefaultToSpeaker, which stays set when the mode ends") {
    begin(PLAR);
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionLinuxMode_VideoChat));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 0));
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Receiver");
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionLinuxMode_VideoChat));
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionMode_Default));
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker), 1);
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
}

TEST(override_to_speaker, "the override sends output to the speaker and takes the built-in microphone, even with a headset") {
    begin(PLAR);
    SIMULATE("plug headset");
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
    OVERRIDE(kAudioSessionOverrideAudioRoute_None);
    EXPECT_TEXT(current_ports(), "MicrophoneWired>Headphones");
}

TEST(override_ends, "the override ends when a device that the category could use arrives or departs; the reason is 1 or 2") {
    begin(PLAR);
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    EXPECT_CHANGE(4, "MicrophoneBuiltIn>Receiver", "MicrophoneBuiltIn>Speaker", "ReceiverAndMicrophone", "SpeakerAndMicrophone");
    SIMULATE("plug headset");
    EXPECT_CHANGE(1, "MicrophoneBuiltIn>Speaker", "MicrophoneWired>Headphones", "SpeakerAndMicrophone", "HeadsetInOut");
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    EXPECT_CHANGE(4, "MicrophoneWired>Headphones", "MicrophoneBuiltIn>Speaker", "HeadsetInOut", "SpeakerAndMicrophone");
    SIMULATE("unplug headset");
    EXPECT_CHANGE(2, "MicrophoneBuiltIn>Speaker", "MicrophoneBuiltIn>Receiver", "SpeakerAndMicrophone", "ReceiverAndMicrophone");
}

TEST(override_stays,
    "the override stays when a device that the category cannot use arrives or departs, and ends with the category") {
    begin(PLAR);
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    plug_all("plug", "airplay bluetooth-a2dp bluetooth-hfp");
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
    plug_all("unplug", "airplay bluetooth-a2dp bluetooth-hfp");
    EXPECT_OK(set_category(PLAR));
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Speaker");
    EXPECT_OK(set_category(MEDI));
    EXPECT_OK(set_category(PLAR));
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Receiver");
}

TEST(override_and_interruption, "an interruption ends the override: the begin first, then the route change with reason 4") {
    begin(PLAR);
    EXPECT_OK(AudioSessionSetActive(1));
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    EXPECT_CHANGE(4, "MicrophoneBuiltIn>Receiver", "MicrophoneBuiltIn>Speaker", "ReceiverAndMicrophone", "SpeakerAndMicrophone");
    int before = event_count;
    SIMULATE("interrupt begin");
    EXPECT_CHANGE(4, "MicrophoneBuiltIn>Speaker", "MicrophoneBuiltIn>Receiver", "SpeakerAndMicrophone", "ReceiverAndMicrophone");
    EXPECT_INTEGER(event_count, before + 2);
    EXPECT_INTEGER(events[before].id, 0);
    EXPECT_INTEGER(events[before].whole, kAudioSessionBeginInterruption);
    EXPECT_INTEGER(events[before + 1].id, kAudioSessionProperty_AudioRouteChange);
}

TEST(override_without_speaker, "without a built-in speaker the override gives 0, and the output is unchanged") {
    begin(PLAR);
    SIMULATE("unplug speaker");
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    EXPECT_TEXT(current_ports(), "MicrophoneBuiltIn>Receiver");
}

TEST(override_without_parts,
    "without a built-in microphone the override keeps the input; without both parts an interruption ends it without a route "
    "change") {
    begin(PLAR);
    SIMULATE("plug headset");
    SIMULATE("unplug microphone");
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    EXPECT_TEXT(current_ports(), "MicrophoneWired>Speaker");
    OVERRIDE(kAudioSessionOverrideAudioRoute_None);
    SIMULATE("unplug speaker");
    DELIVER_ALL_EVENTS();
    delivered_changes = change_count;
    OVERRIDE(kAudioSessionOverrideAudioRoute_Speaker);
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("interrupt begin");
    EXPECT_NO_CHANGE();
    EXPECT_INTEGER(events_of(0), 1);
    SIMULATE("interrupt end");
    OVERRIDE(kAudioSessionOverrideAudioRoute_None);
    EXPECT_NO_CHANGE();
}

TEST(plug_and_unplug, "an arrival has reason 1, a departure reason 2, with both routes and both names") {
    begin(MEDI);
    SIMULATE("plug headphones");
    EXPECT_CHANGE(1, ">Speaker", ">Headphones", "Speaker", "Headphone");
    SIMULATE("plug hdmi");
    EXPECT_CHANGE(1, ">Headphones", ">HDMIOutput", "Headphone", "HDMIOutput");
    SIMULATE("unplug hdmi");
    EXPECT_CHANGE(2, ">HDMIOutput", ">Headphones", "HDMIOutput", "Headphone");
    SIMULATE("unplug headphones");
    EXPECT_CHANGE(2, ">Headphones", ">Speaker", "Headphone", "Speaker");
    EXPECT_TEXT(changes[0].ports_then, ">Headphones");
}

TEST(built_in_parts, "the arrival or departure of a built-in part is one change, or none while a device is attached") {
    begin(PLAR);
    plug_all("plug", "headphones hdmi");
    SIMULATE("unplug microphone");
    DELIVER_ALL_EVENTS();
    delivered_changes = change_count;
    SIMULATE("plug microphone");
    EXPECT_CHANGE(1, ">HDMIOutput", "MicrophoneBuiltIn>HDMIOutput", "HDMIOutput", "HDMIOutput");
    plug_all("unplug", "speaker receiver");
    EXPECT_NO_CHANGE();
    plug_all("plug", "speaker receiver");
    EXPECT_NO_CHANGE();
    SIMULATE("unplug hdmi");
    EXPECT_CHANGE(2, "MicrophoneBuiltIn>HDMIOutput", "MicrophoneBuiltIn>Headphones", "HDMIOutput", "HeadphonesAndMicrophone");
}

TEST(changes_elsewhere, "a device outside the route sends no route event") {
    begin(MEDI);
    SIMULATE("plug line-in");
    EXPECT_NO_CHANGE();
    SIMULATE("unplug microphone");
    EXPECT_NO_CHANGE();
    SIMULATE("unplug receiver");
    EXPECT_NO_CHANGE();
    SIMULATE("plug headphones");
    EXPECT_CHANGE(1, ">Speaker", ">Headphones", "Speaker", "Headphone");
    SIMULATE("unplug speaker");
    EXPECT_NO_CHANGE();
}

TEST(category_changes, "category and mode changes have reason 3, and only when the route differs") {
    begin(SOLO);
    EXPECT_OK(set_category(MEDI));
    EXPECT_NO_CHANGE();
    EXPECT_OK(set_category(PLAR));
    EXPECT_CHANGE(3, ">Speaker", "MicrophoneBuiltIn>Receiver", "Speaker", "ReceiverAndMicrophone");
    EXPECT_OK(set_u32(kAudioSessionProperty_Mode, kAudioSessionLinuxMode_VideoChat));
    EXPECT_CHANGE(3, "MicrophoneBuiltIn>Receiver", "MicrophoneBuiltIn>Speaker", "ReceiverAndMicrophone", "SpeakerAndMicrophone");
    EXPECT_OK(set_category(RECA));
    EXPECT_CHANGE(3, "MicrophoneBuiltIn>Speaker", "MicrophoneBuiltIn>", "SpeakerAndMicrophone", "MicrophoneBuiltIn");
    EXPECT_OK(set_category(PROC));
    EXPECT_CHANGE(3, "MicrophoneBuiltIn>", ">", "MicrophoneBuiltIn", "");
}

TEST(override_changes, "DefaultToSpeaker and EnableBluetoothInput have reason 4") {
    begin(PLAR);
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1));
    EXPECT_CHANGE(4, "MicrophoneBuiltIn>Receiver", "MicrophoneBuiltIn>Speaker", "ReceiverAndMicrophone", "SpeakerAndMicrophone");
    SIMULATE("plug bluetooth-hfp");
    EXPECT_NO_CHANGE();
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1));
    EXPECT_CHANGE(4, "MicrophoneBuiltIn>Speaker", "MicrophoneBluetooth>BluetoothHFPOutput", "SpeakerAndMicrophone", "HeadsetBT");
}

TEST(nothing_suitable, "reason 7: no suitable port is left, or the category has none") {
    begin(MEDI);
    SIMULATE("unplug receiver");
    SIMULATE("unplug speaker");
    EXPECT_CHANGE(7, ">Speaker", ">", "Speaker", "");
    SIMULATE("plug speaker");
    EXPECT_CHANGE(1, ">", ">Speaker", "", "Speaker");
    SIMULATE("unplug microphone");
    EXPECT_NO_CHANGE();
    EXPECT_OK(set_category(RECA));
    EXPECT_CHANGE(7, ">Speaker", ">", "Speaker", "");
}

TEST(recording_without_input,
    "an active session that starts to record without an input stays active, with reason 7; likewise when the last input "
    "departs") {
    begin(MEDI);
    EXPECT_OK(AudioSessionSetActive(1));
    SIMULATE("unplug microphone");
    EXPECT_NO_CHANGE();
    EXPECT_OK(set_category(RECA));
    EXPECT_CHANGE(7, ">Speaker", ">", "Speaker", "");
    SIMULATE("plug microphone");
    EXPECT_CHANGE(1, ">", "MicrophoneBuiltIn>", "", "MicrophoneBuiltIn");
    SIMULATE("unplug microphone");
    EXPECT_CHANGE(7, "MicrophoneBuiltIn>", ">", "MicrophoneBuiltIn", "");
    /* An inactive session would not be interrupted. */
    SIMULATE("interrupt begin");
    WAIT_UNTIL(events_of(0) == 1);
}

TEST(waking, "a wake-up from sleep always has reason 6") {
    begin(MEDI);
    SIMULATE("wake");
    EXPECT_CHANGE(6, ">Speaker", ">Speaker", "Speaker", "Speaker");
    SIMULATE("wake");
    EXPECT_CHANGE(6, ">Speaker", ">Speaker", "Speaker", "Speaker");
    /* Also without a route. */
    EXPECT_OK(set_category(PROC));
    EXPECT_CHANGE(3, ">Speaker", ">", "Speaker", "");
    SIMULATE("wake");
    EXPECT_CHANGE(6, ">", ">", "", "");
}

static SInt32 chosen(AudioSessionPropertyID id) {
    CFNumberRef number = NULL;
    UInt32 size = sizeof number;
    SInt32 value = -1;
    EXPECT_OK(AudioSessionGetProperty(id, &size, &number));
    if (number) {
        EXPECT(CFNumberGetValue(number, kCFNumberSInt32Type, &value));
        CFRelease(number);
    }
    return value;
}

static OSStatus choose(AudioSessionPropertyID id, SInt32 value) {
    CFNumberRef number = CFNumberCreate(NULL, kCFNumberSInt32Type, &value);
    OSStatus status = AudioSessionSetProperty(id, sizeof number, &number);
    CFRelease(number);
    return status;
}

TEST(configuration, "reason 8 only when the selected source of an unchanged route changes") {
    begin(PLAR);
    SIMULATE("plug usb");
    EXPECT_CHANGE(1, "MicrophoneBuiltIn>Receiver", "USBInput>USBOutput", "ReceiverAndMicrophone", "USBOutput");
    SInt32 first = chosen(kAudioSessionProperty_InputSource);
    EXPECT_OK(choose(kAudioSessionProperty_InputSource, first == 1 ? 2 : 1));
    EXPECT_CHANGE(8, "USBInput>USBOutput", "USBInput>USBOutput", "USBOutput", "USBOutput");
    EXPECT_OK(choose(kAudioSessionProperty_InputSource, first == 1 ? 2 : 1));
    EXPECT_NO_CHANGE();
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 0.5f));
    EXPECT_NO_CHANGE();
    first = chosen(kAudioSessionProperty_OutputDestination);
    EXPECT_OK(choose(kAudioSessionProperty_OutputDestination, first == 1 ? 2 : 1));
    EXPECT_CHANGE(8, "USBInput>USBOutput", "USBInput>USBOutput", "USBOutput", "USBOutput");
}

static CFArrayRef copy_sources(AudioSessionPropertyID id) {
    CFArrayRef sources = NULL;
    UInt32 size = sizeof sources;
    EXPECT_OK(AudioSessionGetProperty(id, &size, &sources));
    REQUIRE(sources != NULL && CFGetTypeID(sources) == CFArrayGetTypeID());
    return sources;
}

static void expect_sources(AudioSessionPropertyID list, AudioSessionPropertyID choice, CFStringRef id_key, CFStringRef name_key) {
    CFArrayRef sources = copy_sources(list);
    EXPECT_INTEGER(CFArrayGetCount(sources), 2);
    for (CFIndex i = 0; i < CFArrayGetCount(sources); i++) {
        CFDictionaryRef source = (CFDictionaryRef)CFArrayGetValueAtIndex(sources, i);
        CFNumberRef number = (CFNumberRef)CFDictionaryGetValue(source, id_key);
        CFStringRef name = (CFStringRef)CFDictionaryGetValue(source, name_key);
        SInt32 id = -1;
        REQUIRE(number != NULL && CFNumberGetValue(number, kCFNumberSInt32Type, &id));
        EXPECT(name != NULL && CFGetTypeID(name) == CFStringGetTypeID() && CFStringGetLength(name) > 0);
        EXPECT_OK(choose(choice, id));
        EXPECT_INTEGER(chosen(choice), id);
    }
    CFRelease(sources);
}

TEST(sources, "sources and destinations of a USB device: an array of {ID, Description}, of which one can be selected") {
    begin(PLAR);
    SIMULATE("plug usb");
    expect_sources(kAudioSessionProperty_InputSources, kAudioSessionProperty_InputSource, kAudioSession_InputSourceKey_ID,
        kAudioSession_InputSourceKey_Description);
    expect_sources(kAudioSessionProperty_OutputDestinations, kAudioSessionProperty_OutputDestination,
        kAudioSession_OutputDestinationKey_ID, kAudioSession_OutputDestinationKey_Description);
}

TEST(no_sources, "without a USB device the arrays are empty, and a selection gives 'nohw'") {
    begin(PLAR);
    CFArrayRef sources = copy_sources(kAudioSessionProperty_InputSources);
    EXPECT_INTEGER(CFArrayGetCount(sources), 0);
    CFRelease(sources);
    sources = copy_sources(kAudioSessionProperty_OutputDestinations);
    EXPECT_INTEGER(CFArrayGetCount(sources), 0);
    CFRelease(sources);
    EXPECT_STATUS(choose(kAudioSessionProperty_InputSource, 1), kAudioServicesNoHardwareError);
    EXPECT_STATUS(choose(kAudioSessionProperty_OutputDestination, 1), kAudioServicesNoHardwareError);
    EXPECT_STATUS(get_status(kAudioSessionProperty_InputSource), kAudioServicesNoHardwareError);
    EXPECT_STATUS(get_status(kAudioSessionProperty_OutputDestination), kAudioServicesNoHardwareError);
    /* Before the check of the value. */
    CFTypeRef nothing = NULL;
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_InputSource, 8, &nothing), kAudioServicesNoHardwareError);
    EXPECT_STATUS(choose(kAudioSessionProperty_OutputDestination, 77), kAudioServicesNoHardwareError);
}

TEST(sources_of_the_route, "only a device in the route has sources; a direction that the category does not have has none") {
    begin(MEDI);
    SIMULATE("plug usb");
    CFArrayRef sources = copy_sources(kAudioSessionProperty_InputSources);
    EXPECT_INTEGER(CFArrayGetCount(sources), 0);
    CFRelease(sources);
    sources = copy_sources(kAudioSessionProperty_OutputDestinations);
    EXPECT_INTEGER(CFArrayGetCount(sources), 2);
    CFRelease(sources);
    EXPECT_STATUS(choose(kAudioSessionProperty_InputSource, 1), kAudioServicesNoHardwareError);
    EXPECT_OK(choose(kAudioSessionProperty_OutputDestination, 2));
    SIMULATE("plug headphones");
    EXPECT_STATUS(choose(kAudioSessionProperty_OutputDestination, 1), kAudioServicesNoHardwareError);
}

TEST(bad_sources, "NULL, another type and an unknown ID give 'pty?'") {
    CFTypeRef values[] = {NULL, CFSTR("1"), kCFBooleanTrue};
    begin(PLAR);
    SIMULATE("plug usb");
    for (int i = 0; i < 3; i++) {
        EXPECT_STATUS(
            AudioSessionSetProperty(kAudioSessionProperty_InputSource, 8, &values[i]), kAudioSessionUnsupportedPropertyError);
        EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_OutputDestination, 8, &values[i]),
            kAudioSessionUnsupportedPropertyError);
    }
    EXPECT_STATUS(choose(kAudioSessionProperty_InputSource, 77), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(choose(kAudioSessionProperty_InputSource, -1), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(choose(kAudioSessionProperty_OutputDestination, 77), kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(choose(kAudioSessionProperty_OutputDestination, 0), kAudioSessionUnsupportedPropertyError);
    double fraction = 1.5;
    CFNumberRef number = CFNumberCreate(NULL, kCFNumberDoubleType, &fraction);
    EXPECT_STATUS(AudioSessionSetProperty(kAudioSessionProperty_InputSource, 8, &number), kAudioSessionUnsupportedPropertyError);
    CFRelease(number);
}

TEST(silent_switch, "the silent switch gives the empty route name in categories that obey it, and sends no event") {
    begin(SOLO);
    SIMULATE("silent on");
    EXPECT_NO_CHANGE();
    EXPECT_TEXT(current_route(), "");
    EXPECT_TEXT(current_ports(), ">Speaker");
    EXPECT_OK(set_category(AMBI));
    EXPECT_TEXT(current_route(), "");
    EXPECT_OK(set_category(MEDI));
    EXPECT_TEXT(current_route(), "Speaker");
    EXPECT_OK(set_category(SOLO));
    SIMULATE("plug headphones");
    /* OldRoute and NewRoute name the real route. */
    EXPECT_CHANGE(1, ">Speaker", ">Headphones", "Speaker", "Headphone");
    SIMULATE("silent off");
    EXPECT_NO_CHANGE();
    EXPECT_TEXT(current_route(), "Headphone");
}

TEST(merged_changes, "a merged route change has the first previous and the last current route") {
    begin(MEDI);
    for (int i = 0; i < 200; i++) {
        SIMULATE("plug headphones");
        SIMULATE("plug hdmi");
        SIMULATE("unplug hdmi");
        SIMULATE("unplug headphones");
    }
    SIMULATE("plug usb");
    DELIVER_ALL_EVENTS();
    EXPECT(change_count >= 1 && change_count <= 64);
    EXPECT_TEXT(changes[0].previous, ">Speaker");
    EXPECT_TEXT(changes[change_count - 1].current, ">USBOutput");
    for (int i = 1; i < change_count; i++) EXPECT_TEXT(changes[i].previous, changes[i - 1].current);
    bool has_loss = false;
    for (int i = 0; i < change_count; i++) has_loss = has_loss || changes[i].reason == 2;
    EXPECT(has_loss);
}

TEST(merged_reasons, "a merged route change has the reason of the last one, and says that a device went if any of them did") {
    begin(PLAR);
    for (int i = 0; i < 200; i++) EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, i % 2 == 0));
    SIMULATE("plug headphones");
    DELIVER_ALL_EVENTS();
    EXPECT(change_count >= 1 && change_count <= 64);
    EXPECT_INTEGER(changes[0].reason, kAudioSessionRouteChangeReason_Override);
    EXPECT_INTEGER(changes[change_count - 1].reason, kAudioSessionRouteChangeReason_NewDeviceAvailable);
    for (int i = 0; i < change_count; i++) EXPECT(changes[i].reason != kAudioSessionRouteChangeReason_OldDeviceUnavailable);
    change_count = 0;
    SIMULATE("unplug headphones");
    for (int i = 0; i < 70; i++) EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, i % 2 == 0));
    DELIVER_ALL_EVENTS();
    EXPECT_INTEGER(changes[0].reason, kAudioSessionRouteChangeReason_OldDeviceUnavailable);
    EXPECT_TEXT(changes[0].previous, "MicrophoneBuiltIn>Headphones");
}

TEST(port_details, "each port also says its name, UID and number of channels") {
    begin(MEDI);
    CFDictionaryRef description = NULL;
    UInt32 size = sizeof description;
    char text[TEXT];
    SInt32 channels = 0;
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioRouteDescription, &size, &description));
    CFArrayRef outputs = (CFArrayRef)CFDictionaryGetValue(description, kAudioSession_AudioRouteKey_Outputs);
    CFDictionaryRef port = (CFDictionaryRef)CFArrayGetValueAtIndex(outputs, 0);
    EXPECT(strlen(text_of((CFStringRef)CFDictionaryGetValue(port, CFSTR("RouteDetailedDescription_Name")), text)) > 0);
    EXPECT(strlen(text_of((CFStringRef)CFDictionaryGetValue(port, CFSTR("RouteDetailedDescription_UID")), text)) > 0);
    CFNumberRef number = (CFNumberRef)CFDictionaryGetValue(port, CFSTR("RouteDetailedDescription_NumberOfChannels"));
    EXPECT(number != NULL && CFNumberGetValue(number, kCFNumberSInt32Type, &channels) && channels == 2);
    CFRelease(description);
}

TEST(device_strings, "the Linux device properties are the same names as strings") {
    CFStringRef name = NULL;
    UInt32 size = sizeof name, room;
    char text[TEXT], plain[TEXT];
    begin(PLAR);
    for (int input = 0; input < 2; input++) {
        room = sizeof plain;
        size = sizeof name;
        EXPECT_OK(AudioSessionGetProperty(
            input ? kAudioSessionLinuxProperty_InputDevice : kAudioSessionLinuxProperty_OutputDevice, &size, &name));
        EXPECT_OK(AudioSessionLinuxCopyDeviceName((Boolean)input, plain, &room));
        EXPECT_TEXT(text_of(name, text), plain);
        CFRelease(name);
    }
}
