// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    @testable import AudioSession
    @testable import AudioSessionServices
    import CAudioSessionServices
    import CLinux
    @testable import AudioEngine
    import SessionModel
    import SessionRegistry
    import AudioHardware
    import SimulatedHardware

    // Calls of the C functions, and of a model session in memory: each result, each value and each call of a listener must be
    // the same for both.

    /// The session that has the expected results.
    private final class Model {
        let session: ProcessSession
        let subscription: EventSubscription
        var deliveries: [Delivery] = []

        init(_ session: ProcessSession) {
            self.session = session
            subscription = session.join {}
        }
    }

    private enum Delivery: Equatable {
        case interruption(Interruption)
        case property(UInt32, client: UInt, bits: UInt64)
    }

    nonisolated(unsafe) private var deliveriesOfProgram: [Delivery] = []
    nonisolated(unsafe) private var modelSession: Model?

    private let interruptionListener: AudioSessionInterruptionListener = { _, state in
        guard state != UInt32(kAudioSessionBeginInterruption) else {
            deliveriesOfProgram.append(.interruption(.begin))
            return
        }
        var type: UInt32 = 0
        var size: UInt32 = 4
        _ = AudioSessionGetProperty(SessionProperty.interruptionType.rawValue, &size, &type)
        deliveriesOfProgram.append(.interruption(.end(InterruptionType(rawValue: type) ?? .shouldNotResume)))
    }

    private let propertyListener: AudioSessionPropertyListener = { client, property, size, data in
        var bits: UInt64 = 0
        if let data, size == 4 { bits = UInt64(data.loadUnaligned(as: UInt32.self)) }
        deliveriesOfProgram.append(.property(property, client: UInt(bitPattern: client), bits: bits))
    }

    /// Ends the objects that the C functions keep until the process ends.
    private func end() {
        guard let face = try? SessionAPI.current() else { return }
        let session = face.session
        _ = linux_close(AudioSessionLinuxEventDescriptor())
        session.leave(face.subscription)
        session.end()
        modelSession?.session.end()
        var engine: Engine?
        ProcessEngine.withEngine { engine = $0 }
        // The last watch of files removes its queue itself.
        for word in 0..<LINUX_WORDS_WIPED_ON_FORK.rawValue where word != LINUX_WORD_OF_FILE_QUEUE.rawValue {
            linux_store(linux_word_wiped_on_fork(linux_word(word)), 0)
        }
        Unmanaged.passUnretained(face).release()
        Unmanaged.passUnretained(session).release()
        if let engine { Unmanaged.passUnretained(engine).release() }
    }

    /// Begins with an empty table and the default machine.
    private func begin() -> Model? {
        end()
        modelSession = nil
        deliveriesOfProgram = []
        guard let folder = Folder.empty() else { return nil }
        withExtendedLifetime(folder) {}
        guard AudioSessionInitialize(nil, nil, interruptionListener, nil) == 0, AudioSessionLinuxEventDescriptor() >= 0 else {
            return nil
        }
        do throws(ResultCode) {
            let model = Model(
                try ProcessSession(
                    name: "model", registry: InProcessRegistry(), hardware: SimulatedHardware(file: nil)))
            model.subscription.setInterruptionListener { modelSession?.deliveries.append(.interruption($0)) }
            modelSession = model
            return model
        } catch { return nil }
    }

    @c(fuzz_calls) public func fuzzCalls(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        guard let model = begin() else { return false }
        var input = Input(bytes, count)
        var calls = 0
        while !input.isEmpty, calls < 100 {
            calls += 1
            guard call(&input, model) else { return false }
            guard AudioSessionLinuxDispatchEvents() == 0 else { return false }
            while model.subscription.deliverEvents() {}
            guard deliveriesOfProgram == model.deliveries else { return false }
        }
        return true
    }

    private let commands: [StaticString] = [
        "plug headphones", "unplug headphones", "plug headset", "unplug headset", "plug usb", "unplug usb", "plug hdmi",
        "unplug hdmi",
        "plug bluetooth-hfp", "unplug bluetooth-hfp", "plug bluetooth-a2dp", "unplug bluetooth-a2dp", "plug airplay",
        "unplug airplay",
        "plug line-in", "unplug line-in", "plug line-out", "unplug line-out", "unplug microphone", "plug microphone",
        "unplug speaker",
        "plug speaker", "unplug receiver", "plug receiver", "volume 0.5", "volume 0", "server die", "server restart", "wake",
        "silent on", "silent off", "lock on", "lock off", "interrupt begin", "interrupt end", "interrupt end --should-not-resume",
        "interrupt confirm", "nonsense",
    ]

    private func status(_ body: () throws(ResultCode) -> Void) -> OSStatus {
        do throws(ResultCode) {
            try body()
            return 0
        } catch { return error.rawValue }
    }

    private func call(_ input: inout Input, _ model: Model) -> Bool {
        let kind = input.byte()
        let property = anyProperty(&input)
        switch kind % 9 {
        case 0: return get(property, &input, model)
        case 1, 2: return set(property, &input, model)
        case 3:
            let flags = input.number()
            let active: UInt8 = kind & 16 == 0 ? 1 : 0
            let expected = status { () throws(ResultCode) in
                try model.session.setActive(active != 0, notifyingOthers: flags & 1 != 0)
            }
            return AudioSessionSetActiveWithFlags(active, flags) == expected
        case 4, 5: return simulate(commands[Int(input.byte()) % commands.count], model)
        case 6: return listen(property, client: UInt(input.byte() & 3), model)
        case 7:
            let client = UInt(input.byte() & 3)
            let address = UnsafeMutableRawPointer(bitPattern: client)
            let known = SessionProperty(rawValue: property)
            if let known { model.subscription.removeListener(ListenerIdentity(procedure: 1, clientData: client), from: known) }
            return AudioSessionRemovePropertyListenerWithUserData(property, propertyListener, address)
                == (known == nil ? ResultCode.unsupportedProperty.rawValue : 0)
        default:
            var size: UInt32 = 0
            let known = SessionProperty(rawValue: property)
            let found = AudioSessionGetPropertySize(property, &size)
            return known.map { found == 0 && size == $0.row.type.size } ?? (found == ResultCode.unsupportedProperty.rawValue)
        }
    }

    /// A known property in most cases.
    private func anyProperty(_ input: inout Input) -> UInt32 {
        let choice = Int(input.byte())
        return choice < 224 ? propertyTable[choice % propertyTable.count].property.rawValue : input.number()
    }

    private func isObject(_ property: SessionProperty) -> Bool {
        switch property.row.type {
        case .uint32, .float32, .float64: false
        default: true
        }
    }

    private func get(_ id: UInt32, _ input: inout Input, _ model: Model) -> Bool {
        let room = UInt32(input.byte() % 12)
        let property = SessionProperty(rawValue: id)
        // The first object would load CoreFoundation into the process.
        if let property, isObject(property), room >= 8 { return true }
        var expected = ResultCode.unsupportedProperty.rawValue
        var value: PropertyValue?
        if let property, property.row.access.contains(.get) {
            expected =
                room < property.row.type.size
                ? ResultCode.badPropertySize.rawValue
                : status { () throws(ResultCode) in value = try model.session.value(of: property) }
        }
        var size = room
        var data: UInt64 = 0xA5A5_A5A5_A5A5_A5A5
        guard AudioSessionGetProperty(id, &size, &data) == expected else { return false }
        guard let scalar = value?.scalarBits else { return size == room && data == 0xA5A5_A5A5_A5A5_A5A5 }
        let mask: UInt64 = scalar.size == 4 ? 0xFFFF_FFFF : .max
        return size == scalar.size && data & mask == scalar.bits && data | mask == 0xA5A5_A5A5_A5A5_A5A5 | mask
    }

    /// Values that have a meaning, which random values seldom have.
    private let likely: [UInt32] = [
        0, 1, 0x616D_6269, 0x736F_6C6F, 0x6D65_6469, 0x7265_6361, 0x706C_6172, 0x7072_6F63, 0x6D75_6C74, 0x7569_6678, 0x6C69_7665,
        0x6466_6C74, 0x7663_6374, 0x676D_6374, 0x7672_6364, 0x6D73_6D74, 0x6D76_7062, 0x7664_6374, 0x7370_6B61, 0x7370_6B72,
        0x3F00_0000, 0x7FC0_0000, 0x7F80_0000, 0xBF80_0000, 0x40E5_8880,
    ]

    private func set(_ id: UInt32, _ input: inout Input, _ model: Model) -> Bool {
        let choice = input.byte()
        let word = choice < 200 ? likely[Int(choice) % likely.count] : input.number()
        let property = SessionProperty(rawValue: id)
        let size = choice & 31 == 31 ? UInt32(input.byte()) : property?.row.type.size ?? 4
        var bits = UInt64(word)
        if size == 8, choice & 1 == 0 { bits = UInt64(word) << 32 }
        var expected = ResultCode.unsupportedProperty.rawValue
        if let property, property.row.access.contains(.set) {
            expected =
                size != property.row.type.size
                ? ResultCode.badPropertySize.rawValue
                : status { () throws(ResultCode) in
                    let value = try withUnsafePointer(to: bits) { pointer throws(ResultCode) in
                        try PropertyValue(property.row.type, at: pointer)
                    }
                    try model.session.set(property, to: value)
                }
        }
        return AudioSessionSetProperty(id, size, &bits) == expected
    }

    private func simulate(_ command: StaticString, _ model: Model) -> Bool {
        var expected = ResultCode.unsupportedProperty.rawValue
        if let command = try? SimulationCommand("\(command)") {
            expected = status { () throws(ResultCode) in try model.session.simulate(command) }
        }
        return command.utf8Start.withMemoryRebound(to: CChar.self, capacity: command.utf8CodeUnitCount) {
            AudioSessionLinuxSimulate($0)
        } == expected
    }

    private func listen(_ id: UInt32, client: UInt, _ model: Model) -> Bool {
        let property = SessionProperty(rawValue: id)
        if let property, isObject(property) { return true }
        let expected = status { () throws(ResultCode) in
            guard let property else { throw .unsupportedProperty }
            try model.subscription.addListener(
                { property, event in
                    guard case .propertyChange(_, let value) = event else { return }
                    modelSession?.deliveries.append(
                        .property(property.rawValue, client: client, bits: value.scalarBits?.bits ?? 0))
                }, as: ListenerIdentity(procedure: 1, clientData: client), to: property)
        }
        return AudioSessionAddPropertyListener(id, propertyListener, UnsafeMutableRawPointer(bitPattern: client)) == expected
    }
#endif
