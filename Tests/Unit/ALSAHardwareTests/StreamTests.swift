// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

@testable import ALSAHardware

struct StreamTests {
    @Test func theKernelReportsTheConfigurationOfAStream() throws {
        let text = """
            access: RW_INTERLEAVED
            format: S16_LE
            subformat: STD
            channels: 2
            rate: 44100 (44100/1)
            period_size: 441
            buffer_size: 16384
            """
        let format = StreamFormat(try #require(StreamSetup(text)))
        #expect(format == StreamFormat(sampleRate: 44_100, bufferDuration: 0.01))
    }

    @Test(arguments: ["closed\n", "no setup\n", "", "rate: 0\nperiod_size: 1\n", "rate: x\nperiod_size: 1\n", "rate\n:\n::\n"])
    func aStreamWithoutConfigurationHasNoSetup(text: String) {
        #expect(StreamSetup(text) == nil)
    }

    @Test func thePeriodOfAStreamIsItsLatency() throws {
        var card = CardState(.card("Card", pcms: ["p0 Analog"]))
        let speaker = try #require(card.present.first)
        let address = try #require(card.address(of: speaker))
        card.setups = [ActiveSetup(address: address, setup: try #require(StreamSetup("rate: 48000\nperiod_size: 480\n")))]
        #expect(card.port(speaker, arrival: 1).latency == 0.01)
    }

    @Test func aStreamDelaysOnlyThePortsOfItsOwnDevice() throws {
        var card = CardState(.card("Card", pcms: ["p0 Analog", "c0 Analog"]))
        let microphone = try #require(card.present.first { $0.kind == .builtInMicrophone })
        let speaker = try #require(card.present.first { $0.kind == .builtInSpeaker })
        let address = try #require(card.address(of: microphone))
        card.setups = [ActiveSetup(address: address, setup: try #require(StreamSetup("rate: 48000\nperiod_size: 480\n")))]
        #expect(card.port(microphone, arrival: 1).latency == 0.01)
        #expect(card.port(speaker, arrival: 1).latency == Float(1024.0 / 48_000))
    }

    @Test(arguments: [
        (PortKind.usbOutput, 0.002), (.usbInput, 0.002), (.bluetoothHFPOutput, 0.06), (.bluetoothHFPInput, 0.06),
        (.bluetoothA2DP, 0.15), (.airPlay, 2), (.builtInSpeaker, 0), (.headphones, 0), (.hdmi, 0),
    ])
    func aLinkAddsItsTransportTime(kind: PortKind, seconds: Double) {
        #expect(kind.transport == seconds)
        let port = CardOverrides.ExtraPort(key: "port", kind: kind, device: "null").port(arrival: 1)
        #expect(port?.latency == Float(1024.0 / 48_000 + seconds))
    }

    @Test func theKernelReportsTheOwnerOfAStream() {
        let running = "state: RUNNING\nowner_pid   : 159\ntrigger_time: 5.090795924\n-----\nhw_ptr      : 45429\n"
        #expect(StreamOwner(running)?.thread == 159)
        #expect(StreamOwner(running)?.isRunning == true)
        #expect(StreamOwner("state: PREPARED\nowner_pid   : 159\n")?.isRunning == false)
        #expect(StreamOwner("closed\n") == nil)
    }

    @Test func aThreadBelongsToAProcess() {
        #expect(ProcessName("Name:\tdata-loop.0\nTgid:\t812\nPid:\t815\n")?.process == 812)
        #expect(ProcessName("") == nil)
    }

    @Test func serversAreRecognisedByTheirPrograms() {
        #expect(SoundServer.isServer("pipewire"))
        #expect(!SoundServer.isServer("aplay"))
        #expect(!SoundServer.isServer(nil))
    }

    @Test(arguments: [(0.0, Float(0)), (44_100, 0.005), (1, 0.000001), (1e9, 1e9)])
    func aLikelyFormatIsAlwaysSensible(sampleRate: Double, bufferDuration: Float) {
        let format = likelyFormat(sampleRate, bufferDuration)
        #expect((8_000...192_000).contains(format.sampleRate))
        #expect(format.bufferDuration > 0 && format.bufferDuration <= 2)
    }
}
