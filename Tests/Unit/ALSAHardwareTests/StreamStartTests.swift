// SPDX-License-Identifier: Apache-2.0
import CALSA
import Foundation
import Testing

/// Streams of a device that starts when the frames of its start threshold are written.
@Suite struct StreamStartTests {
    private static let running: Int32 = 3  // SND_PCM_STATE_RUNNING

    private func isRunning(_ stream: OpaquePointer?) throws -> Bool {
        typealias State = @convention(c) (OpaquePointer?) -> Int32
        let function = try #require(dlsym(nil, "snd_pcm_state"))
        return unsafeBitCast(function, to: State.self)(stream) == Self.running
    }

    @Test(
        "A stream starts by itself behind a third of its buffer, where the program writes twice as much",
        arguments: [(256, 3_000, 1_001), (1_000, 3_000, 1_001), (100, 300, 101)] as [(UInt64, UInt64, Int)])
    func threshold(period: UInt64, buffer: UInt64, expected: Int) throws {
        for most in [UInt64(2 * expected), UInt64(2 * expected - 1)] {
            var stream: OpaquePointer?
            try #require(alsa_stream_open(&stream, "{ type null }", true) == 0)
            defer { alsa_stream_close(stream) }
            var (grantedPeriod, grantedBuffer, isMapped) = (period, buffer, false)
            let int16: Int32 = 2
            #expect(alsa_stream_configure(stream, int16, 1, 48_000, most, &grantedPeriod, &grantedBuffer, &isMapped) == 0)
            try #require(grantedPeriod == period && grantedBuffer == buffer)
            // This device has played everything when a write begins.
            let frames = [Int16](repeating: 1, count: expected)
            for count in [expected - 1, expected, expected - 1, expected] {
                #expect(alsa_stream_prepare(stream) == 0)
                #expect(alsa_stream_write(stream, frames, UInt64(count)) == count)
                #expect(try isRunning(stream) == (count == expected && most == UInt64(2 * expected)), "\(count) frames")
                #expect(alsa_stream_drop(stream) == 0)
            }
        }
    }
}
