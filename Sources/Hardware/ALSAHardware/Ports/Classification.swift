// SPDX-License-Identifier: Apache-2.0
import SessionModel

// The ports of a card, by its use-case profile, else by its jacks, else by the names of its PCM devices, else
// by its driver. A card without any of these is a speaker and a microphone.
extension CardFacts {
    var plans: [PortPlan] {
        let profile = useCasePlans
        if !profile.isEmpty { return profile }
        let hdmi = hdmiPorts
        if isUSB { return usbPorts + hdmi }
        return outputs + inputs + hdmi
    }

    // MARK: Jacks

    /// The elements that report jacks of these kinds. A phantom jack reports nothing.
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
            _ kind: PortKind, _ name: String, key: String, group: String, jacks: [UInt32], evidence: Evidence
        ) -> PortPlan {
            PortPlan(
                kind: kind, name: name, key: key, group: group, pcm: pcm.device, channels: channels(of: pcm, for: kind),
                jacks: jacks, level: outputLevel(for: kind), evidence: evidence)
        }
        if jackElements.isEmpty, pcm.foldedName.holds("headphone") {
            return [plan(.headphones, pcm.name, key: "headphones", group: "card", jacks: [], evidence: .name)]
        }
        // Without evidence of a speaker, this is the one output of the card.
        var plans = [
            plan(
                .builtInSpeaker, speakerName, key: "speaker", group: "card", jacks: [],
                evidence: hasJack(.internalSpeaker) ? .jack : hasSpeakerControl ? .name : .nothing)
        ]
        let headphones = jacks(.headphones, .headset)
        if !headphones.isEmpty {
            var plan = plan(.headphones, "Headphones", key: "headphones", group: "headset", jacks: headphones, evidence: .jack)
            plan.headsetJacks = jacks(.headsetMicrophone, .headset)
            plans.append(plan)
        }
        let lineOut = jacks(.lineOut)
        if !lineOut.isEmpty {
            plans.append(plan(.lineOut, "Line Out", key: "line-out", group: "line-out", jacks: lineOut, evidence: .jack))
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
            _ kind: PortKind, _ name: String, on pcm: PCMFacts, key: String, group: String, jacks: [UInt32], evidence: Evidence
        ) -> PortPlan {
            PortPlan(
                kind: kind, name: name, key: key, group: group, pcm: pcm.device, channels: channels(of: pcm, for: kind),
                jacks: jacks, level: inputLevel(for: kind), evidence: evidence)
        }
        var plans: [PortPlan] = []
        let digital = pcms.first { !$0.isPlayback && $0.isDigitalMicrophone }
        let sockets = jacks(.headset, .headsetMicrophone, .microphone, .lineIn)
        // A card that has jacks only, all of them empty, has no input.
        if digital != nil || hasInternalMicrophone || sockets.isEmpty {
            plans.append(
                plan(
                    .builtInMicrophone, "Microphone", on: digital ?? pcm, key: "microphone", group: "card", jacks: [],
                    evidence: hasJack(.internalMicrophone) ? .jack : digital != nil || hasInternalMicrophone ? .name : .nothing))
        }
        let headset = jacks(.headsetMicrophone, .headset)
        if !headset.isEmpty {
            plans.append(
                plan(
                    .headsetMicrophone, "Headset Microphone", on: pcm, key: "headset-microphone", group: "headset",
                    jacks: headset,
                    evidence: .jack))
        }
        let microphones = jacks(.microphone)
        if !microphones.isEmpty {
            plans.append(
                plan(
                    .headsetMicrophone, "Microphone", on: pcm, key: "plugged-microphone", group: "plugged-microphone",
                    jacks: microphones, evidence: .jack))
        }
        let lineIn = jacks(.lineIn)
        if !lineIn.isEmpty {
            plans.append(plan(.lineIn, "Line In", on: pcm, key: "line-in", group: "line-in", jacks: lineIn, evidence: .jack))
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
        for (index, pcm) in pcms.filter({ $0.isPlayback && isHDMI($0) }).enumerated() {
            var jacks = sockets.filter { $0.jack.pcm == pcm.device }.map { $0.element.number }
            if jacks.isEmpty, index < unnumbered.count { jacks = [unnumbered[index].element.number] }
            plans.append(
                PortPlan(
                    kind: .hdmi, name: pcm.name.isEmpty ? "HDMI" : pcm.name, key: "hdmi\(pcm.device)", group: "hdmi\(pcm.device)",
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
            kind: kind, name: name, key: key, group: "card", pcm: pcm.device, channels: channels(of: pcm, for: kind),
            level: kind.isInput ? inputLevel(for: kind) : outputLevel(for: kind), selector: selector(isInput: kind.isInput),
            evidence: .name)
    }

    /// The channel map of a device gives its number of channels without opening it.
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
    var foldedName: String {
        @inline(never) get { "\(id) \(name)".folded }
    }
    var isHDMI: Bool { foldedName.holds("hdmi") || foldedName.holds("displayport") }
    var isDigitalMicrophone: Bool { foldedName.holds("dmic") }

    /// Not the link of a monitor, a digital connector, a modem or a telephone.
    var isAnalog: Bool {
        @inline(never) get {
            !isHDMI && !foldedName.holds("iec958") && !foldedName.holds("s/pdif") && !foldedName.holds("spdif")
                && !(foldedName.holds("digital") && !isDigitalMicrophone) && !foldedName.holds("bt sco")
                && !foldedName.holds("bt-sco")
        }
    }
}
