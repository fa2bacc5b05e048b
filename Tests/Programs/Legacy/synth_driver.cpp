/* SPDX-License-Identifier: Apache-2.0 */
#include "synth_driver.hpp"
#include <cstdio>
#include <cstring>

#ifndef TARGET_OS_IPHONE
#error no TargetConditionals
#endif

static const char *kReasons[8] = {"Unknown",  "NewDeviceAvailable", "OldDeviceUnavailable", "CategoryChange",
                                  "Override", "(reserved)",         "WakeFromSleep",        "NoSuitableRouteForCategory"};

CoreAudioDriver::CoreAudioDriver(DriverListener *listener) : m_listener(listener), m_granted(0), m_open(false), m_ignoreRoute(false),
    m_unit(NULL), m_useInput(false), m_frames(0), m_badSlices(0)
{
    // No interruption listener: the synthesizer runs in the foreground only. Every driver object initializes the
    // session; the second one ignores the error.
    OSStatus status = AudioSessionInitialize(NULL, NULL, NULL, this);
    if (status != noErr && status != kAudioSessionAlreadyInitialized) complain("initialize", status);
}

CoreAudioDriver::~CoreAudioDriver()
{
    close();
}

void CoreAudioDriver::complain(const char *where, OSStatus status)
{
    if (status == 0) return;
    char code[5] = {(char)(status >> 24), (char)(status >> 16), (char)(status >> 8), (char)status, 0};
    std::printf("# CoreAudioDriver: %s: '%s'\n", where, code);
    m_errors.push_back(status);
}

bool CoreAudioDriver::open(double latency, bool allowMixing, bool useInput)
{
    OSStatus status = AudioSessionSetActive(TRUE);
    complain("setActive", status);

    UInt32 category = useInput ? (UInt32)kAudioSessionCategory_PlayAndRecord : (UInt32)kAudioSessionCategory_LiveAudio;
    // The category is passed as the property. The call fails and is logged.
    complain("category", AudioSessionSetProperty(category, sizeof(category), &category));
    status = AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(category), &category);
    complain("category", status);

    // A UInt32 on a 32-bit phone.
    unsigned long mix = allowMixing;
    complain("mixing", AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof(mix), &mix));
    if (allowMixing) {
        UInt32 really = 0xFFFFFFFF;
        AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof really, &really);
    }

    Float32 preferred = latency, readBack = 0, granted = 0;
    UInt32 size = sizeof(Float32);
    AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof(preferred), &preferred);
    AudioSessionGetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, &size, &readBack);
    if (readBack != preferred) return false;
    status = AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareIOBufferDuration, &size, &granted);
    complain("duration", status);
    m_granted = granted;

    // Registered at each opening of each driver; the engine opens twice at its start.
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, propertyCallback, this);
    AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, propertyCallback, this);
    AudioSessionAddPropertyListener(kAudioSessionProperty_PreferredHardwareSampleRate, propertyCallback, this);
    // The engine computes blocks of one size.
    m_frames = (UInt32)(readBack * 44100.0 + 0.5);
    m_open = true;
    return openUnit(useInput);
}

bool CoreAudioDriver::openUnit(bool useInput)
{
    // The engine opens twice at its start, and starts the unit twice.
    if (m_unit == NULL) {
        AudioComponentDescription description; // the flags stay as they are
        description.componentType = kAudioUnitType_Output;
        description.componentSubType = kAudioUnitSubType_RemoteIO;
        description.componentManufacturer = kAudioUnitManufacturer_Apple;
        AudioComponent component = AudioComponentFindNext(NULL, &description);
        if (component == NULL) return false;
        complain("new", AudioComponentInstanceNew(component, &m_unit));

        UInt32 on = 1;
        if (useInput)
            complain("input", AudioUnitSetProperty(m_unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, sizeof(on)));
        m_useInput = useInput;
        complain("initialize", AudioUnitInitialize(m_unit));

        // Fixed point with 24 bits after the point, one buffer for each channel; with an input 16 bits for both sides.
        AudioStreamBasicDescription format;
        memset(&format, 0, sizeof(format));
        format.mSampleRate = 44100.0;
        format.mFormatID = kAudioFormatLinearPCM;
        format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked |
                              kAudioFormatFlagIsNonInterleaved;
        if (!useInput) format.mFormatFlags |= 24 << kLinearPCMFormatFlagsSampleFractionShift;
        format.mBytesPerPacket = format.mBytesPerFrame = useInput ? sizeof(SInt16) : sizeof(SInt32);
        format.mBitsPerChannel = 8 * format.mBytesPerFrame;
        format.mFramesPerPacket = 1;
        format.mChannelsPerFrame = 2;
        complain("format", AudioUnitSetProperty(m_unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof(format)));
        if (useInput)
            complain("input format",
                     AudioUnitSetProperty(m_unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof(format)));

        AURenderCallbackStruct callback = {&CoreAudioDriver::render, this};
        complain("callback", AudioUnitSetProperty(m_unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global, 0, &callback,
                                                  sizeof(callback)));
    }
    OSStatus status = AudioOutputUnitStart(m_unit);
    complain("start", status);
    return status == noErr;
}

void CoreAudioDriver::close()
{
    if (!m_open) return;
    // Deactivated while the unit runs; the result is ignored.
    AudioSessionSetActive(FALSE);
    // Uninitialized before it is stopped.
    AudioUnitUninitialize(m_unit);
    AudioOutputUnitStop(m_unit);
    AudioComponentInstanceDispose(m_unit);
    m_unit = NULL;
    AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, propertyCallback, this);
    AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, propertyCallback, this);
    AudioSessionRemovePropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume);
    m_open = false;
}

void CoreAudioDriver::setLowLatency(bool low)
{
    // Measurement has no processing. The mode changes only while inactive: deactivate and activate.
    UInt32 mode = low ? kAudioSessionMode_Measurement : kAudioSessionMode_Default;
    m_ignoreRoute = true;
    AudioSessionSetActive(FALSE);
    UInt32 off = 0;
    AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, sizeof(off), &off);
    complain("mode", AudioSessionSetProperty(kAudioSessionProperty_Mode, sizeof(mode), &mode));
    complain("setActive", AudioSessionSetActive(TRUE));
    m_ignoreRoute = false;
}

bool CoreAudioDriver::mixes() const
{
    UInt32 size = sizeof(size);
    // The value overwrites its size.
    return AudioSessionGetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, &size, &size) == noErr && size == 1;
}

CGFloat CoreAudioDriver::volume() const
{
    // A buffer of 8 bytes for a value of 4, read through a union that the port added.
    union { CGFloat wide; Float32 narrow; } volume;
    UInt32 size = sizeof(CGFloat);
    volume.wide = 0;
    if (AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputVolume, &size, &volume.wide) != noErr) return -1;
    return size == sizeof(Float32) ? volume.narrow : volume.wide;
}

std::string CoreAudioDriver::portsOf(CFDictionaryRef route, CFStringRef direction)
{
    std::string result;
    CFArrayRef ports = (CFArrayRef)CFDictionaryGetValue(route, direction);
    for (CFIndex i = 0; i < CFArrayGetCount(ports); i++) {
        CFDictionaryRef port = (CFDictionaryRef)CFArrayGetValueAtIndex(ports, i);
        CFStringRef type = (CFStringRef)CFDictionaryGetValue(port, kAudioSession_AudioRouteKey_Type);
        char buffer[64];
        if (CFStringCompare(type, kAudioSessionOutputRoute_BuiltInSpeaker, kCFCompareCaseInsensitive) == kCFCompareEqualTo)
            strcpy(buffer, "(built in)");
        else
            CFStringGetCString(type, buffer, sizeof(buffer), kCFStringEncodingUTF8);
        result += (result.empty() ? "" : ", ") + std::string(buffer);
    }
    return result;
}

std::string CoreAudioDriver::outputs() const
{
    CFDictionaryRef description = NULL;
    UInt32 size = 0;
    if (AudioSessionGetPropertySize(kAudioSessionProperty_AudioRouteDescription, &size) != noErr || size != sizeof(description)) return "?";
    if (AudioSessionGetProperty(kAudioSessionProperty_AudioRouteDescription, &size, (void *)&description) != noErr) return "?";
    std::string result = portsOf(description, kAudioSession_AudioRouteKey_Outputs);
    CFRelease(description);
    return result;
}

void CoreAudioDriver::propertyCallback(void *inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData)
{
    CoreAudioDriver *driver = (CoreAudioDriver *)inClientData;
    if (inID == kAudioSessionProperty_CurrentHardwareOutputVolume && inDataSize == 4) {
        driver->m_listener->volumeChanged(*(Float32 *)inData);
        return;
    }
    if (inID != kAudioSessionProperty_AudioRouteChange || driver->m_ignoreRoute) return;
    CFDictionaryRef change = (CFDictionaryRef)inData;
    CFNumberRef reasonRef = (CFNumberRef)CFDictionaryGetValue(change, kAudioSession_RouteChangeKey_Reason);
    SInt32 reason;
    CFNumberGetValue(reasonRef, kCFNumberSInt32Type, &reason);
    CFDictionaryRef now = (CFDictionaryRef)CFDictionaryGetValue(change, kAudioSession_AudioRouteChangeKey_CurrentRouteDescription);
    driver->m_listener->routeChanged(kReasons[reason], portsOf(now, kAudioSession_AudioRouteKey_Outputs));
}

OSStatus CoreAudioDriver::render(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
                                 UInt32, UInt32 inNumberFrames, AudioBufferList *ioData)
{
    CoreAudioDriver *driver = (CoreAudioDriver *)inRefCon;
    // The period may change at any time: read it in every cycle.
    Float32 duration;
    UInt32 size = sizeof(duration);
    AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareIOBufferDuration, &size, &duration);
    if (inNumberFrames != driver->m_frames) driver->m_badSlices++;
    OSStatus status = noErr;
    if (driver->m_useInput) {
        // In place: the input of this cycle is its output.
        status = AudioUnitRender(driver->m_unit, ioActionFlags, inTimeStamp, 1, inNumberFrames, ioData);
        if (status != noErr) driver->m_badSlices++;
    } else {
        for (UInt32 channel = 0; channel < ioData->mNumberBuffers; channel++) {
            SInt32 *samples = (SInt32 *)ioData->mBuffers[channel].mData;
            for (UInt32 i = 0; i < inNumberFrames; i++) samples[i] = (SInt32)(i % 64) << 17; // up to a half
        }
    }
    return status;
}
