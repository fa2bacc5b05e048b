import AudioSession
import CAudioToolbox
import LinuxSystem
import SessionModel

/// With `AUDIOSESSION_DEBUG` set, every call of the program and every listener it hears from, with
/// names for numbers, the result, and for an error the likely mistake.
enum CallLog {
    static func initialize(hasListener: Bool, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        write("AudioSessionInitialize(\(hasListener ? "listener" : "no listener"))", status, Mistake.inCall(status))
    }

    static func setActive(_ active: UInt8, flags: UInt32?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        let on = active != 0 ? "true" : "false"
        let session = status == 0 ? nil : ProcessSession.ofLog
        let mistake = Mistake.inSetActive(
            active != 0, duringCallOf: session?.caller, serverIsAlive: session?.known.hardware.serverIsAlive ?? true, status)
        if let flags {
            let notifies = flags & UInt32(kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation) != 0
            let shown = notifies ? "NotifyOthersOnDeactivation" : "\(flags)"
            write("AudioSessionSetActiveWithFlags(\(on), \(shown))", status, mistake)
        } else {
            write("AudioSessionSetActive(\(on))", status, mistake)
        }
    }

    static func get(_ id: UInt32, size: UInt32?, _ data: UnsafeMutableRawPointer?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        var call = "AudioSessionGetProperty(\(Naming.property(id)), \(size.map { "\($0)" } ?? "NULL"))"
        if status == 0, let data, let property = Property(rawValue: id) { call += " -> \(shown(property, at: data))" }
        write(call, status, Mistake.inGet(id, size: size, hasData: data != nil, status))
    }

    static func set(_ id: UInt32, size: UInt32, _ data: UnsafeRawPointer?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        var text = data == nil ? "NULL" : "?"
        var value: PropertyValue?
        if let data, let property = Property(rawValue: id), size == property.row.type.size {
            text = shown(property, at: data)
            if !property.row.type.isCoreFoundation { value = read(property, at: data) }
        }
        write(
            "AudioSessionSetProperty(\(Naming.property(id)), \(size), \(text))", status,
            Mistake.inSet(id, size: size, hasData: data != nil, value, in: ProcessSession.ofLog?.known, status))
    }

    static func getSize(_ id: UInt32, _ size: UnsafeMutablePointer<UInt32>?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        let answer = status == 0 ? size.map { " -> \($0.pointee)" } ?? "" : ""
        let mistake =
            status == ResultCode.parameter.rawValue
            ? Mistake.missing([("outDataSize", size != nil)]) : Mistake.inProperty(id, status)
        write("AudioSessionGetPropertySize(\(Naming.property(id)))\(answer)", status, mistake)
    }

    static func listener(_ function: StaticString, _ id: UInt32, hasProcedure: Bool, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        write("\(function)(\(Naming.property(id)))", status, Mistake.inListener(id, hasProcedure: hasProcedure, status))
    }

    static func linux(_ call: @autoclosure () -> String, _ status: OSStatus, _ mistake: @autoclosure () -> String? = nil) {
        guard Log.isEnabled else { return }
        write(call(), status, mistake() ?? Mistake.inCall(status))
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

    private static func write(_ call: String, _ status: OSStatus, _ mistake: String?) {
        Log.line("\(call) = \(Naming.status(status))\(mistake.map { ": \($0)" } ?? "")")
    }

    private static func shown(_ property: Property, at data: UnsafeRawPointer) -> String {
        guard !property.row.type.isCoreFoundation else { return "an object" }
        return read(property, at: data).map { shown(property, $0) } ?? "?"
    }

    private static func read(_ property: Property, at data: UnsafeRawPointer) -> PropertyValue? {
        do throws(ResultCode) { return try PropertyValue(property.row.type, at: data) } catch { return nil }
    }

    private static func shown(_ property: Property, _ value: PropertyValue) -> String {
        switch value {
        case .uint32(let number): Naming.value(number, of: property)
        case .float32(let number): Number.text(number)
        case .float64(let number): Number.text(number)
        default: "an object"
        }
    }
}
