/* SPDX-License-Identifier: Apache-2.0 */
/* The constant CFStrings as data: initialized before main, immortal, never allocated. They are not made by CFSTR, because it is
   an expression, and because its class would have to be linked. */
#include "CAudioSessionConstants.h"

#include <stddef.h>
#include <stdint.h>

/* The layout of the objects that CFSTR makes, as in the toolchain's CFString.h. */
struct constant_string {
    const void *class_;
    uint64_t reference_count;
    uint64_t info;
    const char *text;
    uint32_t length;
};
#define IMMORTAL UINT64_C(0x80000004ffffffff) /* as Swift marks what is never freed */
enum { IS_CONSTANT_ASCII = 0x07C8 };

/* Weak: NULL in a program that does not link CoreFoundation. */
extern const char constant_string_class[] __asm__("$s10Foundation19_NSCFConstantStringCN") __attribute__((weak));

/* Exported under the names of the legacy header. */
/* clang-format off */
#define PUBLIC_STRINGS(string) \
    string(kAudioSession_RouteChangeKey_Reason, "OutputDeviceDidChange_Reason") \
    string(kAudioSession_AudioRouteChangeKey_PreviousRouteDescription, "ActiveAudioRouteDidChange_OldDetailedRoute") \
    string(kAudioSession_AudioRouteChangeKey_CurrentRouteDescription, "ActiveAudioRouteDidChange_NewDetailedRoute") \
    string(kAudioSession_AudioRouteKey_Inputs, "RouteDetailedDescription_Inputs") \
    string(kAudioSession_AudioRouteKey_Outputs, "RouteDetailedDescription_Outputs") \
    string(kAudioSession_AudioRouteKey_Type, "RouteDetailedDescription_PortType") \
    string(kAudioSessionInputRoute_LineIn, "LineIn") \
    string(kAudioSessionInputRoute_BuiltInMic, "MicrophoneBuiltIn") \
    string(kAudioSessionInputRoute_HeadsetMic, "MicrophoneWired") \
    string(kAudioSessionInputRoute_BluetoothHFP, "MicrophoneBluetooth") \
    string(kAudioSessionInputRoute_USBAudio, "USBInput") \
    string(kAudioSessionOutputRoute_LineOut, "LineOut") \
    string(kAudioSessionOutputRoute_Headphones, "Headphones") \
    string(kAudioSessionOutputRoute_BluetoothHFP, "BluetoothHFPOutput") \
    string(kAudioSessionOutputRoute_BluetoothA2DP, "BluetoothA2DPOutput") \
    string(kAudioSessionOutputRoute_BuiltInReceiver, "Receiver") \
    string(kAudioSessionOutputRoute_BuiltInSpeaker, "Speaker") \
    string(kAudioSessionOutputRoute_USBAudio, "USBOutput") \
    string(kAudioSessionOutputRoute_HDMI, "HDMIOutput") \
    string(kAudioSessionOutputRoute_AirPlay, "AirPlay") \
    string(kAudioSession_InputSourceKey_ID, "input source ID") \
    string(kAudioSession_InputSourceKey_Description, "input source name") \
    string(kAudioSession_OutputDestinationKey_ID, "output destination ID") \
    string(kAudioSession_OutputDestinationKey_Description, "output destination name")
/* clang-format on */

/* Writable, because the class is filled in later if CoreFoundation is not linked. */
#define MAKE(name, text) \
    static struct constant_string name##_string = {constant_string_class, IMMORTAL, IS_CONSTANT_ASCII, text, sizeof(text) - 1}; \
    const void *const name = &name##_string;
PUBLIC_STRINGS(MAKE)
AUDIO_SESSION_PRIVATE_STRINGS(MAKE)

static struct constant_string *const strings[] = {
#define ADDRESS(name, text) &name##_string,
    PUBLIC_STRINGS(ADDRESS) AUDIO_SESSION_PRIVATE_STRINGS(ADDRESS)};

bool audio_session_complete_constants(const void *class_) {
    if (!class_) return constant_string_class != NULL;
    for (unsigned i = 0; i < sizeof strings / sizeof *strings; i++)
        if (!strings[i]->class_) __atomic_store_n(&strings[i]->class_, class_, __ATOMIC_RELEASE);
    return true;
}
