// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioToolbox
import Testing

@testable import AVFAudio

/// A buffer of one channel, or of two, with the numbers from `first` on in each channel.
func numbers(_ first: Int, _ count: Int, channels: AVAudioChannelCount = 1) throws -> AVAudioPCMBuffer {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: channels))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)))
    buffer.frameLength = AVAudioFrameCount(count)
    for channel in 0..<Int(channels) {
        for frame in 0..<count { buffer.floatChannelData?[channel][frame] = Float(first + frame) }
    }
    return buffer
}

func samples(_ buffer: AVAudioPCMBuffer, channel: Int = 0) -> [Float] {
    (0..<Int(buffer.frameLength)).map { buffer.floatChannelData?[channel][$0] ?? -1 }
}

@Suite("A memory of frames")
struct FrameMemoryTests {
    @Test("is a ring, and leaves the channels alone that it has not", arguments: [(1, 2), (2, 1), (2, 2)] as [(UInt32, UInt32)])
    func channels(has: UInt32, wanted: UInt32) throws {
        let source = try numbers(0, 70, channels: has)
        let memory = try #require(FrameMemory(source.format, capacity: 100))
        let target = try numbers(1_000, 70, channels: wanted)
        for position in [0, 60, 200] {
            memory.write(source.audioBufferList, 70, at: position)
            memory.read(position, 70, into: target.mutableAudioBufferList)
            let isCopied = samples(target) == samples(source)
            #expect(isCopied)
            let second = wanted == 2 ? samples(target, channel: 1) : []
            let isRight = second == (wanted == 1 ? [] : has == 2 ? samples(source) : samples(try numbers(1_000, 70)))
            #expect(isRight, "the second channel")
        }
    }
}

@Suite("The memory of the frames of an engine")
struct FreedMemoryTests {
    @Test("is freed with what uses it, each time", arguments: [1, 2] as [AVAudioChannelCount], [false, true])
    func freed(channels: AVAudioChannelCount, interleaved: Bool) throws {
        guard allocation_count_is_available() else { return }
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: channels, interleaved: interleaved))
        let source = NodeOutput()
        let uses: [(name: String, make: () -> Bool)] = [
            ("slices", { SliceList(format, capacity: 4_096) != nil }),
            ("a ring", { FrameMemory(format, capacity: 4_096) != nil }),
            ("a sink", { Sink({ _, _, _ in 0 }, source, format) != nil }),
        ]
        for use in uses {
            // The first object may complete lazy constants of the runtime.
            #expect(use.make(), "\(use.name)")
            for life in 1...2 {
                let before = allocation_balance()
                let isMade = use.make()
                let left = allocation_balance() - before
                #expect(isMade && left == 0, "\(use.name), life \(life)")
            }
        }
    }
}
