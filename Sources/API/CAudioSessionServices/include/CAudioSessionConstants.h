/* SPDX-License-Identifier: Apache-2.0 */
/* The constant strings that no public header declares, and the function that completes all constant strings. */
#ifndef CAUDIOSESSIONCONSTANTS_H
#define CAUDIOSESSIONCONSTANTS_H

#include <stdbool.h>

/* One entry per line. */
/* clang-format off */
#define AUDIO_SESSION_PRIVATE_STRINGS(string) \
    /* keys of the route change dictionary */ \
    string(audio_session_key_old_route, "OutputDeviceDidChange_OldRoute") \
    string(audio_session_key_new_route, "OutputDeviceDidChange_NewRoute") \
    /* keys of a port, in addition to the public key */ \
    string(audio_session_key_port_name, "RouteDetailedDescription_Name") \
    string(audio_session_key_port_uid, "RouteDetailedDescription_UID") \
    string(audio_session_key_port_channels, "RouteDetailedDescription_NumberOfChannels") \
    /* names of routes, from before there were route descriptions */ \
    string(audio_session_route_none, "") \
    string(audio_session_route_speaker, "Speaker") \
    string(audio_session_route_speaker_and_microphone, "SpeakerAndMicrophone") \
    string(audio_session_route_receiver, "Receiver") \
    string(audio_session_route_receiver_and_microphone, "ReceiverAndMicrophone") \
    string(audio_session_route_headphone, "Headphone") \
    string(audio_session_route_headphones_and_microphone, "HeadphonesAndMicrophone") \
    string(audio_session_route_headset, "Headset") \
    string(audio_session_route_headset_in_out, "HeadsetInOut") \
    string(audio_session_route_line_out, "LineOut") \
    string(audio_session_route_line_in_out, "LineInOut") \
    string(audio_session_route_headset_bluetooth, "HeadsetBT") \
    string(audio_session_route_headphones_bluetooth, "HeadphonesBT") \
    string(audio_session_route_hdmi_output, "HDMIOutput") \
    string(audio_session_route_air_tunes, "AirTunes") \
    string(audio_session_route_usb_output, "USBOutput") \
    string(audio_session_route_microphone_built_in, "MicrophoneBuiltIn") \
    string(audio_session_route_microphone_wired, "MicrophoneWired") \
    string(audio_session_route_line_in, "LineIn") \
    string(audio_session_route_usb_input, "USBInput")
/* clang-format on */

#define AUDIO_SESSION_DECLARE(name, text) extern const void *const name;
AUDIO_SESSION_PRIVATE_STRINGS(AUDIO_SESSION_DECLARE)
#undef AUDIO_SESSION_DECLARE

/* Sets the class of the constant strings after CoreFoundation has been loaded. In a program that links CoreFoundation, the linker
   has set it. NULL has no effect. False while the strings have no class: CoreFoundation would call through it and must not
   receive the strings. */
bool audio_session_complete_constants(const void *constant_string_class);

#endif
