// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import HardwareTestSupport
import SessionModel
import SessionRegistry
import SimulatedHardware
import Testing

@testable import AudioStreams

/// The devices that the session and the hardware give to a pulled stream.
@Suite struct PullTargetTests {
    private func port(_ kind: PortKind, _ device: String, channels: UInt32) -> Port {
        Port(kind: kind, device: 0, uid: "\(kind)", name: "\(kind)", alsaDevice: device, channels: channels)
    }

    private func conditions(output: String, input: String, channels: UInt32 = 2, rate: Double = 0) -> StreamConditions {
        var view = SessionView()
        view.isActive = true
        view.settings = SessionSettings(category: .playAndRecord, mixes: false)
        do throws(ResultCode) { try view.settings?.setPreferredSampleRate(rate) } catch { Issue.record(error) }
        let ports = [port(.usbOutput, output, channels: channels), port(.usbInput, input, channels: 1)]
        return StreamConditions(
            view, HardwareSnapshot(ports: ports), SimulatedHardware(file: nil, clock: SteppedClock()), isSimulated: false)
    }

    @Test("Devices of one card share a clock; devices of two cards, or of a server, do not") func clocks() {
        for (output, input, shares) in [
            ("hw:1,0", "hw:1,3", true), ("hw:1,0", "hw:2,0", false), ("pulse", "pulse", false),
            ("hw:CARD=USB,DEV=0", "hw:CARD=USB,DEV=1", true),
        ] {
            let conditions = conditions(output: output, input: input)
            #expect(conditions.format(of: [.output, .input])?.shares_clock == shares, "\(output) and \(input)")
        }
        #expect(conditions(output: "hw:1,0", input: "hw:2,0").format(of: .output)?.shares_clock == true)
    }

    @Test("A card is opened by the mixer, then alone, and at last with a conversion; at most two channels are asked for")
    func names() throws {
        let both = conditions(output: "hw:1,0", input: "hw:1,3", channels: 8, rate: 96_000).target(of: [.output, .input])
        let (output, input) = (try #require(both.output), try #require(both.input))
        #expect(output.choice == .alsa(["dmix:1,0", "hw:1,0", "plughw:1,0"]) && output.channels == 2)
        #expect(input.choice == .alsa(["dsnoop:1,3", "hw:1,3", "plughw:1,3"]) && input.channels == 1)
        #expect(output.rate == 96_000 && input.rate == 96_000 && output.source == .card("1"))
        let server = conditions(output: "pulse", input: "pulse").target(of: .output)
        #expect(server.output?.choice == .alsa(["pulse", "plug:'pulse'"]) && server.output?.source == .unknown)
        #expect(server.input == nil && server.output?.rate == 48_000)
    }
}
