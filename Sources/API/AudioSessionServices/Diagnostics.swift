// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// The sentences of the log that name the likely mistake in a refused call. Nil when the result code says enough.
enum Diagnostics {
    static func inGet(
        _ id: UInt32, size: UInt32?, hasData: Bool, in state: SessionState?, _ status: Int32
    ) -> String? {
        guard let property = SessionProperty(rawValue: id) else { return inProperty(id, status) }
        let row = property.row
        switch ResultCode(rawValue: status) {
        case .noError: return size.flatMap { half(of: $0, filledWith: row.type) }
        case .parameter: return missing([("ioDataSize", size != nil), ("outData", hasData)])
        case .badPropertySize where size == 0:
            return
                "ioDataSize is 0; set it to the size of the buffer: \(row.type.size) bytes for a \(row.type.name)"
        case .badPropertySize:
            return "the buffer is too small for a \(row.type.name), \(row.type.size) bytes"
        case .unsupportedProperty where property == .interruptionType:
            return "readable only inside the interruption listener, when it is called for an end"
        case .unsupportedProperty:
            return row.access.contains(.set)
                ? "the property can be set, not read" : "the property has listeners only"
        case .incompatibleCategory: return withoutInput
        case .noHardware: return inHardware(property, state)
        case .unspecified where row.type.isCoreFoundation:
            return "the value is a CoreFoundation object, and CoreFoundation is not installed"
        default: return inProperty(id, status)
        }
    }

    static func inSet(
        _ id: UInt32, size: UInt32, hasData: Bool, _ value: PropertyValue?, in state: SessionState?,
        _ status: Int32
    ) -> String? {
        guard let property = SessionProperty(rawValue: id) else { return inProperty(id, status) }
        let row = property.row
        switch ResultCode(rawValue: status) {
        case .parameter: return missing([("inData", hasData)])
        case .badPropertySize where size == 8 && row.type == .uint32:
            return "expected a UInt32, 4 bytes; an unsigned long has 8"
        case .badPropertySize where size == 8 && row.type == .float32:
            return "expected a Float32, 4 bytes; a double or CGFloat has 8"
        case .badPropertySize where size == 4 && row.type == .float64:
            return "expected a Float64, 8 bytes; a float has 4"
        case .badPropertySize:
            return "expected a \(row.type.name), \(row.type.size) bytes; inDataSize is \(size)"
        case .unsupportedProperty where !row.access.contains(.set): return "the property cannot be set"
        case .unsupportedProperty: return "not a value of this property: expected \(row.accepts)"
        case .incompatibleCategory:
            return value.flatMap { categories(for: $0, of: row, instead: state?.settings.category) }
        case .noHardware: return inHardware(property, state)
        case .unspecified where state?.hardware.serverIsAlive == false:
            return "the sound server has died"
        case .unspecified where property == .mode:
            return "the mode cannot change while the session is active or mixes with others"
        case .unspecified where property == .audioCategory:
            return "while a call lasts, an active session cannot change to a category that does not mix"
        default: return inProperty(id, status)
        }
    }

    private static let withoutInput =
        "the category has no input; PlayAndRecord and RecordAudio have one"

    /// The reason why the route has no device for a property.
    private static func inHardware(_ property: SessionProperty, _ state: SessionState?) -> String {
        switch property {
        case .inputGainScalar, .inputSource, .inputDevice:
            if state?.settings.category.traits.hasInput == false { return withoutInput }
            if state?.route.inputs.isEmpty != false { return "the route has no input" }
            return property == .inputGainScalar
                ? "the input of the route has no gain" : "the input of the route has no sources"
        case .outputDestination:
            return "the output of the route has no destinations"
        case .outputDevice:
            return "the route has no output"
        default:
            return "the machine has no sound device"
        }
    }

    static func inSetActive(
        _ active: Bool, duringCallOf caller: String?, serverIsAlive: Bool, _ status: Int32
    ) -> String? {
        switch ResultCode(rawValue: status) {
        case .notActive where !active:
            "streams were running; they are stopped, and the session is inactive"
        case .notActive:
            "\"\(caller ?? "call")\" interrupts every session; until it ends only a session that mixes can be active"
        case .noHardware: "the category records, and the machine has no input"
        case .unspecified:
            serverIsAlive ? "the table of sessions cannot be written" : "the sound server has died"
        default: inCall(status)
        }
    }

    static func inListener(_ id: UInt32, hasProcedure: Bool, _ status: Int32) -> String? {
        switch (ResultCode(rawValue: status), SessionProperty(rawValue: id)) {
        case (.parameter, _): missing([("inProc", hasProcedure)])
        case (.unsupportedProperty, let property?):
            "\(property.row.name) has no listeners\(alternative(to: property))"
        default: inProperty(id, status)
        }
    }

    static func inCopy(hasBuffer: Bool, size: UInt32?, _ status: Int32) -> String? {
        switch ResultCode(rawValue: status) {
        case .parameter: missing([("buffer", hasBuffer), ("ioSize", size != nil)])
        case .badPropertySize: "the name with its final 0 needs \(size ?? 0) bytes"
        case .noHardware: "the route has no device of this direction"
        default: inCall(status)
        }
    }

    static func inSimulate(hasCommand: Bool, _ status: Int32) -> String? {
        switch ResultCode(rawValue: status) {
        case .parameter: missing([("command", hasCommand)])
        case .unsupportedProperty:
            "the hardware is real; set AUDIOSESSION_HARDWARE=simulated to simulate a machine"
        case .notActive: "a call is active already"
        case .unspecified:
            "no call is active, or the simulated machine cannot be changed, as the previous line says"
        default: inCall(status)
        }
    }

    static func inProperty(_ id: UInt32, _ status: Int32) -> String? {
        ResultCode(rawValue: status) == .unsupportedProperty ? unknown(id) : inCall(status)
    }

    /// For any function.
    static func inCall(_ status: Int32) -> String? {
        switch ResultCode(rawValue: status) {
        case .notInitialized: "call AudioSessionInitialize first; a child of fork() calls it again"
        case .alreadyInitialized:
            "the session exists, with the run loop and the listener of the first call"
        case .parameter: "a pointer is NULL"
        default: nil
        }
    }

    /// The names of the pointers that are NULL.
    static func missing(_ pointers: [(name: StaticString, isPresent: Bool)]) -> String {
        var text = ""
        for pointer in pointers where !pointer.isPresent {
            text += (text.isEmpty ? "" : ", ") + "\(pointer.name) is NULL"
        }
        return text
    }

    // MARK: Undelivered events

    /// The way by which the program receives events.
    enum DeliveryTarget { case descriptor, mainRunLoop, runLoop, none }

    static func inDelivery(by delivery: DeliveryTarget) -> String {
        let wait = "events are pending, and no listener is called: "
        return switch delivery {
        case .descriptor:
            wait
                + "call AudioSessionLinuxDispatchEvents when the descriptor of AudioSessionLinuxEventDescriptor is readable"
        case .mainRunLoop:
            wait + "the main thread does not run its CFRunLoop (CFRunLoopRun) in the default mode; "
                + "without a run loop, poll AudioSessionLinuxEventDescriptor()"
        case .runLoop:
            wait + "the run loop given to AudioSessionInitialize does not run in the given mode"
        case .none:
            wait + "the program has no CFRunLoop; poll AudioSessionLinuxEventDescriptor(), "
                + "and call AudioSessionLinuxDispatchEvents when it is readable"
        }
    }

    // MARK: Parts of sentences

    /// A variable of eight bytes, of which four were written: the call succeeds, and the variable has another value.
    private static func half(of size: UInt32, filledWith type: PropertyType) -> String? {
        guard size == 8, type.size == 4 else { return nil }
        return "only 4 of the 8 bytes are written, a \(type.name)"
    }

    /// The categories that allow the value, by the property's own rules.
    private static func categories(
        for value: PropertyValue, of row: SessionPropertyRow, instead category: Category?
    ) -> String? {
        var names = ""
        for candidate in Category.allCases where candidate == candidate.equivalent {
            var state = SessionState()
            state.settings.setCategory(candidate)
            do throws(ResultCode) { _ = try row.set(state, value) } catch {
                if error == .incompatibleCategory { continue }
            }
            names += (names.isEmpty ? "" : ", ") + "\(candidate.traits.name)"
        }
        return "allowed in \(names) only\(category.map { "; the category is \($0.traits.name)" } ?? "")"
    }

    /// The listener to use for a property without listeners.
    private static func alternative(to property: SessionProperty) -> StaticString {
        switch property {
        case .audioRoute, .audioRouteDescription, .currentHardwareSampleRate, .outputDevice,
            .inputDevice:
            "; listen to kAudioSessionProperty_AudioRouteChange"
        case .interruptionType: "; pass the interruption listener to AudioSessionInitialize"
        default: ""
        }
    }

    private static func unknown(_ id: UInt32) -> String {
        if Category(rawValue: id) != nil {
            return
                "unknown property \(FourCC.text(id)) (a category; did you mean kAudioSessionProperty_AudioCategory?)"
        }
        if Mode(rawValue: id) != nil {
            return
                "unknown property \(FourCC.text(id)) (a mode; did you mean kAudioSessionProperty_Mode?)"
        }
        if SessionProperty(rawValue: id.byteSwapped) != nil {
            return "unknown property \(FourCC.text(id)) (its bytes are in the wrong order)"
        }
        return "unknown property \(FourCC.text(id))"
    }
}
