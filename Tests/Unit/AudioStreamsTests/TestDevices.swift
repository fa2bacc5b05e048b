// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import CLinux
import LinuxSystem
import SessionModel
import TestSupport

@testable import AudioStreams

/// The events of the devices of one stream.
final class DeviceRecord {
    /// The frames that a device has played, in order.
    var played: [Int16] = []
    /// "open a", "start a", "stop a", "close a"; "drop a": a stop without an exact number.
    var events: [String] = []
}

extension DeviceChoice {
    var name: String {
        switch self {
        case .alsa(let names), .server(let names): names.first ?? ""
        case .simulated: "simulated"
        case .silence: "silence"
        }
    }
}

/// A device whose clock the test steps.
class TestDevice {
    let name: String
    let record: DeviceRecord
    var isStarted = false
    /// Every call fails with it.
    var failure: SystemError?

    init(_ choice: DeviceChoice, _ record: DeviceRecord) {
        name = choice.name
        self.record = record
        record.events.append("open \(name)")
    }

    deinit { record.events.append("close \(name)") }

    func check() throws(SystemError) { if let failure { throw failure } }

    /// A device that was late or has slept is ready again; any other failure is permanent.
    func recover() throws(SystemError) {
        if failure == .late || failure == .suspended { failure = nil }
        try check()
    }
}

final class TestPlayback: TestDevice, PlaybackDevice {
    var queue: UInt64 = 1920
    var period: UInt64 = 480
    /// A write moves at most so many frames.
    var room = UInt64.max
    /// Called once, when the stream's thread asks what is left to play.
    var whenMeasured: (() -> Void)?
    private var written: [Int16] = []
    private var played = 0

    /// The device plays so many frames. Without frames to play it is late, as hardware is.
    func play(_ count: Int) {
        guard isStarted else { return }
        let end = min(played + count, written.count)
        record.played += written[played..<end]
        played = end
        if end < count, failure == nil, written.count == end, count > 0, isStrict { failure = .late }
    }
    /// It reports that it has run dry.
    var isStrict = false
    /// It runs dry before the next write, after it has stated frames to play.
    var runsDryAtWrite = false

    func prepare() throws(SystemError) {
        try recover()
        (written, played, isStarted) = ([], 0, false)
    }

    func start() throws(SystemError) {
        try check()
        isStarted = true
        record.events.append("start \(name)")
    }

    func stop(waits: Bool) -> UInt64? {
        isStarted = false
        record.events.append(waits ? "stop \(name)" : "drop \(name)")
        return failure == nil ? UInt64(written.count - played) : failure == .late ? 0 : nil
    }

    func pending() throws(SystemError) -> UInt64 {
        try check()
        whenMeasured?()
        whenMeasured = nil
        return UInt64(written.count - played)
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(SystemError) -> UInt64 {
        if runsDryAtWrite {
            runsDryAtWrite = false
            record.played += written[played...]
            played = written.count
            failure = .late
        }
        try check()
        let count = min(count, room)
        written += UnsafeBufferPointer(start: frames.assumingMemoryBound(to: Int16.self), count: Int(count))
        return count
    }
}

final class TestCapture: TestDevice, CaptureDevice {
    let period: UInt64 = 480
    private var waiting: [Int16] = []
    private var next: Int16 = 1

    /// The device records so many frames.
    func record(_ count: Int) {
        guard isStarted else { return }
        for _ in 0..<count {
            waiting.append(next)
            next &+= 1
        }
    }

    func prepare() throws(SystemError) {
        try recover()
        waiting = []
    }

    func start() throws(SystemError) {
        try check()
        isStarted = true
        record.events.append("start \(name)")
    }

    func stop() {
        isStarted = false
        record.events.append("stop \(name)")
    }

    func available() throws(SystemError) -> UInt64 {
        try check()
        return UInt64(waiting.count)
    }

    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) throws(SystemError) -> UInt64 {
        try check()
        for index in 0..<Int(count) { frames.storeBytes(of: waiting[index], toByteOffset: index * 2, as: Int16.self) }
        waiting.removeFirst(Int(count))
        return count
    }
}

/// Opens devices that the test steps.
final class TestDevices: DeviceOpener {
    var isInterrupted = false
    let record = DeviceRecord()
    weak var playback: TestPlayback?
    weak var capture: TestCapture?
    /// The device with this name cannot be opened.
    var refused: [String: SystemError] = [:]
    /// The device cannot be opened while another one is open.
    var isExclusive = false
    /// Changes a device before its first use.
    var setUp: (TestPlayback) -> Void = { _ in }

    private func admit(_ choice: DeviceChoice) throws(SystemError) {
        if let refusal = refused[choice.name] ?? (isExclusive && playback != nil ? .busy : nil) {
            record.events.append("refuse \(choice.name)")
            throw refusal
        }
    }

    func openPlayback(_ choice: DeviceChoice, _ shape: StreamShape) throws(SystemError) -> any PlaybackDevice {
        try admit(choice)
        let opened = TestPlayback(choice, record)
        setUp(opened)
        playback = opened
        return opened
    }

    func openCapture(_ choice: DeviceChoice, _ shape: StreamShape) throws(SystemError) -> any CaptureDevice {
        try admit(choice)
        let opened = TestCapture(choice, record)
        capture = opened
        return opened
    }
}

/// A ring of 16-bit frames of one channel, from the side of the program.
final class TestRing {
    let ring: UnsafeMutablePointer<stream_ring>
    let shape: StreamShape
    private var next: Int16 = 1

    static func shape(period: UInt64 = 480, buffer: UInt64 = 4800) -> StreamShape {
        // The layout is valid: 16 bits, one channel.
        StreamShape(
            layout: SampleLayout(sample: Int32(STREAM_S16.rawValue), channels: 1, rate: 48_000)!, period: period, buffer: buffer)
    }

    init(capture: Bool, _ shape: StreamShape) {
        self.shape = shape
        ring = .allocate(capacity: 1)
        ring.initialize(to: stream_ring())
        ring.pointee.is_capture = capture
        ring.pointee.ready = linux_eventfd()
        ring.configure(shape)
    }

    deinit {
        _ = linux_close(ring.pointee.ready)
        ring.pointee.bytes.deallocate()
        ring.deallocate()
    }

    var available: Int64 { stream_ring_available(ring) }
    var fault: UInt32 { ring.pointee.fault }
    /// Frames between the program and the loudspeaker.
    var delay: Int64 { Int64(stream_ring_program(ring)) - Int64(ring.pointee.played) }
    var isReady: Bool { linux_poll(ring.pointee.ready, UInt32(LINUX_READABLE), 0) > 0 }

    /// The program prepares its stream, as the plug-in does.
    func prepare() { ring.pointee.is_draining = 0 }

    func drain() { ring.pointee.is_draining = 1 }

    /// The program writes so many frames, each with a value of its own.
    func write(_ count: Int, level: Int16? = nil) {
        for _ in 0..<count {
            let position = stream_ring_program(ring)
            let (address, _) = ring.span(of: position)
            address.storeBytes(of: level ?? next, as: Int16.self)
            next &+= 1
            _ = stream_ring_program_advance(ring, position + 1)
        }
    }

    /// The program reads all that is there.
    func read() -> [Int16] {
        (0..<max(available, 0)).map { _ in
            let position = stream_ring_program(ring)
            let (address, _) = ring.span(of: position)
            defer { _ = stream_ring_program_advance(ring, position + 1) }
            return address.load(as: Int16.self)
        }
    }
}

/// Hardware whose ports the test changes. It never changes by itself.
final class TestHardware: AudioHardware, @unchecked Sendable {
    private let present = LockedValue(HardwareSnapshot(ports: [.speaker, .microphone]))

    func change(_ change: (inout HardwareSnapshot) -> Void) { present.withLock { change(&$0) } }

    let clock: any DeviceClock
    init(by clock: any DeviceClock = MonotonicClock.shared) { self.clock = clock }

    let descriptor: Int32 = -1
    func processEvents() -> Bool { true }
    func snapshot() -> HardwareSnapshot { present.withLock { $0 } }
    func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat? { nil }
    func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode) { throw .noHardware }
    func isOtherProcessPlaying(on outputs: [Port]) -> Bool { false }
    func simulate(_ change: SimulatedChange) throws(ResultCode) { throw .unsupportedProperty }
}

extension Port {
    static let speaker = Port(
        kind: .builtInSpeaker, device: 0, uid: "speaker", name: "Speaker", alsaDevice: "hw:0", channels: 2)
    static let onServer = Port(
        kind: .builtInSpeaker, device: 9, uid: "sink", name: "Sink", alsaDevice: "default", server: .pipeWire, channels: 2)
    static let microphone = Port(
        kind: .builtInMicrophone, device: 0, uid: "microphone", name: "Microphone", alsaDevice: "hw:0", channels: 1)
    static let headphones = Port(
        kind: .headphones, device: 7, uid: "headphones", name: "Headphones", alsaDevice: "hw:1", channels: 2)
    static let display = Port(
        kind: .hdmi, device: 8, uid: "hdmi", name: "HDMI", alsaDevice: "hdmi:2", channels: 2)
}
