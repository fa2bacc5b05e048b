// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
import AudioHardware
import CAudioToolbox
import CLIOutput
import CLinux
import CToolboxFunctions
import LinuxSystem
import SessionModel
import SessionRegistry

/// The session of a command that plays or records. It handles interruptions, route changes and the death of the sound server, and
/// prints them.
final class Transport {
    private let toolbox: Toolbox
    private let category: Category
    private let machine: SystemState.Machine
    private var hardware: any AudioHardware { machine.hardware }
    private let notices: SessionNotices
    private let signals = FileDescriptor(owning: linux_end_signals())
    private let changes = FileDescriptor(owning: linux_eventfd())
    private let poller: Poller
    private var progress = ProgressLine()
    private var route = ""
    private var isInterrupted = false
    private var isWithoutServer = false
    /// A signal has asked for the end, or an interruption has ended after which no sound should resume.
    private(set) var isStopped = false

    init(_ toolbox: Toolbox, _ category: Category) throws(SoundError) {
        self.toolbox = toolbox
        self.category = category
        machine = SystemState.machine(in: Transport.directory)
        notices = try SessionNotices(toolbox)
        poller = Poller(
            toolbox.AudioSessionLinuxEventDescriptor(), machine.hardware.descriptor, signals.number, changes.number)
        var number = category.rawValue
        let size = UInt32(MemoryLayout<UInt32>.size)
        let status = toolbox.AudioSessionSetProperty(UInt32(kAudioSessionProperty_AudioCategory), size, &number)
        guard status == 0 else { throw SoundError("the session refuses its category: \(toolbox.name(of: status))") }
    }

    private static var directory: RuntimeDirectory? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find() } catch { return nil }
    }

    /// The name of the session for other tools: the last component of the path.
    func setName(_ path: String) {
        var name: [UInt8] = []
        for byte in path.utf8 { if byte == 0x2F { name = [] } else { name.append(byte) } }
        _ = toolbox.AudioSessionLinuxSetDisplayName(String(decoding: name.prefix(63), as: UTF8.self))
    }

    /// Ends the wait of `follow`. Called on any thread.
    func notify() { _ = linux_eventfd_signal(changes.number) }

    func print(_ text: String) { progress.print(text) }

    /// Throws where no sound can be played or recorded: the sound server does not answer, or there is no device.
    func checkDevice() throws(SoundError) {
        let snapshot = hardware.snapshot()
        guard snapshot.serverIsAlive else {
            let server = machine.server()
            throw SoundError(
                "the sound server\(named(server)) does not answer\(server.map { ": \($0.errorText ?? ""); type: \($0.command)" } ?? "")"
            )
        }
        guard !snapshot.isPending, ports(among: snapshot.ports).isEmpty else { return }
        if let absent = machine.server(), let errorText = absent.errorText {
            throw SoundError("there is no device, and \(absent.name) does not answer: \(errorText); type: \(absent.command)")
        }
        throw SoundError(
            "there is no device that \(category.traits.hasOutput ? "plays" : "records"); audiosessionctl doctor says why")
    }

    private func named(_ server: ServerStatus?) -> String { server.map { " \($0.name)" } ?? "" }

    /// Starts the queue, and waits until the sound has ended or a signal asks for the end.
    func run(_ sound: QueueSound, isDone: () -> Bool) throws(SoundError) {
        isInterrupted = false
        isWithoutServer = false
        try start(sound)
        showRoute()
        defer { progress.clear() }
        while !isDone(), !isStopped {
            guard progress.show(line(of: sound)) else { return }
            switch poller.next(milliseconds: progress.milliseconds) {
            case nil: break
            case .some(..<0): throw SoundError(sound.name, "stopped: the events of the session cannot be waited for")
            case signals.number: isStopped = true
            case changes.number: _ = linux_eventfd_clear(changes.number)
            case hardware.descriptor:
                if hardware.processEvents() { showRoute() }
            default: try handleNotices(of: sound)
            }
        }
    }

    private func start(_ sound: QueueSound) throws(SoundError) {
        try checkStart(of: sound, toolbox.AudioQueueStart(sound.queue, nil))
    }

    private func checkStart(of sound: QueueSound, _ status: Int32) throws(SoundError) {
        guard status != 0 else { return }
        try checkDevice()
        let reason = status == Int32(kAudioSessionNotActiveError) ? "a call, or a session that does not mix, has the sound: " : ""
        throw SoundError(sound.name, "cannot start: \(reason)\(toolbox.name(of: status))")
    }

    private func handleNotices(of sound: QueueSound) throws(SoundError) {
        _ = toolbox.AudioSessionLinuxDispatchEvents()
        while let notice = notices.next() {
            switch notice {
            case .interruptionBegan:
                isInterrupted = true
                progress.print("interrupted")
            case .interruptionEnded(let shouldResume):
                isInterrupted = false
                guard shouldResume else {
                    isStopped = true
                    throw SoundError(sound.name, "the interruption has ended; the sound should not resume")
                }
                // The end of the sound, which the program has not asked for yet: another start would wait for a buffer.
                guard !sound.hasEnded(toolbox) else { continue }
                try start(sound)
                progress.print("continues")
            case .serverDied:
                isInterrupted = false
                isWithoutServer = true
                printWait(sound, "has stopped")
            case .serverRestarted: try restart(sound)
            }
        }
    }

    /// A server that has stopped again is waited for again: another notice follows. The queue is started once: a second start
    /// cancels the stop that waits for the last buffer.
    private func restart(_ sound: QueueSound) throws(SoundError) {
        guard !sound.hasEnded(toolbox) else { return }
        let status = toolbox.AudioQueueStart(sound.queue, nil)
        guard status != Int32(kAudioSessionUnspecifiedError) else { return printWait(sound, "does not answer") }
        isWithoutServer = false
        try checkStart(of: sound, status)
        progress.print("continues")
    }

    // MARK: What is shown

    private func printWait(_ sound: QueueSound, _ what: String) {
        progress.clear()
        Output.error("\(sound.name): the sound server\(named(machine.server())) \(what); the sound waits until it is back")
    }

    /// Prints the ports of the route when they have changed.
    private func showRoute() {
        var names = ""
        for port in ports(among: hardware.snapshot().ports) {
            names += (names.isEmpty ? "" : ", ") + "\(port.kind.type)"
        }
        if names.isEmpty { names = "none" }
        guard names != self.route else { return }
        self.route = names
        progress.print("route: \(names)")
    }

    /// The ports of the route in the direction of the sound.
    private func ports(among ports: [Port]) -> [Port] {
        var settings = SessionSettings()
        settings.setCategory(category)
        let route = Route(for: settings, among: ports)
        return category.traits.hasOutput ? route.outputs : route.inputs
    }

    private func line(of sound: QueueSound) -> TransportLine {
        let isOutput = category.traits.hasOutput
        return TransportLine(
            isInterrupted || isWithoutServer ? .interrupted : isOutput ? .playing : .recording, position: sound.seconds(toolbox),
            duration: sound.duration, levels: sound.levels(toolbox), route: route)
    }
}

/// The queue whose progress is printed.
struct QueueSound {
    let name: String
    let queue: AudioQueueRef
    let rate: Double
    let channels: Int
    let duration: Double?

    /// The number of seconds that have been heard or recorded.
    func seconds(_ toolbox: Toolbox) -> Double {
        var time = AudioTimeStamp()
        guard toolbox.AudioQueueGetCurrentTime(queue, nil, &time, nil) == 0, rate > 0 else { return 0 }
        return max(0, time.mSampleTime / rate)
    }

    /// The peak level of each channel in decibels.
    func levels(_ toolbox: Toolbox) -> [Float] {
        var states = [AudioQueueLevelMeterState](repeating: AudioQueueLevelMeterState(), count: channels)
        var size = UInt32(MemoryLayout<AudioQueueLevelMeterState>.stride * channels)
        let id = UInt32(kAudioQueueProperty_CurrentLevelMeterDB)
        guard toolbox.AudioQueueGetProperty(queue, id, &states, &size) == 0 else { return [] }
        return states.map { $0.mPeakPower }
    }

    func enableLevels(_ toolbox: Toolbox) {
        var on: UInt32 = 1
        let size = UInt32(MemoryLayout<UInt32>.size)
        _ = toolbox.AudioQueueSetProperty(queue, UInt32(kAudioQueueProperty_EnableLevelMetering), &on, size)
    }

    /// Whether the queue has stopped after its last frame. A queue that the session has stopped has not: it continues.
    func hasEnded(_ toolbox: Toolbox) -> Bool {
        var time = AudioTimeStamp()
        return toolbox.AudioQueueGetCurrentTime(queue, nil, &time, nil) == FourCC.status("stop")
    }
}
