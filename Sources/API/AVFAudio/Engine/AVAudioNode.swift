// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation
internal import LinuxSystem

/// Receives copies of the frames of a bus, on a thread of the library.
public typealias AVAudioNodeTapBlock = (_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) -> Void
public typealias AVAudioNodeCompletionHandler = () -> Void

/// A part of an engine: it produces, changes or consumes sound.
open class AVAudioNode: NSObject, @unchecked Sendable {
    /// The unit of the node; nil for the nodes of the hardware, and when the unit could not be made.
    final let engineUnit: EngineUnit?
    final let outputs: [NodeOutput]
    final weak var owner: AVAudioEngine?
    /// The volume and pan of a source (`AVAudioMixing`). Other nodes do not use them.
    final var mixing = MixingValues()
    private let lock = Lock()
    private var guarded = Guarded()

    /// The tap of each output bus. Held during a render that uses a former tap.
    private let tapLock = NSLock()
    private var taps: [Int: NodeTap] = [:]
    /// Buses whose format the tap has fixed: no program or connection has stated one. Guarded by `tapLock`.
    private var fixedByTap: Set<Int> = []

    /// The formats that the program or a connection has set. Any thread reads them.
    private struct Guarded {
        var outputFormats: [Int: AVAudioFormat] = [:]
        var inputFormats: [Int: AVAudioFormat] = [:]
    }

    final var outputFormats: [Int: AVAudioFormat] {
        get { lock.withLock { guarded.outputFormats } }
        set { lock.withLock { guarded.outputFormats = newValue } }
    }
    final var inputFormats: [Int: AVAudioFormat] {
        get { lock.withLock { guarded.inputFormats } }
        set { lock.withLock { guarded.inputFormats = newValue } }
    }

    init(_ unit: EngineUnit?, _ outputs: [NodeOutput]) {
        engineUnit = unit
        self.outputs = outputs
        super.init()
    }

    /// A node with one output bus, which is that of its unit.
    convenience init(rendering unit: EngineUnit?) {
        self.init(unit, unit.map { [UnitOutput($0)] } ?? [])
    }

    deinit { for tap in taps.values { tap.end() } }

    /// Makes a unit; nil, with a message in the log, when that is not possible.
    static func makeUnit(_ node: String, _ make: () throws -> EngineUnit) -> EngineUnit? {
        do { return try make() } catch {
            AudioCallError.refuse("\(node): \(error.localizedDescription)")
            return nil
        }
    }

    // MARK: Buses

    /// The engine to which the node is attached.
    public final var engine: AVAudioEngine? { owner }

    public var numberOfInputs: Int { 0 }
    public var numberOfOutputs: Int { outputs.count }

    /// Nil: buses have no names.
    public final func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }
    public final func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }

    public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { inputFormats[bus] ?? defaultFormat }
    public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormats[bus] ?? defaultFormat }

    final var defaultFormat: AVAudioFormat { owner?.defaultFormat ?? AVAudioFormat.standard44100 }

    // MARK: The engine

    /// The format of the frames that the node produces. Throws where its unit cannot produce it.
    func setOutputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try engineUnit?.setFormat(format, kAudioUnitScope_Output, UInt32(bus))
        outputFormats[bus] = format
    }

    func setInputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try engineUnit?.setFormat(format, kAudioUnitScope_Input, UInt32(bus))
        inputFormats[bus] = format
    }

    /// After a connection that was refused.
    final func restoreOutputFormat(_ format: AVAudioFormat?, _ bus: Int) {
        guard format != outputFormats[bus] else { return }
        if let format { try? setOutputFormat(format, bus) } else { outputFormats[bus] = nil }
    }

    final func restoreInputFormat(_ format: AVAudioFormat?, _ bus: Int) {
        guard format != inputFormats[bus] else { return }
        if let format { try? setInputFormat(format, bus) } else { inputFormats[bus] = nil }
    }

    func setSource(_ source: NodeOutput?, _ bus: Int) throws {
        try engineUnit?.setSource(source, input: UInt32(bus))
    }

    /// The engine starts or stops.
    func engineStarted() {}
    func engineStopped() {}

    /// An input bus that has no source; nil when all have one.
    func freeInput(_ used: Set<Int>) -> Int? { (0..<numberOfInputs).first { !used.contains($0) } }

    // MARK: Taps

    /// Copies the frames of a bus for the program, in buffers of `bufferSize` frames. With a format, a bus without a connection
    /// gets this format. Another tap on the bus, or a format that differs from that of a connection, is refused with a message in the
    /// log.
    public final func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        guard outputs.indices.contains(bus) else { return AudioCallError.refuse("installTap: the node has no bus \(bus)") }
        let isFixed = outputFormats[bus] == nil && format == nil
        do {
            if let format, format != outputFormat(forBus: bus) {
                guard owner?.isConnected(self, bus) != true else {
                    return AudioCallError.refuse("installTap: the format is not that of the bus, which is connected")
                }
                try setOutputFormat(format, bus)
            } else if outputFormats[bus] == nil {
                try setOutputFormat(outputFormat(forBus: bus), bus)
            }
        } catch { return AudioCallError.refuse("installTap: \(error.localizedDescription)") }
        guard let tap = NodeTap(outputFormat(forBus: bus), size: Int(bufferSize), owner?.io, tapBlock), tap.start() else {
            return AudioCallError.refuse("installTap: the format is not linear PCM, the size is 0, or there is no thread left")
        }
        let isFirst = tapLock.withLock { () -> Bool in
            guard taps[bus] == nil else { return false }
            taps[bus] = tap
            if isFixed { fixedByTap.insert(bus) }
            outputs[bus].tap.exchangeWaiting(tap)
            return true
        }
        guard isFirst else {
            tap.end()
            return AudioCallError.refuse("installTap: the bus has a tap: remove it before")
        }
        owner?.tapsChanged()
    }

    /// Ends the tap of a bus. Its block is not called after the return, unless the block makes this call.
    public final func removeTap(onBus bus: AVAudioNodeBus) {
        let (tap, isFixed) = tapLock.withLock { () -> (NodeTap?, Bool) in
            guard let tap = taps.removeValue(forKey: bus) else { return (nil, false) }
            tap.stopWaiting()
            // Waits until the rendering thread no longer uses the tap.
            outputs[bus].tap.exchangeWaiting(nil)
            return (tap, fixedByTap.remove(bus) != nil)
        }
        tap?.end()
        // The format follows the hardware again.
        if isFixed, owner?.isConnected(self, bus) != true { outputFormats[bus] = nil }
    }

    // MARK: Time

    /// The time of the last render; nil while the engine does not run.
    public var lastRenderTime: AVAudioTime? {
        guard let owner, owner.isRunning, let output = outputs.first, let last = output.clock.last else { return nil }
        var time = last.time
        return AVAudioTime(audioTimeStamp: &time, sampleRate: outputFormat(forBus: 0).sampleRate)
    }

    /// The delay of the node in seconds.
    public var latency: TimeInterval {
        (try? engineUnit?.get(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, 0.0)) ?? 0
    }

    /// The delay from the node to the output of the hardware, in seconds.
    public var outputPresentationLatency: TimeInterval { owner?.presentationLatency ?? 0 }

    /// Drops the sound in the node.
    open func reset() { engineUnit?.reset() }
}

extension AVAudioFormat {
    /// The format of units that nothing else determines.
    static var standard44100: AVAudioFormat { .standard(44_100, 2) }

    /// Floats, not interleaved.
    static func standard(_ rate: Double, _ channels: UInt32) -> AVAudioFormat {
        let description = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, mBytesPerPacket: 4,
            mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
        return AVAudioFormat(description, nil)
    }
}
