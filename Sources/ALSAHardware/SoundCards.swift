import AudioHardware
import CLinux
import LinuxSystem
import SessionModel

/// All cards and the sound server, and everything in the kernel that tells when they change. Used by one
/// thread only.
final class SoundCards {
    private let events: FileDescriptor
    private let folder = DeviceFolder()
    private let sleep = SleepWatch()
    private var configuration = Configuration.none
    private(set) var cards: [OpenCard] = []
    private(set) var server: SoundServer?
    private var arrivals = Arrivals()
    var grants = Grants()
    private var lastSerial: UInt64 = 0
    /// Cards that are there and can't be used, and why.
    private var refused: [(card: UInt32, reason: String)] = []
    private var naming = NamingPatience()
    /// At first cards with a faint hope of a profile are taken as they are: they are asked for it at leisure,
    /// and what it changes is a change like others.
    private var hasFaintHopes = false

    private enum Token {
        static let orders: UInt64 = 0
        static let folder: UInt64 = 1
        static let sleep: UInt64 = 2
        static let server: UInt64 = 3
        static let serverFolder: UInt64 = 4
        /// A card's token is this and its serial.
        static let cards: UInt64 = 0x100
    }

    init() { events = FileDescriptor(owning: linux_epoll_create()) }

    // MARK: Waiting

    func begin() -> Bool {
        guard events.number >= 0 else { return false }
        if !folder.wake(events.number, as: Token.folder) { Log.line("cards that come or go are not noticed") }
        _ = wait(for: sleep.descriptor, as: Token.sleep)
        configuration = Configuration.read()
        server = SoundServer.behind(configuration.defaultDevice)
        if let server {
            server.wake(events.number, as: Token.serverFolder)
            connectServer()
        }
        _ = lookForCards(isFirst: true)
        if cards.isEmpty, server == nil { Log.line("no sound card can be used: routes are empty until one comes") }
        follow()
        return true
    }

    func wait(for orders: Int32) -> Bool { wait(for: orders, as: Token.orders) }

    private func wait(for descriptor: Int32, as token: UInt64) -> Bool {
        guard descriptor >= 0 else { return false }
        do throws(ALSAError) { try listen(to: descriptor, as: token) } catch { return false }
        return true
    }

    private func listen(to descriptor: Int32, as token: UInt64) throws(ALSAError) {
        try ALSAError.check(linux_epoll_add(events.number, descriptor, UInt32(LINUX_READABLE), token))
    }

    enum Event { case orders, changed, nothing, failed }

    /// Sleeps until something happens.
    func next() -> Event {
        var found = linux_event()
        let count = linux_epoll_wait(events.number, &found, 1, patience())
        guard count >= 0 else { return .failed }
        let isChanged: Bool
        switch found.token {
        case _ where count == 0: isChanged = tryAgain()
        case Token.orders: return .orders
        case Token.folder: isChanged = folder.heed() && lookForCards()
        case Token.sleep: isChanged = sleep.heed()
        case Token.server: isChanged = heedServer()
        case Token.serverFolder: isChanged = server?.heedFolder() == true && connectServer()
        default: isChanged = heedCard(found.token &- Token.cards)
        }
        if isChanged { follow() }
        return isChanged ? .changed : .nothing
    }

    /// How long nothing must happen, in milliseconds. Programs that only look around are gone by then.
    private let leisure: Int32 = 100

    /// How many milliseconds to wait for what nobody tells; -1 when there is no such thing.
    private func patience() -> Int32 {
        let patiences = [naming.milliseconds, server?.patience() ?? -1, hasFaintHopes ? leisure : -1].filter { $0 >= 0 }
        return patiences.min() ?? -1
    }

    private func tryAgain() -> Bool {
        let isServerNew = server?.isAlive == false && connectServer()
        let isCardNew = naming.isNeeded && lookForCards()
        let isPortNew = hasFaintHopes && askForProfiles()
        return isServerNew || isCardNew || isPortNew
    }

    // MARK: The server

    /// True when it has come.
    @discardableResult
    private func connectServer() -> Bool {
        server?.connect { descriptor throws(ALSAError) in try listen(to: descriptor, as: Token.server) } ?? false
    }

    private func heedServer() -> Bool {
        // Kept until its descriptor is let go of: a child of this process may hold it open.
        let card = server?.card
        defer { if server?.card == nil, let card { _ = linux_epoll_remove(events.number, card.descriptor) } }
        return server?.heed() ?? false
    }

    // MARK: Cards

    /// Opens those that are new and closes those that have gone. True when there was one.
    private func lookForCards(isFirst: Bool = false) -> Bool {
        var isChanged = false
        refused = []
        naming.beginRound()
        for card in cards where heedCard(card.serial) { isChanged = true }
        for index in folder.cards() where !cards.contains(where: { $0.index == index }) {
            if open(index) { isChanged = true }
        }
        let hopes = cards.map { $0.profileHope }
        // A profile may speak of other cards, too.
        hasFaintHopes = isFirst && hopes.contains(.faint) && !hopes.contains(.good)
        return !hasFaintHopes && askForProfiles(where: hopes) || isChanged
    }

    /// True when one made a difference.
    private func askForProfiles() -> Bool {
        hasFaintHopes = false
        return askForProfiles(where: cards.map { $0.profileHope })
    }

    private func askForProfiles(where hopes: [ProfileHope]) -> Bool {
        var isChanged = false
        for (card, hope) in zip(cards, hopes) where hope != .none && card.askForProfile() { isChanged = true }
        return isChanged
    }

    private func open(_ index: UInt32) -> Bool {
        let wishes = configuration.wishes
        do throws(ALSAError) {
            let card = try OpenCard(Control(card: index), index: index, serial: nextSerial()) { $0.plans(wishes.card($0.id)) }
            if card.state.facts.id.isEmpty, naming.waits() { return false }
            try listen(to: card.descriptor, as: Token.cards &+ card.serial)
            cards.insert(card, orderedBy: { $0.index })
            return true
        } catch {
            // Not there yet, or not ours: its device's next change is another chance.
            Log.line("card \(index) can't be used: \(error.text)")
            refused.append((index, error.text))
            return false
        }
    }

    /// True when something of the card has changed, or it has gone.
    private func heedCard(_ serial: UInt64) -> Bool {
        guard let place = cards.firstIndex(where: { $0.serial == serial }) else { return false }
        do throws(ALSAError) { return try cards[place].heed() } catch {
            _ = linux_epoll_remove(events.number, cards[place].descriptor)
            grants.forget(card: serial)
            cards.remove(at: place)
            return true
        }
    }

    private func nextSerial() -> UInt64 {
        lastSerial &+= 1
        return lastSerial
    }

    // MARK: What there is

    /// A port that is there.
    struct Present {
        let plan: PortPlan
        let state: CardState
        let thing: String
        /// Nil for a port of the server.
        let card: OpenCard?
    }

    /// The ports that are there, of the cards or, where it has none, of the server.
    private var present: [Present] {
        var present: [Present] = []
        for card in cards {
            for plan in card.state.present {
                present.append(Present(plan: plan, state: card.state, thing: "\(card.serial):\(plan.thing)", card: card))
            }
        }
        if present.isEmpty, let state = server?.state {
            for plan in state.present { present.append(Present(plan: plan, state: state, thing: plan.thing, card: nil)) }
        }
        return present
    }

    /// Numbers what has come. Of what came at once the most personal has come last.
    private func follow() {
        let present = present
        var things = configuration.wishes.ports.map { $0.thing }
        for rank in 0...PortKind.highestRank {
            for port in present where port.plan.kind.rank == rank { things.append(port.thing) }
        }
        arrivals.follow(things)
    }

    /// True when a stream is set up in another way than when they were last looked at.
    func lookAtStreams() -> Bool {
        var isChanged = false
        for card in cards where card.lookAtStreams() { isChanged = true }
        return isChanged
    }

    func snapshot() -> HardwareSnapshot {
        var ports = present.map { port(of: $0) }
        ports += configuration.wishes.ports.compactMap { $0.port(arrival: arrivals.number(of: $0.thing)) }
        var attached: [Port] = []
        for port in ports where !port.kind.isBuiltIn { attached.insert(port, orderedBy: { $0.device }) }
        return HardwareSnapshot(
            ports: ports.filter { $0.kind.isBuiltIn } + attached, serverIsAlive: server?.isAlive ?? true, wakes: sleep.wakes)
    }

    private func port(of present: Present) -> Port {
        let port = present.state.port(present.plan, arrival: arrivals.number(of: present.thing))
        return server.map { port.behind($0.state) } ?? port
    }

    /// Where a port is now; nil when it has gone.
    func place(of port: Port) -> Present? {
        present.first { $0.plan.kind == port.kind && arrivals.number(of: $0.thing) == port.device }
    }

    /// What was found, a line each: ports with their evidence, and what stands in the way of others.
    func findings() -> [String] {
        if askForProfiles() { follow() }
        var lines: [String] = []
        if let trouble = configuration.trouble { lines.append("ALSA's configuration can't be used: \(trouble)") }
        if let server { lines.append("default is served by \(server.name), which \(server.isAlive ? "answers" : "is dead")") }
        for (card, reason) in refused { lines.append("card \(card) can't be used: \(reason)") }
        for card in cards { for plan in card.state.plans { lines.append(finding(plan, in: card.state)) } }
        for port in configuration.wishes.ports {
            lines.append("\(port.device ?? ""): \(port.name ?? port.key), \(port.kind?.word ?? ""), by \(Evidence.user.text)")
        }
        return lines
    }

    private func finding(_ plan: PortPlan, in state: CardState) -> String {
        let device = plan.alsaDevice ?? state.facts.device(plan.pcm)
        let isThere = state.isPresent(plan) ? "" : "; nothing is plugged in"
        return "\(device): \(plan.name), \(plan.kind.word), by \(plan.evidence.text)\(isThere)"
    }
}

extension PortKind {
    /// Of things that were found at the same moment the one with the higher rank counts as the later.
    var rank: Int {
        switch self {
        case .builtInMicrophone, .builtInSpeaker, .builtInReceiver: 0
        case .lineIn, .lineOut: 1
        case .hdmi, .airPlay: 2
        case .usbInput, .usbOutput: 3
        case .bluetoothA2DP, .bluetoothHFPInput, .bluetoothHFPOutput: 4
        case .headphones, .headsetMicrophone: 5
        }
    }

    static let highestRank = 5
}

extension Wishes.ExtraPort {
    var thing: String { "configuration:\(key)" }

    func port(arrival: UInt32) -> Port? {
        guard let kind, let device else { return nil }
        return Port(
            kind: kind, device: arrival, uid: thing, name: name ?? key, alsaDevice: device, channels: channels,
            latency: Float(1024.0 / 48_000 + kind.transport))
    }
}
