// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats

/// The properties of units, by the numbers of `kAudioUnitProperty_…` and `kAudioOutputUnitProperty_…`.
public enum UnitProperty: UInt32, CaseIterable, Sendable {
    case makeConnection = 1
    case sampleRate = 2
    case parameterList = 3
    case parameterInfo = 4
    case cpuLoad = 6
    case streamFormat = 8
    case elementCount = 11
    case latency = 12
    case supportedNumChannels = 13
    case maximumFramesPerSlice = 14
    case audioChannelLayout = 19
    case tailTime = 20
    case lastRenderError = 22
    case setRenderCallback = 23
    case renderQuality = 26
    case hostCallbacks = 27
    case inPlaceProcessing = 29
    case offlineRender = 37
    case presentationLatency = 40
    case shouldAllocateBuffer = 51
    case isInterAppConnected = 101
    case isRunning = 2001
    case channelMap = 2002
    case enableIO = 2003
    case startTime = 2004
    case setInputCallback = 2005
    case hasIO = 2006
    case startTimestampsAtZero = 2007
    case bypassVoiceProcessing = 2100
    case voiceProcessingEnableAGC = 2101
    case duckNonVoiceAudio = 2102
    case voiceProcessingQuality = 2103
    case muteOutput = 2104
    case matrixLevels = 3006
    case meteringMode = 3007
    case sampleRateConverterComplexity = 3014
    case scheduleAudioSlice = 3300
    case scheduleStartTimeStamp = 3301
    case currentPlayTime = 3302
    case scheduledFileIDs = 3310
    case scheduledFileRegion = 3311
    case scheduledFilePrime = 3312
}

/// `kAudioUnitSampleRateConverterComplexity_…`
enum RateComplexity: UInt32 {
    case linear = 0x6C69_6E65  // 'line'
    case normal = 0x6E6F_726D  // 'norm'
    case mastering = 0x6261_7473  // 'bats'
}

/// A property: the units that have it, its scopes, its size, and when it can be set.
struct UnitPropertyRow: Sendable {
    enum Elements: Sendable {
        /// The global scope.
        case global
        /// The input and the output scope.
        case sides
        /// Every scope.
        case anywhere
        /// The input scope.
        case inputs
        /// The scope and element that enable a direction of an I/O unit.
        case directions
    }
    enum Size: Equatable, Sendable {
        case bytes(Int)
        static func of<Value>(_ type: Value.Type) -> Size { .bytes(MemoryLayout<Value>.size) }
        /// A structure. A set accepts a larger size, and from `least` on a smaller one.
        case structure(Int, least: Int)
        static func structure<Value>(_ type: Value.Type, least: Int = MemoryLayout<Value>.size) -> Size {
            .structure(MemoryLayout<Value>.size, least: least)
        }
        /// A number of values of this size: no map of channels needs more than 64.
        case array(of: Int, most: Int = 64)
        /// At least this number of bytes.
        case atLeast(Int)
    }
    enum Access: Sendable {
        case read, write, readWrite
        /// Can be set only while the unit is not initialized.
        case readWriteBefore
    }

    let property: UnitProperty
    let name: StaticString
    let kinds: UnitKinds
    let elements: Elements
    let size: Size
    let access: Access

    static func of(_ property: UnitProperty) -> UnitPropertyRow? { table.first { $0.property == property } }

    /// The table. `Unit.value` reads the values, and `Unit.set` writes them.
    static let table: [UnitPropertyRow] = [
        .init(.makeConnection, "MakeConnection", .fed, .anywhere, .structure(AudioUnitConnection.self), .write),
        .init(.sampleRate, "SampleRate", .all, .anywhere, .bytes(8), .readWrite),
        .init(.parameterList, "ParameterList", .all, .anywhere, .array(of: 4), .read),
        .init(.parameterInfo, "ParameterInfo", .all, .anywhere, .of(AudioUnitParameterInfo.self), .read),
        .init(.cpuLoad, "CPULoad", .all, .global, .bytes(4), .read),
        // Programs may leave out mReserved, the last member.
        .init(
            .streamFormat, "StreamFormat", .all, .sides,
            .structure(AudioStreamBasicDescription.self, least: StreamDescription.byteCount - 4), .readWrite),
        .init(.elementCount, "ElementCount", .all, .anywhere, .bytes(4), .readWriteBefore),
        .init(.latency, "Latency", .all, .global, .bytes(8), .read),
        .init(.supportedNumChannels, "SupportedNumChannels", .all, .global, .array(of: 4), .read),
        .init(.maximumFramesPerSlice, "MaximumFramesPerSlice", .all, .anywhere, .bytes(4), .readWriteBefore),
        .init(.audioChannelLayout, "AudioChannelLayout", .all, .sides, .atLeast(12), .readWrite),
        .init(.tailTime, "TailTime", .all, .global, .bytes(8), .read),
        .init(.lastRenderError, "LastRenderError", .all, .global, .bytes(4), .read),
        .init(.setRenderCallback, "SetRenderCallback", .fed, .anywhere, .structure(AURenderCallbackStruct.self), .readWrite),
        .init(.renderQuality, "RenderQuality", .all, .anywhere, .bytes(4), .readWrite),
        .init(.hostCallbacks, "HostCallbacks", .all, .global, .structure(HostCallbackInfo.self), .write),
        .init(.inPlaceProcessing, "InPlaceProcessing", .all, .anywhere, .bytes(4), .readWrite),
        .init(.offlineRender, "OfflineRender", .pulled, .global, .bytes(4), .readWrite),
        .init(.presentationLatency, "PresentationLatency", .all, .anywhere, .bytes(8), .write),
        .init(.shouldAllocateBuffer, "ShouldAllocateBuffer", .all, .anywhere, .bytes(4), .readWrite),
        .init(.isInterAppConnected, "IsInterAppConnected", .output, .global, .bytes(4), .read),
        .init(.isRunning, "IsRunning", .output, .anywhere, .bytes(4), .read),
        .init(.channelMap, "ChannelMap", .mapped, .sides, .array(of: 4), .readWrite),
        .init(.enableIO, "EnableIO", .io, .directions, .bytes(4), .readWriteBefore),
        .init(.startTime, "StartTime", .io, .anywhere, .of(AudioOutputUnitStartAtTimeParams.self), .write),
        .init(.setInputCallback, "SetInputCallback", .io, .anywhere, .structure(AURenderCallbackStruct.self), .readWrite),
        .init(.hasIO, "HasIO", .io, .directions, .bytes(4), .read),
        .init(.startTimestampsAtZero, "StartTimestampsAtZero", .mapped, .anywhere, .bytes(4), .readWrite),
        .init(.bypassVoiceProcessing, "BypassVoiceProcessing", .voice, .anywhere, .bytes(4), .readWrite),
        .init(.voiceProcessingEnableAGC, "VoiceProcessingEnableAGC", .voice, .anywhere, .bytes(4), .readWrite),
        .init(.duckNonVoiceAudio, "DuckNonVoiceAudio", .voice, .anywhere, .bytes(4), .readWrite),
        .init(.voiceProcessingQuality, "VoiceProcessingQuality", .voice, .anywhere, .bytes(4), .readWrite),
        .init(.muteOutput, "MuteOutput", .voice, .anywhere, .bytes(4), .readWrite),
        .init(.matrixLevels, "MatrixLevels", .mixer, .inputs, .array(of: 4), .readWrite),
        .init(.meteringMode, "MeteringMode", .mixer, .sides, .bytes(4), .readWrite),
        .init(
            .sampleRateConverterComplexity, "SampleRateConverterComplexity", .pulled, .anywhere, .bytes(4), .readWrite),
        .init(
            .scheduleAudioSlice, "ScheduleAudioSlice", .players, .global, .structure(ScheduledAudioSlice.self), .write),
        .init(
            .scheduleStartTimeStamp, "ScheduleStartTimeStamp", .players, .global, .structure(AudioTimeStamp.self), .readWrite),
        .init(.currentPlayTime, "CurrentPlayTime", .players, .global, .of(AudioTimeStamp.self), .read),
        .init(
            .scheduledFileIDs, "ScheduledFileIDs", .filePlayer, .global,
            // A program schedules each piece of a long list.
            .array(of: MemoryLayout<OpaquePointer>.size, most: 65_536), .readWrite),
        .init(
            .scheduledFileRegion, "ScheduledFileRegion", .filePlayer, .global, .structure(ScheduledAudioFileRegion.self), .write),
        .init(.scheduledFilePrime, "ScheduledFilePrime", .filePlayer, .global, .bytes(4), .write),
    ]

    private init(
        _ property: UnitProperty, _ name: StaticString, _ kinds: UnitKinds, _ elements: Elements, _ size: Size, _ access: Access
    ) {
        self.property = property
        self.name = name
        self.kinds = kinds
        self.elements = elements
        self.size = size
        self.access = access
    }
}

extension UnitKind {
    /// The row of a property, with its scope and element, checked in this order: property, scope, element.
    func locate(
        _ id: UInt32, _ scope: UInt32, _ element: UInt32, inputs: Int
    ) throws(UnitError) -> (row: UnitPropertyRow, scopeElement: ScopeElement) {
        guard let property = UnitProperty(rawValue: id) else { throw .invalidProperty }
        guard let row = UnitPropertyRow.of(property), row.kinds.contains(set) else { throw .invalidProperty }
        guard let scope = Scope(rawValue: scope) else { throw .invalidScope }
        let scopeElement = ScopeElement(scope, element)
        switch row.elements {
        case .global where scope != .global: throw .invalidScope
        case .sides where scope == .global: throw .invalidScope
        case .inputs where scope != .input: throw .invalidScope
        case .directions:
            guard scope != .global else { throw .invalidScope }
            guard side(scopeElement)?.isHardware == true else { throw .invalidElement }
        // The element of a parameter's information is the identifier of the parameter.
        case .anywhere where property == .parameterInfo: break
        // A player has no input, and states so.
        case .anywhere where property == .elementCount && isPlayer && element == 0: break
        // Programs use element 1 of the global scope of an I/O unit for its callbacks.
        case .anywhere:
            guard element < (isIO ? 2 : elements(of: scope, inputs: inputs)) else { throw .invalidElement }
        default:
            guard element < elements(of: scope, inputs: inputs) else { throw .invalidElement }
        }
        return (row, scopeElement)
    }
}

extension UnitProperty {
    /// The number of bytes of the type; nil for an array.
    public var size: Int? {
        switch UnitPropertyRow.of(self)?.size {
        case .bytes(let count), .structure(let count, _): count
        default: nil
        }
    }

    /// The name of the constant.
    public var constantName: String {
        guard let row = UnitPropertyRow.of(self) else { return "\(rawValue)" }
        switch rawValue {
        case 2000..<2100: return "kAudioOutputUnitProperty_\(row.name)"
        case 2100..<2200: return "kAUVoiceIOProperty_\(row.name)"
        default: return "kAudioUnitProperty_\(row.name)"
        }
    }
}
