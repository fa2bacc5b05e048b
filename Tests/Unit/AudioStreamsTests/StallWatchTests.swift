// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

private let second: UInt64 = 1_000_000_000

@Suite("The watch for a device that plays nothing")
struct StallWatchTests {
    private struct Look {
        let played: UInt64
        let time: UInt64
    }

    /// Starts a watch at a time, and returns what the watch notices at each look.
    private func notices(_ watch: inout StallWatch, startedAt start: UInt64, _ looks: Look...) -> [Bool] {
        watch.start(at: start)
        return looks.map { watch.notices(played: $0.played, at: $0.time) }
    }

    @Test("notices once that no frame was played for two seconds, and again after a frame") func once() {
        var watch = StallWatch()
        let noticed = notices(
            &watch, startedAt: 5 * second, Look(played: 0, time: 7 * second - 1), Look(played: 0, time: 7 * second),
            Look(played: 0, time: 20 * second), Look(played: 1, time: 30 * second), Look(played: 1, time: 32 * second - 1),
            Look(played: 1, time: 32 * second))
        #expect(noticed == [false, true, false, false, false, true])
    }

    @Test("begins anew with each start of the device") func start() {
        var watch = StallWatch()
        let first = notices(
            &watch, startedAt: second, Look(played: 480, time: 2 * second), Look(played: 480, time: 4 * second))
        #expect(first == [false, true])
        for life: UInt64 in 1...3 {
            // The frames count from the start. A look can have an earlier time than the start.
            let begin = life * 10 * second
            let noticed = notices(
                &watch, startedAt: begin, Look(played: 0, time: begin - second), Look(played: 0, time: begin + second),
                Look(played: 0, time: begin + 2 * second))
            #expect(noticed == [false, false, true], "life \(life)")
        }
    }
}
