// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import Foundation
import LinuxSystem
import SessionModel
import TestSupport
import Testing

@testable import SimulatedHardware

/// The longest time for which a test waits for one event, in seconds.
private let waitLimit: Int32 = 60

private func parsed(_ line: String) -> SimulationCommand? { try? SimulationCommand(line) }

@Suite struct LanguageTests {
    @Test("The simulation language names every device", arguments: SimulatedDevice.allCases)
    func ports(device: SimulatedDevice) {
        #expect(parsed("plug \(device.word)") == .hardware(.plug(device)))
        #expect(parsed("  unplug\t\(device.word) ") == .hardware(.unplug(device)))
    }

    @Test("The simulation language has commands for the machine and for the state of the user")
    func others() {
        #expect(parsed("volume 0.4") == .hardware(.volume(0.4)))
        #expect(parsed("server die") == .hardware(.server(alive: false)))
        #expect(parsed("server restart") == .hardware(.server(alive: true)))
        #expect(parsed("wake") == .hardware(.wake))
        #expect(parsed("silent on") == .silent(true))
        #expect(parsed("silent off") == .silent(false))
        #expect(parsed("lock on") == .lock(true))
        #expect(parsed("lock off") == .lock(false))
        #expect(parsed("interrupt begin") == .beginInterruption(name: "call"))
        #expect(parsed("interrupt end") == .endInterruption(shouldResume: true))
        #expect(parsed("interrupt confirm") == .confirmInterruption)
        #expect(parsed("interrupt begin --name Ada Lovelace") == .beginInterruption(name: "Ada Lovelace"))
        #expect(parsed("interrupt end --should-not-resume") == .endInterruption(shouldResume: false))
    }

    @Test(
        "Any other line is a mistake that names the expected text and the word in its place",
        arguments: [
            ("", nil), (" ", nil), ("plug", nil), ("plug x", "x"), ("plug headphones twice", "twice"), ("volume", nil),
            ("volume -1", "-1"), ("volume 1.1", "1.1"), ("volume nan", "nan"), ("volume inf", "inf"), ("volume 1e999", "1e999"),
            ("volume 0x", "0x"), ("server", nil), ("server up", "up"), ("wake up now", "up"), ("silent", nil),
            ("lock maybe", "maybe"), ("interrupt", nil), ("interrupt now", "now"), ("interrupt begin --name", nil),
            ("interrupt begin name", "name"), ("\u{0}", "\u{0}"), ("🎧 on", "🎧"),
        ])
    func mistakes(line: String, word: String?) throws {
        let mistake = #expect(throws: SimulationCommand.Malformed.self) { try SimulationCommand(line) }
        #expect(mistake?.text.hasPrefix("expected ") == true)
        let end = word.map { " instead of \"\($0)\"" }
        #expect(end.map { mistake?.text.hasSuffix($0) == true } ?? (mistake?.text.contains("instead") == false))
    }
}

@Suite struct MachineTests {
    @Test("The text of any machine reads back as the same machine", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var machine = SimulatedMachine()
        var random = SeededGenerator(seed)
        for _ in 0..<50 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: machine.apply(.volume(Float.random(in: 0...1, using: &random)))
            case 1: machine.apply(.server(alive: Bool.random(using: &random)))
            case 2: machine.apply(.wake)
            case 3: machine.setGain(of: .usb, to: Float.random(in: 0...1, using: &random))
            case 4: machine.apply(.unplug(SimulatedDevice.allCases.randomElement(using: &random) ?? .usb))
            case 5: machine.source = UInt32.random(in: 1...2, using: &random)
            case 6: machine.destination = UInt32.random(in: 1...2, using: &random)
            default: machine.apply(.plug(SimulatedDevice.allCases.randomElement(using: &random) ?? .usb))
            }
            #expect(try SimulatedMachine(text: machine.text) == machine)
            #expect(machine.text.utf8.count < 1000, "the file stays small")
        }
    }

    @Test("A mistake in a file has a line number")
    func malformed() {
        let mistake = #expect(throws: SimulatedMachine.Malformed.self) {
            try SimulatedMachine(text: "# fine\nplug headphones\n\nplug toaster\n")
        }
        #expect(mistake?.line == 4)
        let command = #expect(throws: SimulatedMachine.Malformed.self) { try SimulatedMachine(text: "silent on") }
        #expect(command?.text == "expected a statement about the machine instead of \"silent\"")
    }

    @Test(
        "Any text is a machine whose values are in range, or a mistake that names its line", arguments: 0..<10 as Range<UInt64>)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed)
        let words = [
            "plug", "unplug", "volume", "headphones", "usb", "server", "die", "1e308", "-0", "nan", "woken", "99999999999", "#",
            "\n", "\n", "gain", "0.5", "source", "destination", "2",
        ]
        var machines = 0
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<12, using: &random) { text += (words.randomElement(using: &random) ?? "") + " " }
            do throws(SimulatedMachine.Malformed) {
                let machine = try SimulatedMachine(text: text)
                machines += 1
                #expect((0...1).contains(machine.volume))
                #expect((0...1).contains(machine.gain(of: .headphones)) && (0...1).contains(machine.gain(of: .usb)))
                #expect((1...2).contains(machine.source) && (1...2).contains(machine.destination))
                #expect(Set(machine.devices).count == machine.devices.count)
            } catch {
                #expect((1...text.split(separator: "\n", omittingEmptySubsequences: false).count).contains(error.line))
                #expect(error.text.hasPrefix("expected "))
            }
        }
        #expect(machines > 0 && machines < 500)
    }
}

@Suite struct FileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("simulation") }

    init() throws { folder = try TemporaryFolder() }

    private func kinds(_ hardware: SimulatedHardware) -> [PortKind] { hardware.snapshot().ports.map { $0.kind } }

    /// Returns when the hardware has noticed a change of the file.
    private func awaitChange(of hardware: SimulatedHardware) -> Bool {
        repeat {
            guard linux_poll(hardware.descriptor, UInt32(LINUX_READABLE), waitLimit * 1_000) > 0 else {
                Issue.record("waited \(waitLimit) s for a change of the file; seen instead: \(kinds(hardware))")
                return false
            }
        } while !hardware.processEvents()
        return true
    }

    @Test("Two processes share a machine through its file")
    func shared() throws {
        let (mine, theirs) = (SimulatedHardware(file: path), SimulatedHardware(file: path))
        try theirs.simulate(.plug(.headphones))
        #expect(awaitChange(of: mine))
        #expect(kinds(mine).last == .headphones)
        try mine.simulate(.unplug(.headphones))
        #expect(awaitChange(of: theirs))
        #expect(!kinds(theirs).contains(.headphones))
    }

    @Test("A change keeps the changes of other processes that this one has not noticed yet")
    func unnoticed() throws {
        let (mine, theirs) = (SimulatedHardware(file: path), SimulatedHardware(file: path))
        try theirs.simulate(.plug(.headphones))
        try mine.simulate(.plug(.hdmi))
        #expect(kinds(mine).suffix(2) == [.headphones, .hdmi])
        #expect(kinds(SimulatedHardware(file: path)).suffix(2) == [.headphones, .hdmi])
    }

    @Test("A person may edit, replace and remove the file")
    func edited() throws {
        let hardware = SimulatedHardware(file: path)
        try "plug hdmi\n".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(awaitChange(of: hardware) && kinds(hardware).last == .hdmi)
        try "plug usb\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(awaitChange(of: hardware) && kinds(hardware).last == .usbOutput)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("plug headset\n".utf8))
        try file.close()
        #expect(awaitChange(of: hardware) && kinds(hardware).last == .headphones)
        try FileManager.default.removeItem(atPath: path)
        #expect(awaitChange(of: hardware) && kinds(hardware) == [.builtInReceiver, .builtInSpeaker, .builtInMicrophone])
    }

    @Test("A file that is moved away leaves the default machine, and one that is moved back changes it, twice")
    func moved() throws {
        let folder = path + "-folder"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "plug hdmi\n".write(toFile: path, atomically: true, encoding: .utf8)
        let hardware = SimulatedHardware(file: path)
        for _ in 1...2 {
            #expect(kinds(hardware).last == .hdmi)
            try FileManager.default.moveItem(atPath: path, toPath: folder + "/machine")
            #expect(awaitChange(of: hardware) && kinds(hardware) == [.builtInReceiver, .builtInSpeaker, .builtInMicrophone])
            try FileManager.default.moveItem(atPath: folder + "/machine", toPath: path)
            #expect(awaitChange(of: hardware))
        }
    }

    @Test("A file with a mistake leaves the last valid state, is named with its line, and is not written over")
    func malformed() throws {
        let hardware = SimulatedHardware(file: path)
        try hardware.simulate(.plug(.headphones))
        _ = hardware.processEvents()
        #expect(SimulatedHardware.mistake(in: path) == nil)
        let text = "plug hdmi\nplug toaster\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let port = try #require(hardware.snapshot().ports.first { $0.kind == .builtInMicrophone })
        #expect(throws: ResultCode.unspecified) { try hardware.simulate(.volume(0.25)) }
        #expect(throws: ResultCode.unspecified) { try hardware.perform(.inputGain(0.25), on: port) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(!hardware.processEvents())
        #expect(kinds(hardware).last == .headphones)
        #expect(SimulatedHardware.mistake(in: path)?.hasPrefix("\(path):2: expected a port (") == true)
        try "plug hdmi\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(awaitChange(of: hardware))
        #expect(SimulatedHardware.mistake(in: path) == nil && kinds(hardware).last == .hdmi)
    }

    #if DEBUG
        @Test("A mistake in the file is printed once by each reader")
        func printed() throws {
            try "plug toaster\n".write(toFile: path, atomically: true, encoding: .utf8)
            let lines = Log.lines {
                let hardware = SimulatedHardware(file: path)
                try? "plug toaster\n".write(toFile: path, atomically: true, encoding: .utf8)
                _ = hardware.processEvents()
            }
            #expect(lines.filter { $0.hasPrefix("\(path):1: expected a port") }.count == 1)
        }
    #endif

    @Test("A process that is stopped during a change prevents other changes, and blocks no process")
    func stopped() throws {
        let hardware = SimulatedHardware(file: path)
        try hardware.simulate(.wake)
        let theirs = open(path + ".lock", O_RDWR)
        defer { close(theirs) }
        #expect(linux_try_lock(theirs) == 0)
        #expect(throws: ResultCode.unspecified) { try hardware.simulate(.plug(.headphones)) }
        #expect(linux_unlock(theirs) == 0)
        try hardware.simulate(.plug(.headphones))
        #expect(kinds(hardware).last == .headphones)
    }

    @Test("The next change removes the file that a killed process has left")
    func leftover() throws {
        let hardware = SimulatedHardware(file: path)
        try "half a li".write(toFile: path + ".new", atomically: false, encoding: .utf8)
        try hardware.simulate(.plug(.headphones))
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        #expect(kinds(SimulatedHardware(file: path)).last == .headphones)
    }

    @Test("Concurrent changes by several threads are all kept")
    func concurrent() async throws {
        let path = path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let hardware = SimulatedHardware(file: path)
                    for _ in 0..<25 { try? hardware.simulate(.wake) }
                }
            }
        }
        #expect(SimulatedHardware(file: path).snapshot().wakes == 200)
    }

    @Test("A file that cannot be written gives the result 'what' and changes nothing")
    func unwritable() throws {
        let hardware = SimulatedHardware(file: folder.path + "/nowhere/simulation")
        let before = hardware.snapshot()
        #expect(throws: ResultCode.unspecified) { try hardware.simulate(.plug(.usb)) }
        #expect(hardware.snapshot() == before)
    }

    @Test("A device that is unplugged and plugged in again counts as a new arrival")
    func arrivals() throws {
        let hardware = SimulatedHardware(file: nil)
        try hardware.simulate(.plug(.headphones))
        try hardware.simulate(.plug(.hdmi))
        let first = hardware.snapshot().ports.first { $0.kind == .headphones }?.device
        try hardware.simulate(.unplug(.headphones))
        try hardware.simulate(.plug(.headphones))
        let ports = hardware.snapshot().ports
        #expect(ports.last?.kind == .headphones && ports.last?.device != first)
        #expect(zip(ports, ports.dropFirst()).allSatisfy { $0.device <= $1.device })
    }

    @Test("A device that another process unplugs and plugs in again between two reads of the file counts as a new arrival")
    func unseenArrivals() throws {
        let path = folder.path + "/arrivals"
        let (reader, writer) = (SimulatedHardware(file: path), SimulatedHardware(file: path))
        for device in [SimulatedDevice.headphones, .hdmi, .usb] { try writer.simulate(.plug(device)) }
        #expect(reader.processEvents())
        for kind in [PortKind.headphones, .hdmi, .headphones] {
            func device(_ kind: PortKind) -> UInt32? { reader.snapshot().ports.first { $0.kind == kind }?.device }
            let (former, others) = (try #require(device(kind)), [PortKind.usbOutput, .builtInSpeaker].map(device))
            let simulated: SimulatedDevice = kind == .hdmi ? .hdmi : .headphones
            try writer.simulate(.unplug(simulated))
            try writer.simulate(.plug(simulated))
            #expect(reader.processEvents())
            let newest = reader.snapshot().ports.map(\.device).max()
            #expect(device(kind) != former && device(kind) == newest)
            #expect([PortKind.usbOutput, .builtInSpeaker].map(device) == others)
        }
    }

    @Test("Built-in devices that come and go do not change the arrival of other devices")
    func builtIn() throws {
        let hardware = SimulatedHardware(file: nil)
        try hardware.simulate(.plug(.headphones))
        try hardware.simulate(.plug(.hdmi))
        let before = hardware.snapshot().ports.filter { !$0.kind.isBuiltIn }
        for device in [SimulatedDevice.microphone, .speaker, .receiver] {
            let first = hardware.snapshot().ports
            try hardware.simulate(.unplug(device))
            #expect(hardware.snapshot().ports.filter { !$0.kind.isBuiltIn } == before)
            try hardware.simulate(.plug(device))
            #expect(hardware.snapshot().ports.filter { !$0.kind.isBuiltIn } == before)
            #expect(hardware.snapshot().ports.count == first.count && hardware.snapshot().ports != first)
        }
    }

    @Test("A device grants the nearest of its rates and a period of a power of two frames")
    func formats() throws {
        let hardware = SimulatedHardware(file: nil)
        let speaker = try #require(hardware.snapshot().ports.first { $0.kind == .builtInSpeaker })
        let own = try #require(hardware.format(of: speaker, sampleRate: 0, bufferDuration: 0))
        #expect(own.sampleRate == 44_100 && (own.bufferDuration - 0.023220).magnitude < 0.00001)
        for (wanted, granted) in [(48_000.0, 48_000.0), (47_000, 48_000), (1, 8_000), (1e12, 48_000)] {
            #expect(hardware.format(of: speaker, sampleRate: wanted, bufferDuration: 0)?.sampleRate == granted)
        }
        for duration: Float in [1e-30, 0.001, 0.005, 0.1, 1e30] {
            let format = try #require(hardware.format(of: speaker, sampleRate: 48_000, bufferDuration: duration))
            let frames = (Double(format.bufferDuration) * 48_000).rounded()
            #expect([64, 128, 256, 512, 1024, 2048, 4096].contains(frames))
        }
    }
}
