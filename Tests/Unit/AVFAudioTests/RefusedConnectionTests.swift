// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("A connection that is refused")
struct RefusedConnectionTests {
    /// An effect has only floats that are not interleaved.
    private func integers() throws -> AVAudioFormat {
        try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true))
    }

    @Test("leaves the source that it would replace, which also feeds another input")
    func formerSource() throws {
        let offline = try OfflineEngine()
        let (engine, effect) = (offline.engine, AVAudioUnitEQ(numberOfBands: 1))
        let (player, other) = (AVAudioPlayerNode(), AVAudioPlayerNode())
        for node in [effect, player, other] as [AVAudioNode] { engine.attach(node) }
        engine.connect(effect, to: engine.mainMixerNode, fromBus: 0, toBus: 0, format: offline.format)
        engine.connect(
            player, to: [.init(node: effect, bus: 0), .init(node: engine.mainMixerNode, bus: 3)], fromBus: 0,
            format: offline.format)
        engine.connect(other, to: effect, fromBus: 0, toBus: 0, format: try integers())
        #expect(engine.inputConnectionPoint(for: effect, inputBus: 0)?.node === player)
        #expect(engine.outputConnectionPoints(for: other, outputBus: 0).isEmpty)
        try player.scheduleBuffer(offline.buffer(300) { Float($0) / 65_536 })
        try engine.start()
        player.play()
        let wanted = (0..<300).map { Float($0) / 32_768 } + [Float](repeating: 0, count: 100)
        #expect(try offline.render(400, in: 100)[0] == wanted)
    }

    @Test("to one of several inputs leaves all former connections, formats and sounds")
    func oneOfSeveral() throws {
        let offline = try OfflineEngine()
        let (engine, effect) = (offline.engine, AVAudioUnitEQ(numberOfBands: 1))
        let (player, other, mixer) = (offline.player(), offline.player(), engine.mainMixerNode)
        engine.attach(effect)
        for source in [player, other] { try source.scheduleBuffer(offline.buffer(100) { _ in 0.25 }) }
        let points: [AVAudioConnectionPoint] = [.init(node: mixer, bus: 1), .init(node: effect, bus: 0)]
        for points in [points, points.reversed()] {
            engine.connect(player, to: points, fromBus: 0, format: try integers())
            #expect(engine.outputConnectionPoints(for: player, outputBus: 0).map { $0.bus } == [0])
            #expect(engine.inputConnectionPoint(for: mixer, inputBus: 0)?.node === player)
            #expect(engine.inputConnectionPoint(for: mixer, inputBus: 1)?.node === other)
            #expect(engine.inputConnectionPoint(for: effect, inputBus: 0) == nil)
            #expect(player.outputFormat(forBus: 0) == offline.format)
            #expect(mixer.inputFormat(forBus: 1) == offline.format)
        }
        try engine.start()
        for source in [player, other] { source.play() }
        #expect(try offline.render(100)[0] == [Float](repeating: 0.5, count: 100))
    }

    @Test("leaves the format of both sides, and the sound")
    func formerFormat() throws {
        let offline = try OfflineEngine()
        let (engine, effect, player) = (offline.engine, AVAudioUnitEQ(numberOfBands: 1), AVAudioPlayerNode())
        for node in [effect, player] as [AVAudioNode] { engine.attach(node) }
        engine.connect(player, to: effect, format: offline.format)
        engine.connect(effect, to: engine.mainMixerNode, fromBus: 0, toBus: 0, format: offline.format)
        for _ in 1...2 {
            engine.connect(effect, to: engine.mainMixerNode, fromBus: 0, toBus: 0, format: try integers())
            #expect(engine.mainMixerNode.inputFormat(forBus: 0) == offline.format)
            #expect(effect.outputFormat(forBus: 0) == offline.format)
            #expect(engine.inputConnectionPoint(for: engine.mainMixerNode, inputBus: 0)?.node === effect)
        }
        // An input without a connection has none afterwards either.
        let free = engine.mainMixerNode.inputFormat(forBus: 5)
        engine.connect(effect, to: engine.mainMixerNode, fromBus: 0, toBus: 5, format: try integers())
        #expect(engine.mainMixerNode.inputFormat(forBus: 5) == free)
        #expect(engine.inputConnectionPoint(for: engine.mainMixerNode, inputBus: 5) == nil)
        try player.scheduleBuffer(offline.buffer(100) { _ in 0.25 })
        try engine.start()
        player.play()
        #expect(try offline.render(100)[0].allSatisfy { $0 == 0.25 })
    }
}
