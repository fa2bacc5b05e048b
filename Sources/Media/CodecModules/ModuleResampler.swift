// SPDX-License-Identifier: Apache-2.0
public import AudioConverters
import CCodecModules

extension CodecModules {
    /// The resampler of a module, for conversions of long sounds. Nil if none is installed; the converter then uses its built-in
    /// resampler.
    public static func resampler(channels: Int, from: Double, to: Double, isBest: Bool) -> (any BulkResampler)? {
        var reason: UnsafePointer<CChar>?
        guard let module = rate_module_load("soxr", &reason)?.pointee, let create = module.create,
            let resampler = create(from, to, UInt32(clamping: channels), isBest ? 1 : 0)
        else { return nil }
        return ModuleResampler(module, resampler, channels)
    }
}

private final class ModuleResampler: BulkResampler {
    private let module: rate_module
    private let handle: UnsafeMutableRawPointer
    private let channels: Int

    init(_ module: rate_module, _ handle: UnsafeMutableRawPointer, _ channels: Int) {
        self.module = module
        self.handle = handle
        self.channels = channels
    }

    deinit { module.destroy(handle) }

    func reset() -> Bool { module.reset(handle) != 0 }

    func process(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) throws(ConverterError) -> (consumed: Int, produced: Int) {
        var (read, written) = (0, 0)
        let (frames, room) = (input.count / channels, output.count / channels)
        guard module.process(handle, input.baseAddress, frames, &read, output.baseAddress, room, &written) != 0 else {
            throw .unspecified
        }
        return (min(max(read, 0), frames), min(max(written, 0), room))
    }
}
