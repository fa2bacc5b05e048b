/* SPDX-License-Identifier: Apache-2.0 */
// In the style of the synthesizers: a driver class in C++98, one of several audio drivers, with C casts, static members
// as callbacks, and numbers of any type.
#ifndef SYNTH_DRIVER_HPP
#define SYNTH_DRIVER_HPP

#include <AudioToolbox/AudioServices.h>
#include <AudioUnit/AudioUnit.h>
#include <string>
#include <vector>

// From CoreGraphics: a double where pointers have 64 bits.
typedef double CGFloat;

class DriverListener {
public:
    virtual ~DriverListener() {}
    virtual void routeChanged(const std::string &reason, const std::string &outputs) = 0;
    virtual void volumeChanged(float volume) = 0;
};

class CoreAudioDriver {
public:
    explicit CoreAudioDriver(DriverListener *listener);
    ~CoreAudioDriver();

    bool open(double latency, bool allowMixing, bool useInput);
    void close();
    void setLowLatency(bool low);
    CGFloat volume() const;
    std::string outputs() const;
    double grantedLatency() const { return m_granted; }
    bool mixes() const;
    std::vector<OSStatus> const &errors() const { return m_errors; }
    AudioUnit unit() const { return m_unit; }
    int badSlices() const { return m_badSlices; }

private:
    static void propertyCallback(void *inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);
    static OSStatus render(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
                           UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData);
    bool openUnit(bool useInput);
    void complain(const char *where, OSStatus status);
    static std::string portsOf(CFDictionaryRef route, CFStringRef direction);

    DriverListener *m_listener;
    double m_granted;
    bool m_open, m_ignoreRoute;
    std::vector<OSStatus> m_errors;
    AudioUnit m_unit;
    bool m_useInput;
    UInt32 m_frames;
    int m_badSlices;
};

#endif
