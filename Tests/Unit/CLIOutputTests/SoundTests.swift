// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import CStatusPage
import Foundation
import SessionArbiter
import SessionModel
import StatusPages
import TestSupport
import Testing

private let remoteIO: UInt32 = 0x7269_6F63
private let linearPCM: UInt32 = 0x6C70_636D

private func floats(_ channels: UInt32) -> status_format {
    status_format(rate: 44_100, id: linearPCM, flags: 0x29, channels: channels, bits: 32)
}

private let shorts = status_format(rate: 22_050, id: linearPCM, flags: 0xC, channels: 1, bits: 16)

/// A program with a graph of a unit that runs, and a queue that runs.
private struct Program {
    var unit = status_description()
    var queue = status_description()
    var graph = status_description()
    var counters = status_counters()
    var queueCounters = status_counters()

    init() {
        unit.kind = remoteIO
        unit.state = UInt32(STATUS_IS_RUNNING | STATUS_HAS_OUTPUT | STATUS_HAS_INPUT)
        (unit.output, unit.input) = (floats(2), floats(1))
        (unit.slice_frames, unit.starts) = (1024, 1)
        counters.slice_ns = 23_000_000
        counters.load = UInt64(Float(0.125).bitPattern)
        counters.is_realtime = 1
        queue.kind = UInt32(STATUS_OUTPUT_QUEUE)
        queue.state = UInt32(STATUS_IS_RUNNING | STATUS_HAS_OUTPUT)
        queue.output = shorts
        (queue.buffers, queue.queued, queue.starts) = (3, 0.35, 1)
        graph.kind = UInt32(STATUS_GRAPH)
        graph.state = UInt32(STATUS_IS_OPEN | STATUS_IS_INITIALIZED)
        (graph.nodes, graph.connections, graph.callbacks) = (3, 2, 1)
        (graph.graph, unit.graph) = (4, 4)
    }

    var report: Report {
        var mix = status_description()
        mix.kind = UInt32(STATUS_OUTPUT_MIX)
        let status = ProcessStatus(
            process: 7, name: "game",
            slots: [
                ProcessStatus.Slot(0, unit, counters), ProcessStatus.Slot(1, mix, counters),
                ProcessStatus.Slot(2, queue, queueCounters), ProcessStatus.Slot(3, graph, status_counters()),
            ])
        return Report(table: SessionTable(), hardware: HardwareSnapshot(), sounds: SoundObject.all(of: [status]))
    }

    func events(_ change: (inout Program) -> Void) -> [String] {
        var after = self
        change(&after)
        return after.report.events(since: report).map { $0.text }
    }
}

@Suite("Units, queues and graphs in the report") struct SoundTests {
    @Test("The status for people has a row for each, with format, slice, load, thread and what is enqueued")
    func text() {
        let lines = Program().report.text.split(separator: "\n")
        #expect(
            lines.contains {
                $0.hasPrefix("7       game              RemoteIO           running   13 %   0")
                    && $0.hasSuffix(
                        "out 44100 Hz, 2 ch, float32, non-interleaved; in 44100 Hz, 1 ch, float32; slice 1024; real-time")
            })
        #expect(
            lines.contains {
                $0.hasPrefix("7       game              output queue       running   13 %   0")
                    && $0.hasSuffix("out 22050 Hz, 1 ch, int16; 3 buffers, 0.4 s; real-time")
            })
        #expect(
            lines.contains {
                $0.hasPrefix("7       game              AUGraph            running   13 %   0")
                    && $0.hasSuffix("3 nodes, 2 connections, 1 callback; RemoteIO; real-time")
            })
        #expect(!lines.contains { $0.contains("aqmo") }, "the stream of the queues is no row of its own")
    }

    @Test("A mixer has no state, and the formats of its input and its output") func mixer() {
        var program = Program()
        program.unit.kind = 0x6D63_6D78
        (program.unit.state, program.unit.graph) = (UInt32(STATUS_HAS_OUTPUT | STATUS_HAS_INPUT), 0)
        (program.unit.output, program.unit.input) = (shorts, floats(2))
        let row = program.report.text.split(separator: "\n").first { $0.contains("MultiChannelMixer") }
        #expect(row?.hasPrefix("7       game              MultiChannelMixer  –         ") == true)
        #expect(row?.contains("22050 Hz, 1 ch, int16 to 44100 Hz, 2 ch, float32, non-interleaved; slice 1024") == true)
    }

    @Test("The status as JSON has units, queues and graphs")
    func json() throws {
        let data = Data(Program().report.json.text.utf8)
        let status = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let unit = try #require((status["units"] as? [[String: Any]])?.first)
        #expect(unit["kind"] as? String == "RemoteIO" && unit["state"] as? String == "running" && unit["pid"] as? Int == 7)
        #expect(unit["slice"] as? Int == 1024 && unit["load"] as? Double == 0.125 && unit["realTime"] as? Bool == true)
        #expect((unit["output"] as? [String: Any])?["interleaved"] as? Bool == false)
        let queue = try #require((status["queues"] as? [[String: Any]])?.first)
        #expect(queue["buffers"] as? Int == 3 && queue["late"] as? Int == 0 && queue["underruns"] as? Int == 0)
        #expect((queue["output"] as? [String: Any])?["sample"] as? String == "int16")
        let graph = try #require((status["graphs"] as? [[String: Any]])?.first)
        #expect(graph["nodes"] as? Int == 3 && graph["connections"] as? Int == 2 && graph["callbacks"] as? Int == 1)
        #expect(graph["outputUnit"] as? String == "RemoteIO" && graph["load"] as? Double == 0.125)
        #expect(graph["graph"] as? Int == 4 && unit["graph"] as? Int == 4 && queue["graph"] == nil && graph["slice"] == nil)
    }

    private func graph(_ change: (inout Program) -> Void) -> SoundObject? {
        var program = Program()
        change(&program)
        return program.report.sounds.first { $0.kind == .graph }
    }

    @Test("A graph runs while its own output unit runs, and has the underruns of that unit")
    func graphs() {
        #expect(graph { _ in }?.state == .running)
        #expect(graph { $0.unit.state = 0 }?.state == .initialized)
        #expect(graph { $0.unit.graph = 3 }?.state == .initialized)
        #expect(graph { $0.unit.graph = 3 }?.outputUnit == nil)
        #expect(graph { $0.unit.kind = 0x6D63_6D78 }?.outputUnit == nil)
        #expect(graph { $0.graph.state = UInt32(STATUS_IS_OPEN) }?.state == .open)
        #expect(graph { $0.graph.state = 0 }?.state == .closed)
        #expect(graph { $0.counters.underruns = 2 }?.underruns == 2)
        #expect(graph { $0.unit.kind = 0 }?.load == nil)
    }

    @Test("Starts, stops, underruns and late callbacks are events, also a start and stop between two reports")
    func events() {
        let program = Program()
        #expect(program.events { _ in } == [])
        #expect(program.events { $0.unit.state &= ~UInt32(STATUS_IS_RUNNING) } == ["game (7): RemoteIO stops"])
        #expect(program.events { $0.counters.underruns = 2 } == ["game (7): RemoteIO has 2 underruns"])
        #expect(program.events { $0.queueCounters.underruns = 1 } == ["game (7): output queue has 1 underrun"])
        #expect(program.events { $0.queue.late = 1 } == ["game (7): output queue has 1 late callback"])
        #expect(program.events { $0.queue.state = UInt32(STATUS_IS_PAUSED) } == ["game (7): output queue pauses"])
        #expect(program.events { $0.queue.state = 0 } == ["game (7): output queue stops"])
        #expect(
            program.events {
                $0.unit.starts = 2
                $0.unit.state = 0
            } == ["game (7): RemoteIO starts", "game (7): RemoteIO stops"])
        let none = Report(table: SessionTable(), hardware: HardwareSnapshot())
        #expect(
            program.report.events(since: none).map { $0.text } == ["game (7): RemoteIO starts", "game (7): output queue starts"])
        #expect(
            none.events(since: program.report).map { $0.text } == ["game (7): RemoteIO stops", "game (7): output queue stops"])
    }

    @Test("The screen shows them, and no line is wider than it", arguments: [40, 80, 200])
    func screen(columns: Int) {
        let lines = MonitorView(of: Program().report).lines(in: MonitorView.Size(columns: columns, rows: 40))
        #expect(lines.contains { $0.text.contains("RemoteIO") })
        #expect(lines.allSatisfy { $0.width <= columns })
    }

    @Test("Any bytes make a report")
    func anything() throws {
        var generator = SeededGenerator(17)
        for round in 0..<2_000 {
            var description = status_description()
            var counters = status_counters()
            withUnsafeMutableBytes(of: &description) { bytes in
                for index in bytes.indices { bytes[index] = round == 0 ? 0xFF : .random(in: 0...255, using: &generator) }
            }
            withUnsafeMutableBytes(of: &counters) { bytes in
                for index in bytes.indices { bytes[index] = round == 0 ? 0xFF : .random(in: 0...255, using: &generator) }
            }
            if round % 3 != 0 { description.kind = UInt32(round % 3 == 1 ? STATUS_OUTPUT_QUEUE : STATUS_GRAPH) }
            let status = ProcessStatus(
                process: 7, name: "\u{1B}[2J\n", slots: [ProcessStatus.Slot(0, description, counters)])
            let report = Report(table: SessionTable(), hardware: HardwareSnapshot(), sounds: SoundObject.all(of: [status]))
            #expect(!report.text.contains("\u{1B}"))
            _ = try JSONSerialization.jsonObject(with: Data(report.json.text.utf8))
            #expect(report.events(since: Program().report).allSatisfy { !$0.text.contains("\n") })
        }
    }
}
