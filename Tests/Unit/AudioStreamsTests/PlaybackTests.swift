// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem
import Testing

@testable import AudioStreams

/// A program that plays on a device whose clock the test steps.
private final class Player {
    let program: TestRing
    let devices = TestDevices()
    let playback: RingPlayback
    var target = StreamTarget()

    init(_ shape: StreamShape = TestRing.shape(), on interruption: OnInterrupt = .hold, device: String = "a") {
        program = TestRing(capture: false, shape)
        playback = RingPlayback(program.ring, shape, interruption, on: devices)
        setTarget { $0.device = .alsa([device]) }
    }

    var record: DeviceRecord { devices.record }
    var available: Int64 { program.available }

    /// The session and the hardware change what they make of the stream.
    func setTarget(_ change: (inout StreamTarget) -> Void) {
        change(&target)
        playback.apply(target)
    }

    func prepare() throws {
        program.prepare()
        try playback.prepare()
    }

    /// The device plays so many frames, then the stream's thread moves what it can. When it looks again.
    @discardableResult
    func play(_ frames: Int = 0) -> UInt64 {
        devices.playback?.play(frames)
        return playback.move()
    }

    /// Plays to the end of what the program has written.
    func playAll() {
        for _ in 0..<100 { play(480) }
    }

    func start(writing count: Int) throws {
        try prepare()
        program.write(count)
        try playback.start()
        play()
    }
}

private func frames(_ range: ClosedRange<Int16>) -> [Int16] { Array(range) }

/// The ways in which a program lets a stream stand still.
enum StandStill: CaseIterable {
    case stopped, prepared, paused

    func enter(_ pump: RingPump) throws {
        switch self {
        case .stopped: pump.stop()
        case .prepared: try pump.prepare()
        case .paused: try pump.pause(true)
        }
    }
}

@Suite struct PlaybackTests {
    @Test("A frame stays in the ring until the device has played it") func ring() throws {
        let player = Player()
        try player.start(writing: 4800)
        #expect(player.available == 0 && player.program.delay == 4800)
        player.play(480)
        #expect(player.available == 480 && player.program.delay == 4320)
        #expect(player.record.played == frames(1...480))
    }

    @Test("At most the device's queue is on its way") func queue() throws {
        let player = Player()
        try player.start(writing: 4800)
        #expect(try player.devices.playback?.pending() == 1920)
        player.play(480)
        #expect(try player.devices.playback?.pending() == 1920)
    }

    /// The watch takes the time of the machine.
    @Test("The end of a drained sound that a device keeps for two seconds is played after another start") func keptEnd() throws {
        let player = Player()
        try player.start(writing: 960)
        player.program.drain()
        try player.playback.drain()
        player.play(480)
        let begin = linux_monotonic_nanoseconds()
        while player.record.events.count < 4, linux_monotonic_nanoseconds() &- begin < 10_000_000_000 {
            let wake = player.play()
            let now = linux_monotonic_nanoseconds()
            if wake > now { _ = linux_poll(-1, 0, Int32(clamping: (wake &- now) / 1_000_000 &+ 1)) }
        }
        #expect(player.record.events == ["open a", "start a", "stop a", "start a"])
        player.playAll()
        #expect(player.record.played == frames(1...960))
        #expect(player.program.fault == 0)
    }

    @Test("The stream ends as late when the device has played everything that the program wrote") func late() throws {
        let player = Player()
        try player.start(writing: 960)
        player.play(959)
        #expect(player.program.fault == 0)
        player.play(1)
        #expect(player.program.fault == 32 && player.program.isReady)
        #expect(player.playback.move() == UInt64.max)
        try player.start(writing: 480)
        #expect(player.program.fault == 0 && player.available == 4320)
        player.play(480)
        #expect(player.record.played == frames(1...1440))
    }

    @Test("A stream whose stop threshold is below its buffer ends when so many frames can be written, also after another start")
    func stopThreshold() throws {
        let player = Player()
        player.program.ring.pointee.stop_threshold = 4_000
        for _ in 1...2 {
            try player.start(writing: 960)
            player.play(159)
            #expect(player.available == 3_999 && player.program.fault == 0)
            player.play(1)
            #expect(player.available == 4_000 && player.program.fault == 32)
        }
    }

    @Test("A program that writes while the stream's thread finds it late is not late: no frame is lost") func writesWhileLate()
        throws
    {
        let player = Player()
        try player.start(writing: 960)
        player.devices.playback?.whenMeasured = { player.program.write(480) }
        #expect(player.play(960) == 0)
        #expect(player.program.fault == 0)
        player.play()
        player.play(480)
        #expect(player.record.played == frames(1...1440))
        #expect(player.program.fault == 32)
        player.program.write(1)
        #expect(player.program.delay == 0, "a late stream accepts no frame")
    }

    @Test("A device that runs dry before a write has played what it had: no frame is heard twice") func runsDry() throws {
        let player = Player()
        try player.start(writing: 4800)
        player.devices.playback?.runsDryAtWrite = true
        player.play(480)
        #expect(player.record.played == frames(1...1920))
        player.playAll()
        #expect(player.record.played == frames(1...4800))
    }

    @Test("With a stop threshold above the buffer the stream continues in silence") func endless() throws {
        let player = Player()
        player.program.ring.pointee.stop_threshold = 1 << 62
        try player.start(writing: 480)
        player.play(480)
        player.play(480)
        #expect(player.program.fault == 0 && player.available > 4800)
        #expect(
            player.record.played.prefix(480) == frames(1...480)[...] && player.record.played.dropFirst(480).allSatisfy { $0 == 0 }
        )
        #expect(player.record.played.count == 960)
    }

    // MARK: Pause, drain, stop

    @Test("A paused stream is silent at once and continues at the first frame that was not played") func pause() throws {
        let player = Player()
        try player.start(writing: 4800)
        player.play(700)
        try player.playback.pause(true)
        #expect(player.playback.move() == UInt64.max)
        player.play(480)
        #expect(player.record.played == frames(1...700) && player.available == 700)
        try player.playback.pause(false)
        player.playAll()
        #expect(player.record.played == frames(1...4800))
    }

    @Test("Only a running stream is paused, and only a paused one resumes") func pauseStates() throws {
        let player = Player()
        #expect(throws: SystemError.badState) { try player.playback.pause(true) }
        try player.start(writing: 480)
        #expect(throws: SystemError.badState) { try player.playback.pause(false) }
        try player.playback.pause(true)
        #expect(throws: SystemError.badState) { try player.playback.pause(true) }
        #expect(throws: SystemError.badState) { try player.playback.drain() }
        #expect(throws: SystemError.badState) { try player.playback.start() }
    }

    @Test("A drain is done when the device has played the last frame") func drain() throws {
        let player = Player()
        try player.start(writing: 960)
        player.program.drain()
        try player.playback.drain()
        player.play(959)
        #expect(!stream_ring_is_ready(player.program.ring) && player.playback.move() != UInt64.max)
        player.play(1)
        #expect(player.program.isReady && player.program.fault == 0 && player.playback.move() == UInt64.max)
        #expect(player.record.played == frames(1...960))
    }

    @Test("A drained stream plays again after a prepare") func drainThenPlay() throws {
        let player = Player()
        for round: Int16 in 0..<3 {
            try player.start(writing: 960)
            player.program.drain()
            try player.playback.drain()
            player.play(960)
            #expect(player.record.played == frames(1...(round + 1) * 960))
            #expect(throws: SystemError.badState) { try player.playback.start() }
        }
    }

    @Test("A drain starts a stream that is prepared") func drainStarts() throws {
        let player = Player()
        try player.prepare()
        player.program.write(100)
        player.program.drain()
        try player.playback.drain()
        player.play()
        player.play(100)
        #expect(player.record.played == frames(1...100) && player.program.isReady)
    }

    @Test("A held stream that drains stays held, and is drained after the interruption") func drainWhileHeld() throws {
        let player = Player()
        try player.start(writing: 960)
        player.program.drain()
        try player.playback.drain()
        player.play(480)
        player.setTarget { $0.isHeld = true }
        #expect(player.playback.move() == UInt64.max && player.record.played.count == 480)
        player.setTarget { $0.isHeld = false }
        player.play()
        player.play(480)
        #expect(player.record.played == frames(1...960) && player.program.isReady)
    }

    @Test("A stopped stream is silent at once, and its next start begins with the next frame") func stop() throws {
        let player = Player()
        try player.start(writing: 4800)
        player.play(480)
        player.playback.stop()
        player.play(480)
        #expect(player.record.played == frames(1...480))
        try player.start(writing: 480)
        player.play(480)
        #expect(player.record.played == frames(1...480) + frames(4801...5280))
        #expect(player.record.events == ["open a", "start a", "drop a", "start a", "drop a"])
    }

    @Test("A closed stream frees its device for others") func close() throws {
        let player = Player()
        try player.start(writing: 480)
        player.playback.close()
        #expect(player.record.events == ["open a", "start a", "stop a", "close a"])
    }

    // MARK: Interruptions

    @Test("An interrupted stream gives its device back and continues at the first frame that was not played") func hold() throws {
        let player = Player()
        try player.start(writing: 4800)
        player.play(700)
        // Played since the stream's thread looked last.
        player.devices.playback?.play(100)
        player.setTarget { $0.isHeld = true }
        #expect(player.record.events.last == "close a" && player.playback.move() == UInt64.max)
        #expect(player.available == 800 && player.program.fault == 0)
        player.setTarget { $0.isHeld = false }
        player.play()
        player.playAll()
        #expect(player.record.played == frames(1...4800))
    }

    @Test("A stream that starts while it is held moves no frame until it is no longer held") func startWhileHeld() throws {
        let player = Player()
        player.setTarget { $0.isHeld = true }
        try player.start(writing: 480)
        #expect(player.record.events == [] && player.playback.move() == UInt64.max && player.program.fault == 0)
        player.setTarget { $0.isHeld = false }
        player.play()
        player.play(480)
        #expect(player.record.played == frames(1...480))
    }

    @Test("on_interrupt xrun: an interrupted stream ends as late") func xrun() throws {
        let player = Player(on: .xrun)
        try player.start(writing: 4800)
        player.setTarget { $0.isHeld = true }
        #expect(player.program.fault == 32 && player.program.isReady && player.playback.move() == UInt64.max)
    }

    @Test("on_interrupt silence: an interrupted stream continues on a clock") func silence() throws {
        let player = Player(on: .silence)
        try player.start(writing: 4800)
        player.setTarget { $0.isHeld = true }
        player.play()
        #expect(player.record.events == ["open a", "start a", "open silence", "stop a", "close a", "start silence"])
        player.setTarget { $0.isHeld = false }
        player.play()
        #expect(player.record.events.last == "start a" && player.program.fault == 0)
    }

    // MARK: Routes

    @Test("A route change continues at the first frame that was not played, and opens the next device first") func move() throws {
        let player = Player()
        try player.start(writing: 4800)
        player.play(700)
        player.setTarget { $0.device = .alsa(["b"]) }
        player.play()
        #expect(player.record.events == ["open a", "start a", "open b", "stop a", "close a", "start b"])
        player.playAll()
        #expect(player.record.played == frames(1...4800))
    }

    @Test("Where the old device is in the way of the next, it is closed first") func exclusive() throws {
        let player = Player()
        player.devices.isExclusive = true
        try player.start(writing: 4800)
        player.play(700)
        player.setTarget { $0.device = .alsa(["b"]) }
        player.playAll()
        #expect(player.record.events == ["open a", "start a", "refuse b", "stop a", "close a", "open b", "start b", "drop b"])
        #expect(player.record.played == frames(1...4800))
    }

    @Test("A device that cannot be opened is not tried again until the target changes") func refused() throws {
        let player = Player()
        player.devices.refused["b"] = .noDevice
        try player.start(writing: 4800)
        player.setTarget { $0.device = .alsa(["b"]) }
        let tries = player.record.events.filter { $0 == "refuse b" }.count
        for gain: Float in [0.5, 1] { player.setTarget { $0.gain = gain } }
        player.play()
        #expect(player.record.events.filter { $0 == "refuse b" }.count == tries && player.program.fault == 0)
        player.setTarget { $0.device = .alsa(["c"]) }
        #expect(player.record.events.last == "open c")
    }

    @Test("A device that goes away in the middle costs no frame: the next device continues where it stopped") func gone() throws {
        let player = Player()
        try player.start(writing: 4800)
        player.play(480)
        player.devices.playback?.failure = .noDevice
        player.play()
        #expect(player.program.fault == 0 && player.record.events.last == "close a")
        player.setTarget { $0.device = .alsa(["b"]) }
        player.playAll()
        // Frames whose time passed without a device are missing; none is played twice.
        let rest = player.record.played.dropFirst(480)
        #expect(player.record.played.prefix(480) == frames(1...480)[...])
        #expect(zip(rest, rest.dropFirst()).allSatisfy { $0 + 1 == $1 } && rest.last == 4800 && (rest.first ?? 0) >= 481)
    }

    @Test("A device that underran is prepared, and continues with the next frame") func ranDry() throws {
        let player = Player()
        player.devices.setUp = { $0.queue = 480 }
        try player.start(writing: 960)
        player.devices.playback?.isStrict = true
        player.play(500)
        #expect(player.program.fault == 0 && player.available == 4320)
        player.devices.playback?.isStrict = false
        player.play(480)
        #expect(player.record.played == frames(1...960))
        #expect(player.record.events == ["open a", "start a", "start a", "drop a"])
    }

    @Test("A device that slept with the machine is prepared, and continues at the first frame that was not played, each time")
    func slept() throws {
        let player = Player()
        try player.start(writing: 4800)
        for _ in 0..<2 {
            player.play(480)
            player.devices.playback?.failure = .suspended
            player.play()
            #expect(player.program.fault == 0)
        }
        player.playAll()
        #expect(player.record.played == frames(1...4800))
        #expect(player.record.events == ["open a", "start a", "start a", "start a", "drop a"])
    }

    @Test(
        "A stream that stands still opens a device again that was away, also if it has the former name",
        arguments: StandStill.allCases)
    func away(_ stand: StandStill) throws {
        let player = Player()
        for life in 1...4 {
            try player.start(writing: 480)
            #expect(player.record.events.filter { $0 == "open a" }.count == life)
            try stand.enter(player.playback)
            switch life {
            case 1:
                player.setTarget { $0.device = .alsa(["b"]) }
                player.setTarget { $0.device = .alsa(["a"]) }
            case 2:
                player.setTarget { $0.isWithoutServer = true }
                try player.prepare()
                player.setTarget { $0.isWithoutServer = false }
            case 3:
                player.setTarget { $0.isLost = true }
                player.setTarget { $0.isLost = false }
            default: break
            }
            #expect(player.record.events.filter { $0 == "open a" }.count == life)
            #expect(player.record.events.filter { $0 == "close a" }.count == min(life, 3))
            player.playback.stop()
        }
    }

    @Test("A device that failed before the death of its server is opened again when the server is back") func failedFirst() throws
    {
        let player = Player()
        for life in 1...2 {
            try player.start(writing: 960)
            player.devices.playback?.failure = .noDevice
            player.play()
            player.setTarget { $0.isWithoutServer = true }
            #expect(player.program.fault != 0)
            player.setTarget { $0.isWithoutServer = false }
            player.record.played = []
            try player.start(writing: 480)
            player.play(480)
            #expect(player.record.played.count == 480)
            // The healthy device is kept for the next life.
            #expect(player.record.events.filter { $0 == "open a" }.count == life + 1)
            player.playback.stop()
        }
    }

    @Test("Each prepare tries a device again that was refused, and only such a device") func refusedBefore() throws {
        let player = Player()
        player.devices.refused["a"] = .busy
        for tries in 1...2 {
            try player.start(writing: 480)
            #expect(player.record.events == [String](repeating: "refuse a", count: tries))
            player.playback.stop()
        }
        player.devices.refused = [:]
        for _ in 0..<2 {
            try player.start(writing: 480)
            player.playback.stop()
        }
        #expect(player.record.events == ["refuse a", "refuse a", "open a", "start a", "drop a", "start a", "drop a"])
    }

    @Test("A device that opened after another one was refused is kept for the next start") func keptAfterRefusal() throws {
        let player = Player()
        player.devices.refused["a"] = .busy
        try player.start(writing: 480)
        player.setTarget { $0.device = .alsa(["b"]) }
        for _ in 0..<2 {
            player.playback.stop()
            try player.start(writing: 480)
        }
        #expect(player.record.events.filter { $0.hasPrefix("open") || $0.hasPrefix("close") } == ["open b"])
    }

    @Test("on_route_loss stop: the stream ends with ENODEV") func lost() throws {
        let player = Player()
        try player.start(writing: 4800)
        player.setTarget { $0.isLost = true }
        #expect(player.program.fault == 19 && player.program.isReady && player.playback.move() == UInt64.max)
    }

    @Test("A stream whose device is not known yet waits for it") func awaited() throws {
        let player = Player()
        player.setTarget { $0.device = nil }
        try player.start(writing: 480)
        #expect(player.playback.move() == UInt64.max && player.record.events == [] && player.program.fault == 0)
        player.setTarget { $0.device = .alsa(["b"]) }
        player.play()
        player.play(480)
        #expect(player.record.played == frames(1...480))
    }

    @Test("An open of a device that is refused is an error of the program's call") func opening() throws {
        let player = Player()
        player.devices.refused["a"] = .busy
        #expect(throws: SystemError.busy) { try player.playback.open() }
        player.devices.refused = [:]
        try player.playback.open()
        #expect(player.record.events == ["refuse a", "open a"])
    }

    // MARK: Gain

    @Test("A stream that starts while another session ducks is low from its first frame") func ducked() throws {
        let player = Player()
        player.setTarget { $0.gain = 0.2 }
        try player.prepare()
        player.program.write(480, level: 20_000)
        try player.playback.start()
        player.play()
        player.play(480)
        #expect(player.record.played == [Int16](repeating: 4000, count: 480))
    }

    @Test("A gain that changes while the stream runs ramps over 40 ms, from the first frame that is written next") func ramp()
        throws
    {
        let player = Player()
        try player.prepare()
        player.program.write(4800, level: 20_000)
        try player.playback.start()
        player.play()
        player.setTarget { $0.gain = 0.2 }
        player.playAll()
        let played = player.record.played
        #expect(played.count == 4800 && played[1919] == 20_000 && played[3839] == 4000 && played[3838] > 4000)
        #expect(zip(played, played.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 9 })
    }

    @Test("A gain that changes while the stream is held is in force at its next frame, without a ramp") func heldGain() throws {
        let player = Player()
        try player.prepare()
        player.program.write(960, level: 20_000)
        try player.playback.start()
        player.play()
        player.play(480)
        player.setTarget { $0.isHeld = true }
        player.setTarget {
            $0.isHeld = false
            $0.gain = 0.2
        }
        player.play()
        player.play(480)
        #expect(player.record.played.suffix(480) == [Int16](repeating: 4000, count: 480)[...])
    }

    // MARK: Devices with long periods, and the next look

    @Test("With long periods of the device, the room follows the sent frames, and the delay the played frames")
    func coarse() throws {
        let player = Player(TestRing.shape(period: 480, buffer: 960))
        player.devices.setUp = { $0.period = 960 }
        try player.start(writing: 960)
        #expect(player.available == 960 && player.program.delay == 960)
        player.program.write(480)
        player.play()
        #expect(player.available == 960 && player.program.delay == 1440)
    }

    @Test("A device that accepts a part of a write gets the rest at the next look") func partialWrites() throws {
        let player = Player()
        player.devices.setUp = { $0.room = 100 }
        try player.start(writing: 960)
        player.playAll()
        #expect(player.record.played == frames(1...960))
    }

    @Test("With frames left to send, the next look is within a period of the device") func nextLook() throws {
        let player = Player()
        try player.prepare()
        player.program.write(4800)
        try player.playback.start()
        let before = linux_monotonic_nanoseconds()
        let next = player.play()
        #expect(next > before && next <= linux_monotonic_nanoseconds() + 10_000_000)
    }

    @Test("With more than two periods to play, the stream's thread does not ask the program to wake it, and looks in a period")
    func longQueue() throws {
        let player = Player()
        try player.start(writing: 1_920)
        for (played, asks) in [(0, 0), (959, 0), (1, 1), (480, 1)] as [(Int, UInt32)] {
            player.program.ring.pointee.wants_wake = 0
            let before = linux_monotonic_nanoseconds()
            let next = player.play(played)
            #expect(player.program.ring.pointee.wants_wake == asks, "\(played)")
            #expect(next > before && next <= linux_monotonic_nanoseconds() + 10_000_000)
        }
    }

    @Test("Before the first frame the stream's thread sleeps until the program writes") func firstFrame() throws {
        let player = Player()
        player.program.ring.pointee.stop_threshold = 4801
        player.program.ring.pointee.buffer = 4800
        try player.prepare()
        #expect(player.playback.move() == UInt64.max)
    }
}
