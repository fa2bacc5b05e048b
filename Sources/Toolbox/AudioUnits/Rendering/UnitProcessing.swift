// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CLinux
import LinuxSystem
import MediaFormats
import PCMConversion
import Synchronization

// AudioUnitProcess and AudioUnitProcessMultiple: a converter between formats of one rate processes the program's buffers.
extension Unit {
    /// The buffers are converted in place: both formats have frames of the same size.
    public func process(frames: UInt32, list: UnsafeMutablePointer<AudioBufferList>?) -> OSStatus {
        guard let list else { return UnitError.parameter.rawValue }
        return converting(Int(frames)) { (path: RenderCallPath) throws(UnitError) in
            let shape = path.shape
            guard shape.source.bytesPerFrame == shape.target.bytesPerFrame, shape.source.bufferCount == shape.target.bufferCount
            else { throw .formatNotSupported }
            try PreparedOutput.prepare(list, for: shape.source, Int(frames), from: nil)
            path.unitBuffers.prepareNext(frames: Int(frames))
            path.convert(BufferList(list).memory(), to: path.unitBuffers.samples, frames: Int(frames))
            let source = path.unitBuffers.samples
            let target = BufferList(list).memory()
            for index in 0..<shape.target.bufferCount {
                guard let from = source[index].baseAddress, let to = target[index].baseAddress else { continue }
                to.copyMemory(from: from, byteCount: Int(frames) &* shape.target.bytesPerFrame)
            }
        }
    }

    /// One list is converted into another.
    public func process(
        frames: UInt32, inputs: UnsafeMutablePointer<UnsafePointer<AudioBufferList>?>?, inputCount: UInt32,
        outputs: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>?>?, outputCount: UInt32
    ) -> OSStatus {
        guard let inputs, let outputs, inputCount == 1, outputCount == 1, let input = inputs[0], let output = outputs[0]
        else { return UnitError.parameter.rawValue }
        return converting(Int(frames)) { (path: RenderCallPath) throws(UnitError) in
            let source = BufferList(UnsafeMutablePointer(mutating: input))
            guard source.count == path.shape.source.bufferCount, let bytes = path.shape.source.bytes(frames: Int(frames)) else {
                throw .parameter
            }
            for index in 0..<source.count {
                guard source[index].pointee.mData != nil, Int(source[index].pointee.mDataByteSize) >= bytes else {
                    throw .parameter
                }
            }
            try PreparedOutput.prepare(output, for: path.shape.target, Int(frames), from: path.unitBuffers)
            path.convert(source.memory(), to: BufferList(output).memory(), frames: Int(frames))
        }
    }

    private func converting(_ frames: Int, _ body: (RenderCallPath) throws(UnitError) -> Void) -> OSStatus {
        guard !kind.isIO, kind != .mixer, !kind.isPlayer else { return UnitError.unimplemented.rawValue }
        let isFree = renderer.compareExchange(expected: 0, desired: linux_thread_self(), ordering: .acquiring).exchanged
        guard isFree else { return UnitError.cannotDoInCurrentContext.rawValue }
        defer { renderer.store(0, ordering: .releasing) }
        let plan = plans.enter()
        defer { plans.leave() }
        do throws(UnitError) {
            guard let plan, let path = plan.pull else { throw .uninitialized }
            guard frames <= plan.maximumFrames else { throw .tooManyFrames }
            guard path.keepsRate else { throw .formatNotSupported }
            try body(path)
            return 0
        } catch {
            return error.rawValue
        }
    }
}
