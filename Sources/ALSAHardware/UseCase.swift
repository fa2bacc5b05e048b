import CALSA
import CLinux
import LinuxSystem
import SessionModel

/// A device of a card's use-case profile (UCM): a port as the maker of the profile sees it.
struct UseCaseFacts: Equatable, Sendable {
    let device: String
    let comment: String
    var playbackPCM: String?
    var capturePCM: String?
    /// The name of the control that tells whether something is plugged in.
    var jack: String?
    /// The mixer's names.
    var playbackVolume: String?
    var captureVolume: String?

    /// The devices of the card's everyday verb; none where it has no profile.
    static func of(card: UInt32) -> [UseCaseFacts] {
        var found: [UseCaseFacts] = []
        let result = withUnsafeMutablePointer(to: &found) { found in
            alsa_use_cases(
                card,
                { device, context in
                    guard let device = device?.pointee, let found = context?.assumingMemoryBound(to: [UseCaseFacts].self) else {
                        return
                    }
                    found.pointee.append(
                        UseCaseFacts(
                            device: String(cString: device.device), comment: String(cString: device.comment),
                            playbackPCM: device.playback_pcm.map { String(cString: $0) },
                            capturePCM: device.capture_pcm.map { String(cString: $0) },
                            jack: device.jack.map { String(cString: $0) },
                            playbackVolume: device.playback_volume.map { String(cString: $0) },
                            captureVolume: device.capture_volume.map { String(cString: $0) }))
                }, found)
        }
        // -ENXIO: a profile for many cards that does not want this one.
        if result < 0, result != -SystemError.notFound.number, result != -ALSAError.noPlugIn.number {
            Log.line("the use-case profile of card \(card) can't be used: \(ALSAError(number: 0 &- result).text)")
        }
        return found
    }
}

// MARK: As ports

extension CardFacts {
    /// None where the card has no profile, or one that knows of no port.
    var useCasePlans: [PortPlan] {
        var plans: [PortPlan] = []
        for useCase in useCases {
            if useCase.playbackPCM != nil, let plan = plan(useCase, isInput: false) { plans.append(plan) }
            if useCase.capturePCM != nil, let plan = plan(useCase, isInput: true) { plans.append(plan) }
        }
        // What could be pulled out, without anybody who could tell, is left to what is built in.
        let isSure = { (plan: PortPlan) in plan.kind.isBuiltIn || !plan.jacks.isEmpty }
        let hasBuiltIn = plans.contains { $0.kind.isBuiltIn }
        plans = plans.filter { isSure($0) || !hasBuiltIn }
        let microphones = plans.filter { $0.kind == .headsetMicrophone && $0.thing == "headset" }.flatMap { $0.jacks }
        for place in plans.indices where plans[place].kind == .headphones { plans[place].headsetJacks = microphones }
        return plans
    }

    private func plan(_ useCase: UseCaseFacts, isInput: Bool) -> PortPlan? {
        guard let known = useCase.role(isInput: isInput) else { return nil }
        let device = (isInput ? useCase.capturePCM : useCase.playbackPCM) ?? ""
        let pcm = PCMName(device).device ?? pcms.first { $0.isPlayback != isInput }?.device ?? 0
        let jack = useCase.jack.flatMap { name in elements.first { $0.interface == .card && $0.name == name } }
        var plan = PortPlan(
            kind: known.kind, name: useCase.comment.isEmpty ? useCase.device : useCase.comment,
            key: "\(useCase.device.folded)\(isInput ? "-input" : "")", thing: known.thing, pcm: pcm, alsaDevice: device,
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
    /// What a profile's name for a device means to a route; nil for what a route does not know.
    func role(isInput: Bool) -> (kind: PortKind, thing: String)? {
        for (word, output, input) in UseCaseFacts.roles where device.folded.holds(word) {
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

    private static let roles: [(word: StaticString, output: PortKind?, input: PortKind?)] = [
        ("headphone", .headphones, .headsetMicrophone), ("headset", .headphones, .headsetMicrophone),
        ("earpiece", .builtInReceiver, nil), ("handset", .builtInReceiver, .builtInMicrophone),
        ("bluetooth", .bluetoothHFPOutput, .bluetoothHFPInput), ("speaker", .builtInSpeaker, nil),
        ("hdmi", .hdmi, nil), ("displayport", .hdmi, nil), ("usb", .usbOutput, .usbInput),
        ("mic", nil, .builtInMicrophone), ("line", .lineOut, .lineIn),
    ]
}

/// An ALSA name of a kernel device, taken apart: "hw:Dummy,1".
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
