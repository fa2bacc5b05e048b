// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import Dispatch
import SessionModel

@testable import ALSAHardware

/// The longest time for which a test waits for one event, in seconds.
let waitLimit: Int32 = 60

/// A test waited for an event that did not come.
struct TimedOut: Error, CustomStringConvertible {
    let awaited: String
    let seen: String

    var description: String { "waited \(waitLimit) s for \(awaited); seen instead: \(seen)" }
}

extension HardwareSnapshot {
    var summary: String {
        let ports = ports.map { "\($0.kind) (device \($0.device), volume \($0.volume ?? -1), gain \($0.gain ?? -1))" }
        return "server \(serverIsAlive ? "alive" : "dead"), ports [\(ports.joined(separator: ", "))]"
    }
}

/// Cards that the test looks at from its own thread. A wait for their next event ends after the limit.
final class ObservedCards: @unchecked Sendable {
    private let cards = SoundCards()
    /// Signalled when a wait has reached the limit.
    private let limit = linux_eventfd()
    private(set) var hasBegun = false

    deinit { _ = linux_close(limit) }

    func begin() -> Bool {
        hasBegun = cards.begin()
        return hasBegun
    }

    /// False without a descriptor that ends a wait.
    func limitWaits() -> Bool { cards.wait(for: limit) }

    // MARK: Waiting

    func next(_ awaited: String = "the next event of the cards") throws -> SoundCards.Event {
        let limit = limit
        let timeout = DispatchWorkItem { _ = linux_eventfd_signal(limit) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(waitLimit)), execute: timeout)
        defer { timeout.cancel() }
        let event = cards.next()
        if case .requests = event { throw TimedOut(awaited: awaited, seen: snapshot().summary) }
        return event
    }

    /// Returns after the next change of the snapshot.
    func waitForChange(_ awaited: String = "a change of the cards") throws {
        while true {
            let event = try next(awaited)
            if event == .changed { return }
            if event == .failed { throw TimedOut(awaited: awaited, seen: "a wait that failed") }
        }
    }

    func wait(for awaited: String, until condition: (ObservedCards) -> Bool) throws {
        while !condition(self) { try waitForChange(awaited) }
    }

    // MARK: Ports

    func snapshot() -> HardwareSnapshot { cards.snapshot() }
    func findings() -> [String] { cards.findings() }
    var serverStatus: ServerStatus? { cards.serverStatus }
    /// Uses the connection in place of the one that the module of the server would make.
    func connectDevices(by connection: ServerConnection) { cards.connectDevices(by: connection) }
    var kinds: [PortKind] { snapshot().ports.map { $0.kind } }
    func port(_ kind: PortKind) -> SessionModel.Port? { snapshot().ports.first { $0.kind == kind } }

    func format(of port: SessionModel.Port, _ sampleRate: Double = 0, _ bufferDuration: Float = 0) -> StreamFormat? {
        let query = HardwareQuery.format(of: port, sampleRate: sampleRate, bufferDuration: bufferDuration)
        guard case .format(let format) = cards.answer(query) else { return nil }
        return format
    }

    var isOtherProcessPlaying: Bool { isOtherProcessPlaying(on: []) }
    func isOtherProcessPlaying(on outputs: [SessionModel.Port]) -> Bool {
        if case .playing(true) = cards.answer(.isOtherProcessPlaying(on: outputs)) { true } else { false }
    }

    /// Nil when the card has accepted the request.
    func refusal(of request: HardwareRequest, on port: SessionModel.Port) -> ResultCode? {
        if case .refused(let code) = cards.answer(.perform(request, on: port)) { code } else { nil }
    }
}

extension ALSAHardware {
    /// Waits for changes until the snapshot fulfils the condition.
    func wait(for awaited: String, until condition: (HardwareSnapshot) -> Bool) throws {
        while !condition(snapshot()) {
            guard linux_poll(descriptor, UInt32(LINUX_READABLE), waitLimit * 1_000) > 0 else {
                throw TimedOut(awaited: awaited, seen: snapshot().summary)
            }
            _ = processEvents()
        }
    }
}
