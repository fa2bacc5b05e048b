// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import SessionModel

/// The devices of the sound server behind `default`, by the module of the server. While the server is away, its last devices
/// count as present. Without the module, and with a server that does not speak its protocol, nothing is known.
final class ServerDevices {
    let kind: ServerKind
    private(set) var machine = ServerMachine()
    /// The ports that the server told last.
    private(set) var told: [ServerPort] = []
    /// The ports are those of the server.
    private(set) var isKnown = false
    private let folder = SocketFolder("/pulse", named: "native", variable: "PULSE_RUNTIME_PATH")
    /// Nil while the server is away.
    private(set) var connection: ServerConnection?
    private var software = ""
    /// The reason why nothing is known.
    private var failure = "install audiosession-server-pulse"
    private var attempts = ConnectAttempts()
    private var isInstalled = true

    /// How long the first snapshot waits for the server, in nanoseconds. A server on the same machine needs a few milliseconds.
    private static let startLimit: UInt64 = 250_000_000
    /// How long a change of a card's profile may take, in nanoseconds: less than callers wait for an answer.
    private static let profileLimit: UInt64 = 900_000_000

    init(_ kind: ServerKind) { self.kind = kind }

    /// Adds a descriptor to an epoll instance that becomes readable when the server may be back.
    func wake(_ events: Int32, as token: UInt64) { if isInstalled { _ = folder.wake(events, as: token) } }

    // MARK: Connection

    /// False while there is a connection, and without the module.
    var needsConnection: Bool { connection == nil && isInstalled }

    /// Uses a new connection, whose first state follows as an event. Nil: the module is not installed.
    func connect(by new: ServerConnection?, _ watch: (Int32) throws(SystemError) -> Void) {
        guard let new else {
            isInstalled = false
            return
        }
        do throws(SystemError) {
            try watch(new.descriptor)
            connection = new
        } catch { fail(error.text) }
    }

    /// True when the ports are known.
    func awaitFirstState() -> Bool {
        let deadline = linux_monotonic_nanoseconds() &+ ServerDevices.startLimit
        return connection.map { apply($0.awaitState(until: deadline)) } ?? false
    }

    /// True when the ports may have changed.
    func processEvents() -> Bool { connection.map { apply($0.processEvents()) } ?? false }

    private func apply(_ change: ServerConnection.Change) -> Bool {
        guard let connection else { return false }
        switch change {
        case .none: return false
        case .state:
            (told, software, isKnown) = (connection.ports, connection.software, true)
            attempts.restart()
            return true
        case .closed: return fail(connection.reason)
        }
    }

    /// True when the ports are no longer known.
    @discardableResult
    private func fail(_ reason: String) -> Bool {
        connection = nil
        if failure != reason { Log.debug("the devices of the sound server: \(reason)") }
        failure = reason
        attempts.fail()
        return forget()
    }

    /// A server that is restarted has the same devices a moment later.
    private func forget() -> Bool {
        guard isKnown, attempts.areExhausted else { return false }
        isKnown = false
        return true
    }

    /// True when a new attempt to connect is due.
    func processFolderEvents() -> Bool {
        guard folder.processEvents(), connection == nil else { return false }
        attempts.restart()
        return true
    }

    /// Milliseconds until the next attempt to connect; -1: no attempt is due.
    var retryDelay: Int32 { needsConnection ? attempts.delay : -1 }

    // MARK: Ports

    /// Arranges the ports that the server told last. `number` returns a number that is greater than those of all arrivals.
    func arrange(_ number: () -> UInt32) { machine.update(told, at: linux_monotonic_nanoseconds(), number: number) }

    /// `usual`: the name for programs of the server's default.
    func port(_ port: ServerPort, arrival: UInt32, default usual: String) -> Port {
        port.port(behind: kind, arrival: arrival, default: usual, among: machine.ports)
    }

    func perform(_ request: HardwareRequest, on port: Port) throws(SystemError) {
        guard let connection else { throw .noDevice }
        switch request {
        case .inputGain(let gain):
            guard connection.setVolume(of: port.uid, to: gain) else { throw .noDevice }
            told = connection.ports
        case .headsetProfile(true): try reach(port.uid, by: connection)
        case .headsetProfile(false):
            connection.leave(port.uid)
            // The microphone needs the profile again.
            told = connection.ports
        case .inputSource, .outputDestination: throw .noDevice
        }
    }

    /// Waits until the card has changed its profile.
    private func reach(_ uid: String, by connection: ServerConnection) throws(SystemError) {
        guard connection.reach(uid) else { throw .noDevice }
        let deadline = linux_monotonic_nanoseconds() &+ ServerDevices.profileLimit
        while told.contains(where: { $0.uid == uid && $0.node.isEmpty }) {
            let change = connection.awaitState(until: deadline)
            guard change != .none else { throw .timedOut }
            _ = apply(change)
            guard self.connection === connection else { throw .noDevice }
        }
    }

    /// Whether another process plays on one of these outputs.
    func isPlayedTo(_ outputs: [Port]) -> Bool {
        machine.ports.contains { port in port.others > 0 && outputs.contains { $0.uid == port.uid } }
    }

    /// Lines for the user.
    var findings: [String] {
        guard isKnown else {
            return ["the devices of the sound server are not known: \(failure)"]
        }
        return ["the devices are those of \(software)"]
            + machine.ports.map { port in
                "\(port.node.isEmpty ? port.device : port.node): \(port.name), \(port.kind.word)\(port.isDefault ? ", the default" : "")"
            }
    }
}
