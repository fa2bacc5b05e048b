import SessionModel

/// What has probably gone wrong in a call that was refused. Nil where the code says it all.
enum Mistake {
    static func inGet(_ id: UInt32, size: UInt32?, _ status: Int32) -> String? {
        guard let property = Property(rawValue: id) else { return inProperty(id, status) }
        let row = property.row
        return switch ResultCode(rawValue: status) {
        case .badPropertySize: "needs room for a \(row.type.name), \(row.type.size) bytes"
        case .unsupportedProperty where property == .interruptionType:
            "can be read only inside the listener, while it is told that an interruption has ended"
        case .unsupportedProperty: row.access.contains(.set) ? "can be set, not read" : "can only be listened to"
        case .incompatibleCategory: "the category has no input; PlayAndRecord and RecordAudio have"
        case .noHardware: "there is no device that could answer"
        case .unspecified where row.type.isCoreFoundation: "the value is a CoreFoundation object, and there is no CoreFoundation"
        default: inProperty(id, status)
        }
    }

    static func inSet(_ id: UInt32, size: UInt32, _ status: Int32) -> String? {
        guard let property = Property(rawValue: id) else { return inProperty(id, status) }
        let row = property.row
        switch ResultCode(rawValue: status) {
        case .badPropertySize where size == 8 && row.type == .uint32:
            return "expected a UInt32, 4 bytes; an unsigned long has 8"
        case .badPropertySize where size == 8 && row.type == .float32:
            return "expected a Float32, 4 bytes; a double or CGFloat has 8"
        case .badPropertySize where size == 4 && row.type == .float64:
            return "expected a Float64, 8 bytes; a float has 4"
        case .badPropertySize: return "expected a \(row.type.name), \(row.type.size) bytes"
        case .unsupportedProperty where !row.access.contains(.set): return "cannot be set"
        case .unsupportedProperty: return "not a value of this property"
        case .incompatibleCategory: return "the category does not allow it; set the category first"
        case .noHardware: return "there is no device for it"
        case .unspecified where property == .mode:
            return "the mode cannot change while the session is active or mixes with others"
        default: return inProperty(id, status)
        }
    }

    static func inListener(_ id: UInt32, _ status: Int32) -> String? {
        guard ResultCode(rawValue: status) == .unsupportedProperty, let property = Property(rawValue: id) else {
            return inProperty(id, status)
        }
        return "\(property.row.name) has no listeners"
    }

    static func inProperty(_ id: UInt32, _ status: Int32) -> String? {
        ResultCode(rawValue: status) == .unsupportedProperty ? unknown(id) : inCall(status)
    }

    /// Of any function.
    static func inCall(_ status: Int32) -> String? {
        switch ResultCode(rawValue: status) {
        case .notInitialized: "AudioSessionInitialize comes first"
        case .parameter: "a pointer is NULL"
        default: nil
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
