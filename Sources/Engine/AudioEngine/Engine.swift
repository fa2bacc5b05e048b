// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSession
import AudioStreams
import CLinux
import LinuxSystem
import SessionModel
import SessionRegistry

/// The session and the streams of this process, with the parts that both use: one endpoint in the registry, one hardware
/// object and one monitor thread.
final class Engine: @unchecked Sendable {
    private let registry: any SessionRegistry
    private let hardware: any AudioHardware
    private let monitor: EngineMonitor
    let streams: StreamGroup
    private let systemSounds: StreamGroup
    /// Written by the thread that holds the engine of the process.
    private var session: ProcessSession?

    convenience init() {
        // The hardware comes first: a separate thread explores the cards while the rest is created.
        let (hardware, isSimulated) = Bootstrap.hardware()
        self.init(Bootstrap.registry(), hardware, isSimulated: isSimulated)
    }

    init(_ registry: any SessionRegistry, _ hardware: any AudioHardware, isSimulated: Bool) {
        let streams = StreamGroup(in: registry, on: hardware, isSimulated: isSimulated)
        self.hardware = hardware
        self.registry = registry
        self.streams = streams
        systemSounds = StreamGroup(in: registry, on: hardware, isSimulated: isSimulated, playsSystemSounds: true)
        monitor = EngineMonitor(registry, hardware, streams, systemSounds)
    }

    /// True when the engine has no session and no stream.
    var isUnused: Bool { session == nil && streams.isEmpty && systemSounds.isEmpty }

    func end() { monitor.stop() }

    func open(_ stream: PushedStream) throws(SystemError) {
        monitor.start()
        try stream.join(streams)
    }

    func open(_ stream: PulledStream, playingSystemSounds: Bool = false) {
        monitor.start()
        stream.join(playingSystemSounds ? systemSounds : streams)
    }

    /// The length of the slices of I/O units and queues, in seconds.
    func setIOSlice(_ seconds: Float) { session?.setIOSlice(seconds) }

    /// Creates the program's session. Running streams belong to it from then on.
    func beginSession() throws(ResultCode) -> ProcessSession {
        let session: ProcessSession
        if let own = streams.handOverSession() {
            session = ProcessSession(adopting: own.slot, own.settings, registry: registry, hardware: hardware, monitor: monitor)
        } else {
            session = try ProcessSession(
                name: String(cString: linux_program_name()), registry: registry, hardware: hardware, monitor: monitor)
        }
        self.session = session
        session.setIOSlice(ProcessEngine.ioSlice)
        monitor.attach(session)
        streams.join(session.slot) { () throws(ResultCode) in try session.setActive(true) }
        return session
    }
}
