import SessionModel

/// What has probably gone wrong in a call that was refused: the sentences of the log. Nil where the code
/// says it all.
enum Mistake {
    static func inGet(_ id: UInt32, size: UInt32?, hasData: Bool, _ status: Int32) -> String? {
        guard let property = Property(rawValue: id) else { return inProperty(id, status) }
        let row = property.row
        switch ResultCode(rawValue: status) {
        case .noError: return size.flatMap { half(of: $0, filledWith: row.type) }
        case .parameter: return missing([("ioDataSize", size != nil), ("outData", hasData)])
        case .badPropertySize where size == 0:
            return "ioDataSize is 0; it is to say how much room there is: \(row.type.size) bytes for a \(row.type.name)"
        case .badPropertySize: return "needs room for a \(row.type.name), \(row.type.size) bytes"
        case .unsupportedProperty where property == .interruptionType:
            return "can be read only inside the listener, while it is told that an interruption has ended"
        case .unsupportedProperty: return row.access.contains(.set) ? "can be set, not read" : "can only be listened to"
        case .incompatibleCategory: return "the category has no input; PlayAndRecord and RecordAudio have"
        case .noHardware: return "there is no device that could answer"
        case .unspecified where row.type.isCoreFoundation:
            return "the value is a CoreFoundation object, and there is no CoreFoundation"
        default: return inProperty(id, status)
        }
    }

    static func inSet(
        _ id: UInt32, size: UInt32, hasData: Bool, _ value: PropertyValue?, in state: SessionState?, _ status: Int32
    ) -> String? {
        guard let property = Property(rawValue: id) else { return inProperty(id, status) }
        let row = property.row
        switch ResultCode(rawValue: status) {
        case .parameter: return missing([("inData", hasData)])
        case .badPropertySize where size == 8 && row.type == .uint32:
            return "expected a UInt32, 4 bytes; an unsigned long has 8"
        case .badPropertySize where size == 8 && row.type == .float32:
            return "expected a Float32, 4 bytes; a double or CGFloat has 8"
        case .badPropertySize where size == 4 && row.type == .float64:
            return "expected a Float64, 8 bytes; a float has 4"
        case .badPropertySize: return "expected a \(row.type.name), \(row.type.size) bytes; inDataSize is \(size)"
        case .unsupportedProperty where !row.access.contains(.set): return "cannot be set"
        case .unsupportedProperty: return "not a value of this property: expected \(row.accepts)"
        case .incompatibleCategory: return value.flatMap { categories(for: $0, of: row, instead: state?.settings.category) }
        case .noHardware: return "there is no device for it"
        case .unspecified where state?.hardware.serverIsAlive == false: return "the sound server has died"
        case .unspecified where property == .mode:
            return "the mode cannot change while the session is active or mixes with others"
        case .unspecified where property == .overrideCategoryMixWithOthers || property == .audioCategory:
            return "while a call lasts, an active session cannot stop mixing with others"
        default: return inProperty(id, status)
        }
    }

    static func inSetActive(
        _ active: Bool, duringCallOf caller: String?, serverIsAlive: Bool, _ status: Int32
    ) -> String? {
        switch ResultCode(rawValue: status) {
        case .notActive where !active:
            "its streams were still running; they stop, and the session is inactive all the same"
        case .notActive:
            "\"\(caller ?? "call")\" interrupts every session; until it is over only one that mixes can be active"
        case .noHardware: "the category records, and there is no input"
        case .unspecified: serverIsAlive ? "the folder where sessions meet does not answer" : "the sound server has died"
        default: inCall(status)
        }
    }

    static func inListener(_ id: UInt32, hasProcedure: Bool, _ status: Int32) -> String? {
        switch (ResultCode(rawValue: status), Property(rawValue: id)) {
        case (.parameter, _): missing([("inProc", hasProcedure)])
        case (.unsupportedProperty, let property?): "\(property.row.name) has no listeners\(teller(of: property))"
        default: inProperty(id, status)
        }
    }

    static func inCopy(hasBuffer: Bool, size: UInt32?, _ status: Int32) -> String? {
        switch ResultCode(rawValue: status) {
        case .parameter: missing([("buffer", hasBuffer), ("ioSize", size != nil)])
        case .badPropertySize: "the name and its end need \(size ?? 0) bytes"
        case .noHardware: "the route has no such device"
        default: inCall(status)
        }
    }

    static func inSimulate(hasCommand: Bool, _ status: Int32) -> String? {
        switch ResultCode(rawValue: status) {
        case .parameter: missing([("command", hasCommand)])
        case .unsupportedProperty: "the machine is a real one; AUDIOSESSION_HARDWARE=simulated makes it one that can be changed"
        case .notActive: "there is a call already"
        case .unspecified: "there is no call; or what is simulated cannot be changed, as the line before says"
        default: inCall(status)
        }
    }

    static func inProperty(_ id: UInt32, _ status: Int32) -> String? {
        ResultCode(rawValue: status) == .unsupportedProperty ? unknown(id) : inCall(status)
    }

    /// Of any function.
    static func inCall(_ status: Int32) -> String? {
        switch ResultCode(rawValue: status) {
        case .notInitialized: "AudioSessionInitialize comes first; a child of fork() has no session until it calls that, too"
        case .alreadyInitialized: "the session is there already, with the run loop and the listener of the first call"
        case .parameter: "a pointer is NULL"
        default: nil
        }
    }

    /// Names those that are not there.
    static func missing(_ pointers: [(name: StaticString, isThere: Bool)]) -> String {
        var text = ""
        for pointer in pointers where !pointer.isThere { text += (text.isEmpty ? "" : ", ") + "\(pointer.name) is NULL" }
        return text
    }

    // MARK: Events that nobody fetches

    /// Who was to fetch them.
    enum Delivery { case descriptor, mainRunLoop, runLoop, nobody }

    static func inDelivery(by delivery: Delivery) -> String {
        let wait = "events wait, and no listener is called: "
        return switch delivery {
        case .descriptor:
            wait + "call AudioSessionLinuxDispatchEvents when the descriptor of AudioSessionLinuxEventDescriptor is readable"
        case .mainRunLoop:
            wait + "the main thread does not run its CFRunLoop (CFRunLoopRun) in the default mode; "
                + "without one, poll AudioSessionLinuxEventDescriptor()"
        case .runLoop: wait + "the run loop and mode that AudioSessionInitialize was given do not run"
        case .nobody:
            wait + "the program has no CFRunLoop; poll AudioSessionLinuxEventDescriptor(), "
                + "and call AudioSessionLinuxDispatchEvents when it is readable"
        }
    }

    // MARK: Parts of sentences

    /// A variable of eight bytes, of which four were written: nothing fails, and the number is another one.
    private static func half(of size: UInt32, filledWith type: PropertyType) -> String? {
        guard size == 8, type.size == 4 else { return nil }
        return "only 4 of the 8 bytes are written, a \(type.name)"
    }

    /// The categories that would have allowed it, found by asking the rules.
    private static func categories(for value: PropertyValue, of row: PropertyRow, instead category: Category?) -> String? {
        var names = ""
        for candidate in Category.allCases where candidate == candidate.equivalent {
            var state = SessionState()
            state.settings.setCategory(candidate)
            do throws(ResultCode) { _ = try row.set(state, value) } catch {
                if error == .incompatibleCategory { continue }
            }
            names += (names.isEmpty ? "" : ", ") + "\(candidate.traits.name)"
        }
        return "goes with \(names) only\(category.map { "; the category is \($0.traits.name)" } ?? "")"
    }

    /// Where to hear of a property that has no listeners.
    private static func teller(of property: Property) -> StaticString {
        switch property {
        case .audioRoute, .audioRouteDescription, .currentHardwareSampleRate, .outputDevice, .inputDevice:
            "; kAudioSessionProperty_AudioRouteChange tells"
        case .interruptionType: "; AudioSessionInitialize takes the listener of interruptions"
        default: ""
        }
    }

    private static func unknown(_ id: UInt32) -> String {
        if Category(rawValue: id) != nil {
            return "unknown property \(Naming.code(id)) (a category; did you mean kAudioSessionProperty_AudioCategory?)"
        }
        if Mode(rawValue: id) != nil {
            return "unknown property \(Naming.code(id)) (a mode; did you mean kAudioSessionProperty_Mode?)"
        }
        if Property(rawValue: id.byteSwapped) != nil {
            return "unknown property \(Naming.code(id)) (its bytes are in the wrong order)"
        }
        return "unknown property \(Naming.code(id))"
    }
}
