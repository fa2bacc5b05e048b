// A synthesizer through an evening: two drivers in one process, music beside it, and devices that come and go.
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

    // Two mistakes in opening, both survived: a category for a property, and a number of eight bytes.
    EXPECT(driver.open(0.005, true, false));
    EXPECT(driver.open(0.005, true, false));
    EXPECT(driver.errors().size() == 4);
    EXPECT_STATUS(driver.errors()[0], kAudioSessionUnsupportedPropertyError);
    EXPECT_STATUS(driver.errors()[1], kAudioSessionBadPropertySizeError);
    EXPECT(value(kAudioSessionProperty_AudioCategory) == kAudioSessionCategory_LiveAudio);
    EXPECT(driver.mixes());
    EXPECT(driver.grantedLatency() > 0);
    EXPECT(RemoteIOTurn(driver.unit(), 100));

    // It mixes: music comes and goes, and a call is no reason to stop that it would hear of.
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

    // Nobody listens to interruptions: it just stops, and starts when it is opened again.
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

    // The mode is for MediaPlayback, and this is its older name: taken all the same.
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
