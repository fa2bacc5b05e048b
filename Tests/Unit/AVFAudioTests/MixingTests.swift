// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("The volume and pan of a source")
struct MixingTests {
    /// The level of both channels of a source that plays 0.5 and -0.5.
    private func levels(_ offline: OfflineEngine) throws -> [Float] {
        _ = try offline.render(512)
        return try offline.render(8).map { $0[0] }
    }

    private func playing(_ offline: OfflineEngine) throws -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        offline.engine.attach(player)
        return player
    }

    @Test("keep the last finite value, and the pan within its limits")
    func values() throws {
        let offline = try OfflineEngine()
        let sources: [any AVAudioMixing] = [
            AVAudioPlayerNode(), AVAudioMixerNode(), AVAudioSourceNode { _, _, _, _ in noErr }, offline.engine.inputNode,
        ]
        for source in sources {
            #expect(source.volume == 1 && source.pan == 0)
            source.volume = 0.25
            source.pan = -7
            #expect(source.volume == 0.25 && source.pan == -1)
            source.pan = 1.5
            #expect(source.pan == 1)
            for value in [Float.nan, .infinity] { (source.volume, source.pan) = (value, value) }
            #expect(source.volume == 0.25 && source.pan == 1)
            #expect(source.destination(forMixer: offline.engine.mainMixerNode, bus: 0) == nil)
        }
    }

    @Test("apply behind an effect, and go with the source to another input and another mixer")
    func moves() throws {
        let offline = try OfflineEngine()
        let (engine, effect, mixer) = (offline.engine, AVAudioUnitEQ(numberOfBands: 1), AVAudioMixerNode())
        let player = try playing(offline)
        for node in [effect, mixer] as [AVAudioNode] { engine.attach(node) }
        player.volume = 0.5
        engine.connect(effect, to: engine.mainMixerNode, format: offline.format)
        engine.connect(player, to: effect, format: offline.format)
        try player.scheduleBuffer(offline.buffer(100) { _ in 0.5 }, at: nil, options: .loops)
        try engine.start()
        player.play()
        #expect(try levels(offline) == [0.25, -0.25])
        #expect(player.destination(forMixer: engine.mainMixerNode, bus: 0)?.volume == 0.5)
        #expect(player.destination(forMixer: engine.mainMixerNode, bus: 1) == nil)
        #expect(player.destination(forMixer: mixer, bus: 0) == nil)
        engine.connect(mixer, to: engine.mainMixerNode, fromBus: 0, toBus: 2, format: offline.format)
        engine.connect(effect, to: mixer, fromBus: 0, toBus: 3, format: offline.format)
        #expect(try levels(offline) == [0.25, -0.25])
        mixer.volume = 0.5
        #expect(try levels(offline) == [0.125, -0.125])
        player.volume = 1
        player.pan = -1
        #expect(try levels(offline)[1] == 0)
        // The input that the source has left belongs to another one.
        #expect(player.destination(forMixer: engine.mainMixerNode, bus: 0) == nil)
        let second = try playing(offline)
        engine.connect(second, to: engine.mainMixerNode, fromBus: 0, toBus: 0, format: offline.format)
        #expect(second.destination(forMixer: engine.mainMixerNode, bus: 0)?.volume == 1)
        #expect(second.destination(forMixer: engine.mainMixerNode, bus: 0)?.pan == 0)
    }

    @Test("apply to each mixer that the source feeds; a value for one of them stays there")
    func destinations() throws {
        let offline = try OfflineEngine()
        let (engine, mixer) = (offline.engine, AVAudioMixerNode())
        let player = try playing(offline)
        engine.attach(mixer)
        engine.connect(mixer, to: engine.mainMixerNode, format: offline.format)
        let main = engine.mainMixerNode
        engine.connect(player, to: [.init(node: mixer, bus: 0), .init(node: main, bus: 3)], fromBus: 0, format: offline.format)
        try player.scheduleBuffer(offline.buffer(100) { _ in 0.5 }, at: nil, options: .loops)
        try engine.start()
        player.play()
        player.volume = 0.5
        #expect(try levels(offline) == [0.5, -0.5])
        let destination = try #require(player.destination(forMixer: main, bus: 3))
        #expect(destination.connectionPoint.node === main && destination.connectionPoint.bus == 3)
        #expect(destination.destination(forMixer: main, bus: 3) === destination)
        #expect(destination.destination(forMixer: mixer, bus: 0) == nil)
        #expect(destination.destination(forMixer: main, bus: 2) == nil)
        destination.volume = 0.25
        destination.pan = 3
        destination.volume = .nan
        #expect(destination.volume == 0.25 && destination.pan == 1)
        #expect(player.volume == 0.5 && player.pan == 0)
        #expect(player.destination(forMixer: mixer, bus: 0)?.volume == 0.5)
        #expect(try levels(offline)[0] == 0.25)
        // The source sets all.
        player.pan = 0
        player.volume = 0.125
        #expect(destination.volume == 0.125 && destination.pan == 0)
        // The reference of a former connection changes nothing.
        engine.disconnectNodeInput(main, bus: 3)
        destination.volume = 1
        #expect(destination.volume == 0.125)
        #expect(try levels(offline) == [0.0625, -0.0625])
    }

    @Test("of the sum are those of the mixer's output, and another bus is free after each connection")
    func mixer() throws {
        let offline = try OfflineEngine()
        let main = offline.engine.mainMixerNode
        #expect(main.outputVolume == 1 && main.nextAvailableInputBus == 0)
        main.outputVolume = 0.5
        #expect(main.outputVolume == 0.5)
        for bus in 0..<10 {
            #expect(main.nextAvailableInputBus == bus)
            let player = try playing(offline)
            player.volume = 0.25
            offline.engine.connect(player, to: main, format: offline.format)
            #expect(player.destination(forMixer: main, bus: bus)?.volume == 0.25)
        }
        #expect(main.numberOfInputs >= 10)
        offline.engine.disconnectNodeInput(main, bus: 4)
        #expect(main.nextAvailableInputBus == 4)
        offline.engine.disconnectNodeInput(main)
        #expect(main.nextAvailableInputBus == 0)
    }

    @Test("has up to 1,024 inputs, whichever is connected first", arguments: [1_015, 1_016, 1_020, 1_023])
    func lastInputs(bus: Int) throws {
        let offline = try OfflineEngine()
        let (main, player) = (offline.engine.mainMixerNode, AVAudioPlayerNode())
        offline.engine.attach(player)
        for last in [bus, 1_023] {
            offline.engine.connect(player, to: main, fromBus: 0, toBus: last, format: offline.format)
            #expect(offline.engine.inputConnectionPoint(for: main, inputBus: last)?.node === player)
            #expect(last < main.numberOfInputs && main.numberOfInputs <= 1_024)
        }
        offline.engine.connect(player, to: main, fromBus: 0, toBus: 1_024, format: offline.format)
        #expect(offline.engine.outputConnectionPoints(for: player, outputBus: 0).map { $0.bus } == [1_023])
    }
}
