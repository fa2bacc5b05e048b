// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

@testable import AudioStreams

@Suite("A stream of a sound server")
struct ServerStreamTests {
    private func stream(
        _ server: ServerKind, _ node: String = "", _ title: String = "Radio", _ role: StreamRole? = nil
    ) -> ServerStream {
        let device = node.isEmpty ? "default" : server == .pipeWire ? "pipewire:NODE=\(node)" : "pulse:DEVICE=\(node)"
        return ServerStream(server: server, device: device, title: title, role: role)
    }

    @Test("has a title, a role and a device in PipeWire's definition, and a device in PulseAudio's") func definitions() {
        #expect(stream(.pipeWire).direct.first == "{ type pipewire name \"Radio\" }")
        #expect(
            stream(.pipeWire, "hdmi", "Phone", .communication).direct.first
                == "{ type pipewire name \"Phone\" role \"Communication\" playback_node \"hdmi\" capture_node \"hdmi\" }")
        #expect(stream(.pipeWire, "", "", .notification).direct.first == "{ type pipewire role \"Notification\" }")
        #expect(stream(.pulseAudio).direct.first == "{ type pulse }")
        #expect(stream(.pulseAudio, "hdmi", "Phone", .communication).direct.first == "{ type pulse device \"hdmi\" }")
        #expect(stream(.pulseAudio).converting == ["{ type plug slave.pcm { type pulse } }", "plug:'default'"])
    }

    @Test("has blanks for what the syntax of ALSA's configuration would read") func quoting() {
        #expect(
            stream(.pipeWire, "", "A \"b\" \\ c\n} d").direct.first == "{ type pipewire name \"A  b    c } d\" }")
    }

    @Test("has the period of the program, up to a tenth of a second, and that of a card is at most 10 ms")
    func periods() throws {
        var target = DeviceTarget()
        for (frames, server, card) in [(480.0, 0.01, 0.005), (4_320, 0.09, 0.01), (48_000, 0.1, 0.01)] {
            let slice = try #require(SliceLength(frames: frames, rate: 48_000))
            target.choice = .server(stream(.pipeWire).direct)
            #expect(abs(target.period(of: slice) - server) < 1e-9)
            target.choice = .alsa(["hw:0"])
            #expect(abs(target.period(of: slice) - card) < 1e-9)
        }
    }
}
