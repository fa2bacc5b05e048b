// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// Supplies frames on the rendering thread. It writes them into the buffers of the list, and sets `isSilence` for silence.
public typealias AVAudioSourceNodeRenderBlock = (
    _ isSilence: UnsafeMutablePointer<ObjCBool>, _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AVAudioFrameCount,
    _ outputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// Receives frames on the rendering thread.
public typealias AVAudioSinkNodeReceiverBlock = (
    _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AVAudioFrameCount, _ inputData: UnsafePointer<AudioBufferList>
) -> OSStatus

/// Plays the frames that a block of the program supplies. The block runs on the rendering thread: it must not wait or allocate.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    private let source: BlockSource
    private let ownFormat: AVAudioFormat?

    /// The block supplies the format of the connection.
    public convenience init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) { self.init(nil, block) }

    /// The block supplies this format, which is converted to that of the connection.
    public convenience init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.init(format, block)
    }

    private init(_ format: AVAudioFormat?, _ block: @escaping AVAudioSourceNodeRenderBlock) {
        let source = BlockSource(block)
        let unit = AVAudioNode.makeUnit("AVAudioSourceNode") {
            let unit = try EngineUnit.pulled(UInt32(kAudioUnitType_FormatConverter), UInt32(kAudioUnitSubType_AUConverter))
            let callback = AURenderCallbackStruct(
                inputProc: BlockSource.procedure, inputProcRefCon: Unmanaged.passUnretained(source).toOpaque())
            try unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, callback)
            if let format { try unit.setFormat(format, kAudioUnitScope_Input, 0) }
            return unit
        }
        self.source = source
        ownFormat = format
        super.init(unit, unit.map { [SourceOutput($0, source)] } ?? [])
    }

    override public final func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        outputFormats[bus] ?? ownFormat ?? defaultFormat
    }

    override final func setOutputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        if ownFormat == nil { try engineUnit?.setFormat(format, kAudioUnitScope_Input, 0) }
        try super.setOutputFormat(format, bus)
    }
}

/// The block of a source node.
private final class BlockSource: @unchecked Sendable {
    private let block: AVAudioSourceNodeRenderBlock

    init(_ block: @escaping AVAudioSourceNodeRenderBlock) { self.block = block }

    static let procedure: AURenderCallback = { reference, flags, time, _, frames, list in
        guard let list else { return OSStatus(kAudioUnitErr_NoConnection) }
        var isSilence = ObjCBool(false)
        let status = Unmanaged<BlockSource>.fromOpaque(reference).takeUnretainedValue().block(&isSilence, time, frames, list)
        if isSilence.boolValue { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
        return status
    }
}

/// Keeps the block while a thread can render it.
private final class SourceOutput: UnitOutput, @unchecked Sendable {
    private let block: BlockSource

    init(_ unit: EngineUnit, _ block: BlockSource) {
        self.block = block
        super.init(unit, 0)
    }
}

/// Passes frames of the input to a block of the program. The block runs on the rendering thread.
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
    final let block: AVAudioSinkNodeReceiverBlock
    /// The bus from which the sink takes frames in each cycle of the input; nil while it is not connected.
    final var source: NodeOutput?

    public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
        self.block = block
        super.init(nil, [])
    }

    override public final var numberOfInputs: Int { 1 }

    override final func setSource(_ source: NodeOutput?, _ bus: Int) throws { self.source = source }
}
