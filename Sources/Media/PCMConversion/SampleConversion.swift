// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Converts contiguous samples from one format to another, in one step or through
/// doubles.
struct SampleConversion: Sendable {
    private enum Method: Sendable {
        case copy
        case swap(ByteSwap)
        case vector(VectorConversion)
        case direct(DirectConversion)
        case doubles
    }

    /// The number of doubles of one step. Swift reserves at most 1,024 bytes on the stack in every build.
    static let step = 128

    private let method: Method
    let source: SampleFormat
    let target: SampleFormat
    private let decoder: Decoder
    private let encoder: Encoder
    private let sourceTransform: SampleTransform
    private let targetTransform: SampleTransform

    init(from source: SampleFormat, to target: SampleFormat, usesVectors: Bool) {
        self.source = source
        self.target = target
        decoder = source.decoder
        encoder = target.encoder
        sourceTransform = SampleTransform(source)
        targetTransform = SampleTransform(target)
        if source == target, source.isPacked {
            method = .copy
        } else if let swap = ByteSwap(from: source, to: target) {
            method = .swap(swap)
        } else if usesVectors, let vector = VectorConversion(from: source, to: target) {
            method = .vector(vector)
        } else if let direct = DirectConversion(from: source, to: target) {
            method = .direct(direct)
        } else {
            method = .doubles
        }
    }

    var isCopy: Bool {
        if case .copy = method { true } else { false }
    }

    var vector: VectorConversion? {
        if case .vector(let vector) = method { vector } else { nil }
    }

    func decode(_ samples: UnsafeRawPointer, _ values: UnsafeMutablePointer<Double>, _ count: Int) {
        decoder(samples, values, count, sourceTransform)
    }

    func encode(_ values: UnsafePointer<Double>, _ samples: UnsafeMutableRawPointer, _ count: Int) {
        encoder(values, samples, count, targetTransform)
    }

    func convert(_ samples: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int) {
        switch method {
        case .copy: result.copyMemory(from: samples, byteCount: count &* source.bytes)
        case .swap(let swap): swap.kernel(samples, result, count)
        case .vector(let vector): vector.kernel(samples, result, count, vector.scale)
        case .direct(let direct): direct.kernel(samples, result, count, direct.scale)
        case .doubles: convertThroughDoubles(samples, result, count)
        }
    }

    private func convertThroughDoubles(_ samples: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int) {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: SampleConversion.step) { values in
            guard let values = values.baseAddress else { return }
            var done = 0
            while done < count {
                let step = min(count &- done, SampleConversion.step)
                decode(samples + done &* source.bytes, values, step)
                encode(values, result + done &* target.bytes, step)
                done &+= step
            }
        }
    }
}

/// Reverses the bytes of packed samples whose formats differ in nothing else.
struct ByteSwap: Sendable {
    let kernel: @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void

    /// Nil for formats that are equal or have other differences.
    init?(from source: SampleFormat, to target: SampleFormat) {
        guard source.isPacked, target.isPacked, source.encoding == target.encoding, source.bits == target.bits,
            source.fractionBits == target.fractionBits, source.byteOrder != target.byteOrder
        else { return nil }
        switch source.bytes {
        case 2: kernel = swap16
        case 3: kernel = swap24
        case 4: kernel = swap32
        default: kernel = swap64
        }
    }
}

@_optimize(speed)
private func swap16(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
    forEachSample(source, target, count) { (sample: UInt16) in sample.byteSwapped }
}

@_optimize(speed)
private func swap24(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
    forEachSample(source, target, count) { (sample: Bytes24) in
        Bytes24(first: sample.third, second: sample.second, third: sample.first)
    }
}

@_optimize(speed)
private func swap32(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
    forEachSample(source, target, count) { (sample: UInt32) in sample.byteSwapped }
}

@_optimize(speed)
private func swap64(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
    forEachSample(source, target, count) { (sample: UInt64) in sample.byteSwapped }
}
