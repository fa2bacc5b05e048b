// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CAudioStreams
import EngineClient
import LinuxSystem
import MediaFormats
import PCMConversion
import Synchronization

extension Queue {
    // MARK: Parameters

    public func parameter(_ id: UInt32) throws(QueueStatus) -> Float {
        try lock.withLock { () throws(QueueStatus) in
            let (voice, parameter) = try outputParameter(id)
            switch parameter {
            case .volume: return Float(bitPattern: voice.volume.load(ordering: .relaxed))
            case .pan: return Float(bitPattern: voice.pan.load(ordering: .relaxed))
            case .volumeRampTime: return Float(bitPattern: voice.volumeRamp.load(ordering: .relaxed))
            case .playRate: return voice.speed?.rate ?? 1
            case .pitch: return 0
            }
        }
    }

    public func setParameter(_ id: UInt32, _ value: Float) throws(QueueStatus) {
        try lock.withLock { () throws(QueueStatus) in
            let (voice, parameter) = try outputParameter(id)
            if parameter == .playRate, let speed = voice.speed {
                guard !value.isNaN else { throw .invalidParameter }
                speed.rate = min(max(value, PlaySpeed.range.lowerBound), PlaySpeed.range.upperBound)
                return
            }
            let accepted = try parameter.accepted(value)
            switch parameter {
            case .volume: voice.volume.store(accepted.bitPattern, ordering: .relaxed)
            case .pan: voice.pan.store(accepted.bitPattern, ordering: .relaxed)
            case .volumeRampTime: voice.volumeRamp.store(accepted.bitPattern, ordering: .relaxed)
            case .playRate, .pitch: return
            }
        }
    }

    private func outputParameter(_ id: UInt32) throws(QueueStatus) -> (OutputVoice, QueueParameter) {
        try state.checkUsable()
        guard let voice = outputVoice else { throw .invalidQueueType }
        guard let parameter = QueueParameter(rawValue: id) else { throw .invalidParameter }
        return (voice, parameter)
    }

    // MARK: Properties

    /// The size of a property's value now.
    public func propertySize(_ id: UInt32) throws(QueueStatus) -> Int {
        let row = try QueueProperty.find(id, isInput: isInput)
        guard row.access.contains(.get) else { throw .invalidProperty }
        if let size = row.size { return size }
        return try property(id).count
    }

    /// The bytes of a property. The value of CurrentDevice is an object that the caller makes: it has no bytes here.
    public func property(_ id: UInt32) throws(QueueStatus) -> [UInt8] {
        let row = try QueueProperty.find(id, isInput: isInput)
        guard row.access.contains(.get) else { throw .invalidProperty }
        let device = row.name == .sampleRate || row.name == .channels ? stream.deviceFormat : nil
        return try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            switch row.name {
            case .isRunning: return .init(nativeBytesOf: state.hasSound ? 1 : 0 as UInt32)
            case .sampleRate: return .init(nativeBytesOf: deviceRate(device).bitPattern)
            case .channels: return .init(nativeBytesOf: (isInput ? device?.input_channels : device?.output_channels) ?? 0)
            case .magicCookie: return recording?.encoder.magicCookie ?? settings.magicCookie
            case .packetSize: return .init(nativeBytesOf: UInt32(clamping: largestPacket))
            case .description: return described.bytes
            case .layout: return settings.channelLayout.isEmpty ? standardLayout : settings.channelLayout
            case .metering: return .init(nativeBytesOf: voice.isMetering.load(ordering: .relaxed) ? 1 : 0 as UInt32)
            case .levels, .decibels: return levels(inDecibels: row.name == .decibels)
            case .decodeBuffer: return .init(nativeBytesOf: settings.decodeBufferFrames)
            case .converterError: return .init(nativeBytesOf: settings.converterError)
            case .timePitch: return .init(nativeBytesOf: settings.enablesTimePitch)
            case .codecPolicy: return .init(nativeBytesOf: settings.codecPolicy)
            case .currentDevice, .timePitchAlgorithm, .timePitchBypass, .assignments: throw .invalidProperty
            }
        }
    }

    public func setProperty(_ id: UInt32, _ value: UnsafeRawBufferPointer) throws(QueueStatus) {
        let row = try QueueProperty.find(id, isInput: isInput)
        if row.name == .currentDevice { throw .invalidDevice }
        guard row.access.contains(.set) else { throw .invalidProperty }
        guard row.size == nil || row.size == value.count else { throw .invalidPropertySize }
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            switch row.name {
            case .magicCookie: try setMagicCookie(value)
            case .layout: settings.channelLayout = try checkedLayout(value)
            case .metering: voice.isMetering.store(value.number != 0, ordering: .relaxed)
            case .decodeBuffer: settings.decodeBufferFrames = value.number
            case .timePitch:
                try checkStands()
                try setTimePitch(value.number != 0)
            case .codecPolicy:
                try checkStands()
                // No codec is in hardware.
                guard value.number <= 4, value.number != 2 else { throw .invalidPropertyValue }
                settings.codecPolicy = value.number
            default: throw .invalidProperty
            }
        }
    }

    private func setTimePitch(_ isEnabled: Bool) throws(QueueStatus) {
        guard let voice = outputVoice, isEnabled != (voice.speed != nil) else { return }
        let speed = isEnabled ? PlaySpeed(rate: voice.rate, channels: format.channels) : nil
        guard !isEnabled || speed != nil else { throw .invalidPropertyValue }
        stream.withoutRendering(voice) { voice.speed = speed }
        settings.enablesTimePitch = isEnabled ? 1 : 0
    }

    /// Some settings cannot change while the queue runs or is paused.
    private func checkStands() throws(QueueStatus) {
        guard state.run == .stopped || state.isInterrupted else { throw .invalidRunState }
    }

    /// Formats that have no codec, or whose codec needs no cookie, accept any cookie.
    private func setMagicCookie(_ cookie: UnsafeRawBufferPointer) throws(QueueStatus) {
        // An encoder makes its own cookie.
        guard recording == nil else { throw .invalidPropertyValue }
        if let packets, !cookie.isEmpty {
            do throws(ConverterError) {
                try packets.decoder.setMagicCookie(cookie)
            } catch .propertyNotSupported {
            } catch {
                throw .invalidPropertyValue
            }
        }
        settings.magicCookie = Array(cookie)
    }

    /// The bytes of the largest packet.
    private var largestPacket: Int {
        recording?.encoder.largestPacket ?? packets?.decoder.largestPacket ?? format.bytesPerPacket
    }

    private func deviceRate(_ device: pull_format?) -> Double {
        let rate = (isInput ? device?.input_rate : device?.output_rate) ?? 0
        return rate > 0 ? rate : service.client.hardwareRate(isInput: isInput)
    }

    private func levels(inDecibels: Bool) -> [UInt8] {
        var result: [UInt8] = []
        for channel in 0..<voice.meter.channels {
            // The meter of a queue that does not run still has the level of its last sound.
            let level = state.run == .running ? voice.meter.level(channel) : .silence
            let shown = inDecibels ? level.decibels : level
            result += [UInt8](nativeBytesOf: shown.average.bitPattern) + [UInt8](nativeBytesOf: shown.peak.bitPattern)
        }
        return result
    }

    /// An `AudioChannelLayout` without descriptions, with the tag of mono, of stereo, or of channels in their order.
    private var standardLayout: [UInt8] {
        let tags: [UInt32] = [100, 101]
        let kind = format.channels <= 2 ? tags[format.channels - 1] : 147
        return [UInt8](nativeBytesOf: kind << 16 | UInt32(format.channels)) + [UInt8](repeating: 0, count: 28)
    }

    /// The bytes of a layout. Throws if descriptions are missing, or if the layout has another number of channels than the queue.
    private func checkedLayout(_ value: UnsafeRawBufferPointer) throws(QueueStatus) -> [UInt8] {
        guard value.count >= 12, value.count <= 12 + 20 * 64 else { throw .invalidPropertySize }
        let (tag, descriptions) = (value.number, UnsafeRawBufferPointer(rebasing: value[8...]).number)
        guard descriptions <= 64, value.count >= 12 + 20 * Int(descriptions) else { throw .invalidPropertySize }
        if tag == 0 {
            guard descriptions == UInt32(format.channels) else { throw .invalidPropertyValue }
        } else if tag != 1 << 16 {
            guard tag & 0xFFFF == UInt32(format.channels) else { throw .invalidPropertyValue }
        }
        return Array(value)
    }

    // MARK: Listeners

    /// `procedure` and `data` identify the listener.
    public func addListener(
        _ id: UInt32, procedure: UInt, data: UInt, _ call: @escaping (_ queue: UInt, _ property: UInt32) -> Void
    ) throws(QueueStatus) {
        guard !(try QueueProperty.find(id, isInput: isInput).access.isDisjoint(with: [.get, .set, .listen])) else {
            throw .invalidProperty
        }
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            let identity = Listener.Identity(property: id, procedure: procedure, data: data)
            if !isRegistered(identity) { listeners.append(Listener(identity: identity, call: call)) }
        }
    }

    public func removeListener(_ id: UInt32, procedure: UInt, data: UInt) throws(QueueStatus) {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            let identity = Listener.Identity(property: id, procedure: procedure, data: data)
            listeners.removeAll { $0.identity == identity }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The first four bytes as a number in the machine's order; 0 where there are fewer.
    var number: UInt32 { count >= 4 ? loadUnaligned(as: UInt32.self) : 0 }
}
