// SPDX-License-Identifier: Apache-2.0
import CALSA
import CLinux
import LinuxSystem
import SessionModel

/// A device of a card's use-case profile (UCM).
struct UseCaseFacts: Equatable, Sendable {
    let device: String
    let comment: String
    var playbackPCM: String?
    var capturePCM: String?
    /// The name of the control of its jack.
    var jack: String?
    /// Names of mixer controls.
    var playbackVolume: String?
    var captureVolume: String?

    /// The devices of the card's verb HiFi, else of its first verb; empty without a profile.
    static func of(card: UInt32) -> [UseCaseFacts] {
        var iterator: OpaquePointer?
        let result = alsa_use_cases_open(card, &iterator)
        guard result >= 0 else {
            // -ENXIO: the profile is one for many cards and does not accept this card.
            if result != SystemError.notFound.result, result != SystemError.noDeviceOrAddress.result {
                Log.debug("the use-case profile of card \(card) can't be used: \(SystemError(result: result).text)")
            }
            return []
        }
        defer { alsa_use_cases_close(iterator) }
        var found: [UseCaseFacts] = []
        var device = alsa_use_case()
        while alsa_use_cases_next(iterator, &device) > 0 { found.append(UseCaseFacts(device)) }
        return found
    }
}

extension UseCaseFacts {
    fileprivate init(_ device: alsa_use_case) {
        self.init(
            device: String(cString: device.device), comment: String(cString: device.comment),
            playbackPCM: device.playback_pcm.map { String(cString: $0) },
            capturePCM: device.capture_pcm.map { String(cString: $0) }, jack: device.jack.map { String(cString: $0) },
            playbackVolume: device.playback_volume.map { String(cString: $0) },
            captureVolume: device.capture_volume.map { String(cString: $0) })
    }
}

// MARK: As ports

extension CardFacts {
    /// Empty for a card without a profile, or with a profile without ports.
    var useCasePlans: [PortPlan] {
        var plans: [PortPlan] = []
        for useCase in useCases {
            if useCase.playbackPCM != nil, let plan = plan(useCase, isInput: false) { plans.append(plan) }
            if useCase.capturePCM != nil, let plan = plan(useCase, isInput: true) { plans.append(plan) }
        }
        // Built-in ports take precedence over a port that can be unplugged but has no jack to report it.
        let isCertain = { (plan: PortPlan) in plan.kind.isBuiltIn || !plan.jacks.isEmpty }
        let hasBuiltIn = plans.contains { $0.kind.isBuiltIn }
        plans = plans.filter { isCertain($0) || !hasBuiltIn }
        let microphones = plans.filter { $0.kind == .headsetMicrophone && $0.group == "headset" }.flatMap { $0.jacks }
        for index in plans.indices where plans[index].kind == .headphones { plans[index].headsetJacks = microphones }
        return plans
    }

    private func plan(_ useCase: UseCaseFacts, isInput: Bool) -> PortPlan? {
        guard let known = useCase.role(isInput: isInput) else { return nil }
        let device = (isInput ? useCase.capturePCM : useCase.playbackPCM) ?? ""
        let pcm = PCMName(device).device ?? pcms.first { $0.isPlayback != isInput }?.device ?? 0
        let jack = useCase.jack.flatMap { name in elements.first { $0.interface == .card && $0.name == name } }
        var plan = PortPlan(
            kind: known.kind, name: useCase.comment.isEmpty ? useCase.device : useCase.comment,
            key: "\(useCase.device.folded)\(isInput ? "-input" : "")", group: known.group, pcm: pcm, alsaDevice: device,
            evidence: .useCase)
        plan.jacks = jack.map { [$0.number] } ?? []
        plan.channels = known.kind == .builtInReceiver ? 1 : 2
        let volume = isInput ? useCase.captureVolume : useCase.playbackVolume
        let named = volume.map { isInput ? inputLevel(named: $0) : outputLevel(named: $0) } ?? Level()
        plan.level = named != Level() ? named : isInput ? inputLevel(for: known.kind) : outputLevel(for: known.kind)
        return plan
    }
}

extension UseCaseFacts {
    /// The kind of port for a profile's name of a device; nil for a device that is no port.
    func role(isInput: Bool) -> (kind: PortKind, group: String)? {
        for (name, output, input) in UseCaseFacts.roles where device.folded.holds(name) {
            guard let kind = isInput ? input : output else { return nil }
            switch kind {
            case .headphones: return (kind, "headset")
            case .builtInMicrophone where jack != nil:
                return (.headsetMicrophone, "\(jack ?? "") \(comment)".folded.holds("head") ? "headset" : device)
            case .headsetMicrophone: return (kind, "headset")
            default: return (kind, kind.isBuiltIn ? "card" : device)
            }
        }
        return nil
    }

    private static let roles: [(name: StaticString, output: PortKind?, input: PortKind?)] = [
        ("headphone", .headphones, .headsetMicrophone), ("headset", .headphones, .headsetMicrophone),
        ("earpiece", .builtInReceiver, nil), ("handset", .builtInReceiver, .builtInMicrophone),
        ("bluetooth", .bluetoothHFPOutput, .bluetoothHFPInput), ("speaker", .builtInSpeaker, nil),
        ("hdmi", .hdmi, nil), ("displayport", .hdmi, nil), ("usb", .usbOutput, .usbInput),
        ("mic", nil, .builtInMicrophone), ("line", .lineOut, .lineIn),
    ]
}

/// The device number in the ALSA name of a PCM device: "hw:Dummy,1".
struct PCMName {
    let device: UInt32?

    init(_ name: String) {
        if let number = name.number(after: "DEV=") {
            device = number
        } else {
            let parts = name.parts { $0 == 0x2C }
            device = parts.count > 1 ? parts[1].number() : nil
        }
    }
}
