// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Synchronization

/// The output of manual rendering: a generic output unit, which the program pulls instead of a device.
final class ManualOutput: @unchecked Sendable {
    let unit: EngineUnit
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let maximumFrames: AVAudioFrameCount
    /// The frames that were rendered.
    private let position = Atomic<Int>(0)
    let isRunning = Atomic<Bool>(false)

    init(_ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ frames: AVAudioFrameCount) throws {
        self.mode = mode
        self.format = format
        maximumFrames = frames
        unit = try EngineUnit(UInt32(kAudioUnitType_Output), UInt32(kAudioUnitSubType_GenericOutput))
        try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, EngineUnit.maximumFrames)
        try unit.set(kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, UInt32(mode == .offline ? 1 : 0))
        try unit.setFormat(format, kAudioUnitScope_Output, 0)
        try unit.setFormat(format, kAudioUnitScope_Input, 0)
        try unit.initialize()
    }

    var sampleTime: Int64 { Int64(position.load(ordering: .relaxed)) }

    /// The next render is the first one, also for the sources of the output.
    func rewind() {
        position.store(0, ordering: .relaxed)
        unit.reset()
    }

    /// Renders frames into the buffers of a list, behind its first `done` frames, in parts that the units accept.
    func render(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ scratch: SliceList) -> OSStatus {
        let target = UnsafeMutableAudioBufferListPointer(list)
        let part = UnsafeMutableAudioBufferListPointer(scratch.list)
        let bytes = Int(format.streamDescription.pointee.mBytesPerFrame)
        var done = 0
        while done < frames {
            let count = min(frames &- done, Int(EngineUnit.maximumFrames))
            for index in 0..<min(target.count, part.count) {
                part[index].mData = target[index].mData.map { $0 + done &* bytes }
                part[index].mDataByteSize = UInt32(count &* bytes)
            }
            var time = AudioTimeStamp()
            time.mSampleTime = Double(position.load(ordering: .relaxed))
            time.mFlags = .sampleTimeValid
            var flags = AudioUnitRenderActionFlags(rawValue: 0)
            let status = AudioUnitRender(unit.unit, &flags, &time, 0, UInt32(count), scratch.list)
            guard status == 0 else { return status }
            position.add(count, ordering: .relaxed)
            done &+= count
        }
        return 0
    }
}

/// The input of manual rendering: a converter from the frames of the program to the format of the input node.
final class ManualInput: @unchecked Sendable {
    let unit: EngineUnit
    let format: AVAudioFormat
    private let block: AVAudioIONodeInputBlock
    /// The block had no frames in the present render.
    let isShort = Atomic<Bool>(false)

    init(_ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock) throws {
        self.format = format
        self.block = block
        unit = try EngineUnit.pulled(UInt32(kAudioUnitType_FormatConverter), UInt32(kAudioUnitSubType_AUConverter))
        try unit.setFormat(format, kAudioUnitScope_Input, 0)
        let callback = AURenderCallbackStruct(
            inputProc: ManualInput.procedure, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
        try unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, callback)
    }

    private static let procedure: AURenderCallback = { reference, flags, _, _, frames, list in
        guard let list else { return OSStatus(kAudioUnitErr_NoConnection) }
        return Unmanaged<ManualInput>.fromOpaque(reference).takeUnretainedValue().supply(flags, frames, list)
    }

    private func supply(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        guard let supplied = block(frames) else {
            isShort.store(true, ordering: .relaxed)
            flags.pointee.insert(.unitRenderAction_OutputIsSilence)
            return 0
        }
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: supplied))
        let target = UnsafeMutableAudioBufferListPointer(list)
        for index in 0..<min(source.count, target.count) {
            guard let from = source[index].mData, let to = target[index].mData else { continue }
            let bytes = min(source[index].mDataByteSize, target[index].mDataByteSize)
            to.copyMemory(from: from, byteCount: Int(bytes))
            target[index].mDataByteSize = bytes
        }
        return 0
    }
}
