import CAudioStreams
import CLinux
import LinuxSystem

/// What a simulated machine plays, as it would be heard: where nothing was played in between, there is
/// silence.
final class WaveFile {
    private let file: FileDescriptor
    private let layout: SampleLayout
    /// Frames in the file, before what is being played now.
    private var start: UInt64 = 0
    /// When the last of them was heard; 0: none was.
    private var endTime: UInt64 = 0

    private static let headerSize: UInt64 = 44

    static func create(_ path: String, _ layout: SampleLayout) -> WaveFile? {
        do throws(SystemError) {
            return WaveFile(
                try FileDescriptor(opening: path, how: LINUX_WRITE | LINUX_CREATE | LINUX_TRUNCATE, mode: 0o666), layout)
        } catch {
            Log.line("\(path): \(error.text)")
            return nil
        }
    }

    private init(_ file: consuming FileDescriptor, _ layout: SampleLayout) {
        self.file = file
        self.layout = layout
        writeHeader()
    }

    func begin(at time: UInt64) {
        if endTime > 0, time > endTime { start &+= layout.frames(in: time &- endTime) }
        endTime = 0
    }

    /// Of what was written since the beginning, so much has been heard.
    func end(after frames: UInt64, at time: UInt64) {
        start &+= frames
        endTime = time
        _ = linux_truncate(file.number, offset(of: start))
        writeHeader()
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64, after written: UInt64) {
        let size = Int(clamping: count) * layout.frameSize
        let place = offset(of: start &+ written)
        guard layout.sample == STREAM_S24.rawValue else {
            _ = linux_pwrite(file.number, frames, size, place)
            return
        }
        // The file's 32-bit samples have their loudest bit at the top.
        let samples = frames.assumingMemoryBound(to: UInt32.self)
        for index in 0..<size / 4 {
            var sample = samples[index] << 8
            _ = linux_pwrite(file.number, &sample, 4, place &+ UInt64(index * 4))
        }
    }

    private func offset(of frame: UInt64) -> UInt64 { WaveFile.headerSize &+ frame &* UInt64(layout.frameSize) }

    private func writeHeader() {
        var bytes: [UInt8] = []
        func put(_ text: StaticString) { text.withUTF8Buffer { bytes += $0 } }
        func put(_ number: UInt32) {
            for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
        }
        let size = UInt32(clamping: start &* UInt64(layout.frameSize))
        let sampleSize = stream_sample_size(layout.sample)
        put("RIFF")
        put(size &+ 36)
        put("WAVEfmt ")
        put(16)
        put((layout.sample == STREAM_FLOAT.rawValue ? 3 : 1) | layout.channels << 16)
        put(layout.rate)
        put(layout.rate &* UInt32(clamping: layout.frameSize))
        put(UInt32(clamping: layout.frameSize) | (sampleSize * 8) << 16)
        put("data")
        put(size)
        _ = bytes.withUnsafeBytes { linux_pwrite(file.number, $0.baseAddress, $0.count, 0) }
    }
}
