// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaTestSupport
import Synchronization
import Testing

@testable import AudioUnits

#if canImport(Glibc)
    import Glibc
#endif

private func step(_ value: Float, at offset: UInt32, _ parameter: UInt32 = 0, _ element: UInt32 = 0, scope: UInt32 = 1)
    -> AudioUnitParameterEvent
{
    var event = AudioUnitParameterEvent()
    (event.scope, event.element, event.parameter) = (scope, element, parameter)
    event.eventType = UInt32(kParameterEvent_Immediate)
    event.eventValues.immediate = .init(bufferOffset: offset, value: value)
    return event
}

private func ramp(
    from start: Float, to end: Float, at offset: Int32, frames: UInt32, _ parameter: UInt32 = 0, scope: UInt32 = 1
) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    (event.scope, event.parameter) = (scope, parameter)
    event.eventType = UInt32(kParameterEvent_Ramped)
    event.eventValues.ramp = .init(startBufferOffset: offset, durationInFrames: frames, startValue: start, endValue: end)
    return event
}

extension Unit {
    fileprivate func schedule(_ events: AudioUnitParameterEvent...) throws {
        try events.withUnsafeBufferPointer { try schedule($0) }
    }
}

@Suite("Events of parameters")
struct ParameterEventTests {
    @Test("of one slice take effect at their frames, in order: steps and ramps")
    func oneSlice() throws {
        for life in 0..<2 {
            let mixer = try Mixer([1])
            for _ in 0...life { #expect(mixer.render(4) == [1, 1, 1, 1]) }
            let unit = mixer.program.unit
            try unit.schedule(
                step(0.5, at: 2), ramp(from: 0, to: 1, at: 4, frames: 4), step(0.25, at: 10), step(2, at: 10),
                ramp(from: -1, to: -2, at: 12, frames: 2))
            let expected: [Float] = [1, 1, 0.5, 0.5, 0, 0.25, 0.5, 0.75, 1, 1, 2, 2, -1, -1.5, -2, -2]
            #expect(mixer.render(16) == expected)
            #expect(try unit.parameter(0, 1, 0) == -2)
            #expect(mixer.render(2) == [-2, -2])
        }
    }

    @Test("that come in another order than their frames take effect in the order of the frames")
    func unsorted() throws {
        let mixer = try Mixer([1])
        _ = mixer.render(4)
        try mixer.program.unit.schedule(step(0.25, at: 6), step(0.5, at: 2), step(0.75, at: 4))
        #expect(mixer.render(8) == [1, 1, 0.5, 0.5, 0.75, 0.75, 0.25, 0.25])
    }

    @Test("of later slices wait for them, and a ramp that has begun starts in its middle")
    func laterSlices() throws {
        let mixer = try Mixer([1])
        _ = mixer.render(4)
        try mixer.program.unit.schedule(step(0.5, at: 9), step(0.25, at: 4))
        #expect(mixer.render(4) == [1, 1, 1, 1])
        #expect(mixer.render(4) == [0.25, 0.25, 0.25, 0.25])
        #expect(mixer.render(4) == [0.25, 0.5, 0.5, 0.5])
        try mixer.program.unit.schedule(ramp(from: 0, to: 1, at: -2, frames: 4))
        #expect(mixer.render(4) == [0.5, 0.75, 1, 1])
        try mixer.program.unit.schedule(ramp(from: 0, to: 1, at: 3, frames: 0))
        #expect(mixer.render(4) == [1, 1, 1, 1])
    }

    @Test("change enable, pan and the output at their frames, each input by its own")
    func otherParameters() throws {
        let mixer = try Mixer([1, 0.5])
        _ = mixer.render(4)
        let unit = mixer.program.unit
        try unit.schedule(step(0, at: 2, 1, 0), step(1, at: 6, 1, 0), step(0, at: 4, 0, 1))
        #expect(mixer.render(8) == [1.5, 1.5, 0.5, 0.5, 0, 0, 1, 1])
        try unit.schedule(step(0.5, at: 3, 0, 0, scope: 2))
        #expect(mixer.render(4) == [1, 1, 1, 0.5])
        // The source of an input that is off is called in the slice in which it is switched on.
        try unit.schedule(step(0, at: 0, 1, 0))
        #expect(mixer.render(2) == [0, 0])
        let calls = mixer[0].calls
        try unit.schedule(step(0.25, at: 1, 0, 0))
        #expect(mixer.render(2) == [0, 0] && mixer[0].calls == calls)
        try unit.schedule(step(1, at: 1, 1, 0))
        #expect(mixer.render(2) == [0, 0.125] && mixer[0].calls == calls + 1)
    }

    @Test("advance while an input has no sound")
    func silence() throws {
        let mixer = try Mixer([1])
        _ = mixer.render(4)
        mixer[0].status = 77
        try mixer.program.unit.schedule(step(0.5, at: 1), ramp(from: 0.5, to: 1.5, at: 2, frames: 8), step(0.25, at: 13))
        #expect(mixer.render(4) == [0, 0, 0, 0])
        mixer[0].status = 0
        #expect(mixer.render(8) == [0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5, 1.5])
        #expect(mixer.render(2) == [1.5, 0.25])
    }

    @Test("before the first slice leave the frames before them at the former value")
    func beforeStart() throws {
        let mixer = try Mixer([1])
        try mixer.program.unit.schedule(step(0.5, at: 2))
        #expect(mixer.render(4) == [1, 1, 0.5, 0.5])
        mixer.program.unit.uninitialize()
        try mixer.program.unit.schedule(step(0.75, at: 2))
        try mixer.program.unit.initialize()
        #expect(mixer.render(4) == [0.5, 0.5, 0.75, 0.75])
        mixer.program.unit.uninitialize()
        try mixer.program.unit.setParameter(0, 1, 0, 0.125)
        try mixer.program.unit.initialize()
        #expect(mixer.render(2) == [0.125, 0.125])
    }

    @Test("have any finite volume, negative ones included; other parameters keep their limits")
    func volumes() throws {
        let mixer = try Mixer([0.5])
        _ = mixer.render(4)
        let unit = mixer.program.unit
        for volume in [-1, 2, -0.25, 1_000, 0, Float.greatestFiniteMagnitude / 4] {
            for (scope, other) in [(UInt32(1), UInt32(2)), (2, 1)] {
                try unit.setParameter(0, other, 0, 1)
                try unit.setParameter(0, scope, 0, volume)
                #expect(try unit.parameter(0, scope, 0) == volume)
                for _ in 0..<2 { _ = mixer.render(4) }
                #expect(mixer.render(2) == [0.5 * volume, 0.5 * volume])
            }
        }
        for bad in [Float.nan, .infinity, -.infinity] {
            #expect(status { try unit.setParameter(0, 1, 0, bad) } == -10878)
            #expect(status { try unit.schedule(step(bad, at: 0)) } == -10878)
            #expect(status { try unit.schedule(ramp(from: bad, to: 0, at: 0, frames: 1)) } == -10878)
            #expect(status { try unit.schedule(ramp(from: 0, to: bad, at: 0, frames: 1)) } == -10878)
        }
        try unit.setParameter(2, 1, 0, -3)
        #expect(try unit.parameter(2, 1, 0) == -1)
        try unit.setParameter(1, 1, 0, 0.3)
        #expect(try unit.parameter(1, 1, 0) == 0)
    }

    @Test("have no effect if one of them is not possible")
    func mistakes() throws {
        let mixer = try Mixer([1])
        _ = mixer.render(4)
        let unit = mixer.program.unit
        var unknown = step(0.5, at: 0)
        unknown.eventType = 3
        #expect(status { try unit.schedule(step(0.5, at: 0), unknown) } == -50)
        #expect(status { try unit.schedule(step(0.5, at: 0), step(0.5, at: 0, 9)) } == -10878)
        #expect(status { try unit.schedule(step(0.5, at: 0), step(0.5, at: 0, 0, 1)) } == -10877)
        #expect(status { try unit.schedule(step(0.5, at: 0), step(-10, at: 0, 1000)) } == -10878)
        #expect(mixer.render(2) == [1, 1])
        #expect(try unit.parameter(0, 1, 0) == 1)
    }

    @Test("that do not fit are replaced by the values that were set last, and later ones work again")
    func overflow() throws {
        let mixer = try Mixer([1])
        _ = mixer.render(4)
        let unit = mixer.program.unit
        for _ in 0..<2 {
            for index in 0..<10_000 { try unit.schedule(step(Float(index % 7), at: UInt32(index % 3))) }
            try unit.setParameter(0, 1, 0, 0.5)
            _ = mixer.render(4)
            #expect(mixer.render(2) == [0.5, 0.5])
            try unit.schedule(step(0.25, at: 1))
            #expect(mixer.render(2) == [0.5, 0.25])
            for index in 0..<6_000 { try unit.schedule(step(Float(index % 7), at: 1_000_000)) }
            _ = mixer.render(4)
            #expect(try mixer.render(2) == [unit.parameter(0, 1, 0), unit.parameter(0, 1, 0)])
        }
    }

    @Test("of an I/O unit's volume step and ramp at their frames")
    func outputVolume() throws {
        let program = try Program {
            $0.preferredSlice = 16.0 / 48_000
            $0.hardware.output_rate = 48_000
        }
        try program.setFormat(.input, 0, Program.float(48_000, channels: 2))
        try program.setRenderCallback()
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = 1 }
            return 0
        }
        try program.unit.initialize()
        for _ in 0..<2 {
            #expect(program.unit.start() == 0)
            let stream = try #require(program.engine.stream)
            try program.unit.setParameter(14, 0, 0, 1)
            for _ in 0..<2 { stream.turn() }
            var events = [
                step(0.5, at: 2, 14, 0, scope: 0), ramp(from: 0.5, to: 1, at: 4, frames: 4, 14, scope: 0),
                step(0.25, at: 10, 14, 0, scope: 0), step(0.75, at: 17, 14, 0, scope: 0),
            ]
            events[1].element = 0
            try events.withUnsafeBufferPointer { try program.unit.schedule($0) }
            let left = (stream.turn() + stream.turn()).enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
            let expected: [Float] = [1, 1, 0.5, 0.5, 0.5, 0.625, 0.75, 0.875, 1, 1] + Array(repeating: 0.25, count: 7)
            #expect(left == expected + Array(repeating: 0.75, count: 15))
            try program.unit.stop()
        }
        #expect(status { try program.unit.schedule(step(0.5, at: 0, 14, 1, scope: 0)) } == -10877)
        #expect(status { try program.unit.schedule(step(0.5, at: 0, 13, 0, scope: 0)) } == -10878)
    }

    @Test("arrive whole and in the order of each thread, while several threads append them")
    func threads() {
        let events = ParameterEvents()
        let parameters = (0..<2).map { _ in UnitParameter(0) }
        let done = Atomic<Int>(0)
        let acknowledged = (0..<2).map { _ in AcknowledgedCount() }
        let total = 100_000
        let threads = parameters.enumerated().map { thread, parameter in
            WatchedThread {
                var number = 0
                while number < total {
                    // No more than fit.
                    guard number - acknowledged[thread].value.load(ordering: .acquiring) < 1_000 else {
                        sched_yield()
                        continue
                    }
                    let first = number
                    events.append(10) { ParameterEvent(parameter, at: 0, .step(Float(first + $0))) }
                    number += 10
                }
                done.add(1, ordering: .releasing)
            }
        }
        var next: [Float] = [0, 0]
        var misplaced = 0
        while next != [Float(total), Float(total)] {
            let isLast = done.load(ordering: .acquiring) == 2
            events.beginSlice()
            for index in 0..<events.count {
                let event = events[index]
                let thread = event.changes(parameters[0]) ? 0 : 1
                if event.change != .step(next[thread]) || !event.changes(parameters[thread]) { misplaced += 1 }
                next[thread] += 1
                acknowledged[thread].value.store(Int(next[thread]), ordering: .releasing)
            }
            if events.count % 10 != 0 { misplaced += 1 }
            events.endSlice(1)
            if isLast, events.count == 0, next != [Float(total), Float(total)] { break }
        }
        #expect(threads.allSatisfy { $0.join() })
        #expect(next == [Float(total), Float(total)] && misplaced == 0 && events.losses == 0)
        #expect(parameters.allSatisfy { $0.value == Float(total - 1) && $0.settled == Float(total - 1) })
    }
}

private final class AcknowledgedCount: Sendable {
    let value = Atomic<Int>(0)
}
