// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CEngineClient
import CStatusPage
import LinuxSystem
import Testing

@testable import EngineClient

/// The requests of the client and the answers of the engine. A C function has no other place for them.
private struct Engine {
    var calls: [String] = []
    var callbacks = pull_callbacks()
    var context: UnsafeMutableRawPointer?
    var createStatus: Int32 = 0
    var startStatus: Int32 = 0
    var format: pull_format?
    var slot: UnsafeMutablePointer<status_slot>?
}
nonisolated(unsafe) private var engine = Engine()
nonisolated(unsafe) private let handle = UnsafeMutableRawPointer(bitPattern: 0x1000)

private func called(_ stream: UnsafeMutableRawPointer?, _ call: String) {
    engine.calls.append(stream == handle ? call : "\(call) of another stream")
}

/// The owner of a stream notes its calls.
private final class Owner: EngineStreamOwner, @unchecked Sendable {
    var calls: [String] = []
    override func render(_ cycle: UnsafeMutablePointer<pull_cycle>) { calls.append("render \(cycle.pointee.output_frame)") }
    override func configure(_ format: pull_format) { calls.append("configure \(format.output_rate)") }
    override func stopped(_ reason: StopReason) { calls.append("stopped: \(reason.rawValue)") }
    override func formatChanged() { calls.append("another format") }
}

private func noTable(_ theirs: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> UnsafePointer<audiosession_engine>? { nil }

private func tableOfOtherVersion(_ theirs: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> UnsafePointer<audiosession_engine>? {
    let version: StaticString = "9.9.9\nand more"
    theirs.pointee = UnsafeRawPointer(version.utf8Start).assumingMemoryBound(to: CChar.self)
    return nil
}

@Suite("The engine by its table", .serialized)
struct SessionEngineTests {
    private let table = UnsafeMutablePointer<audiosession_engine>.allocate(capacity: 1)

    init() {
        engine = Engine()
        // No test calls a function that is not set here.
        memset(table, 0, MemoryLayout<audiosession_engine>.size)
        table.pointee.pull_create = { callbacks, context, directions, stream in
            engine.calls.append("create \(directions)")
            if let callbacks { engine.callbacks = callbacks.pointee }
            engine.context = context
            stream?.pointee = engine.createStatus == 0 ? handle : nil
            return engine.createStatus
        }
        table.pointee.pull_format = { stream, format in
            called(stream, "format")
            if let known = engine.format { format?.pointee = known }
            return engine.format != nil
        }
        table.pointee.pull_start = { stream, frames, rate in
            called(stream, "start \(frames) \(rate)")
            return engine.startStatus
        }
        table.pointee.pull_suspend = { called($0, "suspend") }
        table.pointee.pull_stop = { called($0, "stop") }
        table.pointee.pull_is_running = { $0 == handle }
        table.pointee.pull_read_counters = { stream, counters in
            called(stream, "counters")
            counters?.pointee.cycles = 7
        }
        table.pointee.pull_count_in = { called($0, $1?.pointee.cycles == 11 ? "count in the slot" : "count elsewhere") }
        table.pointee.pull_duck_others = { called($0, "duck \($1)") }
        table.pointee.pull_end = { called($0, "end") }
        table.pointee.pull_destroy = { called($0, "destroy") }
        table.pointee.session_preferred_slice = { 0.005 }
        table.pointee.session_set_io_slice = { engine.calls.append("slice \($0)") }
        table.pointee.session_hardware_rate = { $0 ? 16_000 : 48_000 }
        table.pointee.session_hardware_format = { directions, format in
            engine.calls.append("format \(directions)")
            if let known = engine.format { format?.pointee = known }
            return engine.format != nil
        }
        table.pointee.status_claim = { engine.slot }
    }

    private func stream(_ client: SessionEngine, for owner: Owner) throws -> any EngineStream {
        guard case .stream(let stream) = client.makeStream(for: owner, [.output, .input]) else {
            throw Refused(status: engine.createStatus)
        }
        return stream
    }

    private struct Refused: Error { let status: Int32 }

    @Test("A stream passes every call to the engine, with its own handle") func calls() throws {
        defer { table.deallocate() }
        let stream = try stream(SessionEngine(table), for: Owner())
        #expect(stream.format == nil)
        engine.format = pull_format(
            output_rate: 44_100, input_rate: 0, output_channels: 2, input_channels: 0, slice: 256, shares_clock: false,
            is_start: false)
        let format = try #require(stream.format)
        #expect(format.output_rate == 44_100 && format.slice == 256)
        #expect(stream.start(frames: 512, rate: 44_100) == 0)
        engine.startStatus = 0x2161_6374
        #expect(stream.start(frames: 512, rate: 44_100) == 0x2161_6374)
        #expect(stream.isRunning)
        #expect(stream.counters.cycles == 7)
        stream.setDucksOthers(true)
        stream.suspend()
        stream.stop()
        stream.destroy()
        let expected = [
            "create 3", "format", "format", "start 512.0 44100.0", "start 512.0 44100.0", "counters", "duck true", "suspend",
            "stop", "end",
        ]
        #expect(engine.calls == expected)
    }

    @Test("The engine's callbacks reach the owner of the stream")
    func callbacks() throws {
        defer { table.deallocate() }
        let owner = Owner()
        let stream = try stream(SessionEngine(table), for: owner)
        var cycle = pull_cycle()
        cycle.output_frame = 1_024
        var format = pull_format()
        format.output_rate = 48_000
        engine.callbacks.configure(engine.context, &format)
        engine.callbacks.render(engine.context, &cycle)
        engine.callbacks.format_changed(engine.context)
        for reason in [StopReason.program, .interruption, .deadServer, .category] {
            engine.callbacks.stopped(engine.context, reason)
        }
        #expect(
            owner.calls == [
                "configure 48000.0", "render 1024", "another format", "stopped: 0", "stopped: 1", "stopped: 2", "stopped: 3",
            ])
        stream.destroy()
    }

    @Test("A stream keeps its owner until it is released; one that the engine refuses keeps nothing") func owners() throws {
        defer { table.deallocate() }
        let client = SessionEngine(table)
        var owner: Owner? = Owner()
        weak let kept = owner
        var stream = try owner.map { try self.stream(client, for: $0) }
        owner = nil
        stream?.destroy()
        // Another thread may still be in a call of the stream.
        #expect(kept != nil && engine.calls.last == "end")
        stream = nil
        #expect(kept == nil && engine.calls.last == "destroy")

        engine.createStatus = -12
        owner = Owner()
        weak let refused = owner
        if let owner { #expect(throws: Refused.self) { try self.stream(client, for: owner) } }
        owner = nil
        #expect(refused == nil)
    }

    @Test("A result code of the engine is that of the stream")
    func refusals() throws {
        defer { table.deallocate() }
        let client = SessionEngine(table)
        func status(_ result: EngineStreamResult) -> Int32? { if case .refused(let status) = result { status } else { nil } }
        engine.createStatus = -19
        #expect(status(client.makeStream(for: Owner(), .output)) == -19)
    }

    @Test("Without an engine of the same version there is none, and one line says which versions do not fit")
    func versions() throws {
        defer { table.deallocate() }
        let known = SessionEngine.find { _ in UnsafePointer(table) }
        #expect(known?.preferredSlice == 0.005)
        let own = String(cString: engine_client_version()).prefix { $0 != "\n" }
        var found: [SessionEngine] = []
        let lines = Log.lines {
            found = [SessionEngine.find(noTable), SessionEngine.find(tableOfOtherVersion)].compactMap(\.self)
        }
        #expect(found.isEmpty)
        let first = "no unit or queue can start: libAudioToolbox has version \(own), and libAudioSession is "
        for other in ["not loaded", "version 9.9.9"] {
            #expect(lines.contains("\(first)\(other); install both of one version"))
        }
    }

    @Test("The session's slice and rates are those of the engine") func session() {
        defer { table.deallocate() }
        let client = SessionEngine(table)
        #expect(client.preferredSlice == 0.005)
        #expect(client.hardwareRate(isInput: true) == 16_000 && client.hardwareRate(isInput: false) == 48_000)
        #expect(client.hardwareFormat(.input) == nil)
        engine.format = pull_format()
        engine.format?.input_rate = 16_000
        #expect(client.hardwareFormat(.input)?.input_rate == 16_000)
        #expect(engine.calls == ["format 2", "format 2"])
        engine.calls = []
        client.publishSlice(seconds: 0.01)
        client.publishSlice(seconds: 0)
        #expect(engine.calls == ["slice 0.01", "slice 0.0"])
    }

    @Test("A stream counts in the slot of its unit, which is given back with the unit") func slots() throws {
        defer { table.deallocate() }
        let page = UnsafeMutablePointer<status_page>.allocate(capacity: 1)
        defer { page.deallocate() }
        page.initialize(to: status_page())
        let client = SessionEngine(table)
        #expect(client.makeStatusSlot() == nil)
        engine.slot = status_claim(page)
        let stream = try stream(client, for: Owner())
        do {
            let slot = try #require(client.makeStatusSlot())
            slot.counters.pointee.cycles = 11
            var description = status_description()
            description.kind = UInt32(STATUS_OUTPUT_QUEUE)
            description.buffers = 3
            slot.describe(description)
            stream.count(in: slot)
            #expect(engine.calls.last == "count in the slot")
            var (read, counters) = (status_description(), status_counters())
            #expect(status_read(engine.slot, &read, &counters))
            #expect(read.buffers == 3 && counters.cycles == 11)
        }
        var (read, counters) = (status_description(), status_counters())
        #expect(!status_read(engine.slot, &read, &counters))
        stream.destroy()
    }
}
