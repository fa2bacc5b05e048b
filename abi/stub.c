/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of the headers, defined: what the compiler records of this is the binary interface,
   of which a library written in Swift has no record. */
#include <AudioToolbox/AudioSessionLinux.h>
#include <AudioToolbox/AudioToolbox.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

OSStatus AudioSessionInitialize(CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode,
    AudioSessionInterruptionListener inInterruptionListener, void *inClientData) {
    return 0;
}
OSStatus AudioSessionSetActive(Boolean active) { return 0; }
OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 inFlags) { return 0; }
OSStatus AudioSessionGetProperty(AudioSessionPropertyID inID, UInt32 *ioDataSize, void *outData) { return 0; }
OSStatus AudioSessionSetProperty(AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData) { return 0; }
OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID inID, UInt32 *outDataSize) { return 0; }
OSStatus AudioSessionAddPropertyListener(AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData) {
    return 0;
}
OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID inID) { return 0; }
OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData) {
    return 0;
}
int AudioSessionLinuxEventDescriptor(void) { return 0; }
OSStatus AudioSessionLinuxDispatchEvents(void) { return 0; }
OSStatus AudioSessionLinuxCopyDeviceName(Boolean input, char *buffer, UInt32 *ioSize) { return 0; }
const char *AudioSessionLinuxStatusName(OSStatus status) { return 0; }
OSStatus AudioSessionLinuxSetDisplayName(const char *utf8) { return 0; }
OSStatus AudioSessionLinuxSimulate(const char *command) { return 0; }
