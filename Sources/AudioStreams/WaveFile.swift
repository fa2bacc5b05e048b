import CAudioStreams
import CLinux
import LinuxSystem

/// What a simulated machine plays, as it would be heard: where nothing was played in between, there is
/// silence.
final class WaveFile {
    /// Opened when something is played: many programs open streams only to look.
    private var file: Int32 = -1
    private let layout: SampleLayout
    /// Frames in the file, before what is being played now.
    private var start: UInt64 = 0
    /// When the last of them was heard; 0: none was.
    private var endTime: UInt64 = 0

    private static let headerSize: UInt64 = 44

    init(_ layout: SampleLayout) { self.layout = layout }

    deinit { if file >= 0 { _ = linux_close(file) } }

    private func open() {
        guard file < 0, let path = Recordings.next() else { return }
        file = linux_open(path, Int32(LINUX_WRITE | LINUX_CREATE | LINUX_TRUNCATE), 0o666)
        if file < 0 { complain(of: SystemError(-file).text) } else { writeHeader() }
    }

    func begin(at time: UInt64) {
        open()
        if endTime > 0, time > endTime { start &+= layout.frames(in: time &- endTime) }
        endTime = 0
    }

    /// Of what was written since the beginning, so much has been heard.
    func end(after frames: UInt64, at time: UInt64) {
        start &+= frames
        endTime = time
        guard file >= 0 else { return }
        _ = linux_truncate(file, offset(of: start))
        writeHeader()
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64, after written: UInt64) {
        guard file >= 0 else { return }
        let size = Int(clamping: count) * layout.frameSize
        let place = offset(of: start &+ written)
        guard layout.sample == STREAM_S24.rawValue else {
            check(linux_pwrite(file, frames, size, place), size, written)
            return
        }
        // The file's 32-bit samples have their loudest bit at the top.
        let samples = frames.assumingMemoryBound(to: UInt32.self)
        for index in 0..<size / 4 where file >= 0 {
            var sample = samples[index] << 8
            check(linux_pwrite(file, &sample, 4, place &+ UInt64(index * 4)), 4, written)
        }
    }

    /// A file that takes no more ends with what it has: silence that nobody played would be a lie.
    private func check(_ put: Int, _ size: Int, _ written: UInt64) {
        guard put != size else { return }
        complain(of: (put < 0 ? SystemError(Int32(clamping: -put)) : .noSpace).text)
        end(after: written, at: 0)
        _ = linux_close(file)
        file = -1
    }

    private func complain(of reason: String) {
        Log.complain("AUDIOSESSION_SIMULATION_WAV: \(reason): what is played from here on is not in the file")
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
        _ = bytes.withUnsafeBytes { linux_pwrite(file, $0.baseAddress, $0.count, 0) }
    }
}
