import AudioHardware
import CLinux
import LinuxSystem
import SessionModel

/// All cards, and everything in the kernel that tells when they change. Used by one thread only.
final class SoundCards {
    private let events: FileDescriptor
    private let folder = DeviceFolder()
    private let sleep = SleepWatch()
    private var cards: [OpenCard] = []
    private var arrivals = Arrivals()
    private var lastSerial: UInt64 = 0

    private enum Token {
        static let orders: UInt64 = 0
        static let folder: UInt64 = 1
        static let sleep: UInt64 = 2
        /// A card's token is this and its serial.
        static let cards: UInt64 = 0x100
    }

    init() { events = FileDescriptor(owning: linux_epoll_create()) }

    // MARK: Waiting

    func begin() -> Bool {
        guard events.number >= 0 else { return false }
        if !wait(for: folder.descriptor, as: Token.folder) { Log.line("cards that come or go are not noticed") }
        _ = wait(for: sleep.descriptor, as: Token.sleep)
        _ = lookForCards()
        follow()
        return true
    }

    func wait(for orders: Int32) -> Bool { wait(for: orders, as: Token.orders) }

    private func wait(for descriptor: Int32, as token: UInt64) -> Bool {
        descriptor >= 0 && linux_epoll_add(events.number, descriptor, UInt32(LINUX_READABLE), token) >= 0
    }

    enum Event { case orders, changed, nothing, failed }

    /// Sleeps until something happens.
    func next() -> Event {
        var found = linux_event()
        guard linux_epoll_wait(events.number, &found, 1, -1) >= 0 else { return .failed }
        let isChanged: Bool
        switch found.token {
        case Token.orders: return .orders
        case Token.folder: isChanged = folder.heed() && lookForCards()
        case Token.sleep: isChanged = sleep.heed()
        default: isChanged = heedCard(found.token &- Token.cards)
        }
        if isChanged { follow() }
        return isChanged ? .changed : .nothing
    }

    // MARK: Cards

    /// Opens those that are new and closes those that have gone. True when there was one.
    private func lookForCards() -> Bool {
        var isChanged = false
        for card in cards where heedCard(card.serial) { isChanged = true }
        for index in folder.cards() where !cards.contains(where: { $0.index == index }) {
            if open(index) { isChanged = true }
        }
        return isChanged
    }

    private func open(_ index: UInt32) -> Bool {
        lastSerial &+= 1
        do throws(ALSAError) {
            let card = try OpenCard(index, serial: lastSerial)
            guard wait(for: card.descriptor, as: Token.cards &+ card.serial) else { return false }
            cards.append(card)
            cards.sort { $0.index < $1.index }
            return true
        } catch {
            // Not there yet, or not ours: its device's next change is another chance.
            Log.line("card \(index) can't be used: \(error.text)")
            return false
        }
    }

    /// True when something of the card has changed, or it has gone.
    private func heedCard(_ serial: UInt64) -> Bool {
        guard let place = cards.firstIndex(where: { $0.serial == serial }) else { return false }
        do throws(ALSAError) { return try cards[place].heed() } catch {
            _ = linux_epoll_remove(events.number, cards[place].descriptor)
            cards.remove(at: place)
            return true
        }
    }

    // MARK: What there is

    /// Numbers what has come. Of what came at once the most personal has come last.
    private func follow() {
        var things: [(rank: Int, thing: String)] = []
        for card in cards {
            for plan in card.state.present { things.append((plan.kind.rank, card.thing(of: plan))) }
        }
        var ordered: [String] = []
        for rank in 0...PortKind.highestRank { ordered += things.filter { $0.rank == rank }.map { $0.thing } }
        arrivals.follow(ordered)
    }

    func snapshot() -> HardwareSnapshot {
        var ports: [Port] = []
        for card in cards {
            ports += card.state.present.map { card.state.port($0, arrival: arrivals.number(of: card.thing(of: $0))) }
        }
        let attached = ports.filter { !$0.kind.isBuiltIn }.sorted { $0.device < $1.device }
        return HardwareSnapshot(ports: ports.filter { $0.kind.isBuiltIn } + attached, wakes: sleep.wakes)
    }

    func findings() -> [String] {
        var lines: [String] = []
        for card in cards {
            for plan in card.state.plans {
                let isThere = card.state.present.contains(plan) ? "" : ", not plugged in"
                lines.append(
                    "\(plan.alsaDevice ?? card.state.facts.device(plan.pcm)): \(plan.name) (\(plan.key)) by \(plan.evidence.text)\(isThere)"
                )
            }
        }
        return lines
    }

    // MARK: Questions

    func answer(_ question: Question) -> Answer {
        switch question {
        case .perform(let request, let port):
            guard let (card, plan) = place(of: port) else { return .refused(.noHardware) }
            do throws(ALSAError) { try card.perform(request, on: plan) } catch {
                Log.line("\(port.name): \(error.text)")
                return .refused(.unspecified)
            }
            return .done
        case .format(_, let sampleRate, let bufferDuration): return .format(likelyFormat(sampleRate, bufferDuration))
        case .isOtherProcessPlaying: return .playing(false)
        }
    }

    private func place(of port: Port) -> (OpenCard, PortPlan)? {
        for card in cards {
            for plan in card.state.present
            where arrivals.number(of: card.thing(of: plan)) == port.device && plan.kind == port.kind {
                return (card, plan)
            }
        }
        return nil
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
