// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AllocationCount
import Foundation
import Testing

@Suite("The rendering thread of an engine")
struct EngineRealTimeTests {
    @Test("allocates no memory: players, sources, a tap, an equalizer, another rate, a shared bus")
    func allocations() throws {
        guard allocation_count_is_available() else { return }
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let slow = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1))
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
        let (player, other, equalizer) = (AVAudioPlayerNode(), AVAudioPlayerNode(), AVAudioUnitEQ(numberOfBands: 4))
        let source = AVAudioSourceNode { _, _, frames, list in
            let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = 0.25 }
            return noErr
        }
        for node in [player, other, equalizer, source] { engine.attach(node) }
        for band in equalizer.bands { band.bypass = false }
        engine.connect(player, to: equalizer, format: format)
        engine.connect(equalizer, to: engine.mainMixerNode, format: format)
        engine.connect(other, to: engine.mainMixerNode, format: slow)
        engine.connect(
            source, to: [.init(node: engine.mainMixerNode, bus: 4), .init(node: engine.mainMixerNode, bus: 5)], fromBus: 0,
            format: format)
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in }
        for (node, own) in [(player, format), (other, slow)] {
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: own, frameCapacity: 100))
            buffer.frameLength = 100
            node.scheduleBuffer(buffer, at: nil, options: .loops)
        }
        try engine.start()
        player.play()
        other.play()
        let target = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        target.frameLength = 512
        let (render, list) = (engine.manualRenderingBlock, target.mutableAudioBufferList)
        // The first renders may complete lazy constants of the runtime.
        for _ in 0..<4 { #expect(render(512, list, nil) == .success) }
        let before = allocation_count()
        var failures = 0
        for _ in 0..<500 where render(512, list, nil) != .success { failures += 1 }
        #expect(allocation_count() == before)
        #expect(failures == 0)
        #expect(target.floatChannelData?[0][511] == 0.5)
        engine.mainMixerNode.removeTap(onBus: 0)
        engine.stop()
    }
}
