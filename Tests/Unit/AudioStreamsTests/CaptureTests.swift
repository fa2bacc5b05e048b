// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem
import Testing

@testable import AudioStreams

/// A program that records from a device whose clock the test steps.
private final class Recorder {
    let program: TestRing
    let devices = TestDevices()
    let capture: RingCapture
    var target = StreamTarget()

    init(on interruption: OnInterrupt = .hold) {
        program = TestRing(capture: true, TestRing.shape())
        capture = RingCapture(program.ring, program.shape, interruption, on: devices)
        setTarget { $0.device = .alsa(["a"]) }
    }

    var events: [String] { devices.record.events }

    func setTarget(_ change: (inout StreamTarget) -> Void) {
        change(&target)
        capture.apply(target)
    }

    @discardableResult
    func record(_ frames: Int = 0) -> UInt64 {
        devices.capture?.record(frames)
        return capture.move()
    }

    func start() throws {
        program.prepare()
        try capture.prepare()
        try capture.start()
        record()
    }
}

private func frames(_ range: ClosedRange<Int16>) -> [Int16] { Array(range) }

@Suite struct CaptureTests {
    @Test("The program reads what the device recorded, in order, and reads each frame once") func reading() throws {
        let recorder = Recorder()
        try recorder.start()
        for round: Int16 in 0..<30 {
            recorder.record(480)
            #expect(recorder.program.available == 480)
            #expect(recorder.program.read() == frames(round * 480 + 1...(round + 1) * 480))
        }
        #expect(recorder.program.fault == 0)
    }

    @Test("A program that does not read is late when the buffer is full, and starts again after a prepare") func overrun() throws
    {
        let recorder = Recorder()
        try recorder.start()
        recorder.record(4799)
        #expect(recorder.program.fault == 0)
        recorder.record(1)
        #expect(recorder.program.fault == 32 && recorder.program.isReady && recorder.capture.move() == UInt64.max)
        try recorder.start()
        recorder.record(480)
        #expect(recorder.program.fault == 0 && recorder.program.available == 480)
    }

    @Test("A full buffer is not overwritten") func full() throws {
        let recorder = Recorder()
        recorder.program.ring.pointee.stop_threshold = 1 << 62
        try recorder.start()
        recorder.record(6000)
        #expect(recorder.program.available == 4800 && recorder.program.read() == frames(1...4800))
        recorder.record()
        #expect(recorder.program.read() == frames(4801...6000))
    }

    @Test("A paused stream records nothing, and continues when it resumes") func pause() throws {
        let recorder = Recorder()
        try recorder.start()
        recorder.record(480)
        try recorder.capture.pause(true)
        #expect(recorder.record(480) == UInt64.max && recorder.program.available == 480)
        #expect(throws: SystemError.badState) { try recorder.capture.pause(true) }
        try recorder.capture.pause(false)
        recorder.record()
        recorder.record(100)
        #expect(recorder.program.available == 580 && recorder.program.fault == 0)
    }

    @Test("Frames that were recorded before a drain can be read after it") func drain() throws {
        let recorder = Recorder()
        try recorder.start()
        recorder.record(480)
        recorder.capture.drain()
        #expect(recorder.program.read() == frames(1...480) && recorder.capture.move() == UInt64.max)
    }

    @Test("An interrupted stream gives its device back, keeps the recorded frames, and continues afterwards") func hold() throws {
        let recorder = Recorder()
        try recorder.start()
        recorder.record(480)
        recorder.setTarget { $0.isHeld = true }
        #expect(recorder.events == ["open a", "start a", "stop a", "close a"] && recorder.capture.move() == UInt64.max)
        #expect(recorder.program.available == 480 && recorder.program.fault == 0)
        recorder.setTarget { $0.isHeld = false }
        recorder.record()
        recorder.record(480)
        #expect(recorder.program.available == 960)
    }

    @Test("on_interrupt xrun: an interrupted stream ends as late") func xrun() throws {
        let recorder = Recorder(on: .xrun)
        try recorder.start()
        recorder.setTarget { $0.isHeld = true }
        #expect(recorder.program.fault == 32 && recorder.program.isReady)
    }

    @Test("on_interrupt silence: an interrupted stream records from nowhere") func silence() throws {
        let recorder = Recorder(on: .silence)
        try recorder.start()
        recorder.setTarget { $0.isHeld = true }
        recorder.record()
        #expect(recorder.events == ["open a", "start a", "stop a", "close a", "open silence", "start silence"])
    }

    @Test("A route change closes the old device and opens the next") func move() throws {
        let recorder = Recorder()
        try recorder.start()
        recorder.record(480)
        recorder.setTarget { $0.device = .alsa(["b"]) }
        recorder.record()
        recorder.record(480)
        #expect(recorder.events == ["open a", "start a", "stop a", "close a", "open b", "start b"])
        #expect(recorder.program.available == 960)
    }

    @Test("A device that cannot be opened is not tried again until the target changes") func refused() throws {
        let recorder = Recorder()
        recorder.devices.refused["b"] = .noDevice
        try recorder.start()
        recorder.setTarget { $0.device = .alsa(["b"]) }
        recorder.record()
        recorder.setTarget { $0.gain = 0.5 }
        #expect(recorder.events.filter { $0 == "refuse b" }.count == 1 && recorder.program.fault == 0)
        recorder.setTarget { $0.device = .alsa(["c"]) }
        #expect(recorder.events.last == "open c")
    }

    @Test("A device is started again after an overrun or the sleep of the machine; a removed device is replaced by silence")
    func failures() throws {
        let recorder = Recorder()
        try recorder.start()
        for failure in [SystemError.late, .suspended, .late, .suspended] {
            recorder.devices.capture?.failure = failure
            recorder.record()
            recorder.record()
        }
        #expect(recorder.events == ["open a"] + [String](repeating: "start a", count: 5))
        recorder.devices.capture?.failure = .noDevice
        recorder.record()
        #expect(recorder.events.last == "close a" && recorder.program.fault == 0)
        #expect(recorder.capture.move() != UInt64.max)
    }

    @Test(
        "A stream that stands still opens a device again that was away, also if it has the former name",
        arguments: StandStill.allCases)
    func away(_ stand: StandStill) throws {
        let recorder = Recorder()
        for life in 1...3 {
            try recorder.start()
            #expect(recorder.events.filter { $0 == "open a" }.count == life)
            try stand.enter(recorder.capture)
            recorder.setTarget { if life == 1 { $0.device = .alsa(["b"]) } else { $0.isWithoutServer = true } }
            recorder.setTarget { ($0.device, $0.isWithoutServer) = (.alsa(["a"]), false) }
            #expect(recorder.events.filter { $0 == "close a" }.count == life)
            recorder.capture.stop()
        }
    }

    @Test("on_route_loss stop: the stream ends with ENODEV") func lost() throws {
        let recorder = Recorder()
        try recorder.start()
        recorder.setTarget { $0.isLost = true }
        #expect(recorder.program.fault == 19 && recorder.program.isReady)
    }

    @Test("The next look is when a period will have been recorded") func nextLook() throws {
        let recorder = Recorder()
        try recorder.start()
        let before = linux_monotonic_nanoseconds()
        let next = recorder.record(240)
        #expect(next >= before + 2_000_000 && next <= linux_monotonic_nanoseconds() + 10_000_000)
    }
}
