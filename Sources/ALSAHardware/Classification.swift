import SessionModel

// Which ports a card has, from what it says of itself: its profile, else its jacks, else its PCM devices'
// names, else its driver. A card that says nothing is a speaker and a microphone.
extension CardFacts {
    var plans: [PortPlan] {
        let profile = useCasePlans
        if !profile.isEmpty { return profile }
        let hdmi = hdmiPorts
        if isUSB { return usbPorts + hdmi }
        return outputs + inputs + hdmi
    }

    // MARK: Sockets

    /// The elements that report on sockets of a kind, and can tell.
    private func jacks(_ kinds: Jack.Kind...) -> [UInt32] {
        jackElements.filter { kinds.contains($0.jack.kind) && !$0.jack.isPhantom }.map { $0.element.number }
    }

    private func hasJack(_ kinds: Jack.Kind...) -> Bool { jackElements.contains { kinds.contains($0.jack.kind) } }

    private var jackElements: [(jack: Jack, element: ElementFacts)] {
        elements.compactMap { element in
            guard element.interface == .card, element.kind == .boolean else { return nil }
            return Jack(controlName: element.name).map { ($0, element) }
        }
    }

    // MARK: Outputs

    private var outputs: [PortPlan] {
        guard let pcm = pcms.first(where: { $0.isPlayback && $0.isAnalog && !isHDMI($0) }) else { return [] }
        func plan(
            _ kind: PortKind, _ name: String, key: String, thing: String, jacks: [UInt32], evidence: Evidence
        ) -> PortPlan {
            PortPlan(
                kind: kind, name: name, key: key, thing: thing, pcm: pcm.device, channels: channels(of: pcm, for: kind),
                jacks: jacks, level: outputLevel(for: kind), evidence: evidence)
        }
        if jackElements.isEmpty, pcm.words.holds("headphone") {
            return [plan(.headphones, pcm.name, key: "headphones", thing: "card", jacks: [], evidence: .name)]
        }
        // Where no speaker is known of, this is whatever the card plays to.
        var plans = [
            plan(
                .builtInSpeaker, speakerName, key: "speaker", thing: "card", jacks: [],
                evidence: hasJack(.internalSpeaker) ? .jack : hasSpeakerControl ? .name : .nothing)
        ]
        let headphones = jacks(.headphones, .headset)
        if !headphones.isEmpty {
            var plan = plan(.headphones, "Headphones", key: "headphones", thing: "headset", jacks: headphones, evidence: .jack)
            plan.headsetJacks = jacks(.headsetMicrophone, .headset)
            plans.append(plan)
        }
        let lineOut = jacks(.lineOut)
        if !lineOut.isEmpty {
            plans.append(plan(.lineOut, "Line Out", key: "line-out", thing: "line-out", jacks: lineOut, evidence: .jack))
        }
        return plans
    }

    private var hasSpeakerControl: Bool { elements.contains { $0.interface == .mixer && $0.name.folded.holds("speaker") } }

    private var speakerName: String {
        if hasJack(.internalSpeaker) || hasSpeakerControl || jackElements.isEmpty { return "Speaker" }
        return hasJack(.lineOut) ? "Line Out" : hasJack(.headphones) ? "Headphones" : "Speaker"
    }

    // MARK: Inputs

    private var inputs: [PortPlan] {
        guard
            let pcm = pcms.first(where: { !$0.isPlayback && $0.isAnalog && !$0.isDigitalMicrophone })
                ?? pcms.first(where: { !$0.isPlayback && $0.isAnalog })
        else { return [] }
        func plan(
            _ kind: PortKind, _ name: String, on pcm: PCMFacts, key: String, thing: String, jacks: [UInt32], evidence: Evidence
        ) -> PortPlan {
            PortPlan(
                kind: kind, name: name, key: key, thing: thing, pcm: pcm.device, channels: channels(of: pcm, for: kind),
                jacks: jacks, level: inputLevel(for: kind), evidence: evidence)
        }
        var plans: [PortPlan] = []
        let digital = pcms.first { !$0.isPlayback && $0.isDigitalMicrophone }
        let sockets = jacks(.headset, .headsetMicrophone, .microphone, .lineIn)
        // A card that only has sockets, and knows that they are empty, hears nothing.
        if digital != nil || hasInternalMicrophone || sockets.isEmpty {
            plans.append(
                plan(
                    .builtInMicrophone, "Microphone", on: digital ?? pcm, key: "microphone", thing: "card", jacks: [],
                    evidence: hasJack(.internalMicrophone) ? .jack : digital != nil || hasInternalMicrophone ? .name : .nothing))
        }
        let headset = jacks(.headsetMicrophone, .headset)
        if !headset.isEmpty {
            plans.append(
                plan(
                    .headsetMicrophone, "Headset Microphone", on: pcm, key: "headset-microphone", thing: "headset",
                    jacks: headset,
                    evidence: .jack))
        }
        let microphones = jacks(.microphone)
        if !microphones.isEmpty {
            plans.append(
                plan(
                    .headsetMicrophone, "Microphone", on: pcm, key: "plugged-microphone", thing: "plugged-microphone",
                    jacks: microphones, evidence: .jack))
        }
        let lineIn = jacks(.lineIn)
        if !lineIn.isEmpty {
            plans.append(plan(.lineIn, "Line In", on: pcm, key: "line-in", thing: "line-in", jacks: lineIn, evidence: .jack))
        }
        return plans
    }

    private var hasInternalMicrophone: Bool {
        hasJack(.internalMicrophone)
            || elements.contains { $0.interface == .mixer && $0.name.folded.holds("internal mic") }
    }

    // MARK: HDMI

    private var hdmiPorts: [PortPlan] {
        let sockets = jackElements.filter { $0.jack.kind == .hdmi && !$0.jack.isPhantom }
        let unnumbered = sockets.filter { $0.jack.pcm == nil }
        var plans: [PortPlan] = []
        for (place, pcm) in pcms.filter({ $0.isPlayback && isHDMI($0) }).enumerated() {
            var jacks = sockets.filter { $0.jack.pcm == pcm.device }.map { $0.element.number }
            if jacks.isEmpty, place < unnumbered.count { jacks = [unnumbered[place].element.number] }
            plans.append(
                PortPlan(
                    kind: .hdmi, name: pcm.name.isEmpty ? "HDMI" : pcm.name, key: "hdmi\(pcm.device)", thing: "hdmi\(pcm.device)",
                    pcm: pcm.device, channels: channels(of: pcm, for: .hdmi), jacks: jacks, level: outputLevel(for: .hdmi),
                    evidence: jacks.isEmpty ? .name : .jack))
        }
        return plans
    }

    private func isHDMI(_ pcm: PCMFacts) -> Bool { pcm.isHDMI || driver.folded.holds("hdmi") }

    // MARK: USB

    private var usbPorts: [PortPlan] {
        var plans: [PortPlan] = []
        if let pcm = pcms.first(where: { $0.isPlayback && !$0.isHDMI }) { plans.append(usbPort(.usbOutput, "output", pcm)) }
        if let pcm = pcms.first(where: { !$0.isPlayback }) { plans.append(usbPort(.usbInput, "input", pcm)) }
        return plans
    }

    private func usbPort(_ kind: PortKind, _ key: String, _ pcm: PCMFacts) -> PortPlan {
        PortPlan(
            kind: kind, name: name, key: key, thing: "card", pcm: pcm.device, channels: channels(of: pcm, for: kind),
            level: kind.isInput ? inputLevel(for: kind) : outputLevel(for: kind), selector: selector(isInput: kind.isInput),
            evidence: .name)
    }

    /// A channel map tells how many channels a device has without anybody opening it.
    private func channels(of pcm: PCMFacts, for kind: PortKind) -> UInt32 {
        let name = pcm.isPlayback ? "Playback Channel Map" : "Capture Channel Map"
        let map = elements.first { $0.interface == .pcm && $0.device == pcm.device && $0.name == name }
        let count = map.map { max(1, $0.count) } ?? 2
        switch kind {
        case .lineOut, .lineIn, .hdmi, .usbOutput, .usbInput: return count
        case .builtInReceiver: return 1
        default: return min(count, 2)
        }
    }
}

extension PCMFacts {
    var words: String {
        @inline(never) get { "\(id) \(name)".folded }
    }
    var isHDMI: Bool { words.holds("hdmi") || words.holds("displayport") }
    var isDigitalMicrophone: Bool { words.holds("dmic") }

    /// Neither a monitor's, nor a digital socket's, nor a modem's or telephone's link.
    var isAnalog: Bool {
        @inline(never) get {
            !isHDMI && !words.holds("iec958") && !words.holds("s/pdif") && !words.holds("spdif")
                && !(words.holds("digital") && !isDigitalMicrophone) && !words.holds("bt sco") && !words.holds("bt-sco")
        }
    }
}
