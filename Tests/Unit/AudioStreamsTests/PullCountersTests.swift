// SPDX-License-Identifier: Apache-2.0
import CStatusPage
import Testing

@testable import AudioStreams

/// The numbers that a pulled stream keeps of its cycles.
@Suite struct PullCountersTests {
    private let second: UInt64 = 1_000_000_000

    @Test("The longest render is that of the present second and the one before") func longest() {
        let counters = PullCounters()
        counters.start(slice: 10_000_000)
        counters.addCycle(from: second, to: second + 7_000_000)
        counters.addCycle(from: second + 20_000_000, to: second + 21_000_000)
        #expect(counters.copy.longest_render_ns == 7_000_000)
        counters.addCycle(from: 2 * second + 500_000_000, to: 2 * second + 502_000_000)
        #expect(counters.copy.longest_render_ns == 7_000_000)
        counters.addCycle(from: 4 * second, to: 4 * second + 1_000_000)
        #expect(counters.copy.longest_render_ns == 2_000_000)
        #expect(counters.copy.cycles == 4)
    }

    @Test("The load is the mean of about sixteen renders, and at most 1") func load() {
        let counters = PullCounters()
        counters.start(slice: 10_000_000)
        counters.addCycle(from: second, to: second + 5_000_000)
        #expect(counters.copy.load == 0.5 / 16)
        for _ in 0..<500 { counters.addCycle(from: second, to: second + 5_000_000) }
        #expect(abs(counters.copy.load - 0.5) < 0.001)
        for _ in 0..<500 { counters.addCycle(from: second, to: 2 * second) }
        #expect(abs(counters.copy.load - 1) < 0.001 && counters.copy.load <= 1)
    }

    @Test("In the memory of a slot other processes see the counters") func slot() {
        var words = status_counters()
        withUnsafeMutablePointer(to: &words) { slot in
            let counters = PullCounters()
            counters.move(to: slot)
            counters.setRealtime(true)
            counters.start(slice: 10_000_000)
            counters.addCycle(from: second, to: second + 5_000_000)
            for _ in 0..<2 { _ = counters.addUnderrun() }
            for _ in 0..<3 { counters.addOverrun() }
            counters.addLost(441)
            #expect(counters.copy.underruns == 2)
        }
        #expect(words.cycles == 1 && words.underruns == 2 && words.overruns == 3 && words.lost_frames == 441)
        #expect(words.longest_ns == 5_000_000 && words.slice_ns == 10_000_000 && words.is_realtime == 1)
        #expect(Float(bitPattern: UInt32(words.load)) == 0.5 / 16)
    }

    @Test("A start resets the counters, and the first underrun after it is reported as the first") func start() {
        let counters = PullCounters()
        counters.setRealtime(true)
        counters.start(slice: 10_000_000)
        counters.addCycle(from: second, to: second + 5_000_000)
        counters.addOverrun()
        counters.addLost(441)
        #expect(counters.addUnderrun() && !counters.addUnderrun())
        let before = counters.copy
        #expect(before.cycles == 1 && before.underruns == 2 && before.overruns == 1 && before.lost_frames == 441)
        counters.start(slice: 5_000_000)
        let after = counters.copy
        #expect(after.cycles == 0 && after.underruns == 0 && after.overruns == 0 && after.lost_frames == 0)
        #expect(after.longest_render_ns == 0 && after.load == 0 && after.slice_ns == 5_000_000 && after.is_realtime)
        #expect(counters.addUnderrun())
        counters.addCycle(from: second, to: second + 5_000_000)
        #expect(counters.copy.longest_render_ns == 5_000_000)
    }
}
