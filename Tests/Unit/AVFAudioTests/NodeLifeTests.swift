// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("A node that outlives its engine")
struct NodeLifeTests {
    private func standard() throws -> AVAudioFormat {
        try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    }

    /// A source of ones, which the test keeps.
    private func ones(_ format: AVAudioFormat) -> AVAudioSourceNode {
        AVAudioSourceNode(format: format) { _, _, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 1, count: Int(frames))
            }
            return noErr
        }
    }

    /// An engine that plays the mixer, and what it is given beside it.
    private func engine(playing mixer: AVAudioMixerNode, of source: AVAudioNode?) throws -> OfflineEngine {
        let offline = try OfflineEngine()
        for node in [mixer, source] as [AVAudioNode?] { node.map { offline.engine.attach($0) } }
        offline.engine.connect(mixer, to: offline.engine.mainMixerNode, format: offline.format)
        if let source { offline.engine.connect(source, to: mixer, format: offline.format) }
        try offline.engine.start()
        return offline
    }

    @Test("plays nothing of it in the next one, where its sources are connected anew")
    func mixer() throws {
        let (mixer, source) = (AVAudioMixerNode(), ones(try standard()))
        for life in 1...2 {
            do {
                let first = try engine(playing: mixer, of: source)
                #expect(try first.render(64)[0].allSatisfy { $0 == 1 }, "life \(life)")
            }
            #expect(mixer.engine == nil && source.engine == nil)
            let second = try engine(playing: mixer, of: nil)
            #expect(try second.render(64)[0].allSatisfy { $0 == 0 }, "life \(life)")
        }
    }

    @Test("may be released with it or without one: the completion handlers of its sounds are called", arguments: [true, false])
    func released(isPlayed: Bool) throws {
        for _ in 1...2 {
            let dropped = Reports<Int>()
            try {
                let (player, offline) = (AVAudioPlayerNode(), try OfflineEngine())
                for index in 1...3 { try player.scheduleBuffer(offline.buffer(1_000) { _ in 1 }) { dropped.add(index) } }
                guard isPlayed else { return }
                let played = try engine(playing: AVAudioMixerNode(), of: player)
                player.play()
                _ = try played.render(1_500)
            }()
            #expect(dropped.await(3) == [1, 2, 3])
        }
    }

    @Test("is stopped with it, and the block that renders the engine is refused")
    func block() throws {
        let player = AVAudioPlayerNode()
        let format = try standard()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        for _ in 1...2 {
            let (mixer, dropped) = (AVAudioMixerNode(), Reports<Int>())
            let render = try {
                let offline = try engine(playing: mixer, of: player)
                try player.scheduleBuffer(offline.buffer(1_000) { _ in 1 }) { dropped.add(1) }
                player.play()
                #expect(try offline.render(64)[0].allSatisfy { $0 == 1 })
                return offline.engine.manualRenderingBlock
            }()
            var status: OSStatus = 0
            #expect(render(64, buffer.mutableAudioBufferList, &status) == .error)
            #expect(status == OSStatus(AVAudioEngineManualRenderingError.notRunning.rawValue))
            #expect(!player.isPlaying && player.engine == nil)
            #expect(dropped.await(1) == [1])
        }
    }
}
