// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The ports that a sound server offers, each with the number of its last choice as the default.
struct ServerMachine {
    private(set) var ports: [ServerPort] = []
    private(set) var move = DefaultMove()
    /// The uids of the last defaults. Empty before the first.
    private var defaultInput = ""
    private var defaultOutput = ""
    /// The last arrival or departure of a device: its time in nanoseconds, and the reason of a route change that follows.
    private var lastChange: (time: UInt64, reason: RouteChangeReason)?

    /// A server moves its default up to this time after a device came or went. Bluetooth takes longest.
    private static let settlingTime: UInt64 = 500_000_000

    /// `number` returns a number that is greater than those of all arrivals. The default among the first ports counts as chosen
    /// after all of them have arrived.
    mutating func update(_ new: [ServerPort], at now: UInt64, number: () -> UInt32) {
        let isFirst = ports.isEmpty
        if !isFirst { noticeDevices(new, at: now) }
        replacePorts(by: new)
        let moved = [choose(isInput: true, number), choose(isInput: false, number)]
        guard !isFirst, moved.contains(true) else { return }
        move.number &+= 1
        move.reason = reason(at: now)
    }

    private mutating func noticeDevices(_ new: [ServerPort], at now: UInt64) {
        if new.contains(where: { port in !ports.contains { $0.device == port.device } }) {
            lastChange = (now, .newDeviceAvailable)
        } else if ports.contains(where: { port in !new.contains { $0.device == port.device } }) {
            lastChange = (now, .oldDeviceUnavailable)
        }
    }

    private mutating func replacePorts(by new: [ServerPort]) {
        let former = ports
        ports = new
        for index in ports.indices {
            ports[index].choice = former.first { $0.uid == new[index].uid }?.choice ?? 0
        }
    }

    /// True if the default has moved. A port that has gone and come back has lost its choice, and is chosen again.
    private mutating func choose(isInput: Bool, _ number: () -> UInt32) -> Bool {
        guard let index = indexOfDefault(isInput: isInput) else { return false }
        let uid = ports[index].uid
        guard uid != (isInput ? defaultInput : defaultOutput) || ports[index].choice == 0 else { return false }
        if isInput { defaultInput = uid } else { defaultOutput = uid }
        ports[index].choice = number()
        return true
    }

    /// While the server changes the port of its default device, the only port that it can change to is the default: another device,
    /// such as a monitor, does not become the route for that moment.
    private func indexOfDefault(isInput: Bool) -> Int? {
        if let index = ports.firstIndex(where: { $0.isDefault && $0.kind.isInput == isInput }) { return index }
        guard let index = ports.firstIndex(where: { $0.isOnDefault && $0.kind.isInput == isInput }),
            ports.lastIndex(where: { $0.isOnDefault && $0.kind.isInput == isInput }) == index
        else { return nil }
        return index
    }

    private func reason(at now: UInt64) -> RouteChangeReason {
        guard let lastChange, now &- lastChange.time < ServerMachine.settlingTime else { return .override }
        return lastChange.reason
    }
}
