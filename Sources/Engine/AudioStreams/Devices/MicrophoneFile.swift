// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem

/// The WAV file that a simulated microphone records in a loop. Channels are mapped by number, and a file with one channel feeds
/// all channels. A file with another rate is read by the nearest frame.
final class MicrophoneFile {
    private let file: FileDescriptor
    private let format: WaveFormat
    private let layout: SampleLayout
    /// Memory for frames of the file.
    private let block: UnsafeMutableRawPointer
    private static let blockFrames: UInt64 = 1024
    /// The time of the first frame; 0: not started.
    private var origin: UInt64 = 0
    /// The frame of the file that follows the last start, in frames of the stream.
    private var offset: UInt64 = 0

    /// Nil without AUDIOSESSION_SIMULATION_MICROPHONE, or for a file that cannot be used: the microphone is silent.
    static func open(_ layout: SampleLayout) -> MicrophoneFile? {
        guard let path = Environment.value("AUDIOSESSION_SIMULATION_MICROPHONE") else { return nil }
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, how: LINUX_READ)
            guard let format = WaveFormat(of: file.number) else {
                report(path, "this is not a WAV file of linear PCM or floating-point samples")
                return nil
            }
            return MicrophoneFile(file, format, layout)
        } catch {
            report(path, error.text)
            return nil
        }
    }

    private static func report(_ path: String, _ reason: String) {
        Log.error("AUDIOSESSION_SIMULATION_MICROPHONE: \(path): \(reason): the simulated microphone is silent")
    }

    private init(_ file: consuming FileDescriptor, _ format: WaveFormat, _ layout: SampleLayout) {
        self.file = file
        self.format = format
        self.layout = layout
        block = .allocate(byteCount: Int(MicrophoneFile.blockFrames) * format.frameSize, alignment: 16)
    }

    deinit { block.deallocate() }

    /// The sound continues while the stream is stopped.
    func start(at time: UInt64) {
        if origin == 0 { origin = time }
        offset = layout.frames(in: time &- origin)
    }

    /// `position` counts the stream's frames since the last start.
    func read(into frames: UnsafeMutableRawPointer, _ count: UInt64, at position: UInt64) {
        var done: UInt64 = 0
        while done < count {
            let first = source(offset &+ position &+ done)
            let available = loadBlock(at: first)
            var used: UInt64 = 0
            while done < count {
                let index = source(offset &+ position &+ done)
                guard index >= first, index &- first < available else { break }
                convert(index &- first, into: frames + Int(done) * layout.frameSize)
                done &+= 1
                used &+= 1
            }
            guard used == 0 else { continue }
            // The file has become shorter since it was opened.
            (frames + Int(done) * layout.frameSize).initializeMemory(
                as: UInt8.self, repeating: 0, count: Int(count &- done) * layout.frameSize)
            return
        }
    }

    /// The frame of the file for a frame of the stream.
    private func source(_ frame: UInt64) -> UInt64 {
        guard format.rate != layout.rate else { return frame % format.frames }
        let (seconds, rest) = frame.quotientAndRemainder(dividingBy: UInt64(layout.rate))
        return (seconds &* UInt64(format.rate) &+ rest &* UInt64(format.rate) / UInt64(layout.rate)) % format.frames
    }

    /// Returns the number of frames that were read.
    private func loadBlock(at frame: UInt64) -> UInt64 {
        let count = min(MicrophoneFile.blockFrames, format.frames &- frame)
        let position = format.dataOffset &+ frame &* UInt64(format.frameSize)
        let got = linux_pread(file.number, block, Int(count) * format.frameSize, position)
        return got > 0 ? UInt64(got / format.frameSize) : 0
    }

    private func convert(_ frame: UInt64, into bytes: UnsafeMutableRawPointer) {
        let size = Int(stream_sample_size(layout.sample))
        let source = block + Int(frame) * format.frameSize
        for channel in 0..<Int(layout.channels) {
            let from = format.channels == 1 ? 0 : channel
            let value = from < format.channels ? format.sample(source + from * format.sampleSize) : 0
            layout.store(value, at: bytes + channel * size)
        }
    }
}

/// The format chunk of a WAV file, and the position of its frames.
struct WaveFormat: Equatable {
    let isFloat: Bool
    /// In bytes.
    let sampleSize: Int
    let channels: Int
    let rate: UInt32
    let dataOffset: UInt64
    let frames: UInt64

    var frameSize: Int { sampleSize * channels }

    /// Nil for a file that is not a WAV file with at least one frame of linear PCM or floating-point samples.
    init?(of file: Int32) {
        var header = Chunks(file: file)
        guard header.isWave else { return nil }
        var format: (tag: UInt32, channels: UInt32, rate: UInt32, bits: UInt32)?
        while let chunk = header.next() {
            if chunk.id == Chunks.format, chunk.size >= 16 {
                var tag = header.number(at: chunk.offset, bytes: 2)
                // WAVE_FORMAT_EXTENSIBLE: the tag is the beginning of the subformat.
                if tag == 0xFFFE, chunk.size >= 40 { tag = header.number(at: chunk.offset &+ 24, bytes: 2) }
                format = (
                    tag, header.number(at: chunk.offset &+ 2, bytes: 2), header.number(at: chunk.offset &+ 4, bytes: 4),
                    header.number(at: chunk.offset &+ 14, bytes: 2)
                )
            } else if chunk.id == Chunks.data, let format {
                self.init(format.tag, format.channels, format.rate, format.bits, chunk.offset, chunk.size)
                return
            }
        }
        return nil
    }

    private init?(
        _ tag: UInt32, _ channels: UInt32, _ rate: UInt32, _ bits: UInt32, _ offset: UInt64, _ size: UInt64
    ) {
        switch (tag, bits) {
        case (1, 8), (1, 16), (1, 24), (1, 32): isFloat = false
        case (3, 32), (3, 64): isFloat = true
        default: return nil
        }
        guard (1...256).contains(channels), rate > 0 else { return nil }
        sampleSize = Int(bits / 8)
        self.channels = Int(channels)
        self.rate = rate
        dataOffset = offset
        frames = size / UInt64(sampleSize * self.channels)
        guard frames > 0 else { return nil }
    }

    /// A sample from -1 to 1.
    func sample(_ bytes: UnsafeRawPointer) -> Double {
        switch (isFloat, sampleSize) {
        case (true, 4): return Double(bytes.loadUnaligned(as: Float.self))
        case (true, _): return bytes.loadUnaligned(as: Double.self)
        case (false, 1): return (Double(bytes.load(as: UInt8.self)) - 128) / 128
        case (false, 2): return Double(bytes.loadUnaligned(as: Int16.self)) / 32_768
        case (false, 3):
            let low = UInt32(bytes.load(as: UInt8.self)) | UInt32(bytes.load(fromByteOffset: 1, as: UInt8.self)) << 8
            let word = low | UInt32(bytes.load(fromByteOffset: 2, as: UInt8.self)) << 16
            return Double(Int32(bitPattern: word << 8)) / 2_147_483_648
        default: return Double(bytes.loadUnaligned(as: Int32.self)) / 2_147_483_648
        }
    }
}

/// The chunks of a RIFF file.
private struct Chunks {
    private let file: Int32
    private let size: UInt64
    private var position: UInt64 = 12

    static let format = FourCC.code("fmt ")
    static let data = FourCC.code("data")

    init(file: Int32) {
        self.file = file
        var status = linux_file_status()
        size = linux_status_of_descriptor(file, &status) >= 0 ? status.size : 0
    }

    var isWave: Bool { code(at: 0) == FourCC.code("RIFF") && code(at: 8) == FourCC.code("WAVE") }

    /// Little endian; 0 beyond the end of the file.
    func number(at offset: UInt64, bytes count: Int) -> UInt32 {
        var number: UInt32 = 0
        let got = withUnsafeMutableBytes(of: &number) { linux_pread(file, $0.baseAddress, count, offset) }
        return got == count ? UInt32(littleEndian: number) : 0
    }

    /// The name of a chunk; 0 beyond the end of the file.
    private func code(at offset: UInt64) -> UInt32 { number(at: offset, bytes: 4).byteSwapped }

    /// Limits the size of a chunk to the file: a recorder that was killed leaves a size that is too large.
    mutating func next() -> (id: UInt32, offset: UInt64, size: UInt64)? {
        guard position &+ 8 <= size else { return nil }
        let id = code(at: position)
        let length = UInt64(number(at: position &+ 4, bytes: 4))
        let offset = position &+ 8
        position = offset &+ length &+ (length & 1)
        return (id, offset, min(length, size &- offset))
    }
}

extension SampleLayout {
    /// Rounded and saturated.
    fileprivate func store(_ value: Double, at bytes: UnsafeMutableRawPointer) {
        func integer(_ scale: Double) -> Int32 {
            guard value.isFinite else { return 0 }
            return Int32(min(max((value * scale).rounded(), -scale), scale - 1))
        }
        switch sample {
        case Int32(STREAM_S16.rawValue): bytes.storeBytes(of: Int16(truncatingIfNeeded: integer(32_768)), as: Int16.self)
        case Int32(STREAM_S24.rawValue): bytes.storeBytes(of: integer(8_388_608), as: Int32.self)
        case Int32(STREAM_S24_PACKED.rawValue):
            let word = UInt32(bitPattern: integer(8_388_608))
            for index in 0..<3 {
                bytes.storeBytes(of: UInt8(truncatingIfNeeded: word >> UInt32(8 * index)), toByteOffset: index, as: UInt8.self)
            }
        case Int32(STREAM_FLOAT.rawValue): bytes.storeBytes(of: Float(value), as: Float.self)
        default: bytes.storeBytes(of: integer(2_147_483_648), as: Int32.self)
        }
    }
}
