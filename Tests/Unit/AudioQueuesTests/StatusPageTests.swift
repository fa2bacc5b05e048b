// SPDX-License-Identifier: Apache-2.0
import CStatusPage
import EngineTestSupport
import LinuxSystem
import MediaFormats
import Testing

@testable import AudioQueues

/// A page on which the queues of a test describe themselves.
private final class Page {
    let memory = UnsafeMutablePointer<status_page>.allocate(capacity: 1)
    let engine = FakeEngine(slice: 256)

    init() {
        memory.initialize(to: status_page())
        engine.statusPage = memory
    }

    deinit { memory.deallocate() }

    private func read(_ slot: UInt32) -> (status_description, status_counters)? {
        var (description, counters) = (status_description(), status_counters())
        return status_read(status_page_slot(memory, slot), &description, &counters) ? (description, counters) : nil
    }

    /// Nil for a free slot.
    func entry(_ slot: UInt32) -> status_description? { read(slot)?.0 }
    func counters(_ slot: UInt32) -> status_counters? { read(slot)?.1 }
    func address(_ slot: UInt32) -> UnsafeMutablePointer<status_counters>? {
        status_slot_counters(UnsafeMutablePointer(mutating: status_page_slot(memory, slot)))
    }
}

private let running = UInt32(STATUS_IS_RUNNING)
private let output = UInt32(STATUS_HAS_OUTPUT)
private let input = UInt32(STATUS_HAS_INPUT)

@Suite struct StatusPageTests {
    @Test("The status page describes a queue that plays and its stream while they exist")
    func aQueueThatPlaysAndItsStreamAreDescribed() throws {
        let page = Page()
        do {
            let bench = try Bench(int16(rate: 24_000, channels: 1), engine: page.engine)
            var entry = try #require(page.entry(0))
            #expect(entry.kind == UInt32(STATUS_OUTPUT_QUEUE) && entry.state == output)
            #expect(entry.output.rate == 24_000 && entry.output.id == FormatID.linearPCM)
            #expect(entry.output.channels == 1 && entry.output.bits == 16 && entry.output.flags == 12)
            #expect(entry.input.rate == 0 && entry.starts == 0 && entry.buffers == 0 && entry.queued == 0)
            #expect(page.entry(1) == nil, "no stream before the first start")
            for _ in 0..<2 { try bench.enqueue([Int16](repeating: 1, count: 2_400)) }
            entry = try #require(page.entry(0))
            #expect(entry.buffers == 2 && entry.queued == 0.2)

            try bench.queue.start()
            #expect(page.entry(0)?.state == output | running && page.entry(0)?.starts == 1)
            #expect(page.entry(1)?.kind == UInt32(STATUS_OUTPUT_MIX) && page.entry(1)?.state == output | running)
            #expect(bench.engine.output?.slotCounters == page.address(1))
            try bench.queue.pause()
            #expect(page.entry(0)?.state == output | UInt32(STATUS_IS_PAUSED))
            bench.run(10)
            #expect(page.entry(1)?.state == output)
            try bench.queue.start()
            #expect(page.entry(0)?.starts == 1, "a pause is no end")
            try bench.queue.stop(immediately: false)
            #expect(page.entry(0)?.state == output | running | UInt32(STATUS_IS_STOPPING))
            bench.run(60)
            #expect(page.entry(0)?.state == output && page.entry(0)?.buffers == 0)
            try bench.queue.start()
            #expect(page.entry(0)?.starts == 2)
            try bench.queue.dispose(immediately: true)
            #expect(page.entry(0) == nil && page.entry(1)?.state == output)
        }
        #expect(page.entry(1) == nil)
    }

    @Test("The status page describes a queue that records and its stream")
    func aQueueThatRecordsAndItsStreamAreDescribed() throws {
        let page = Page()
        let bench = try Bench(int16(channels: 1), isInput: true, engine: page.engine)
        #expect(page.entry(0)?.kind == UInt32(STATUS_INPUT_QUEUE) && page.entry(0)?.state == input)
        #expect(page.entry(0)?.input.rate == 48_000 && page.entry(0)?.output.rate == 0)
        try bench.queue.start()
        #expect(page.entry(0)?.state == input | running)
        #expect(page.entry(1)?.kind == UInt32(STATUS_INPUT_MIX) && page.entry(1)?.state == input | running)
        try bench.queue.stop(immediately: true)
        #expect(page.entry(0)?.state == input && page.entry(1)?.state == input)
    }

    @Test("Underruns are counted until the next start") func gapsAreCountedUntilTheNextStart() throws {
        let page = Page()
        let bench = try Bench(int16(channels: 1), engine: page.engine)
        try bench.enqueue([1])
        try bench.queue.start()
        bench.run(3)
        #expect(page.counters(0)?.underruns == 1 && bench.queue.underruns == 1)
        try bench.enqueue([1])
        bench.run(3)
        #expect(page.counters(0)?.underruns == 2)
        try bench.queue.stop(immediately: true)
        #expect(page.counters(0)?.underruns == 2)
        try bench.queue.start()
        #expect(page.counters(0)?.underruns == 0 && bench.queue.underruns == 0)
    }

    @Test("The log says when the last queue stops that the devices were late", arguments: [true, false])
    func lateness(isInput: Bool) throws {
        let bench = try Bench(int16(channels: 1), isInput: isInput)
        for late in [0, 3, 0, 1] as [UInt64] {
            try bench.queue.start()
            let stream = isInput ? bench.engine.input : bench.engine.output
            if isInput { stream?.counters.overruns = late } else { stream?.counters.underruns = late }
            stream?.counters.lost_frames = 441
            stream?.counters.slice_ns = 23_219_000
            let lines = try Log.lines { try bench.queue.stop(immediately: true) }.filter { $0.contains("frames lost") }
            let (underruns, overruns) = isInput ? (0, late) : (late, 0)
            let line =
                "stop of the last audio queue: \(underruns) underruns of the output, \(overruns) overruns of the input, "
                + "441 frames lost: the program or the machine is too slow for slices of 23219 microseconds"
            #expect(lines == (late > 0 ? [line] : []))
        }
    }

    @Test("A callback that takes longer than the enqueued sound is counted until the next start, and the first is logged")
    func callbacksThatTakeTooLongAreCountedAndTheFirstIsLogged() throws {
        let page = Page()
        let bench = try Bench(int16(channels: 1), engine: page.engine)
        var isLate = true
        bench.onBuffer = { [unowned bench] _ in
            guard isLate else { return }
            // The other buffer and silence.
            bench.engine.play(cycles: 2)
        }
        func playTwoBuffers() throws -> [String] {
            for _ in 0..<2 { try bench.enqueue([Int16](repeating: 1, count: 256)) }
            return try Log.lines {
                try bench.queue.start()
                bench.run(1)
            }.filter { $0.contains("a callback of an audio queue took longer than the sound that was enqueued") }
        }
        #expect(try playTwoBuffers().count == 1)
        #expect(page.entry(0)?.late == 1)
        bench.run(1)
        #expect(try playTwoBuffers().isEmpty)
        #expect(page.entry(0)?.late == 2)
        isLate = false
        bench.run(1)
        #expect(try playTwoBuffers().isEmpty)
        #expect(page.entry(0)?.late == 2)
        try bench.queue.stop(immediately: true)
        try bench.queue.start()
        #expect(page.entry(0)?.late == 0)
    }
}
