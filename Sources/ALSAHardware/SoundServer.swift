import LinuxSystem
import SessionModel

/// A sound server that programs reach by the device `default`. Its plug-in for controls tells whether it
/// lives and how loud it is: nothing is played to it, and none of its devices is woken.
final class SoundServer {
    private let kind: Kind
    private let folder: SocketFolder
    /// Its connection; nil while it is dead, or when it can't be watched at all.
    private(set) var card: OpenCard?
    /// What it said last: its death changes no level.
    private(set) var state: CardState?
    private(set) var isAlive = true
    /// How often a server that has just shown itself was not ready yet.
    private var failures = 0

    private struct Kind {
        let name: StaticString
        let socket: StaticString
        /// Where its socket is, below the user's runtime folder.
        let folder: StaticString
        /// An environment variable that names the folder.
        let variable: StaticString
        let hasControls: Bool
        var tellsFirstChannelOnly = false
    }

    private static let kinds = [
        Kind(name: "pulse", socket: "native", folder: "/pulse", variable: "PULSE_RUNTIME_PATH", hasControls: true),
        Kind(
            name: "pipewire", socket: "pipewire-0", folder: "", variable: "PIPEWIRE_RUNTIME_DIR", hasControls: true,
            tellsFirstChannelOnly: true),
        Kind(name: "jack", socket: "", folder: "", variable: "", hasControls: false),
    ]
    /// The programs that have the cards open on behalf of all others.
    private static let programs: [StaticString] = [
        "pulseaudio", "pipewire", "pipewire-pulse", "wireplumber", "jackd", "jackdbus",
    ]

    /// Nil when no server stands behind `default`. Not a failing initializer: in Embedded Swift (6.3.1)
    /// an object of a class that fails before it is complete is never freed.
    static func behind(_ device: String?) -> SoundServer? {
        kinds.first { "\($0.name)" == device }.map(SoundServer.init)
    }

    private init(_ kind: Kind) {
        self.kind = kind
        folder = SocketFolder("\(kind.folder)", named: "\(kind.socket)", variable: "\(kind.variable)")
    }

    static func isServer(_ program: String?) -> Bool { programs.contains { "\($0)" == program } }

    var name: String { "\(kind.name)" }
    /// Lets an epoll descriptor know when the server may have come back.
    func wake(_ events: Int32, as token: UInt64) { if kind.hasControls { _ = folder.wake(events, as: token) } }

    // MARK: Life and death

    /// True when the server answers, and what it says can be waited for.
    func connect(_ listen: (Int32) throws(ALSAError) -> Void) -> Bool {
        guard kind.hasControls else { return true }
        do throws(ALSAError) {
            let control = try Control(server: "\(kind.name)")
            let new = try OpenCard(control, tellsFirstChannelOnly: kind.tellsFirstChannelOnly) { $0.serverPlans }
            try listen(new.descriptor)
            card = new
            state = new.state
            isAlive = true
            failures = 0
        } catch {
            // Without its plug-in nobody can tell.
            isAlive = error == .noPlugIn
            failures += 1
            if !isAlive { Log.line("the sound server \(kind.name) does not answer: \(error.text)") }
        }
        return isAlive
    }

    /// True when something has changed.
    func heed() -> Bool {
        guard let card else { return false }
        do throws(ALSAError) {
            let isChanged = try card.heed()
            state = card.state
            return isChanged
        } catch {
            Log.line("the sound server \(kind.name) has gone: \(error.text)")
            self.card = nil
            isAlive = false
            return true
        }
    }

    /// Sets the input's level, when there is one.
    func perform(_ request: HardwareRequest) throws(ALSAError) {
        guard let card, let plan = card.state.plans.first(where: { $0.kind.isInput }) else { throw .noDevice }
        try card.perform(request, on: plan)
        state = card.state
    }

    /// True when it is worth while to try and connect.
    func heedFolder() -> Bool {
        guard folder.heed(), !isAlive else { return false }
        failures = 0
        return true
    }

    /// A socket is there a moment before somebody listens to it. How many milliseconds to wait for that;
    /// -1 when it has had its time.
    func patience() -> Int32 {
        let mostFailures = 6
        guard !isAlive, failures < mostFailures else { return -1 }
        return 50 << Int32(failures)
    }
}

extension CardFacts {
    /// What a server offers besides the cards that it has taken, or without any.
    var serverPlans: [PortPlan] {
        [
            PortPlan(
                kind: .builtInSpeaker, name: name, key: "speaker", thing: "server", pcm: 0, alsaDevice: "default",
                level: outputLevel(for: .builtInSpeaker), evidence: .server),
            PortPlan(
                kind: .builtInMicrophone, name: name, key: "microphone", thing: "server", pcm: 0, alsaDevice: "default",
                level: inputLevel(for: .builtInMicrophone), evidence: .server),
        ]
    }
}
