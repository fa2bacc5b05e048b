// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import LinuxSystem
import SessionModel

/// All cards and the sound server, and the descriptors that report their changes. Used by one thread only.
final class SoundCards {
    private let events: FileDescriptor
    private let folder = DeviceFolder()
    private let sleep = SleepWatch()
    private var configuration = Configuration.none
    private(set) var cards: [OpenCard] = []
    private(set) var server: SoundServer?
    /// Nil without a server.
    private(set) var devices: ServerDevices?
    private var arrivalOrder = ArrivalOrder()
    var formatCache = FormatCache()
    private var lastSerial: UInt64 = 0
    /// Cards that cannot be opened, with the reason.
    private var refused: [(card: UInt32, reason: String)] = []
    private var nameRetry = CardNameRetry()
    /// At the start, cards that are unlikely to have a profile are used without it. Their profiles are read later,
    /// and a difference is published as a change.
    private var hasUnlikelyProfiles = false

    private enum Token {
        static let requests: UInt64 = 0
        static let folder: UInt64 = 1
        static let sleep: UInt64 = 2
        static let server: UInt64 = 3
        static let serverFolder: UInt64 = 4
        static let devices: UInt64 = 5
        static let devicesFolder: UInt64 = 6
        /// The token of a card is this number plus the serial of the card.
        static let cards: UInt64 = 0x100
    }

    init() { events = FileDescriptor(owning: linux_epoll_create()) }

    // MARK: Waiting

    func begin() -> Bool {
        guard events.number >= 0 else { return false }
        if !folder.wake(events.number, as: Token.folder) {
            Log.debug("new and removed sound cards are not noticed: the folder of the devices cannot be watched")
        }
        _ = wait(for: sleep.descriptor, as: Token.sleep)
        configuration = Configuration.read()
        server = configuration.server.flatMap { SoundServer.behind($0) }
        if let server {
            // The module connects while the control plug-in does.
            beginDevices(of: server)
            server.wake(events.number, as: Token.serverFolder)
            connectServer()
            _ = processDevices { $0.awaitFirstState() }
        }
        _ = updateCards(isFirst: true)
        if cards.isEmpty, server == nil { Log.debug("no sound card can be used: routes are empty until a card is added") }
        updateArrivals()
        return true
    }

    func wait(for requests: Int32) -> Bool { wait(for: requests, as: Token.requests) }

    private func wait(for descriptor: Int32, as token: UInt64) -> Bool {
        guard descriptor >= 0 else { return false }
        do throws(SystemError) { try watch(descriptor, as: token) } catch { return false }
        return true
    }

    private func watch(_ descriptor: Int32, as token: UInt64) throws(SystemError) {
        try SystemError.check(linux_epoll_add(events.number, descriptor, UInt32(LINUX_READABLE), token))
    }

    enum Event { case requests, changed, nothing, failed }

    /// Sleeps until an event.
    func next() -> Event {
        var found = linux_event()
        let count = linux_epoll_wait(events.number, &found, 1, timeout())
        guard count >= 0 else { return .failed }
        let isChanged: Bool
        switch found.token {
        case _ where count == 0: isChanged = retry()
        case Token.requests: return .requests
        case Token.folder: isChanged = folder.processEvents() && updateCards()
        case Token.sleep: isChanged = sleep.processEvents()
        case Token.server: isChanged = processServerEvents()
        case Token.serverFolder: isChanged = server?.processFolderEvents() == true && connectServer()
        case Token.devices: isChanged = processDevices { $0.processEvents() }
        case Token.devicesFolder:
            if devices?.processFolderEvents() == true { connectDevices() }
            isChanged = false
        default: isChanged = processCardEvents(found.token &- Token.cards)
        }
        if isChanged { updateArrivals() }
        return isChanged ? .changed : .nothing
    }

    /// Milliseconds without an event before unlikely profiles are read. A short-lived program has ended by then.
    private let profileDelay: Int32 = 100

    /// Milliseconds until the next retry; -1: no retry is due.
    private func timeout() -> Int32 {
        let delays = [
            nameRetry.delay, server?.retryDelay() ?? -1, devices?.retryDelay ?? -1, hasUnlikelyProfiles ? profileDelay : -1,
        ]
        return delays.filter { $0 >= 0 }.min() ?? -1
    }

    private func retry() -> Bool {
        let isServerNew = server?.isAlive == false && connectServer()
        if let devices, devices.retryDelay >= 0 { connectDevices() }
        let isCardNew = nameRetry.isNeeded && updateCards()
        let isPortNew = hasUnlikelyProfiles && readProfiles()
        return isServerNew || isCardNew || isPortNew
    }

    // MARK: The server

    /// True when this call has connected the server.
    @discardableResult
    private func connectServer() -> Bool {
        server?.connect { descriptor throws(SystemError) in try watch(descriptor, as: Token.server) } ?? false
    }

    private func processServerEvents() -> Bool {
        // The descriptor is removed from epoll before it is closed: a child of this process may have it open.
        let card = server?.card
        defer { if server?.card == nil, let card { _ = linux_epoll_remove(events.number, card.descriptor) } }
        return server?.processEvents() ?? false
    }

    private func beginDevices(of server: SoundServer) {
        guard let kind = server.deviceKind, PulseProbe().isLikely else { return }
        let new = ServerDevices(kind)
        devices = new
        connectDevices()
        new.wake(events.number, as: Token.devicesFolder)
    }

    private func connectDevices() {
        if devices?.needsConnection == true { connectDevices(by: ServerConnection.open()) }
    }

    func connectDevices(by connection: ServerConnection?) {
        devices?.connect(by: connection) { descriptor throws(SystemError) in try watch(descriptor, as: Token.devices) }
    }

    /// The descriptor is removed from epoll before it is closed, as that of the server.
    func processDevices(_ process: (ServerDevices) -> Bool) -> Bool {
        guard let devices else { return false }
        let connection = devices.connection
        let isChanged = process(devices)
        if devices.connection == nil, let connection { _ = linux_epoll_remove(events.number, connection.descriptor) }
        return isChanged
    }

    /// The server that plays the device `default`, or that would play it if it ran.
    var serverStatus: ServerStatus? {
        if let server { return server.status }
        guard let absent = configuration.absentServer.flatMap({ SoundServer.behind($0) }) else { return nil }
        // It has started after the configuration was read: then it plays the device of the next program.
        guard !absent.connect({ _ in }) else { return nil }
        var status = absent.status
        status.isDefault = false
        return status
    }

    // MARK: Cards

    /// Opens new cards and closes removed cards. True when there was one.
    private func updateCards(isFirst: Bool = false) -> Bool {
        var isChanged = false
        refused = []
        nameRetry.beginRound()
        for card in cards where processCardEvents(card.serial) { isChanged = true }
        for index in folder.cards() where !cards.contains(where: { $0.index == index }) {
            if open(index) { isChanged = true }
        }
        let probes = cards.map { $0.ucmProbe }
        // A profile can name other cards, too.
        hasUnlikelyProfiles = isFirst && probes.contains(.unlikely) && !probes.contains(.likely)
        return !hasUnlikelyProfiles && readProfiles(where: probes) || isChanged
    }

    /// True when a profile has changed the ports.
    private func readProfiles() -> Bool {
        hasUnlikelyProfiles = false
        return readProfiles(where: cards.map { $0.ucmProbe })
    }

    private func readProfiles(where probes: [UCMProbe]) -> Bool {
        var isChanged = false
        for (card, probe) in zip(cards, probes) where probe != .none && card.readProfile() { isChanged = true }
        return isChanged
    }

    private func open(_ index: UInt32) -> Bool {
        let overrides = configuration.overrides
        do throws(SystemError) {
            let card = try OpenCard(Control(card: index), index: index, serial: nextSerial()) { $0.plans(overrides.card($0.id)) }
            if card.state.facts.id.isEmpty, nameRetry.shouldWait() { return false }
            try watch(card.descriptor, as: Token.cards &+ card.serial)
            cards.insert(card, orderedBy: { $0.index })
            return true
        } catch {
            // The card is not ready, or this process has no permission: the next change of the card's device is the next attempt.
            Log.debug("card \(index) can't be used: \(error.text)")
            refused.append((index, error.text))
            return false
        }
    }

    /// True when the card has changed or was removed.
    private func processCardEvents(_ serial: UInt64) -> Bool {
        guard let index = cards.firstIndex(where: { $0.serial == serial }) else { return false }
        do throws(SystemError) { return try cards[index].processEvents() } catch {
            _ = linux_epoll_remove(events.number, cards[index].descriptor)
            formatCache.removeAll(of: serial)
            cards.remove(at: index)
            return true
        }
    }

    /// Applies the events that are queued now, ahead of the thread's next sleep.
    func processQueuedEvents() {
        var isChanged = processServerEvents()
        if processDevices({ $0.processEvents() }) { isChanged = true }
        for card in cards where processCardEvents(card.serial) { isChanged = true }
        if isChanged { updateArrivals() }
    }

    private func nextSerial() -> UInt64 {
        lastSerial &+= 1
        return lastSerial
    }

    // MARK: Ports

    /// A port that is present.
    struct PresentPort {
        let plan: PortPlan
        let state: CardState
        let group: String
        /// Nil for a port of the server.
        let card: OpenCard?
    }

    /// The present ports of the cards. When no card has one: the ports of the server.
    private var present: [PresentPort] {
        var present: [PresentPort] = []
        for card in cards {
            for plan in card.state.present {
                present.append(PresentPort(plan: plan, state: card.state, group: "\(card.serial):\(plan.group)", card: card))
            }
        }
        if present.isEmpty, let state = server?.state {
            for plan in state.present { present.append(PresentPort(plan: plan, state: state, group: plan.group, card: nil)) }
        }
        return present
    }

    /// Numbers new groups. Of groups that were added at the same moment, the one with the highest rank counts as the last.
    func updateArrivals() {
        var groups = configuration.overrides.ports.map { $0.group }
        let devices = knownDevices
        let present = devices == nil ? present : []
        for rank in 0...PortKind.highestRank {
            for port in devices?.told ?? [] where port.kind.rank == rank { groups.append(port.device) }
            for port in present where port.plan.kind.rank == rank { groups.append(port.group) }
        }
        arrivalOrder.update(groups)
        devices?.arrange { arrivalOrder.next() }
    }

    /// The user's configuration forbids to change the profile of a headset.
    var keepsProfiles: Bool { configuration.overrides.keepsProfiles }

    /// The devices of the server, if they are known: then they are the machine, and the cards are not.
    var knownDevices: ServerDevices? { devices?.isKnown == true ? devices : nil }

    /// True when the configuration of a stream has changed since the last update.
    func updateStreams() -> Bool {
        var isChanged = false
        for card in cards where card.updateStreams() { isChanged = true }
        return isChanged
    }

    func snapshot() -> HardwareSnapshot {
        var ports = serverPorts ?? present.map { port(of: $0) }
        ports += configuration.overrides.ports.compactMap { $0.port(arrival: arrivalOrder.number(of: $0.group)) }
        var attached: [Port] = []
        for port in ports where !port.kind.isBuiltIn { attached.insert(port, orderedBy: { $0.device }) }
        return HardwareSnapshot(
            ports: ports.filter { $0.kind.isBuiltIn } + attached, serverIsAlive: server?.isAlive ?? true, wakes: sleep.wakes,
            move: devices?.machine.move ?? DefaultMove())
    }

    private var serverPorts: [Port]? {
        guard let devices = knownDevices, let usual = server?.pcm else { return nil }
        return devices.machine.ports.map { devices.port($0, arrival: arrivalOrder.number(of: $0.device), default: usual) }
    }

    private func port(of present: PresentPort) -> Port {
        let port = present.state.port(present.plan, arrival: arrivalOrder.number(of: present.group))
        return server.map { port.behind($0) } ?? port
    }

    /// Nil for a port that is not present any more.
    func presentPort(for port: Port) -> PresentPort? {
        present.first { $0.plan.kind == port.kind && arrivalOrder.number(of: $0.group) == port.device }
    }

    /// A line for each port with its evidence, and for each card that cannot be used.
    func findings() -> [String] {
        if readProfiles() { updateArrivals() }
        var lines: [String] = []
        if let error = configuration.error { lines.append("ALSA's configuration can't be used: \(error)") }
        if let server { lines.append("default is served by \(server.name), which \(server.isAlive ? "answers" : "is dead")") }
        if let devices { lines += devices.findings }
        for (card, reason) in refused { lines.append("card \(card) can't be used: \(reason)") }
        if knownDevices == nil {
            for card in cards { for plan in card.state.plans { lines.append(finding(plan, in: card.state)) } }
        }
        for port in configuration.overrides.ports {
            lines.append("\(port.device ?? ""): \(port.name ?? port.key), \(port.kind?.word ?? ""), by \(Evidence.user.text)")
        }
        return lines
    }

    private func finding(_ plan: PortPlan, in state: CardState) -> String {
        let device = plan.alsaDevice ?? state.facts.device(plan.pcm)
        let note = state.isPresent(plan) ? "" : "; nothing is plugged in"
        return "\(device): \(plan.name), \(plan.kind.word), by \(plan.evidence.text)\(note)"
    }
}

extension PortKind {
    /// Among groups that were added at the same moment, the one with the higher rank counts as the later.
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

extension CardOverrides.ExtraPort {
    var group: String { "configuration:\(key)" }

    func port(arrival: UInt32) -> Port? {
        guard let kind, let device else { return nil }
        return Port(
            kind: kind, device: arrival, uid: group, name: name ?? key, alsaDevice: device, channels: channels,
            latency: Float(1024.0 / 48_000 + kind.transport))
    }
}
