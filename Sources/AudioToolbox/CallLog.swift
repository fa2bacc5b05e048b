import CAudioToolbox
import LinuxSystem
import SessionModel

/// With `AUDIOSESSION_DEBUG` set, every call of the program and every listener it hears from, with
/// names for numbers, the result, and for an error the likely mistake.
enum CallLog {
    static func initialize(hasListener: Bool, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        write("AudioSessionInitialize(\(hasListener ? "listener" : "no listener"))", status)
    }

    static func setActive(_ active: UInt8, flags: UInt32?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        let on = active != 0 ? "true" : "false"
        if let flags {
            let notifies = flags & UInt32(kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation) != 0
            write("AudioSessionSetActiveWithFlags(\(on), \(notifies ? "NotifyOthersOnDeactivation" : "\(flags)"))", status)
        } else {
            write("AudioSessionSetActive(\(on))", status)
        }
    }

    static func get(_ id: UInt32, size: UInt32?, _ data: UnsafeMutableRawPointer?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        var call = "AudioSessionGetProperty(\(Naming.property(id)), \(size.map { "\($0)" } ?? "NULL"))"
        if status == 0, let data, let property = Property(rawValue: id) { call += " -> \(shown(property, at: data))" }
        write(call, status, Mistake.inGet(id, size: size, status))
    }

    static func set(_ id: UInt32, size: UInt32, _ data: UnsafeRawPointer?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        var value = data == nil ? "NULL" : "?"
        if let data, let property = Property(rawValue: id), size == property.row.type.size { value = shown(property, at: data) }
        write("AudioSessionSetProperty(\(Naming.property(id)), \(size), \(value))", status, Mistake.inSet(id, size: size, status))
    }

    static func getSize(_ id: UInt32, _ size: UnsafeMutablePointer<UInt32>?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        let answer = status == 0 ? size.map { " -> \($0.pointee)" } ?? "" : ""
        write("AudioSessionGetPropertySize(\(Naming.property(id)))\(answer)", status, Mistake.inProperty(id, status))
    }

    static func listener(_ function: StaticString, _ id: UInt32, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        write("\(function)(\(Naming.property(id)))", status, Mistake.inListener(id, status))
    }

    static func linux(_ call: @autoclosure () -> String, _ status: OSStatus, _ mistake: String? = nil) {
        guard Log.isEnabled else { return }
        write(call(), status, mistake)
    }

    static func interruption(_ interruption: Interruption) {
        guard Log.isEnabled else { return }
        switch interruption {
        case .begin: Log.line("interruption listener: begin")
        case .end(let type):
            Log.line("interruption listener: end, \(type == .shouldResume ? "should resume" : "should not resume")")
        }
    }

    static func telling(_ property: Property, _ event: SessionEvent) {
        guard Log.isEnabled else { return }
        switch event {
        case .interruption, .secondaryAudioHint: return
        case .routeChange(let change):
            Log.line(
                "property listener: AudioRouteChange, reason \(change.reason.rawValue),"
                    + " \"\(change.oldName.text)\" to \"\(change.newName.text)\"")
        case .propertyChange(_, let value): Log.line("property listener: \(property.row.name) is \(shown(property, value))")
        }
    }

    // MARK: Writing

    private static func write(_ call: String, _ status: OSStatus, _ mistake: String? = nil) {
        let mistake = mistake ?? Mistake.inCall(status)
        Log.line("\(call) = \(Naming.status(status))\(mistake.map { ": \($0)" } ?? "")")
    }

    private static func shown(_ property: Property, at data: UnsafeRawPointer) -> String {
        guard !property.row.type.isCoreFoundation else { return "an object" }
        do throws(ResultCode) { return shown(property, try PropertyValue(property.row.type, at: data)) } catch { return "?" }
    }

    private static func shown(_ property: Property, _ value: PropertyValue) -> String {
        switch value {
        case .uint32(let number): Naming.value(number, of: property)
        case .float32(let number): "\(number)"
        case .float64(let number): "\(number)"
        default: "an object"
        }
    }
}
