// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Testing

@testable import AudioQueues

/// The cycles of a stream as slices.
@Suite struct SliceCounterTests {
    private let device: pull_format = {
        var format = pull_format()
        (format.output_rate, format.output_channels) = (48_000, 2)
        (format.input_rate, format.input_channels) = (16_000, 1)
        format.slice = 256
        return format
    }()

    private func counter(isInput: Bool = false) -> SliceCounter {
        var counter = SliceCounter(isInput: isInput)
        counter.configure(device)
        return counter
    }

    private func cycle(frame: UInt64, room: UInt32 = 272) -> pull_cycle {
        var cycle = pull_cycle()
        (cycle.output_frame, cycle.output_frames) = (frame, room)
        (cycle.input_frame, cycle.input_frames) = (frame + 1_000, 80)
        (cycle.output_time, cycle.input_time) = (50_000_000, 20_000_000)
        return cycle
    }

    @Test("A cycle that plays has the frames of a slice, and no more than its room")
    func frames() {
        var counter = counter()
        #expect(counter.next(cycle(frame: 0)).frames == 256)
        #expect(counter.next(cycle(frame: 256, room: 100)).frames == 100)
        var unsliced = device
        unsliced.slice = 0
        counter.configure(unsliced)
        #expect(counter.next(cycle(frame: 356)).frames == 272)
    }

    @Test("A cycle that records has the captured frames, at the rate and with the channels of the input")
    func captured() {
        var counter = counter(isInput: true)
        let slice = counter.next(cycle(frame: 0))
        #expect(slice.frames == 80 && slice.frame == 1_000 && slice.rate == 16_000 && slice.channels == 1)
        #expect(slice.time == 20_000_000 && slice.now == 20_000_000)
    }

    @Test("Frames between two cycles are lost, but not before the first cycle on a device")
    func lostFrames() {
        var counter = counter()
        #expect(counter.next(cycle(frame: 5_000)).lostFrames == 0)
        #expect(counter.next(cycle(frame: 5_256)).lostFrames == 0)
        #expect(counter.next(cycle(frame: 5_522)).lostFrames == 10)
        counter.configure(device)
        #expect(counter.next(cycle(frame: 9_000)).lostFrames == 0)
        #expect(counter.next(cycle(frame: 9_257)).lostFrames == 1)
    }

    @Test("A cycle is written before it is heard, by the delay of the device, and not before the time 0")
    func delay() {
        var counter = counter()
        var late = cycle(frame: 0)
        late.output_delay = 480
        #expect(counter.next(late).now == 40_000_000)
        late.output_delay = 48_000
        #expect(counter.next(late).now == 50_000_000)
    }

    @Test("A device that reports no speed runs at its rate")
    func rateScalar() {
        var counter = counter()
        var cycle = cycle(frame: 0)
        #expect(counter.next(cycle).rateScalar == 1)
        cycle.rate_scalar = 1.25
        #expect(counter.next(cycle).rateScalar == 1.25)
    }
}
