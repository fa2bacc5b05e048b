/* SPDX-License-Identifier: Apache-2.0 */
// A synthesizer: two drivers in one process, music of another program, and devices that are plugged and unplugged.
#include "legacy.h"
#include "synth_driver.hpp"

class Transcript : public DriverListener {
public:
    void routeChanged(const std::string &reason, const std::string &outputs) { note("%s: %s", reason.c_str(), outputs.c_str()); }
    void volumeChanged(float volume) { note("volume %.3f", volume); }
};

static int slices;

// On the audio thread, before and after each slice.
static OSStatus countSlice(void *, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *) {
    if (*flags & kAudioUnitRenderAction_PostRender) countOne(&slices);
    return noErr;
}

static void noteRunning(void *, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element) {
    UInt32 running = 9, size = sizeof running;
    if (AudioUnitGetProperty(unit, property, scope, element, &running, &size) == 0) note("running %u", (unsigned)running);
}

static void play(CoreAudioDriver &driver, int count) {
    EXPECT_STATUS(AudioUnitAddRenderNotify(driver.unit(), countSlice, NULL), 0);
    WAIT_FOR_MORE(slices, count);
    EXPECT_STATUS(AudioUnitRemoveRenderNotify(driver.unit(), countSlice, NULL), 0);
}

static UInt32 value(AudioSessionPropertyID property) {
    UInt32 value = 0, size = sizeof value;
    EXPECT_STATUS(AudioSessionGetProperty(property, &size, &value), 0);
    return value;
}

int main() {
    writeMicrophone();
    turnMainRunLoop();
    Transcript transcript;
    CoreAudioDriver driver(&transcript), spare(&transcript);
    EXPECT(driver.errors().empty() && spare.errors().empty());

    // Two wrong calls in the opening: a category as a property, and a number of 8 bytes.
    EXPECT(driver.open(0.005, true, false));
    EXPECT(driver.open(0.005, true, false));
    EXPECT(driver.errors().size() == 4);
    EXPECT_STATUS(driver.errors()[0], kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(driver.errors()[1], kAudioSessionBadPropertySizeError);
    EXPECT(value(kAudioSessionProperty_AudioCategory) == kAudioSessionCategory_LiveAudio);
    EXPECT(driver.mixes());
    EXPECT(driver.grantedLatency() > 0);
    play(driver, 100);
    EXPECT(driver.badSlices() == 0);

    // It mixes: music starts and stops without an effect, and a call sends no event that it handles.
    startMusic();
    EXPECT(value(kAudioSessionProperty_OtherAudioIsPlaying) == 1);
    SIMULATE("volume 0.375");
    WAIT_FOR("volume 0.375");
    EXPECT(driver.volume() == 0.375);
    stopMusic();

    SIMULATE("plug usb");
    WAIT_FOR("NewDeviceAvailable: USBOutput");
    EXPECT(driver.outputs() == "USBOutput");
    SIMULATE("plug hdmi");
    WAIT_FOR("NewDeviceAvailable: HDMIOutput");
    SIMULATE("unplug hdmi");
    WAIT_FOR("OldDeviceUnavailable: USBOutput");
    SIMULATE("unplug usb");
    WAIT_FOR("OldDeviceUnavailable: (built in)");
    SIMULATE("wake");
    WAIT_FOR("WakeFromSleep: (built in)");

    // It has no interruption listener: it stops, and starts when it is opened again.
    EXPECT_STATUS(AudioUnitAddPropertyListener(driver.unit(), kAudioOutputUnitProperty_IsRunning, noteRunning, NULL), 0);
    SIMULATE("interrupt begin");
    WAIT_FOR("running 0");
    long loud = loudSamples();
    EXPECT(loud > 1000);
    SIMULATE("interrupt end");
    driver.close();
    EXPECT(loudSamples() == loud);
    SIMULATE("plug headphones");
    EXPECT(spare.open(0.01, false, true));
    EXPECT(spare.errors().size() == 2 && !spare.mixes());
    play(spare, 20);
    EXPECT(spare.badSlices() == 0);
    spare.close();
    EXPECT(driver.open(0.005, false, false));
    play(driver, 100);
    EXPECT(driver.badSlices() == 0);
    SIMULATE("unplug headphones");
    WAIT_FOR("OldDeviceUnavailable: (built in)");

    // The mode fits MediaPlayback, also under its older name.
    size_t before = driver.errors().size();
    driver.setLowLatency(true);
    EXPECT(driver.errors().size() == before);
    EXPECT(value(kAudioSessionProperty_Mode) == kAudioSessionMode_Measurement);
    driver.setLowLatency(false);
    EXPECT(value(kAudioSessionProperty_Mode) == kAudioSessionMode_Default);
    driver.close();
    driver.close();
    EXPECT(loudSamples() > loud);
    return 0;
}
