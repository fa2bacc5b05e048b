// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Dispatch
import MediaTestSupport
import Synchronization
import Testing

@testable import AudioUnits

/// A listener that counts its calls, and does more where a test asks for it.
private final class Listener: @unchecked Sendable {
    struct Call: Equatable {
        var property: UInt32
        var scope: UInt32
        var element: UInt32
    }

    private let record = Mutex<[Call]>([])
    private let called = DispatchSemaphore(value: 0)
    /// Runs inside each call.
    let action: @Sendable (Listener) -> Void

    init(_ action: @escaping @Sendable (Listener) -> Void = { _ in }) { self.action = action }

    var calls: [Call] { record.withLock { $0 } }
    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static let procedure: AudioUnitPropertyListenerProc = { reference, _, property, scope, element in
        let listener = Unmanaged<Listener>.fromOpaque(reference!).takeUnretainedValue()
        listener.record.withLock { $0.append(Call(property: property, scope: scope, element: element)) }
        listener.action(listener)
        listener.called.signal()
    }

    func add(to unit: Unit, _ property: UnitProperty) throws {
        try unit.addListener(property.rawValue, Listener.procedure, reference)
    }

    func remove(from unit: Unit, _ property: UnitProperty) {
        unit.removeListener(property.rawValue, Listener.procedure, reference)
    }

    /// Whether a call ended since the last one that was awaited; false after a minute.
    func hasBeenCalled() -> Bool { called.wait(timeout: .now() + 60) == .success }
}

extension Program {
    fileprivate func setMaximum(_ frames: UInt32) throws { try set(.maximumFramesPerSlice, .global, 0, frames) }

    /// All events that were posted before have been delivered, or dropped: events keep their order.
    fileprivate func deliverEvents() throws {
        let last = Listener()
        try last.add(to: unit, .sampleRate)
        try set(.sampleRate, .input, 0, 22_050.0)
        #expect(last.hasBeenCalled())
        last.remove(from: unit, .sampleRate)
    }
}

@Suite("A property listener of a unit")
struct ListenerTests {
    @Test("is called for the formats and the rates of both devices, each time that they change")
    func hardwareFormats() throws {
        let program = try Program()
        try program.enableInput()
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let listener = Listener()
        let properties = [UnitProperty.streamFormat, .sampleRate]
        for property in properties { try listener.add(to: program.unit, property) }
        for _ in 0..<2 {
            program.engine.stream?.reconfigure()
            for _ in 0..<4 { #expect(listener.hasBeenCalled()) }
        }
        let once = [ScopeElement(.output, 0), ScopeElement(.input, 1)].flatMap { side in
            properties.map { Listener.Call(property: $0.rawValue, scope: side.scope.rawValue, element: side.element) }
        }
        #expect(listener.calls == once + once)
        for property in properties { listener.remove(from: program.unit, property) }
    }

    @Test("may wait for a callback that disposes of the unit, or removes a listener", arguments: [false, true])
    func disposalInACallback(disposes: Bool) throws {
        let program = try Program()
        try program.setRenderCallback()
        try program.unit.initialize()
        let (entered, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasWaited = Mutex(false)
        let listener = Listener { _ in
            entered.signal()
            let isInTime = mayLeave.wait(timeout: .now() + 60) == .success
            hasWaited.withLock { $0 = isInTime }
        }
        try listener.add(to: program.unit, .isRunning)
        #expect(program.unit.start() == 0)
        #expect(entered.wait(timeout: .now() + 60) == .success)
        program.onRender = { _, _, _ in
            if disposes { _ = program.unit.dispose() } else { listener.remove(from: program.unit, .isRunning) }
            return 0
        }
        program.engine.stream?.turn()
        mayLeave.signal()
        #expect(listener.hasBeenCalled() && hasWaited.withLock { $0 })
    }

    @Test("of IsRunning is called once for a stop by the session, before the program is told and not after it, in each life")
    func stopBySession() throws {
        let program = try Program()
        try program.setRenderCallback()
        try program.unit.initialize()
        let listener = Listener()
        try listener.add(to: program.unit, .isRunning)
        for life in 1...2 {
            #expect(program.unit.start() == 0)
            let stream = try #require(program.engine.stream)
            stream.interrupt(tellsOwner: false, reports: true)
            #expect(!program.unit.isRunning)
            try program.deliverEvents()
            #expect(listener.calls.count == 4 * life - 2)
            stream.reportStop()
            try program.deliverEvents()
            #expect(listener.calls.count == 4 * life - 2)
            // A stop that the session has not announced is reported by the stream.
            #expect(program.unit.start() == 0)
            stream.interrupt(.deadServer)
            try program.deliverEvents()
            #expect(listener.calls.count == 4 * life)
        }
    }

    @Test("is called for each change of its property, with the place of the change")
    func changes() throws {
        let program = try Program()
        let listener = Listener()
        try listener.add(to: program.unit, .streamFormat)
        try program.setFormat(.input, 0, Program.int16(16_000, channels: 1))
        try program.setMaximum(512)
        try program.setFormat(.output, 1, Program.int16(16_000, channels: 1))
        try program.deliverEvents()
        let formats = listener.calls
        #expect(formats.map { $0.scope } == [1, 2] && formats.map { $0.element } == [0, 1])
        #expect(formats.allSatisfy { $0.property == 8 })
        listener.remove(from: program.unit, .streamFormat)
    }

    @Test("is not called after its removal returns: the current call has ended, and pending calls are dropped")
    func removal() throws {
        let program = try Program()
        let unit = program.unit
        let (entered, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let listener = Listener { _ in
            entered.signal()
            #expect(mayLeave.wait(timeout: .now() + 60) == .success)
        }
        try listener.add(to: program.unit, .maximumFramesPerSlice)
        for frames: UInt32 in [256, 512, 1_024] { try program.setMaximum(frames) }
        #expect(entered.wait(timeout: .now() + 60) == .success)
        let removal = WatchedThread { listener.remove(from: unit, .maximumFramesPerSlice) }
        #expect(removal.sleeps())
        mayLeave.signal()
        #expect(removal.join())
        let heard = listener.calls.count
        try program.setMaximum(2_048)
        try program.deliverEvents()
        #expect(listener.calls.count == heard)
    }

    @Test("is refused when the unit has no such property, or when another thread disposes of the unit meanwhile")
    func disposedUnit() throws {
        let program = try Program()
        #expect(program.unit.dispose())
        let listener = Listener()
        #expect(status { try listener.add(to: program.unit, .maximumFramesPerSlice) } == -50)
        program.unit.post(.maximumFramesPerSlice)
        #expect(status { try listener.add(to: program.unit, .muteOutput) } == -10879)
        let next = try Program(.remoteIO, on: program.engine, in: program.context)
        try next.deliverEvents()
        #expect(listener.calls.isEmpty)
    }

    @Test("can remove itself in its call")
    func removalInside() throws {
        let program = try Program()
        let unit = program.unit
        let listener = Listener { $0.remove(from: unit, .maximumFramesPerSlice) }
        try listener.add(to: unit, .maximumFramesPerSlice)
        for frames: UInt32 in [256, 512, 1_024] { try program.setMaximum(frames) }
        #expect(listener.hasBeenCalled())
        try program.deliverEvents()
        #expect(listener.calls.count == 1)
    }

    @Test("of IsRunning is called for starts and stops, also for a stop by uninitialize")
    func running() throws {
        let program = try Program()
        let listener = Listener()
        try listener.add(to: program.unit, .isRunning)
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        try program.unit.stop()
        try program.deliverEvents()
        #expect(listener.calls.count == 2)
        #expect(program.unit.start() == 0)
        program.unit.uninitialize()
        try program.deliverEvents()
        #expect(listener.calls.count == 4)
        listener.remove(from: program.unit, .isRunning)
    }
}
