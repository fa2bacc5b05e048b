// SPDX-License-Identifier: Apache-2.0
public import PCMConversion

// Conversions of whole buffers, without a procedure for the input.

extension Converter {
    /// Converts all of `input` at the same rate, from and to packets of one size in one buffer each. Returns the bytes.
    public func convert(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ConverterError) -> Int {
        let (from, to) = (self.input, self.output)
        guard rate == nil, from.bufferCount == 1, to.bufferCount == 1, from.bytesPerPacket > 0,
            to.bytesPerPacket > 0
        else {
            throw .operationNotSupported
        }
        guard input.count % from.bytesPerPacket == 0 else { throw .invalidInputSize }
        let count = input.count / from.bytesPerPacket
        let (frames, overflow) = count.multipliedReportingOverflow(by: from.framesPerPacket)
        guard !overflow, frames % to.framesPerPacket == 0 else { throw .invalidInputSize }
        let packets = frames / to.framesPerPacket
        guard packets <= output.count / to.bytesPerPacket else { throw .invalidOutputSize }
        let buffers = SampleBuffers(UnsafeMutableRawBufferPointer(mutating: input))
        return try convert(InputPackets(buffers: buffers, count: count), into: SampleBuffers(output), packets: packets)
            * to.bytesPerPacket
    }

    /// Converts `frames` frames of linear PCM at the same rate.
    public func convert(_ input: SampleBuffers, into output: SampleBuffers, frames: Int) throws(ConverterError) {
        let (from, to) = (self.input, self.output)
        guard rate == nil, isLinear else { throw .operationNotSupported }
        // The factors have at most 32 and 16 bits: the product does not overflow.
        guard 0...0xFFFF_FFFF ~= frames, frames &* from.bytesPerPacket <= input.smallest(of: from.bufferCount) else {
            throw .invalidInputSize
        }
        guard frames &* to.bytesPerPacket <= output.smallest(of: to.bufferCount) else { throw .invalidOutputSize }
        convertDirectly(input, into: output, frames: frames)
    }

    /// The same with one buffer on each side. False, without an effect, when the conversion has more buffers or no kernel.
    @_optimize(speed)
    public func convert(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, frames: Int
    ) throws(ConverterError) -> Bool {
        guard let bufferConversion else { return false }
        guard frames &* bufferConversion.sourceBytes <= input.count else { throw .invalidInputSize }
        guard frames &* bufferConversion.targetBytes <= output.count else { throw .invalidOutputSize }
        reader.forgetPackets()
        if frames > 0, let from = input.baseAddress, let to = output.baseAddress {
            bufferConversion.convert(from, to: to, frames: frames)
        }
        return true
    }

    private func convert(
        _ input: InputPackets, into output: SampleBuffers, packets: Int
    ) throws(ConverterError) -> Int {
        guard packets > 0 else { return 0 }
        var given = false
        let result = fill(output, packets: packets) { (_: Int) throws(ConverterError) in
            defer { given = true }
            return given ? .end : input
        }
        // The memory of the input belongs to the caller.
        reader.forgetPackets()
        if let error = result.error { throw error }
        return result.packets
    }
}
