// SPDX-License-Identifier: Apache-2.0
import CStatusPage
import LinuxSystem
public import StatusPages

/// A unit, a queue or a graph of a process. The numbers are read from the page of another process and can have any value.
public struct SoundObject: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The subtype of a component.
        case unit(UInt32)
        case outputQueue, inputQueue, graph
    }

    public enum State: Equatable, Sendable {
        case running, paused, stopping, stopped
        /// A graph that does not run.
        case initialized, open, closed
    }

    public struct Format: Equatable, Sendable {
        public let rate: Double
        let id: UInt32
        let flags: UInt32
        let channels: UInt32
        let bits: UInt32

        /// The fields of a stream description.
        public init(rate: Double, id: UInt32, flags: UInt32, channels: UInt32, bits: UInt32) {
            self.rate = rate.isFinite ? min(max(rate, 0), 1e7) : 0
            (self.id, self.flags, self.channels, self.bits) = (id, flags, channels, bits)
        }
    }

    public let process: Int32
    public let program: String
    /// The index of the slot on the page of the process.
    public let slot: Int
    public let kind: Kind
    public let state: State
    /// The format on the side of the program.
    public let output: Format?
    public let input: Format?
    public let slice: UInt32
    public let starts: UInt32
    /// The part of the slice that the callback takes, 0 to 1. Nil if no thread calls it.
    public let load: Float?
    public let isRealtime: Bool
    public let underruns: UInt64
    public let overruns: UInt64
    // A queue has these:
    public let buffers: UInt32
    public let seconds: Double
    public let lateCalls: UInt32
    /// The number of a graph in its process. For a unit: the number of its graph; 0 without a graph.
    public let graph: UInt32
    // A graph has these:
    public let nodes: UInt32
    public let connections: UInt32
    public let callbacks: UInt32
    /// The output unit. Nil if the page does not contain it.
    public let outputUnit: Kind?

    /// The counters are those of `carrier`. For a queue this is the slot of the stream that all queues of one direction share;
    /// for a graph, the slot of its output unit.
    init?(_ slot: ProcessStatus.Slot, of status: ProcessStatus, carrier: ProcessStatus.Slot?) {
        let description = slot.description
        guard let kind = Kind(description.kind) else { return nil }
        self.kind = kind
        process = status.process
        program = status.name
        self.slot = slot.index
        state = kind == .graph ? State(graph: description.state, carrier) : State(description.state)
        output = description.state & UInt32(STATUS_HAS_OUTPUT) != 0 ? Format(description.output) : nil
        input = description.state & UInt32(STATUS_HAS_INPUT) != 0 ? Format(description.input) : nil
        starts = description.starts
        let stream = kind.isUnit ? slot.counters : carrier?.counters
        let load = stream.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0.load)) } ?? 0
        let isCalled = stream.map { $0.slice_ns > 0 } ?? false
        self.load = isCalled ? (load.isFinite ? min(max(load, 0), 1) : 0) : nil
        isRealtime = (stream?.is_realtime ?? 0) != 0
        slice = description.slice_frames
        let counters = kind == .graph ? carrier?.counters : slot.counters
        underruns = counters?.underruns ?? 0
        overruns = counters?.overruns ?? 0
        buffers = description.buffers
        seconds = description.queued.isFinite ? min(max(description.queued, 0), 1e9) : 0
        lateCalls = description.late
        graph = description.graph
        (nodes, connections, callbacks) = (description.nodes, description.connections, description.callbacks)
        outputUnit = kind == .graph ? carrier.flatMap { Kind($0.description.kind) } : nil
    }

    /// The units, queues and graphs of the pages.
    public static func all(of pages: [ProcessStatus]) -> [SoundObject] {
        var all: [SoundObject] = []
        for page in pages {
            for slot in page.slots {
                let carrier = page.slots.first { $0.carries(slot) }
                if let object = SoundObject(slot, of: page, carrier: carrier) { all.append(object) }
            }
        }
        return all
    }

    func isSame(as other: SoundObject) -> Bool {
        process == other.process && slot == other.slot && kind == other.kind
    }
}

extension ProcessStatus.Slot {
    fileprivate func carries(_ other: ProcessStatus.Slot) -> Bool {
        switch SoundObject.Kind(other.description.kind) {
        case .outputQueue: description.kind == STATUS_OUTPUT_MIX
        case .inputQueue: description.kind == STATUS_INPUT_MIX
        case .graph:
            description.graph == other.description.graph && SoundObject.Kind.outputUnits.contains(description.kind)
        case .unit, nil: false
        }
    }
}

extension SoundObject.Kind {
    init?(_ code: UInt32) {
        switch code {
        case 0, UInt32(STATUS_OUTPUT_MIX), UInt32(STATUS_INPUT_MIX): return nil
        case UInt32(STATUS_OUTPUT_QUEUE): self = .outputQueue
        case UInt32(STATUS_INPUT_QUEUE): self = .inputQueue
        case UInt32(STATUS_GRAPH): self = .graph
        default: self = .unit(code)
        }
    }

    var isQueue: Bool { self == .outputQueue || self == .inputQueue }
    var isUnit: Bool { self != .graph && !isQueue }

    /// A unit that another unit or the program renders: it is neither started nor stopped.
    var isRendered: Bool {
        guard case .unit(let subtype) = self else { return false }
        return !SoundObject.Kind.outputUnits.contains(subtype)
    }

    /// RemoteIO, VoiceProcessingIO and GenericOutput.
    static let outputUnits: [UInt32] = [FourCC.code("rioc"), FourCC.code("vpio"), FourCC.code("genr")]

    /// The names of the components.
    public var name: String {
        switch self {
        case .outputQueue: "output queue"
        case .inputQueue: "input queue"
        case .graph: "AUGraph"
        case .unit(FourCC.code("rioc")): "RemoteIO"
        case .unit(FourCC.code("vpio")): "VoiceProcessingIO"
        case .unit(FourCC.code("genr")): "GenericOutput"
        case .unit(FourCC.code("conv")): "AUConverter"
        case .unit(FourCC.code("vari")): "Varispeed"
        case .unit(FourCC.code("nutp")): "NewTimePitch"
        case .unit(FourCC.code("mcmx")): "MultiChannelMixer"
        case .unit(FourCC.code("sspl")): "ScheduledSoundPlayer"
        case .unit(FourCC.code("afpl")): "AudioFilePlayer"
        case .unit(let code): "unit " + FourCC.text(code)
        }
    }
}

extension SoundObject.State {
    /// A graph runs while its output unit runs.
    fileprivate init(graph state: UInt32, _ output: ProcessStatus.Slot?) {
        if state & UInt32(STATUS_IS_INITIALIZED) != 0 {
            self = (output?.description.state ?? 0) & UInt32(STATUS_IS_RUNNING) != 0 ? .running : .initialized
        } else {
            self = state & UInt32(STATUS_IS_OPEN) != 0 ? .open : .closed
        }
    }

    init(_ state: UInt32) {
        if state & UInt32(STATUS_IS_STOPPING) != 0 {
            self = .stopping
        } else if state & UInt32(STATUS_IS_RUNNING) != 0 {
            self = .running
        } else {
            self = state & UInt32(STATUS_IS_PAUSED) != 0 ? .paused : .stopped
        }
    }

    public var name: String {
        switch self {
        case .running: "running"
        case .paused: "paused"
        case .stopping: "stopping"
        case .stopped: "stopped"
        case .initialized: "initialized"
        case .open: "open"
        case .closed: "closed"
        }
    }
}

extension SoundObject.Format {
    init(_ format: status_format) {
        self.init(rate: format.rate, id: format.id, flags: format.flags, channels: format.channels, bits: format.bits)
    }

    private static let linearPCM = FourCC.code("lpcm")
    private static let names: [(UInt32, StaticString)] = [
        (FourCC.code("ulaw"), "ulaw"), (FourCC.code("alaw"), "alaw"), (FourCC.code("ima4"), "ima4"), (FourCC.code("aac "), "aac"),
        (FourCC.code("alac"), "alac"),
        // 'ms' and the number of a codec of WAVE files.
        (0x6D73_0002, "ms-adpcm"), (0x6D73_0011, "ima-adpcm"), (0x6D73_0031, "gsm"),
        (FourCC.code("flac"), "flac"), (FourCC.code(".mp1"), "mp1"), (FourCC.code(".mp2"), "mp2"), (FourCC.code(".mp3"), "mp3"),
    ]

    var isInterleaved: Bool { flags & 0x20 == 0 }

    /// "float32", "int16", "fixed8.24", "aac", or the four characters or the number of a format without a name.
    var sample: String {
        for (id, name) in SoundObject.Format.names where id == self.id { return "\(name)" }
        guard id == SoundObject.Format.linearPCM else { return FourCC.text(id, isHexadecimal: true) }
        if flags & 1 != 0 { return "float\(bits)" }
        let fraction = flags >> 7 & 0x3F
        if fraction > 0, fraction <= bits { return "fixed\(bits - fraction).\(fraction)" }
        return (flags & 4 != 0 ? "int" : "uint") + "\(bits)"
    }

    public var text: String {
        "\(Number.text(rate)) Hz, \(channels) ch, \(sample)" + (isInterleaved || channels < 2 ? "" : ", non-interleaved")
    }
}
