// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// Receives the events of a recorder, on the main queue. Every function is optional.
public protocol AVAudioRecorderDelegate: AnyObject {
    /// The recording has ended, by `stop` or after its duration.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
    /// The session was interrupted: the recorder has paused.
    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder)
    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int)
}

extension AVAudioRecorderDelegate {
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
    public func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) {}
    public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {}
}

/// Records into a file of each container and codec that AVAudioFile writes.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    public final let url: URL
    private let wanted: [String: Any]
    private let fileFormat: AVAudioFormat
    private let lock = NSRecursiveLock()
    private var queue: RecordingQueue?
    private let events = RecorderEvents()
    private var levels: [AudioQueueLevelMeterState] = []

    /// Records into a new file. Throws when the settings state no format that can be recorded.
    public init(url: URL, settings: [String: Any]) throws {
        let complete = AVAudioRecorder.complete(settings)
        guard let format = AVAudioFormat(settings: complete), AVAudioRecorder.isEncoded(format) else {
            throw AudioCallError.make(
                kAudioFormatUnsupportedDataFormatError, "AVAudioFormat", "the settings state no format", in: NSOSStatusErrorDomain
            )
        }
        (self.url, wanted, fileFormat) = (url, complete, format)
        super.init()
        events.recorder = self
        let events = events
        // A queue that is interrupted before its first sound reports nothing.
        events.interruptions.start(
            { events.recorder?.sessionInterrupted() },
            { flags in events.recorder.map { $0.delegate?.audioRecorderEndInterruption($0, withOptions: flags) } })
    }

    public convenience init(url: URL, format: AVAudioFormat) throws { try self.init(url: url, settings: format.settings) }

    /// The library writes the format. It also knows formats whose codec is not installed.
    private static func isEncoded(_ format: AVAudioFormat) -> Bool {
        var size: UInt32 = 0
        guard AudioFormatGetPropertyInfo(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size) == 0 else { return false }
        var known = [AudioFormatID](repeating: 0, count: Int(size) / 4)
        guard AudioFormatGetProperty(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size, &known) == 0 else { return false }
        let wanted = format.streamDescription.pointee.mFormatID
        return wanted == kAudioFormatLinearPCM || known.contains(wanted)
    }

    /// Settings that a program leaves out: 16-bit samples of two channels at 44,100 Hz.
    private static func complete(_ settings: [String: Any]) -> [String: Any] {
        var all = settings
        if all[AVFormatIDKey] == nil { all[AVFormatIDKey] = NSNumber(value: kAudioFormatLinearPCM) }
        if all[AVSampleRateKey] == nil { all[AVSampleRateKey] = NSNumber(value: 44_100.0) }
        if all[AVNumberOfChannelsKey] == nil { all[AVNumberOfChannelsKey] = NSNumber(value: 2) }
        return all
    }

    deinit {
        events.interruptions.end()
        _ = queue?.end()
    }

    /// Called on the main queue. A weak reference.
    public final weak var delegate: (any AVAudioRecorderDelegate)?

    public final var settings: [String: Any] { wanted }
    public final var format: AVAudioFormat { fileFormat }

    // MARK: Recording

    /// Creates the file, and replaces one that exists. False when that is not possible; the log says why.
    @discardableResult
    open func prepareToRecord() -> Bool {
        lock.withLock {
            guard queue == nil else { return true }
            do {
                let format = try clientFormat()
                let file = try AVAudioFile(
                    forWriting: url, settings: fileSettings, commonFormat: format.commonFormat, interleaved: true)
                let made = try RecordingQueue(format, writing: file)
                let events = events
                made.ended = { [unowned made] in events.ended($0, of: made) }
                made.setMetering(isMeteringEnabled)
                queue = made
                return true
            } catch {
                AudioCallError.refuse("AVAudioRecorder.prepareToRecord: \(error.localizedDescription)")
                return false
            }
        }
    }

    /// A file without an extension is CAF.
    private var fileSettings: [String: Any] {
        guard url.pathExtension.isEmpty else { return wanted }
        return wanted.merging([AVAudioFileTypeKey: NSNumber(value: kAudioFileCAFType)]) { stated, _ in stated }
    }

    /// The samples between the queue and the file: the queue captures in the format of the file where that is exact.
    private func clientFormat() throws -> AVAudioFormat {
        let description = fileFormat.streamDescription.pointee
        let isShort = description.mFormatID == kAudioFormatLinearPCM && description.mBitsPerChannel <= 16
        let common: AVAudioCommonFormat = isShort ? .pcmFormatInt16 : .pcmFormatFloat32
        if let layout = fileFormat.channelLayout {
            return AVAudioFormat(
                commonFormat: common, sampleRate: fileFormat.sampleRate, interleaved: true, channelLayout: layout)
        }
        guard
            let format = AVAudioFormat(
                commonFormat: common, sampleRate: fileFormat.sampleRate, channels: fileFormat.channelCount, interleaved: true)
        else { throw AudioCallError.make(kAudioFormatUnsupportedDataFormatError, "AVAudioFormat", "recording \(fileFormat)") }
        return format
    }

    /// Records, or continues after a pause. False when the file cannot be created or the session refuses.
    @discardableResult
    open func record() -> Bool { start(at: nil, for: nil) }

    /// Records from a time of `deviceCurrentTime` on. False also for a time that does not come.
    @discardableResult
    open func record(atTime time: TimeInterval) -> Bool { start(at: time, for: nil) }

    /// Records for a number of seconds, and stops. False also for less than a frame, and for a duration without an end.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool { start(at: nil, for: duration) }

    @discardableResult
    open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool { start(at: time, for: duration) }

    private func start(at time: TimeInterval?, for duration: TimeInterval?) -> Bool {
        let hostTime = time.flatMap { DeviceTime.hostTime($0) }
        let frames = duration.flatMap { DeviceTime.frames($0, rate: fileFormat.sampleRate) }
        // A time or a duration that the program states is nil here when it is refused.
        guard (time == nil) == (hostTime == nil), (duration == nil) == (frames == nil) else { return false }
        return lock.withLock {
            guard prepareToRecord(), let queue else { return false }
            return queue.start(at: hostTime, frames: frames)
        }
    }

    /// Keeps the file open: `record` continues.
    open func pause() { lock.withLock { queue }?.pause() }

    /// Writes what was captured, and closes the file.
    open func stop() { stop(nil) }

    /// Nil: the present recording.
    fileprivate final func stop(_ recording: RecordingQueue?) {
        let ending = lock.withLock { () -> RecordingQueue? in
            guard recording == nil || recording === queue else { return nil }
            defer { queue = nil }
            return queue
        }
        guard let ending else { return }
        events.finished(successfully: ending.end())
    }

    /// Deletes the file. False while the recorder has it open, and when it is none: it does not exist, or is a folder or a device.
    @discardableResult
    open func deleteRecording() -> Bool {
        guard lock.withLock({ queue == nil }), url.isFileURL, !DiscardedFile.isNamed(url) else { return false }
        return url.withUnsafeFileSystemRepresentation { path in path.map { unlink($0) == 0 } ?? false }
    }

    public final var isRecording: Bool { lock.withLock { queue }?.isRecording ?? false }

    /// The seconds in the file; 0 after a stop.
    public final var currentTime: TimeInterval {
        guard let queue = lock.withLock({ queue }) else { return 0 }
        return Double(queue.frames) / max(fileFormat.sampleRate, 1)
    }

    /// The time of the input in seconds, for `record(atTime:)`.
    public final var deviceCurrentTime: TimeInterval { Double(AudioGetCurrentHostTime()) / 1e9 }

    // MARK: Meters

    public final var isMeteringEnabled = false {
        didSet { lock.withLock { queue }?.setMetering(isMeteringEnabled) }
    }

    /// Reads the levels of the channels.
    public final func updateMeters() { levels = isMeteringEnabled ? lock.withLock { queue }?.levels ?? [] : [] }

    /// Decibels of full scale, from -160 to 0, at the last `updateMeters`.
    public final func peakPower(forChannel channelNumber: Int) -> Float {
        levels.indices.contains(channelNumber) ? levels[channelNumber].mPeakPower : -160
    }

    public final func averagePower(forChannel channelNumber: Int) -> Float {
        levels.indices.contains(channelNumber) ? levels[channelNumber].mAveragePower : -160
    }

    // MARK: Events

    fileprivate final func sessionInterrupted() { lock.withLock { queue }?.sessionInterrupted() }
}

/// Passes the events of a queue to its recorder, on the main queue.
private final class RecorderEvents: @unchecked Sendable {
    weak var recorder: AVAudioRecorder?
    let interruptions = InterruptionWatch()
    /// A stop waits for the thread of the queue, and so is not made on it.
    private let stops = DispatchQueue(label: "AVAudioRecorder.stop")

    /// On the thread of the queue.
    func ended(_ end: RecordingQueue.End, of queue: RecordingQueue) {
        switch end {
        case .complete: stops.async { self.recorder?.stop(queue) }
        case .interrupted:
            interruptions.markInterrupted()
            DispatchQueue.main.async { self.recorder.map { $0.delegate?.audioRecorderBeginInterruption($0) } }
        case .failed(let error):
            DispatchQueue.main.async { self.recorder.map { $0.delegate?.audioRecorderEncodeErrorDidOccur($0, error: error) } }
            stops.async { self.recorder?.stop(queue) }
        }
    }

    func finished(successfully flag: Bool) {
        DispatchQueue.main.async { self.recorder.map { $0.delegate?.audioRecorderDidFinishRecording($0, successfully: flag) } }
    }
}
