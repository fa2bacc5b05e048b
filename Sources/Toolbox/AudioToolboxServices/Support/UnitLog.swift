// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioUnits
import CAudioToolbox
import LinuxSystem
import MediaFormats

/// With `AUDIOSESSION_DEBUG` set: logs the calls of units with names for numbers, the result, and for an error the likely
/// mistake. Each function returns the result.
enum UnitLog {
    static func call(_ function: StaticString, _ unit: AudioUnit?, _ status: OSStatus) -> OSStatus {
        guard Log.isEnabled else { return status }
        return instance(function, ProcessUnits.context.table.object(unit), status)
    }

    /// Logs a start. A unit without a source is silent.
    static func start(_ unit: Unit, _ status: OSStatus) -> OSStatus {
        guard Log.isEnabled else { return status }
        return write(
            "AudioOutputUnitStart", unit, "", status,
            hint: unit.isWithoutSource
                ? "the output is silent without a render callback: set one, or set EnableIO to 0 in Output 0" : nil)
    }

    /// Logs a stop. A stop in a callback returns before the callback has ended.
    static func stop(_ unit: AudioUnit?, _ status: OSStatus) -> OSStatus {
        guard Log.isEnabled else { return status }
        let unit = ProcessUnits.context.table.object(unit)
        let isInside = status == 0 && unit?.isRendering ?? false
        return write(
            "AudioOutputUnitStop", unit, "", status,
            hint: isInside
                ? "in a callback of the unit: it returns at once, and this callback is the last one" : unit.flatMap(failures))
    }

    /// The audio thread writes no log.
    private static func failures(_ unit: Unit) -> String? {
        let (count, status) = unit.failedRenders
        guard count > 0 else { return nil }
        let source = status == UnitError.noConnection.rawValue ? "no render callback was set" : "the callback or a source failed"
        return "\(count) renders were silent: \(source), at last with \(text(status: status))"
    }

    static func instance(_ function: StaticString, _ unit: Unit?, _ status: OSStatus) -> OSStatus {
        guard Log.isEnabled else { return status }
        return write(function, unit, "", status)
    }

    /// `AudioComponentFindNext`: no component has the description `wanted`. It is nil if the program passed NULL.
    static func foundNothing(_ wanted: ComponentDescription?) {
        guard Log.isEnabled else { return }
        guard let wanted else { return Log.debug("AudioComponentFindNext(NULL) = NULL: the description is NULL") }
        let codes = [wanted.type, wanted.subtype, wanted.manufacturer].map { $0 == 0 ? "any" : FourCC.text($0) }
        Log.debug(
            "AudioComponentFindNext(\(codes[0]), \(codes[1]), \(codes[2])) = NULL: there is no such component; \(remedy(wanted))")
    }

    private static func remedy(_ wanted: ComponentDescription) -> String {
        switch wanted.subtype {
        case UInt32(kAudioUnitSubType_DefaultOutput), UInt32(kAudioUnitSubType_HALOutput), UInt32(kAudioUnitSubType_SystemOutput):
            "only a Mac has it: use kAudioUnitSubType_RemoteIO ('rioc')"
        default:
            "the components are 'auou' 'rioc', 'auou' 'vpio', 'auou' 'genr', 'aufc' 'conv', 'aufc' 'vari', 'aufc' 'nutp',"
                + " 'aumx' 'mcmx', 'augn' 'sspl' and 'augn' 'afpl', all of 'appl'"
        }
    }

    /// `AudioComponentInstanceNew`.
    static func made(_ unit: Unit?, of component: AudioComponent?, isWritten: Bool, _ status: OSStatus) -> OSStatus {
        guard Log.isEnabled else { return status }
        let diagnosis: String? =
            if !isWritten {
                "the pointer to the instance is NULL"
            } else if let component {
                Components.index(of: component) == nil ? "the pointer is no component" : mistake(status)
            } else {
                "the component is NULL: AudioComponentFindNext has found none"
            }
        return write("AudioComponentInstanceNew", unit, "", status, diagnosis ?? "the unit cannot be made")
    }

    static func property(
        _ function: StaticString, _ unit: AudioUnit?, _ id: UInt32, _ scope: UInt32?, _ element: UInt32?, _ status: OSStatus
    ) -> OSStatus {
        guard Log.isEnabled else { return status }
        let address = scope.map { ", \(text(scope: $0)), \(element ?? 0)" } ?? ""
        return write(function, ProcessUnits.context.table.object(unit), ", \(text(property: id))\(address)", status)
    }

    /// Logs the failure of a function that audio threads may call. It does not log on an audio thread.
    @inline(__always)
    static func failure(
        _ function: StaticString, _ unit: AudioUnit?, _ status: OSStatus, _ arguments: @autoclosure () -> String
    ) -> OSStatus {
        guard status != 0, Log.isEnabled, !ProcessUnits.context.isRendering else { return status }
        return write(function, ProcessUnits.context.table.object(unit), arguments(), status)
    }

    static func parameter(
        _ function: StaticString, _ unit: AudioUnit?, _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ status: OSStatus
    ) -> OSStatus {
        failure(function, unit, status, ", \(id), \(text(scope: scope)), \(element)")
    }

    static func set(
        _ unit: AudioUnit?, _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32,
        _ status: OSStatus
    ) -> OSStatus {
        guard Log.isEnabled else { return status }
        return write(
            "AudioUnitSetProperty", ProcessUnits.context.table.object(unit),
            ", \(text(property: id)), \(text(scope: scope)), \(element), \(value(of: id, data, size))", status,
            diagnosis(UnitProperty(rawValue: id), data, size, status),
            hint: isUnsigned(id, data, size) ? ToolboxLog.unsigned : nil)
    }

    // MARK: Texts

    /// `diagnosis` replaces the text of the likely mistake.
    private static func write(
        _ function: StaticString, _ unit: Unit?, _ arguments: String, _ status: OSStatus, _ diagnosis: String? = nil,
        hint: String? = nil
    ) -> OSStatus {
        let why = status == 0 ? hint : diagnosis ?? (unit == nil ? "the pointer is no unit" : mistake(status))
        Log.call("\(function)(\(name(unit))\(arguments))", text(status: status), why)
        return status
    }

    private static func name(_ unit: Unit?) -> String { unit.map { "\($0.kind.name)" } ?? "?" }

    /// The least size of a format, without mReserved.
    private static let formatSize = UInt32(StreamDescription.byteCount - 4)

    /// A format or a number, or the size of any other value.
    private static func value(of id: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32) -> String {
        guard let data else { return "NULL, \(size) bytes" }
        if UnitProperty(rawValue: id) == .streamFormat, size >= formatSize {
            return StreamDescription(at: data).name
        }
        return size == 4 ? "\(data.loadUnaligned(as: UInt32.self))" : "\(size) bytes"
    }

    private static func text(property: UInt32) -> String { UnitProperty(rawValue: property)?.constantName ?? "\(property)" }

    private static func text(scope: UInt32) -> String {
        switch Scope(rawValue: scope) {
        case .global: "Global"
        case .input: "Input"
        case .output: "Output"
        case nil: "scope \(scope)"
        }
    }

    static func text(status: OSStatus) -> String {
        guard status != 0 else { return "0" }
        if let error = UnitError(rawValue: status) { return "\(error.constantName) (\(status))" }
        return ToolboxLog.text(status, in: ToolboxLog.allResults)
    }

    // MARK: Likely mistakes

    /// The mistake in the value, the scope or the element of a property.
    private static func diagnosis(
        _ property: UnitProperty?, _ data: UnsafeRawPointer?, _ size: UInt32, _ status: OSStatus
    ) -> String? {
        switch UnitError(rawValue: status) {
        case .formatNotSupported: contradiction(data, size)
        case .invalidPropertyValue where data == nil: "the pointer is NULL"
        case .invalidPropertyValue where property?.size ?? Int(size) != Int(size):
            "the size is \(size) bytes, and the type has \(property?.size ?? 0)"
        case .invalidProperty where property == nil: "no unit has a property of this number"
        case .invalidProperty: "a unit of this kind has no such property"
        case .invalidElement where property == .enableIO, .invalidScope where property == .enableIO:
            "EnableIO is set in Output 0 for playing, and in Input 1 for recording"
        default: nil
        }
    }

    private static func mistake(_ status: OSStatus) -> String? {
        guard let error = UnitError(rawValue: status) else {
            return "the session refuses; AudioSessionSetActive gives the same result"
        }
        switch error {
        case .uninitialized: return "AudioUnitInitialize comes first"
        case .initialized: return "this is set before AudioUnitInitialize, or after AudioUnitUninitialize"
        case .propertyNotWritable:
            return "the hardware's side is read only, and so are the ends of a connection of initialized units"
        case .invalidPropertyValue: return "the size is not that of the type, the pointer is NULL, or the value is not possible"
        case .invalidProperty: return "a unit of this kind has no such property, or it cannot be read"
        case .failedInitialization: return "the engine has no stream for these directions, or there is no memory"
        case .invalidScope: return "this exists in other scopes only"
        case .invalidElement: return "the scope has no such element: see kAudioUnitProperty_ElementCount"
        case .invalidParameter: return "the unit has no such parameter, or the value is not a finite number"
        case .invalidFile: return "the pointer is no audio file that is open"
        case .fileNotSpecified: return "kAudioUnitProperty_ScheduledFileIDs comes first, with this file"
        case .tooManyFrames: return "a render has at most kAudioUnitProperty_MaximumFramesPerSlice frames"
        case .noConnection: return "the input has neither a callback nor a connection, or EnableIO is 0 in Input 1"
        case .parameter: return "an argument is NULL, or the buffers do not fit the format and the frames"
        case .cannotDoInCurrentContext: return "input is rendered in a callback of the unit only"
        default: return nil
        }
    }

    private static func isUnsigned(_ id: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32) -> Bool {
        guard let data, UnitProperty(rawValue: id) == .streamFormat, size >= formatSize else { return false }
        return ToolboxLog.isUnsigned(StreamDescription(at: data))
    }

    /// The fields of a format that contradict each other.
    private static func contradiction(_ data: UnsafeRawPointer?, _ size: UInt32) -> String? {
        guard let data, size >= formatSize else { return nil }
        let description = StreamDescription(at: data)
        do throws(PCMFormatError) {
            _ = try PCMFormat(description, defaultRate: 44_100)
            return "mSampleRate is not in 4,000 to 192,000"
        } catch {
            return wrongSize(description, error) ?? "\(error.text)"
        }
    }

    /// Names the size that does not fit the samples: mBytesPerFrame or mBytesPerPacket.
    private static func wrongSize(_ format: StreamDescription, _ error: PCMFormatError) -> String? {
        guard error == .packetSize else { return nil }
        let channels = format.formatFlags.contains(.nonInterleaved) ? 1 : format.channelsPerFrame
        let (bytes, overflows) = channels.multipliedReportingOverflow(by: format.bitsPerChannel / 8)
        guard !overflows, bytes > 0 else { return nil }
        let (frame, packet) = (format.bytesPerFrame, format.bytesPerPacket)
        if packet == bytes { return "mBytesPerFrame is \(frame), and the samples of a frame have \(bytes) bytes" }
        if frame == bytes { return "mBytesPerPacket is \(packet), and a packet of linear PCM is a frame of \(bytes) bytes" }
        return nil
    }
}

extension UnitError {
    /// The name of the constant in the headers.
    var constantName: StaticString {
        switch self {
        case .invalidProperty: "kAudioUnitErr_InvalidProperty"
        case .invalidParameter: "kAudioUnitErr_InvalidParameter"
        case .invalidElement: "kAudioUnitErr_InvalidElement"
        case .noConnection: "kAudioUnitErr_NoConnection"
        case .failedInitialization: "kAudioUnitErr_FailedInitialization"
        case .tooManyFrames: "kAudioUnitErr_TooManyFramesToProcess"
        case .invalidFile: "kAudioUnitErr_InvalidFile"
        case .fileNotSpecified: "kAudioUnitErr_FileNotSpecified"
        case .formatNotSupported: "kAudioUnitErr_FormatNotSupported"
        case .uninitialized: "kAudioUnitErr_Uninitialized"
        case .invalidScope: "kAudioUnitErr_InvalidScope"
        case .propertyNotWritable: "kAudioUnitErr_PropertyNotWritable"
        case .cannotDoInCurrentContext: "kAudioUnitErr_CannotDoInCurrentContext"
        case .invalidPropertyValue: "kAudioUnitErr_InvalidPropertyValue"
        case .initialized: "kAudioUnitErr_Initialized"
        case .tooManyInstances: "kAudioComponentErr_TooManyInstances"
        case .memoryFull: "kAudio_MemFullError"
        case .parameter: "kAudio_ParamError"
        case .unimplemented: "kAudio_UnimplementedError"
        }
    }
}
