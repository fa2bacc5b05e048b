// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

/// Routes among ports of which the user has chosen one after it arrived.
@Suite struct ChosenPortTests {
    private func port(_ kind: PortKind, _ uid: String, device: UInt32, order: UInt32? = nil) -> Port {
        Port(kind: kind, device: device, order: order, uid: uid, name: uid, alsaDevice: uid, channels: 2)
    }

    private func outputs(_ category: SessionModel.Category, _ ports: [Port]) -> [String] {
        Route(for: SessionSettings(category: category, mixes: false), among: ports).outputs.map { $0.uid }
    }

    @Test("An attached port has the number of its device, a built-in port has none", arguments: PortKind.allCases)
    func usual(_ kind: PortKind) {
        #expect(port(kind, "a", device: 7).order == (kind.isBuiltIn ? 0 : 7))
        #expect(port(kind, "a", device: 7, order: 9).order == 9)
    }

    @Test("A choice counts as the last arrival, and a later arrival counts more") func choices() {
        let speaker = port(.builtInSpeaker, "speaker", device: 1)
        let chosen = port(.builtInSpeaker, "speaker", device: 1, order: 4)
        let (screen, dock) = (port(.hdmi, "screen", device: 2), port(.usbOutput, "dock", device: 3))
        let later = port(.headphones, "headphones", device: 5)
        #expect(outputs(.mediaPlayback, [speaker, screen, dock]) == ["dock"])
        #expect(outputs(.mediaPlayback, [chosen, screen, dock]) == ["speaker"])
        #expect(outputs(.mediaPlayback, [chosen, screen, dock, later]) == ["headphones"])
        #expect(outputs(.mediaPlayback, [speaker, port(.hdmi, "screen", device: 2, order: 4), dock]) == ["screen"])
        #expect(outputs(.multiRoute, [chosen, screen, dock]) == ["screen", "dock"])
        #expect(outputs(.recordAudio, [chosen, screen, dock]) == [])
    }

    @Test("Of several built-in speakers the chosen one plays, else the first") func speakers() {
        let ports = [port(.builtInSpeaker, "a", device: 1), port(.builtInSpeaker, "b", device: 2)]
        #expect(outputs(.mediaPlayback, ports) == ["a"])
        #expect(outputs(.mediaPlayback, [ports[0], port(.builtInSpeaker, "b", device: 2, order: 3)]) == ["b"])
    }

    @Test("A call plays to the receiver, also if the speaker is chosen") func receiver() {
        let receiver = port(.builtInReceiver, "receiver", device: 1)
        let speaker = port(.builtInSpeaker, "speaker", device: 2, order: 3)
        #expect(outputs(.playAndRecord, [receiver, speaker]) == ["receiver"])
        #expect(outputs(.mediaPlayback, [receiver, speaker]) == ["speaker"])
    }

    @Test("Inputs follow the same rule") func inputs() {
        func input(_ ports: [Port]) -> [String] {
            Route(for: SessionSettings(category: .recordAudio, mixes: false), among: ports).inputs.map { $0.uid }
        }
        let camera = port(.usbInput, "camera", device: 2)
        #expect(input([port(.builtInMicrophone, "microphone", device: 1), camera]) == ["camera"])
        #expect(input([port(.builtInMicrophone, "microphone", device: 1, order: 3), camera]) == ["microphone"])
    }

    @Test(
        "A move of the default is one step with its own reason",
        arguments: [
            RouteChangeReason.override, .newDeviceAvailable, .oldDeviceUnavailable,
        ])
    func moves(_ reason: RouteChangeReason) {
        var state = SessionState()
        state.settings.setCategory(.mediaPlayback)
        state.hardware.ports = [port(.builtInSpeaker, "speaker", device: 1, order: 3), port(.hdmi, "screen", device: 2)]
        var moved = state.hardware
        moved.ports = [port(.builtInSpeaker, "speaker", device: 1), port(.hdmi, "screen", device: 2, order: 4)]
        moved.move.number = 1
        moved.move.reason = reason
        let steps = state.steps(to: moved)
        #expect(steps.map { $0.reason } == [reason])
        #expect(steps.last?.state.route.outputs.map { $0.uid } == ["screen"])
    }

    @Test("A default that moves with the departure of its device is in the step of the departure") func departure() {
        var state = SessionState()
        state.settings.setCategory(.mediaPlayback)
        let (speaker, screen) = (port(.builtInSpeaker, "speaker", device: 1), port(.hdmi, "screen", device: 2))
        state.hardware.ports = [speaker, screen, port(.usbOutput, "dock", device: 3, order: 4)]
        var moved = state.hardware
        moved.ports = [port(.builtInSpeaker, "speaker", device: 1, order: 5), screen]
        moved.move.number = 1
        moved.move.reason = .oldDeviceUnavailable
        let steps = state.steps(to: moved)
        #expect(steps.map { $0.reason } == [.oldDeviceUnavailable])
        #expect(steps.last?.state.route.outputs.map { $0.uid } == ["speaker"])
    }
}
