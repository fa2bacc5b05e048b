// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import Testing

@testable import AudioSession

/// When the gain of a program is due, and what remains to be restored.
@Suite struct GainKeeperTests {
    private let registry = ScriptedRegistry()
    private let hardware = ScriptedHardware()
    private let saved = SavedGain(input: Port.microphone.uidHash, level: 0.25)

    private func keeper() -> GainKeeper { GainKeeper(0, registry, hardware) }

    private func state(isActive: Bool = true) -> SessionState {
        var state = SessionState()
        state.settings.setCategory(.playAndRecord)
        state.isActive = isActive
        state.hardware = hardware.snapshot()
        return state
    }

    private var gain: Float? { hardware.snapshot().ports.last?.gain }

    @Test("A kept gain is due once after each activation, and never for another input or a dead server")
    func due() {
        let keeper = keeper()
        keeper.keep(0.2, of: .microphone)
        #expect(keeper.dueGain(in: state(isActive: false)) == nil)
        for _ in 1...2 {
            let due = keeper.dueGain(in: state())
            #expect(due?.level == 0.2 && due?.port.isSame(as: .microphone) == true)
            #expect(keeper.dueGain(in: state()) == nil)
            _ = keeper.dueGain(in: state(isActive: false))
        }
        var dead = state()
        dead.hardware.serverIsAlive = false
        #expect(keeper.dueGain(in: dead) == nil)
        let other = GainKeeper(0, registry, hardware)
        other.keep(0.2, of: .headphones)
        #expect(other.dueGain(in: state()) == nil)
    }

    @Test("A gain that was just set is not due")
    func changed() throws {
        let keeper = keeper()
        try keeper.change(0.2, of: .microphone)
        keeper.keep(0.2, of: .microphone)
        #expect(gain == 0.2 && keeper.dueGain(in: state()) == nil)
    }

    @Test("The gain of the device is saved before it is changed; the keeper then has changed the hardware")
    func save() throws {
        let keeper = keeper()
        #expect(!keeper.hasChangedHardware)
        try keeper.change(0.2, of: .microphone)
        #expect(registry.requests == [.changeGain(0, SavedGain(input: saved.input, level: 0.7))])
        #expect(keeper.hasChangedHardware)
    }

    @Test("A gain is restored once, and one whose input is absent or has departed stays")
    func restore() {
        let keeper = keeper()
        keeper.waiting[1] = saved
        var absent = hardware.snapshot()
        absent.ports.removeLast()
        #expect(!keeper.restoreGain(at: 1, on: absent) && keeper.waiting[1] == saved)
        var dead = hardware.snapshot()
        dead.serverIsAlive = false
        #expect(!keeper.restoreGain(at: 1, on: dead) && keeper.waiting[1] == saved)
        hardware.refusal.withLock { $0 = .noHardware }
        #expect(keeper.restoreGain(at: 1, on: hardware.snapshot()) && keeper.waiting[1] == saved)
        hardware.refusal.withLock { $0 = nil }
        #expect(!keeper.restoreGain(at: 0, on: hardware.snapshot()))
        #expect(keeper.restoreGain(at: 1, on: hardware.snapshot()) && keeper.waiting.isEmpty && gain == 0.25)
        #expect(
            registry.requests.suffix(2) == [
                .beginRestoringGain(0, input: saved.input), .endRestoringGain(0, input: saved.input, isDone: true),
            ])
    }

    @Test("A gain that another process restores is left to it")
    func refused() {
        let keeper = keeper()
        keeper.waiting[0] = saved
        registry.refusal.withLock { $0 = .unspecified }
        #expect(!keeper.restoreGain(at: 0, on: hardware.snapshot()))
        #expect(keeper.waiting.isEmpty && gain == 0.7)
    }
}
