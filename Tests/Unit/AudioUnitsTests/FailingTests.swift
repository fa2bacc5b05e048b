// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import Dispatch
import EngineTestSupport
import FaultPlan
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Each call to the system and each allocation of the C modules fails in turn, once or with all that follow, while a program
/// makes a unit, runs it and disposes of it.
@Suite("A unit whose system calls fail", .serialized)
struct FailingTests {
    struct Failure: Sendable, CustomTestStringConvertible {
        let kind: UnitKind
        let lasts: Bool
        var testDescription: String { "\(kind.name)\(lasts ? ", for good" : "")" }
    }

    private static let failures = [UnitKind.remoteIO, .voiceProcessingIO, .mixer, .converter].flatMap { kind in
        [false, true].map { Failure(kind: kind, lasts: $0) }
    }

    /// The results that are documented for a system without memory or threads.
    private static let refusals: [Int32] = [0, UnitError.memoryFull.rawValue, UnitError.failedInitialization.rawValue]

    private static let listener: AudioUnitPropertyListenerProc = { data, _, _, _, _ in
        Unmanaged<DispatchSemaphore>.fromOpaque(data!).takeUnretainedValue().signal()
    }

    /// The calls of a program before its unit runs. Returns the first result that is not success, with its call.
    private func prepare(_ program: Program, _ heard: DispatchSemaphore) -> [(call: String, status: Int32)] {
        let reference = Unmanaged.passUnretained(heard).toOpaque()
        var results: [(String, Int32)] = []
        func call(_ name: String, _ body: () throws -> Void) { results.append((name, status(body))) }
        call("listen") { try program.unit.addListener(UnitProperty.streamFormat.rawValue, FailingTests.listener, reference) }
        if program.unit.kind.isIO { call("enable") { try program.enableInput() } }
        call("format") { try program.setFormat(.input, 0, Program.int16(44_100, channels: 2)) }
        call("callback") { try program.setRenderCallback() }
        call("initialize") { try program.unit.initialize() }
        // Publishes another plan for the audio thread.
        call("format again") { try program.setFormat(.input, 0, Program.int16(22_050, channels: 2)) }
        if program.unit.kind.isOutput { results.append(("start", program.unit.start())) }
        return results
    }

    /// The samples that a cycle of the unit plays or renders are those of the callback.
    private func expectSound(_ program: Program, _ place: String) throws {
        program.onRender = { _, _, list in
            for index in samples(list, as: Int16.self).indices { samples(list, as: Int16.self)[index] = 8_192 }
            return 0
        }
        guard program.unit.kind.isIO else {
            var last: Float = 0
            for _ in 0..<4 { last = try #require(rendered(program).last) }
            #expect(abs(last - 0.25) < 0.01, "\(place)")
            return
        }
        let stream = try #require(program.engine.stream, "\(place)")
        var played: [Float] = []
        for _ in 0..<4 { played = stream.turn([Float](repeating: 0, count: stream.slice)) }
        #expect(abs(try #require(played.last, "\(place)") - 0.25) < 0.01, "\(place)")
    }

    /// The left samples of a slice that the program renders itself.
    private func rendered(_ program: Program) -> [Float] {
        var (left, right) = ([Float](repeating: 9, count: 512), [Float](repeating: 9, count: 512))
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 40, alignment: 8)
        defer { memory.deallocate() }
        let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
        left.withUnsafeMutableBytes { left in
            right.withUnsafeMutableBytes { right in
                memory.storeBytes(of: 2, as: UInt32.self)
                let buffers = (memory + 8).assumingMemoryBound(to: AudioBuffer.self)
                buffers[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2_048, mData: left.baseAddress)
                buffers[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2_048, mData: right.baseAddress)
                #expect(program.render(0, 512, list) == 0)
            }
        }
        return left
    }

    @Test("gives a documented result, works with the next try and is freed", arguments: failures)
    func life(failure: Failure) throws {
        var (nth, hasStruck) = (UInt64(0), true)
        while hasStruck, nth < 500 {
            nth += 1
            let place = "call \(nth)"
            let engine = FakeEngine()
            let context = UnitContext(engine: engine)
            let heard = DispatchSemaphore(value: 0)
            weak var unit: Unit?
            do {
                fault_plan_enter(ENOMEM, nth, failure.lasts)
                let made = try? Program(failure.kind, on: engine, in: context)
                let results = made.map { prepare($0, heard) } ?? []
                made?.unit.uninitialize()
                hasStruck = fault_plan_leave()
                for result in results {
                    // Calls that follow a refused one may be refused as well.
                    let isKnown = FailingTests.refusals.contains(result.status)
                    #expect(isKnown || result.status == UnitError.uninitialized.rawValue, "\(place): \(result)")
                }
                let program = try made ?? Program(failure.kind, on: engine, in: context)
                unit = program.unit
                for result in prepare(program, heard) { #expect(result.status == 0, "\(place): \(result)") }
                try expectSound(program, place)
                #expect(heard.wait(timeout: .now() + 60) == .success, "\(place)")
                #expect(program.unit.dispose(), "\(place)")
            }
            #expect(unit == nil && engine.stream == nil, "\(place)")
        }
        #expect(!hasStruck)
    }

    @Test("has no listeners where there was no memory for the lock of their events")
    func noLock() throws {
        var (nth, hasStruck, refused) = (UInt64(0), true, 0)
        let heard = DispatchSemaphore(value: 0)
        let reference = Unmanaged.passUnretained(heard).toOpaque()
        while hasStruck, nth < 100 {
            nth += 1
            let engine = FakeEngine()
            fault_plan_enter(ENOMEM, nth, false)
            let context = UnitContext(engine: engine)
            hasStruck = fault_plan_leave()
            let program = try Program(.remoteIO, on: engine, in: context)
            let result = status {
                try program.unit.addListener(UnitProperty.isRunning.rawValue, FailingTests.listener, reference)
            }
            if result != 0 { refused += 1 }
            #expect(result == 0 || result == UnitError.memoryFull.rawValue)
            try program.unit.initialize()
            #expect(program.unit.start() == 0)
            if result == 0 { #expect(heard.wait(timeout: .now() + 60) == .success) }
        }
        // The mutex and the condition of the events.
        #expect(refused == 2)
    }
}
