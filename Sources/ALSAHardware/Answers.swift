import AudioHardware
import CLinux
import LinuxSystem
import SessionModel

// What callers want of the hardware.
extension SoundCards {
    func answer(_ question: Question) -> Answer {
        switch question {
        case .perform(let request, let port): perform(request, on: port)
        case .format(let port, let sampleRate, let bufferDuration): .format(format(of: port, sampleRate, bufferDuration))
        case .isOtherProcessPlaying: .playing(cards.contains { isPlayedToByAnother($0) })
        case .findings: .findings(findings())
        }
    }

    private func perform(_ request: HardwareRequest, on port: Port) -> Answer {
        guard let place = place(of: port) else { return .refused(.noHardware) }
        do throws(ALSAError) {
            // Behind a server the level is the server's.
            if case .inputGain = request, let server, server.state != nil {
                try server.perform(request)
            } else if let card = place.card {
                try card.perform(request, on: place.plan)
            }
        } catch {
            Log.line("\(port.name): \(error.text)")
            return .refused(.unspecified)
        }
        return .done
    }

    /// A server's cards are not asked: it may be about to use them, and it grants what it likes.
    private func format(of port: Port, _ sampleRate: Double, _ bufferDuration: Float) -> StreamFormat? {
        guard let present = place(of: port), let card = present.card, let place = present.state.place(of: present.plan) else {
            return likelyFormat(sampleRate, bufferDuration)
        }
        guard server == nil else {
            return place.setup.map { StreamFormat($0) } ?? likelyFormat(sampleRate, bufferDuration)
        }
        return grants.format(of: place, on: card.serial, sampleRate: sampleRate, bufferDuration: bufferDuration)
    }

    private func isPlayedToByAnother(_ card: OpenCard) -> Bool {
        card.state.playbackPlaces.contains { place in
            place.owners.contains { $0.isRunning && isAnother($0.thread) }
        }
    }

    /// Our own sound comes out of the server that stands behind the route: its streams say nothing.
    private func isAnother(_ thread: UInt32) -> Bool {
        guard let owner = ProcessName.of(thread: thread) else { return true }
        if owner.process == UInt32(clamping: linux_process_id()) { return false }
        return server == nil || !SoundServer.isServer(owner.program)
    }
}

extension Port {
    /// As programs reach it through a sound server, at the server's levels.
    func behind(_ server: CardState?) -> Port {
        let own = server?.present.first { $0.kind.isInput == kind.isInput }.flatMap { server?.port($0, arrival: 0) }
        return Port(
            kind: kind, device: device, uid: uid, name: name, alsaDevice: "default", channels: channels,
            volume: own?.volume ?? volume, gain: own?.gain ?? gain, latency: latency, selectables: selectables,
            selected: selected, isHeadset: isHeadset)
    }
}
