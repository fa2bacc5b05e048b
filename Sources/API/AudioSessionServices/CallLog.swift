// SPDX-License-Identifier: Apache-2.0
import AudioSession
import CAudioSessionServices
import LinuxSystem
import SessionModel

/// With `AUDIOSESSION_DEBUG` set: logs each call of the program and each call of a listener, with names for numbers,
/// the result, and for an error the likely mistake.
enum CallLog {
    static func initialize(hasListener: Bool, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        write(
            "AudioSessionInitialize(\(hasListener ? "listener" : "no listener"))", status,
            Diagnostics.inCall(status))
    }

    static func setActive(_ active: UInt8, flags: UInt32?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        let on = active != 0 ? "true" : "false"
        let session = status == 0 ? nil : SessionAPI.ofLog
        let diagnosis = Diagnostics.inSetActive(
            active != 0, duringCallOf: session?.caller,
            serverIsAlive: session?.known.hardware.serverIsAlive ?? true, status)
        if let flags {
            let notifies = flags & UInt32(kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation) != 0
            let shown = notifies ? "NotifyOthersOnDeactivation" : "\(flags)"
            write("AudioSessionSetActiveWithFlags(\(on), \(shown))", status, diagnosis)
        } else {
            write("AudioSessionSetActive(\(on))", status, diagnosis)
        }
    }

    /// `value` is nil for a number; `data` contains the number.
    static func get(
        _ id: UInt32, size: UInt32?, _ data: UnsafeMutableRawPointer?, _ value: PropertyValue?,
        _ status: OSStatus
    ) {
        guard Log.isEnabled else { return }
        var call = "AudioSessionGetProperty(\(Naming.property(id)), \(size.map { "\($0)" } ?? "NULL"))"
        if status == 0, let data, let property = SessionProperty(rawValue: id),
            let value = value ?? read(property, at: data)
        {
            call += " -> \(Naming.value(value, of: property))"
        }
        let state = status == 0 ? nil : SessionAPI.ofLog?.known
        write(call, status, Diagnostics.inGet(id, size: size, hasData: data != nil, in: state, status))
    }

    static func set(_ id: UInt32, size: UInt32, _ data: UnsafeRawPointer?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        var text = data == nil ? "NULL" : "?"
        var value: PropertyValue?
        if let data, let property = SessionProperty(rawValue: id), size == property.row.type.size {
            value = read(property, at: data)
            if let value { text = Naming.value(value, of: property) }
        }
        write(
            "AudioSessionSetProperty(\(Naming.property(id)), \(size), \(text))", status,
            Diagnostics.inSet(
                id, size: size, hasData: data != nil, value, in: SessionAPI.ofLog?.known, status))
    }

    static func getSize(_ id: UInt32, _ size: UnsafeMutablePointer<UInt32>?, _ status: OSStatus) {
        guard Log.isEnabled else { return }
        let answer = status == 0 ? size.map { " -> \($0.pointee)" } ?? "" : ""
        let diagnosis =
            status == ResultCode.parameter.rawValue
            ? Diagnostics.missing([("outDataSize", size != nil)]) : Diagnostics.inProperty(id, status)
        write("AudioSessionGetPropertySize(\(Naming.property(id)))\(answer)", status, diagnosis)
    }

    static func listener(
        _ function: StaticString, _ id: UInt32, hasProcedure: Bool, _ status: OSStatus
    ) {
        guard Log.isEnabled else { return }
        write(
            "\(function)(\(Naming.property(id)))", status,
            Diagnostics.inListener(id, hasProcedure: hasProcedure, status))
    }

    static func linux(
        _ call: @autoclosure () -> String, _ status: OSStatus,
        _ diagnosis: @autoclosure () -> String? = nil
    ) {
        guard Log.isEnabled else { return }
        write(call(), status, diagnosis() ?? Diagnostics.inCall(status))
    }

    static func interruption(_ interruption: Interruption) {
        guard Log.isEnabled else { return }
        switch interruption {
        case .begin: Log.debug("interruption listener: begin")
        case .end(let type):
            Log.debug(
                "interruption listener: end, \(type == .shouldResume ? "should resume" : "should not resume")"
            )
        }
    }

    static func invocation(_ property: SessionProperty, _ event: SessionEvent) {
        guard Log.isEnabled else { return }
        switch event {
        case .interruption, .secondaryAudioHint: return
        case .routeChange(let change):
            Log.debug(
                "property listener: AudioRouteChange, reason \(change.reason.rawValue),"
                    + " \"\(change.oldName.text)\" to \"\(change.newName.text)\"")
        case .propertyChange(_, let value):
            Log.debug("property listener: \(property.row.name) is \(Naming.value(value, of: property))")
        }
    }

    // MARK: Writing

    private static func write(_ call: String, _ status: OSStatus, _ diagnosis: String?) {
        Log.call(call, Naming.status(status), diagnosis)
    }

    private static func read(_ property: SessionProperty, at data: UnsafeRawPointer) -> PropertyValue? {
        do throws(ResultCode) { return try PropertyValue(property.row.type, at: data) } catch {
            return nil
        }
    }
}
