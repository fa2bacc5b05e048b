// SPDX-License-Identifier: Apache-2.0
// A synthesizer in C++: resources are objects, errors are exceptions. A line of notes, such as "c e g", is a chord;
// the end of the input ends the program.
//
//     c++ synth.cpp $(pkg-config --cflags --libs audiosession alsa) -o synth
//     ./synth [-d DEVICE]
#include <AudioToolbox/AudioToolbox.h>
#include <algorithm>
#include <alsa/asoundlib.h>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

struct Failure : std::runtime_error {
    Failure(const std::string &what, const std::string &why) : runtime_error(what + ": " + why) {}
};

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) throw Failure(what, AudioSessionLinuxStatusName(status));
}

// ---- The session ----

class Session {
public:
    std::function<void()> onBegin;
    std::function<void(bool shouldResume)> onEnd;
    std::function<void(SInt32 reason)> onRouteChange;

    Session(const char *name, UInt32 category) {
        check(AudioSessionInitialize(nullptr, nullptr, interrupted, this), "initializing");
        check(AudioSessionLinuxSetDisplayName(name), "naming");
        set(kAudioSessionProperty_AudioCategory, category);
        check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, this), "listening");
    }

    template <typename Value> static Value get(AudioSessionPropertyID property) {
        Value value{};
        UInt32 size = sizeof value;
        check(AudioSessionGetProperty(property, &size, &value), "getting a property");
        return value;
    }

    template <typename Value> static void set(AudioSessionPropertyID property, Value value) {
        check(AudioSessionSetProperty(property, sizeof value, &value), "setting a property");
    }

private:
    // noexcept: an exception must not leave a listener.
    static void interrupted(void *me, UInt32 state) noexcept {
        auto &session = *static_cast<Session *>(me);
        if (state == kAudioSessionBeginInterruption) return session.onBegin();
        session.onEnd(get<UInt32>(kAudioSessionProperty_InterruptionType) == kAudioSessionInterruptionType_ShouldResume);
    }

    static void routeChanged(void *me, AudioSessionPropertyID, UInt32, const void *data) noexcept {
        SInt32 reason = 0;
        auto number = CFDictionaryGetValue(static_cast<CFDictionaryRef>(data), CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
        CFNumberGetValue(static_cast<CFNumberRef>(number), kCFNumberSInt32Type, &reason);
        static_cast<Session *>(me)->onRouteChange(reason);
    }
};

// The session is active during the lifetime of this object, unless it is interrupted.
class Activity {
public:
    Activity() { check(AudioSessionSetActive(true), "activating"); }
    ~Activity() { AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation); }
    Activity(const Activity &) = delete;
};

// ---- Sound ----

class Synthesizer {
public:
    void strike(const std::string &notes) {
        static const std::string scale = "c d ef g a b";
        for (char note : notes) {
            auto semitone = note == ' ' ? scale.npos : scale.find(note);
            if (semitone != scale.npos) voices.push_back({261.63 * std::pow(2, static_cast<double>(semitone) / 12), 0});
        }
    }

    template <std::size_t Size> void render(std::array<int16_t, Size> &samples) {
        for (auto &sample : samples) {
            double level = 0;
            for (auto &voice : voices) {
                level += std::exp(-3 * voice.seconds) * std::sin(2 * M_PI * voice.frequency * voice.seconds);
                voice.seconds += 1.0 / rate;
            }
            sample = static_cast<int16_t>(32767 * std::tanh(level / 4));
        }
        auto faded = [](const Voice &voice) { return voice.seconds > 3; };
        voices.erase(std::remove_if(voices.begin(), voices.end(), faded), voices.end());
    }

    static constexpr unsigned rate = 44100;

private:
    struct Voice { double frequency, seconds; };
    std::vector<Voice> voices;
};

class Output {
public:
    static constexpr int tick = 20, latency = 60; // milliseconds

    explicit Output(const std::string &chosen) {
        std::string name = "plug:'" + (chosen.empty() ? deviceOfRoute() : chosen) + "'";
        snd_pcm_t *opened = nullptr;
        int error = snd_pcm_open(&opened, name.c_str(), SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
        pcm.reset(opened);
        auto access = SND_PCM_ACCESS_RW_INTERLEAVED;
        if (error == 0) error = snd_pcm_set_params(opened, SND_PCM_FORMAT_S16, access, 1, Synthesizer::rate, 1, latency * 1000);
        if (error < 0) throw Failure(name, snd_strerror(error));
    }

    void play(Synthesizer &synthesizer) {
        std::array<int16_t, Synthesizer::rate * tick / 1000> block;
        auto room = snd_pcm_avail_update(pcm.get());
        if (room < 0) room = snd_pcm_recover(pcm.get(), static_cast<int>(room), 1);
        for (int i = 0; i < 2 && room >= static_cast<long>(block.size()); i++, room -= static_cast<long>(block.size())) {
            synthesizer.render(block);
            snd_pcm_writei(pcm.get(), block.data(), block.size());
        }
    }

private:
    static std::string deviceOfRoute() {
        char name[256];
        UInt32 size = sizeof name;
        check(AudioSessionLinuxCopyDeviceName(false, name, &size), "the route's device");
        return name;
    }

    struct Close {
        void operator()(snd_pcm_t *pcm) const { snd_pcm_close(pcm); }
    };
    std::unique_ptr<snd_pcm_t, Close> pcm;
};

// ---- The performance: sound exists while both of its objects do ----

struct Performance {
    Activity activity; // created first and destroyed last
    Output output;
    explicit Performance(const std::string &device) : output(device) {}
};

int main(int count, char **arguments) try {
    const std::string device = count == 3 && std::string(arguments[1]) == "-d" ? arguments[2] : "";
    std::unique_ptr<Performance> performance;
    Synthesizer synthesizer;
    Session session("Synthesizer", kAudioSessionCategory_MediaPlayback);

    auto perform = [&] {
        try {
            performance = std::make_unique<Performance>(device);
            std::cout << "synth: ready" << std::endl;
        } catch (const Failure &failure) {
            std::cout << "synth: waits: " << failure.what() << std::endl;
        }
    };
    session.onBegin = [&] {
        performance.reset();
        std::cout << "synth: interrupted" << std::endl;
    };
    session.onEnd = [&](bool shouldResume) {
        if (shouldResume) perform();
    };
    session.onRouteChange = [&](SInt32 reason) {
        std::cout << "synth: route change, reason " << reason << std::endl;
        if (!performance) return;
        performance.reset();
        perform();
    };
    setvbuf(stdin, nullptr, _IONBF, 0); // poll does not see lines in the buffer of stdio
    perform();
    pollfd waiting[] = {{AudioSessionLinuxEventDescriptor(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    for (std::string notes; poll(waiting, 2, Output::tick) >= 0;) {
        if (waiting[0].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[1].revents) {
            if (!std::getline(std::cin, notes)) break;
            synthesizer.strike(notes);
            std::cout << "synth: plays " << notes << std::endl;
        }
        if (performance) performance->output.play(synthesizer);
    }
} catch (const Failure &failure) {
    std::cerr << "synth: " << failure.what() << std::endl;
    return 1;
}
