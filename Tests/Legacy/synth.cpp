/* SPDX-License-Identifier: Apache-2.0 */
// A synthesizer: two drivers in one process, music of another program, and devices that are plugged and unplugged.
#include "legacy.h"
#include "synth_driver.hpp"

class Transcript : public DriverListener {
public:
    void routeChanged(const std::string &reason, const std::string &outputs) { note("%s: %s", reason.c_str(), outputs.c_str()); }
    void volumeChanged(float volume) { note("volume %.3f", volume); }
};

static UInt32 value(AudioSessionPropertyID property) {
    UInt32 value = 0, size = sizeof value;
    EXPECT_STATUS(AudioSessionGetProperty(property, &size, &value), 0);
    return value;
}

int main() {
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
    EXPECT(RemoteIOTurn(driver.unit(), 100));

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
    SIMULATE("interrupt begin");
    SIMULATE("interrupt end");
    driver.close();
    SIMULATE("plug headphones");
    EXPECT(spare.open(0.01, false, true));
    EXPECT(spare.errors().size() == 2 && !spare.mixes());
    spare.close();
    EXPECT(driver.open(0.005, false, false));
    EXPECT(RemoteIOTurn(driver.unit(), 100));
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
    return 0;
}
