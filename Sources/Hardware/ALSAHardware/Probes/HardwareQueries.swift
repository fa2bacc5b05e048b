// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import LinuxSystem
import SessionModel

// The queries of callers, answered on the thread of the cards.
extension SoundCards {
    func answer(_ query: HardwareQuery) -> HardwareAnswer {
        switch query {
        case .perform(let request, let port): perform(request, on: port)
        case .format(let port, let sampleRate, let bufferDuration): .format(format(of: port, sampleRate, bufferDuration))
        case .gain(let port): .gain(gain(of: port))
        case .isOtherProcessPlaying(let outputs):
            .playing(knownDevices?.isPlayedTo(outputs) == true || cards.contains { isPlayedToByAnother($0) })
        case .inspect(let read): inspected(by: read)
        }
    }

    private func inspected(by read: (SoundCards) -> Void) -> HardwareAnswer {
        read(self)
        return .done
    }

    private func perform(_ request: HardwareRequest, on port: Port) -> HardwareAnswer {
        if knownDevices != nil, port.server != nil { return performAtServer(request, on: port) }
        guard let present = presentPort(for: port) else { return .refused(.noHardware) }
        do throws(SystemError) {
            // Behind a server the gain is that of the server.
            if case .inputGain = request, let server, server.state != nil {
                try server.perform(request)
            } else if let card = present.card {
                try card.perform(request, on: present.plan)
            }
        } catch {
            Log.debug("the card refuses the change of \(port.name): \(error.text)")
            return .refused(.unspecified)
        }
        return .done
    }

    private func performAtServer(_ request: HardwareRequest, on port: Port) -> HardwareAnswer {
        if case .headsetProfile = request, keepsProfiles { return .refused(.unsupportedProperty) }
        // The connection may end while a profile is awaited.
        let isDone = processDevices { devices in
            do throws(SystemError) { try devices.perform(request, on: port) } catch {
                Log.debug("the sound server refuses the change of \(port.name): \(error.text)")
                return false
            }
            return true
        }
        updateArrivals()
        return isDone ? .done : .refused(.noHardware)
    }

    /// The devices of a server are not opened: the server may be about to open them, and decides the format itself.
    private func format(of port: Port, _ sampleRate: Double, _ bufferDuration: Float) -> StreamFormat? {
        guard let present = presentPort(for: port), let card = present.card,
            let address = present.state.address(of: present.plan)
        else {
            return likelyFormat(sampleRate, bufferDuration)
        }
        guard server == nil else {
            return address.setup.map { StreamFormat($0) } ?? likelyFormat(sampleRate, bufferDuration)
        }
        return formatCache.format(of: address, on: card.serial, sampleRate: sampleRate, bufferDuration: bufferDuration)
    }

    private func gain(of port: Port) -> Float? {
        processQueuedEvents()
        return snapshot().ports.first { $0.isSame(as: port) }?.gain
    }

    private func isPlayedToByAnother(_ card: OpenCard) -> Bool {
        card.state.playbackAddresses.contains { address in
            card.hasOpenStream(address) && address.owners.contains { $0.isRunning && isAnother($0.thread) }
        }
    }

    /// Whether the thread belongs to another program. The server behind the route does not count: it plays the sound of this
    /// process, too.
    private func isAnother(_ thread: UInt32) -> Bool {
        guard let owner = ProcessName.of(thread: thread) else { return true }
        if owner.process == UInt32(clamping: linux_process_id()) { return false }
        return server == nil || !SoundServer.isServer(owner.program)
    }
}

extension Port {
    /// The port as programs reach it through a sound server, with the levels of the server.
    func behind(_ server: SoundServer) -> Port {
        let state = server.state
        let own = state?.present.first { $0.kind.isInput == kind.isInput }.flatMap { state?.port($0, arrival: 0) }
        return Port(
            kind: kind, device: device, uid: uid, name: name, alsaDevice: server.pcm, server: server.deviceKind,
            channels: channels,
            volume: own?.volume ?? volume, gain: own?.gain ?? gain, latency: latency, selectables: selectables,
            selected: selected, isHeadset: isHeadset)
    }
}
