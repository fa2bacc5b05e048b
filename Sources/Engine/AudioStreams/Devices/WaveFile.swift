// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem

/// Records the sound that one stream of a simulated machine plays. The file is a valid sound file at every
/// moment: its header counts the frames that have been played. Gaps between two playbacks are silence.
final class WaveFile {
    /// Opened with the first frame, because a program can open a stream and play nothing.
    private var file: Int32 = -1
    private let layout: SampleLayout
    private(set) var path: String?
    /// Frames in the file before the current playback.
    private var start: UInt64 = 0
    /// Frames that the header counts.
    private var recorded: UInt64 = 0
    /// The time of the end of the last playback; 0: nothing was played.
    private var endTime: UInt64 = 0
    /// An interruption has stopped the stream: the next stream of this layout continues the file.
    var isInterrupted = false

    private static let headerSize: UInt64 = 44

    private init(_ layout: SampleLayout) { self.layout = layout }

    /// Nil when AUDIOSESSION_SIMULATION_WAV is not set: a stream that is not recorded takes no lock for the name of a file.
    static func make(_ layout: SampleLayout) -> WaveFile? { RecordingPath.isSet ? WaveFile(layout) : nil }

    deinit {
        guard file >= 0 else { return }
        _ = linux_close(file)
        guard isInterrupted, let path else { return }
        InterruptedRecordings.add(InterruptedRecording(path: path, layout: layout, frames: start, endTime: endTime))
    }

    private func open() {
        guard file < 0 else { return }
        var how = Int32(LINUX_WRITE)
        if let interrupted = InterruptedRecordings.remove(layout) {
            path = interrupted.path
            (start, recorded, endTime) = (interrupted.frames, interrupted.frames, interrupted.endTime)
        } else {
            guard let next = RecordingPath.next() else { return }
            path = next
            how |= Int32(LINUX_CREATE | LINUX_TRUNCATE)
        }
        file = linux_open(path, how, 0o666)
        if file < 0 { report(SystemError(result: file).text) } else { writeHeader() }
    }

    func begin(at time: UInt64) {
        open()
        isInterrupted = false
        if endTime > 0, time > endTime { start &+= layout.frames(in: time &- endTime) }
        endTime = 0
    }

    /// `frames` frames of the current playback have been played.
    func reach(_ frames: UInt64) {
        guard file >= 0, start &+ frames > recorded else { return }
        recorded = start &+ frames
        writeHeader()
    }

    /// The current playback has ended after `frames` frames.
    func end(after frames: UInt64, at time: UInt64) {
        start &+= frames
        endTime = time
        guard file >= 0 else { return }
        _ = linux_truncate(file, offset(of: start))
        recorded = start
        writeHeader()
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64, after written: UInt64) {
        guard file >= 0 else { return }
        let size = Int(clamping: count) * layout.frameSize
        let position = offset(of: start &+ written)
        guard layout.sample == STREAM_S24.rawValue else {
            check(linux_pwrite(file, frames, size, position), size, written)
            return
        }
        // The 24-bit samples of the stream are right-justified in 32 bits, those of the file left-justified.
        let samples = frames.assumingMemoryBound(to: UInt32.self)
        for index in 0..<size / 4 where file >= 0 {
            var sample = samples[index] << 8
            check(linux_pwrite(file, &sample, 4, position &+ UInt64(index * 4)), 4, written)
        }
    }

    /// Closes a file that accepts no more frames. The file ends with the frames that it has.
    private func check(_ put: Int, _ size: Int, _ written: UInt64) {
        guard put != size else { return }
        report((put < 0 ? SystemError(result: Int32(clamping: put)) : .noSpace).text)
        end(after: written, at: 0)
        _ = linux_close(file)
        file = -1
    }

    private func report(_ reason: String) {
        guard let path else { return }
        Log.error("AUDIOSESSION_SIMULATION_WAV: \(path): \(reason): the file does not contain the following sound")
    }

    private func offset(of frame: UInt64) -> UInt64 { WaveFile.headerSize &+ frame &* UInt64(layout.frameSize) }

    private func writeHeader() {
        let size = UInt32(clamping: recorded &* UInt64(layout.frameSize))
        let frameSize = UInt32(clamping: layout.frameSize)
        let encoding: UInt32 = layout.sample == STREAM_FLOAT.rawValue ? 3 : 1
        // Every supported processor stores a word as the file does, with the low byte first.
        let header: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
            Identifier.riff.word, size > UInt32.max - 36 ? UInt32.max : size + 36, Identifier.wave.word,
            Identifier.format.word, 16, encoding | layout.channels << 16, layout.rate, layout.rate &* frameSize,
            frameSize | (stream_sample_size(layout.sample) * 8) << 16,
            Identifier.data.word, size
        )
        _ = withUnsafeBytes(of: header) { linux_pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    private enum Identifier: UInt32 {
        case riff = 0x5249_4646  // 'RIFF'
        case wave = 0x5741_5645  // 'WAVE'
        case format = 0x666D_7420  // 'fmt '
        case data = 0x6461_7461  // 'data'

        /// The first character is in the low byte.
        var word: UInt32 { rawValue.byteSwapped }
    }
}
