// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Synchronization
import Testing

@Suite("The input of an engine that renders manually")
struct ManualInputTests {
    @Test("is complete again after renders for which the program had none")
    func completeAgain() throws {
        let offline = try OfflineEngine()
        let engine = offline.engine
        let supplies = Atomic<Bool>(true)
        let input = try offline.buffer(100) { _ in 0.5 }
        #expect(
            engine.inputNode.setManualRenderingInputPCMFormat(offline.format) { _ in
                supplies.load(ordering: .relaxed) ? input.audioBufferList : nil
            })
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: offline.format)
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: offline.format, frameCapacity: 100))
        for hasInput in [true, false, true, false, true] {
            supplies.store(hasInput, ordering: .relaxed)
            #expect(try engine.renderOffline(100, to: buffer) == (hasInput ? .success : .insufficientDataFromInputNode))
            #expect(buffer.floatChannelData?[0][50] == (hasInput ? 0.5 : 0))
        }
    }

    @Test("is set before the engine runs, and again after it has stopped")
    func whileRunning() throws {
        let offline = try OfflineEngine()
        let (engine, input) = (offline.engine, try offline.buffer(100) { _ in 0.25 })
        for _ in 1...2 {
            #expect(engine.inputNode.setManualRenderingInputPCMFormat(offline.format) { _ in input.audioBufferList })
            engine.connect(engine.inputNode, to: engine.mainMixerNode, format: offline.format)
            try engine.start()
            #expect(!engine.inputNode.setManualRenderingInputPCMFormat(offline.format) { _ in nil })
            #expect(try offline.render(100, in: 100)[0].allSatisfy { $0 == 0.25 })
            engine.stop()
        }
    }

    @Test("is converted to the format of the connection, which may be older", arguments: [false, true])
    func otherRate(connectsFirst: Bool) throws {
        let offline = try OfflineEngine()
        let engine = offline.engine
        let asked = Atomic<Int>(0)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 2))
        let input = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096))
        input.frameLength = 4_096
        let samples = try #require(input.floatChannelData)
        for frame in 0..<4_096 { (samples[0][frame], samples[1][frame]) = (0.5, 0.5) }
        func connect() { engine.connect(engine.inputNode, to: engine.mainMixerNode, format: offline.format) }
        if connectsFirst { connect() }
        #expect(
            engine.inputNode.setManualRenderingInputPCMFormat(format) { frames in
                asked.add(Int(frames), ordering: .relaxed)
                return input.audioBufferList
            })
        if !connectsFirst { connect() }
        try engine.start()
        let sound = try offline.render(4_410)[0]
        // Half as many, and those that the filter holds.
        #expect(abs(asked.load(ordering: .relaxed) - 2_205) < 200)
        #expect(sound.suffix(1_000).allSatisfy { abs($0 - 0.5) < 0.001 })
    }
}
