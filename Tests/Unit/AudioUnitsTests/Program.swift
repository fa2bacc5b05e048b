// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import EngineTestSupport

/// A program with a unit. It records the calls of its callbacks.
final class Program: @unchecked Sendable {
    struct Call {
        var time: AudioTimeStamp
        var bus: UInt32
        var frames: UInt32
        var flags: UInt32
        var hasData: Bool
    }

    let engine: FakeEngine
    let context: UnitContext
    let unit: Unit
    /// Fills the list of the render callback.
    var onRender: ((Call, inout UInt32, UnsafeMutablePointer<AudioBufferList>) -> OSStatus)?
    var onInput: ((Call) -> OSStatus)?
    private(set) var renders: [Call] = []
    private(set) var inputs: [Call] = []
    private(set) var notifies: [Call] = []

    convenience init(_ kind: UnitKind = .remoteIO, engine configure: (FakeEngine) -> Void = { _ in }) throws {
        let engine = FakeEngine()
        configure(engine)
        try self.init(kind, on: engine, in: UnitContext(engine: engine))
    }

    init(_ kind: UnitKind, on engine: FakeEngine, in context: UnitContext) throws {
        self.engine = engine
        self.context = context
        unit = try Unit.make(kind, in: context)
    }

    deinit { _ = unit.dispose() }

    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func of(_ reference: UnsafeMutableRawPointer?) -> Program {
        Unmanaged<Program>.fromOpaque(reference!).takeUnretainedValue()
    }

    static let render: AURenderCallback = { reference, flags, time, bus, frames, list in
        let program = Program.of(reference)
        let call = Call(time: time!.pointee, bus: bus, frames: frames, flags: flags!.pointee, hasData: list != nil)
        program.renders.append(call)
        return program.onRender?(call, &flags!.pointee, list!) ?? 0
    }

    static let input: AURenderCallback = { reference, flags, time, bus, frames, list in
        let program = Program.of(reference)
        let call = Call(time: time!.pointee, bus: bus, frames: frames, flags: flags!.pointee, hasData: list != nil)
        program.inputs.append(call)
        return program.onInput?(call) ?? 0
    }

    static let notify: AURenderCallback = { reference, flags, time, bus, frames, list in
        let program = Program.of(reference)
        program.notifies.append(
            Call(time: time!.pointee, bus: bus, frames: frames, flags: flags!.pointee, hasData: list != nil))
        return 0
    }

    // MARK: Calls

    func set<Value>(_ property: UnitProperty, _ scope: Scope, _ element: UInt32, _ value: Value) throws {
        try withUnsafeBytes(of: value) {
            try unit.set(property.rawValue, scope.rawValue, element, $0.baseAddress, UInt32($0.count))
        }
    }

    func get<Value>(_ property: UnitProperty, _ scope: Scope, _ element: UInt32, as type: Value.Type) throws -> Value {
        var size = UInt32(MemoryLayout<Value>.size)
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { memory.deallocate() }
        try unit.get(property.rawValue, scope.rawValue, element, memory, &size)
        return memory.move()
    }

    func setRenderCallback(_ scope: Scope = .input, _ element: UInt32 = 0) throws {
        try set(
            .setRenderCallback, scope, element,
            AURenderCallbackStruct(inputProc: Program.render, inputProcRefCon: reference))
    }

    func setInputCallback(_ scope: Scope = .global, _ element: UInt32 = 0) throws {
        try set(
            .setInputCallback, scope, element, AURenderCallbackStruct(inputProc: Program.input, inputProcRefCon: reference))
    }

    func enableInput(output: Bool = true) throws {
        try set(.enableIO, .input, 1, UInt32(1))
        if !output { try set(.enableIO, .output, 0, UInt32(0)) }
    }

    func setFormat(_ scope: Scope, _ element: UInt32, _ description: AudioStreamBasicDescription) throws {
        try set(.streamFormat, scope, element, description)
    }

    /// Packed native 16-bit samples.
    static func int16(_ rate: Double, channels: UInt32, isInterleaved: Bool = true) -> AudioStreamBasicDescription {
        let size = isInterleaved ? 2 * channels : 2
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: 0x6C70_636D, mFormatFlags: isInterleaved ? 0xC : 0x2C, mBytesPerPacket: size,
            mFramesPerPacket: 1, mBytesPerFrame: size, mChannelsPerFrame: channels, mBitsPerChannel: 16, mReserved: 0xAAAA)
    }

    static func float(_ rate: Double, channels: UInt32, isInterleaved: Bool = true) -> AudioStreamBasicDescription {
        let size = isInterleaved ? 4 * channels : 4
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: 0x6C70_636D, mFormatFlags: isInterleaved ? 0x9 : 0x29, mBytesPerPacket: size,
            mFramesPerPacket: 1, mBytesPerFrame: size, mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
    }

    /// Renders captured frames of a mono or interleaved side as numbers of one type.
    func renderInput<Sample>(_ frames: Int, samples: Int? = nil, as type: Sample.Type) -> (status: OSStatus, samples: [Sample]) {
        var data = [UInt8](repeating: 0, count: (samples ?? frames) * MemoryLayout<Sample>.size)
        let status = data.withUnsafeMutableBytes { bytes in
            var list = AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
            return render(1, frames, &list)
        }
        return (status, data.withUnsafeBytes { Array($0.bindMemory(to: Sample.self)) })
    }

    func render(
        _ bus: UInt32, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>, time: Double = 0, hostTime: UInt64? = nil
    ) -> OSStatus {
        var flags: UInt32 = 0
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = time
        stamp.mFlags = 1
        if let hostTime { (stamp.mHostTime, stamp.mFlags) = (hostTime, 3) }
        return unit.render(flags: &flags, time: &stamp, bus: bus, frames: UInt32(frames), list: list)
    }
}

/// The samples of one buffer of a list.
func samples<Sample>(_ list: UnsafeMutablePointer<AudioBufferList>, _ index: Int = 0, as type: Sample.Type)
    -> UnsafeMutableBufferPointer<Sample>
{
    let buffer = (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: AudioBuffer.self)[index]
    return UnsafeMutableBufferPointer(
        start: buffer.mData?.assumingMemoryBound(to: Sample.self), count: Int(buffer.mDataByteSize) / MemoryLayout<Sample>.size)
}

func bufferCount(_ list: UnsafeMutablePointer<AudioBufferList>) -> Int { Int(list.pointee.mNumberBuffers) }

func setSize(_ list: UnsafeMutablePointer<AudioBufferList>, _ bytes: UInt32) {
    list.pointee.mBuffers.mDataByteSize = bytes
}

/// The result code of a call of a unit.
func status(_ body: () throws -> Void) -> Int32 {
    do {
        try body()
        return 0
    } catch let error as UnitError {
        return error.rawValue
    } catch {
        return .min
    }
}
