// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("Manual rendering")
struct ManualRenderingTests {
    @Test("by the block is an error beyond the largest number of frames, and while the engine does not run")
    func block() throws {
        let offline = try OfflineEngine(maximumFrames: 256)
        let engine = offline.engine
        _ = engine.mainMixerNode
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: offline.format, frameCapacity: 512))
        let refused = OSStatus(AVAudioEngineManualRenderingError.notRunning.rawValue)
        let render = engine.manualRenderingBlock
        func status(_ frames: AVAudioFrameCount) -> (result: AVAudioEngineManualRenderingStatus, status: OSStatus) {
            var status: OSStatus = 1
            let result = render(frames, buffer.mutableAudioBufferList, &status)
            return (result, status)
        }
        for _ in 1...2 {
            #expect(status(64) == (.error, refused))
            try engine.start()
            #expect(status(256) == (.success, 0))
            #expect(status(257) == (.error, refused))
            #expect(engine.manualRenderingSampleTime == 256)
            engine.stop()
        }
    }

    @Test("in more than two channels plays a main mixer of two, and in one channel a mixer of one")
    func automaticFormat() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic))
        let formats = [
            try #require(AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 1)),
            try #require(AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 2)),
            AVAudioFormat(standardFormatWithSampleRate: 32_000, channelLayout: layout),
        ]
        let engine = AVAudioEngine()
        for format in formats + formats {
            try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
            let mixed = engine.mainMixerNode.outputFormat(forBus: 0)
            #expect(mixed.channelCount == min(format.channelCount, 2) && mixed.sampleRate == 32_000)
            #expect(engine.manualRenderingFormat.channelCount == format.channelCount)
            engine.disableManualRenderingMode()
        }
    }

    @Test("has no last render before the first one of each life")
    func lastRender() throws {
        let offline = try OfflineEngine()
        let (engine, player) = (offline.engine, offline.player())
        let nodes: [AVAudioNode] = [player, engine.mainMixerNode, engine.outputNode]
        for _ in 1...2 {
            try engine.start()
            #expect(nodes.allSatisfy { $0.lastRenderTime == nil })
            _ = try offline.render(100, in: 50)
            #expect(nodes.map { $0.lastRenderTime?.sampleTime } == [50, 50, 50])
            engine.stop()
            #expect(nodes.allSatisfy { $0.lastRenderTime == nil })
        }
    }

    @Test("gives several inputs of a bus the sound of the present life")
    func sharedFrames() throws {
        let offline = try OfflineEngine()
        let (engine, player) = (offline.engine, AVAudioPlayerNode())
        engine.attach(player)
        engine.connect(
            player, to: [.init(node: engine.mainMixerNode, bus: 0), .init(node: engine.mainMixerNode, bus: 1)], fromBus: 0,
            format: offline.format)
        for level: Float in [0.25, 0.5] {
            try player.scheduleBuffer(offline.buffer(100) { _ in level })
            try engine.start()
            player.play()
            let wanted = [Float](repeating: 2 * level, count: 100)
            #expect(try offline.render(100, in: 100)[0] == wanted)
            engine.stop()
        }
    }

    @Test("does not render while it pauses, and then goes on with the next frame")
    func pause() throws {
        let offline = try OfflineEngine()
        let (engine, player) = (offline.engine, offline.player())
        try player.scheduleBuffer(offline.buffer(200) { Float($0) / 65_536 })
        try engine.start()
        player.play()
        for first in [0, 100] {
            let wanted = (first..<(first + 100)).map { Float($0) / 65_536 }
            #expect(try offline.render(100)[0] == wanted)
            engine.pause()
            #expect(!engine.isRunning)
            #expect(throws: NSError.self) { try offline.render(1) }
            try engine.start()
        }
        #expect(engine.manualRenderingSampleTime == 200)
    }

    @Test("that is turned off and on again has no input of the program any more")
    func forgottenInput() throws {
        let offline = try OfflineEngine()
        let (engine, node, input) = (offline.engine, offline.engine.inputNode, try offline.buffer(100) { _ in 0.25 })
        for _ in 1...2 {
            #expect(node.inputFormat(forBus: 0).sampleRate == 0)
            #expect(node.setManualRenderingInputPCMFormat(offline.format) { _ in input.audioBufferList })
            #expect(node.inputFormat(forBus: 0) == offline.format)
            engine.disableManualRenderingMode()
            try engine.enableManualRenderingMode(.offline, format: offline.format, maximumFrameCount: 512)
        }
    }

    @Test("gives a connection to a mixer without a format that of the mixer")
    func formatOfAMixer() throws {
        let offline = try OfflineEngine()
        let (engine, mixer) = (offline.engine, AVAudioMixerNode())
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 2))
        engine.attach(mixer)
        engine.connect(engine.mainMixerNode, to: engine.outputNode, format: format)
        engine.connect(mixer, to: engine.mainMixerNode, format: nil)
        #expect(mixer.outputFormat(forBus: 0) == format)
        #expect(engine.mainMixerNode.inputFormat(forBus: 0) == format)
    }
}
