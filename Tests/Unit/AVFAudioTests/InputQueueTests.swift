// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AVFAudio

@Suite("A queue of captured frames")
struct InputQueueTests {
    @Test("gives each frame once, whatever the slices of both sides are, and the newest slice when the other side stood still")
    func slices() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let queue = InputQueue(try #require(FrameMemory(format, capacity: 4_000)))
        var (written, read) = (1, 1)
        func append(_ count: Int) throws {
            let slice = try numbers(written, count)
            withExtendedLifetime(slice) { queue.append(slice.audioBufferList, count) }
            written += count
        }
        for life in 1...2 {
            for _ in 0..<40 {
                for (appended, taken) in [(300, 200), (300, 400)] {
                    try append(appended)
                    let target = try numbers(0, taken)
                    queue.read(taken, target.mutableAudioBufferList)
                    let isNext = samples(target) == samples(try numbers(read, taken))
                    #expect(isNext, "life \(life), frame \(read)")
                    read += taken
                }
            }
            for _ in 0..<8 { try append(300) }
            // Seven slices exceed half of the memory, and the last one is newer.
            let target = try numbers(0, 600)
            queue.read(600, target.mutableAudioBufferList)
            let isNewest = samples(target) == samples(try numbers(written - 600, 600))
            #expect(isNewest, "life \(life)")
            read = written
        }
    }
}
