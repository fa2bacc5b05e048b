// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// A sound server that plays the device `default`. Its control plug-in reports its levels and its death. No
/// stream is opened to it, and none of its devices is resumed.
final class SoundServer {
    private let kind: Kind
    /// The PCM through which streams play to the server.
    let pcm: String
    private let folder: SocketFolder
    /// The connection; nil while the server is dead, and for a server without a control plug-in.
    private(set) var card: OpenCard?
    /// The last known state. The death of the server changes no level.
    private(set) var state: CardState?
    private(set) var isAlive = true
    private var attempts = ConnectAttempts()
    /// The reason why the server does not answer; nil while it does.
    private var failure: SystemError?

    private struct Kind {
        let name: StaticString
        /// For the user.
        let title: StaticString
        /// The command that starts the server, for the user.
        let command: StaticString
        let socket: StaticString
        /// The folder of the socket, below the user's runtime directory.
        let folder: StaticString
        /// The environment variable that names the folder instead.
        let variable: StaticString
        let hasControls: Bool
        /// Nil for a server whose devices no module knows.
        var devices: ServerKind?
        var reportsFirstChannelOnly = false
    }

    private static let kinds = [
        Kind(
            name: "pulse", title: "PulseAudio", command: "pulseaudio --start", socket: "native", folder: "/pulse",
            variable: "PULSE_RUNTIME_PATH", hasControls: true, devices: .pulseAudio),
        Kind(
            name: "pipewire", title: "PipeWire", command: "systemctl --user restart pipewire", socket: "pipewire-0", folder: "",
            variable: "PIPEWIRE_RUNTIME_DIR", hasControls: true, devices: .pipeWire, reportsFirstChannelOnly: true),
        Kind(
            name: "jack", title: "JACK", command: "jack_control start", socket: "", folder: "", variable: "", hasControls: false),
    ]
    /// The programs that open the cards for all other programs.
    private static let programs: [StaticString] = [
        "pulseaudio", "pipewire", "pipewire-pulse", "wireplumber", "jackd", "jackdbus",
    ]

    /// Nil for an unknown type of server. Not a failable initializer: in Embedded Swift (6.3.1) an object whose
    /// initializer fails is never freed.
    static func behind(_ pcm: ServerPCM) -> SoundServer? {
        kinds.first { "\($0.name)" == pcm.type }.map { SoundServer($0, pcm.name) }
    }

    /// Whether a plug-in of this type plays to a server.
    static func isKnown(_ type: String) -> Bool { kinds.contains { "\($0.name)" == type } }

    private init(_ kind: Kind, _ pcm: String) {
        self.kind = kind
        self.pcm = pcm
        folder = SocketFolder("\(kind.folder)", named: "\(kind.socket)", variable: "\(kind.variable)")
    }

    static func isServer(_ program: String?) -> Bool { programs.contains { "\($0)" == program } }

    var name: String { "\(kind.name)" }
    var deviceKind: ServerKind? { kind.devices }

    var status: ServerStatus {
        ServerStatus(
            name: "\(kind.title)", errorText: isAlive ? nil : (failure ?? .failed).text, command: "\(kind.command)",
            isDefault: true)
    }

    /// Adds a descriptor to an epoll instance that becomes readable when the server may be back.
    func wake(_ events: Int32, as token: UInt64) { if kind.hasControls { _ = folder.wake(events, as: token) } }

    // MARK: Connection

    /// True when the server answers and its events are watched.
    func connect(_ watch: (Int32) throws(SystemError) -> Void) -> Bool {
        guard kind.hasControls else { return true }
        do throws(SystemError) {
            let control = try Control(server: "\(kind.name)")
            let new = try OpenCard(control, reportsFirstChannelOnly: kind.reportsFirstChannelOnly) { [pcm] in $0.serverPlans(pcm)
            }
            try watch(new.descriptor)
            card = new
            state = new.state
            isAlive = true
            failure = nil
            attempts.restart()
        } catch {
            // Without the plug-in the death of the server cannot be detected.
            isAlive = error == .noDeviceOrAddress
            failure = error
            attempts.fail()
            if !isAlive { Log.debug("the sound server \(kind.name) does not answer: \(error.text)") }
        }
        return isAlive
    }

    /// True when the state has changed.
    func processEvents() -> Bool {
        guard let card else { return false }
        do throws(SystemError) {
            let isChanged = try card.processEvents()
            state = card.state
            return isChanged
        } catch {
            Log.debug("the sound server \(kind.name) has closed the connection: \(error.text)")
            self.card = nil
            failure = error
            isAlive = false
            return true
        }
    }

    /// Sets the level of the input.
    func perform(_ request: HardwareRequest) throws(SystemError) {
        guard let card, let plan = card.state.plans.first(where: { $0.kind.isInput }) else { throw .noDevice }
        try card.perform(request, on: plan)
        state = card.state
    }

    /// True when a new attempt to connect is due.
    func processFolderEvents() -> Bool {
        guard folder.processEvents(), !isAlive else { return false }
        attempts.restart()
        return true
    }

    /// Milliseconds until the next attempt to connect; -1: no attempt is due.
    func retryDelay() -> Int32 { isAlive ? -1 : attempts.delay }
}

/// A sound server, as a user needs to know it.
public struct ServerStatus: Sendable {
    /// "PulseAudio", "PipeWire", "JACK".
    public let name: String
    /// The reason why the server does not answer; nil: it answers.
    public let errorText: String?
    /// The command that starts the server, for the user.
    public let command: String
    /// False for a server that plays the device `default` only while it runs. Without it, a card plays the device.
    public var isDefault: Bool
}

extension CardFacts {
    /// The ports of a server without cards.
    func serverPlans(_ pcm: String) -> [PortPlan] {
        [
            PortPlan(
                kind: .builtInSpeaker, name: name, key: "speaker", group: "server", pcm: 0, alsaDevice: pcm,
                level: outputLevel(for: .builtInSpeaker), evidence: .server),
            PortPlan(
                kind: .builtInMicrophone, name: name, key: "microphone", group: "server", pcm: 0, alsaDevice: pcm,
                level: inputLevel(for: .builtInMicrophone), evidence: .server),
        ]
    }
}
