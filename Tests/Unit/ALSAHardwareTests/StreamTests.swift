// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

@testable import ALSAHardware

struct StreamTests {
    @Test("The kernel's file of a stream gives its sample rate and the duration of its period")
    func theKernelReportsTheConfigurationOfAStream() throws {
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

    @Test(
        "A kernel's file without a rate and a period gives no setup",
        arguments: ["closed\n", "no setup\n", "", "rate: 0\nperiod_size: 1\n", "rate: x\nperiod_size: 1\n", "rate\n:\n::\n"])
    func aStreamWithoutConfigurationHasNoSetup(text: String) {
        #expect(StreamSetup(text) == nil)
    }

    @Test("The latency of a port is the period of the stream that is open on its device")
    func thePeriodOfAStreamIsItsLatency() throws {
        var card = CardState(.card("Card", pcms: ["p0 Analog"]))
        let speaker = try #require(card.present.first)
        let address = try #require(card.address(of: speaker))
        card.setups = [ActiveSetup(address: address, setup: try #require(StreamSetup("rate: 48000\nperiod_size: 480\n")))]
        #expect(card.port(speaker, arrival: 1).latency == 0.01)
    }

    @Test("A stream determines the latency of the ports of its own device, and of no other")
    func aStreamDelaysOnlyThePortsOfItsOwnDevice() throws {
        var card = CardState(.card("Card", pcms: ["p0 Analog", "c0 Analog"]))
        let microphone = try #require(card.present.first { $0.kind == .builtInMicrophone })
        let speaker = try #require(card.present.first { $0.kind == .builtInSpeaker })
        let address = try #require(card.address(of: microphone))
        card.setups = [ActiveSetup(address: address, setup: try #require(StreamSetup("rate: 48000\nperiod_size: 480\n")))]
        #expect(card.port(microphone, arrival: 1).latency == 0.01)
        #expect(card.port(speaker, arrival: 1).latency == Float(1024.0 / 48_000))
    }

    @Test(
        "The latency of a port includes the transport time of its link",
        arguments: [
            (PortKind.usbOutput, 0.002), (.usbInput, 0.002), (.bluetoothHFPOutput, 0.06), (.bluetoothHFPInput, 0.06),
            (.bluetoothA2DP, 0.15), (.airPlay, 2), (.builtInSpeaker, 0), (.headphones, 0), (.hdmi, 0),
        ])
    func aLinkAddsItsTransportTime(kind: PortKind, seconds: Double) {
        #expect(kind.transport == seconds)
        let port = CardOverrides.ExtraPort(key: "port", kind: kind, device: "null").port(arrival: 1)
        #expect(port?.latency == Float(1024.0 / 48_000 + seconds))
    }

    @Test("The kernel's file of a stream gives its owner, and whether it runs") func theKernelReportsTheOwnerOfAStream() {
        let running = "state: RUNNING\nowner_pid   : 159\ntrigger_time: 5.090795924\n-----\nhw_ptr      : 45429\n"
        #expect(StreamOwner(running)?.thread == 159)
        #expect(StreamOwner(running)?.isRunning == true)
        #expect(StreamOwner("state: PREPARED\nowner_pid   : 159\n")?.isRunning == false)
        #expect(StreamOwner("closed\n") == nil)
    }

    @Test("The kernel's status of a thread gives its process") func aThreadBelongsToAProcess() {
        #expect(ProcessName("Name:\tdata-loop.0\nTgid:\t812\nPid:\t815\n")?.process == 812)
        #expect(ProcessName("") == nil)
    }

    @Test("A sound server is recognised by the name of its program") func serversAreRecognisedByTheirPrograms() {
        #expect(SoundServer.isServer("pipewire"))
        #expect(!SoundServer.isServer("aplay"))
        #expect(!SoundServer.isServer(nil))
    }

    @Test(
        "The likely format for any preference has a rate of 8 to 192 kHz and a buffer of at most 2 s",
        arguments: [(0.0, Float(0)), (44_100, 0.005), (1, 0.000001), (1e9, 1e9)])
    func aLikelyFormatIsAlwaysSensible(sampleRate: Double, bufferDuration: Float) {
        let format = likelyFormat(sampleRate, bufferDuration)
        #expect((8_000...192_000).contains(format.sampleRate))
        #expect(format.bufferDuration > 0 && format.bufferDuration <= 2)
    }
}
