// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation
internal import LinuxSystem

/// Receives the events of a player, on the main queue. Every function is optional.
public protocol AVAudioPlayerDelegate: AnyObject {
    /// The sound was heard to its end. A stop by the program is no end.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
    /// The session was interrupted: the player has paused.
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
    /// The interruption of a player has ended. Called if the program uses `AVAudioSession`.
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}

/// Plays a sound file, or a file in memory, of each container and codec that ExtAudioFile reads.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
    private let queue: PlaybackQueue
    private let events = PlayerEvents()
    /// The file; nil for a player of data.
    public final let url: URL?
    /// The bytes of the file; nil for a player of a URL.
    public final let data: Data?

    // MARK: Making a player

    public convenience init(contentsOf url: URL) throws { try self.init(contentsOf: url, fileTypeHint: nil) }
    public convenience init(data: Data) throws { try self.init(data: data, fileTypeHint: nil) }

    /// The content of the file determines its type. The hint is not needed.
    public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        queue = try PlaybackQueue(PlayedSound(url))
        (self.url, data) = (url, nil)
        super.init()
        connect()
    }

    public init(data: Data, fileTypeHint utiString: String?) throws {
        queue = try PlaybackQueue(PlayedSound(data, hint: AVAudioPlayer.type(utiString)))
        (url, self.data) = (nil, data)
        super.init()
        connect()
    }

    /// The type of a file that its bytes do not show, such as MP3 without a tag.
    private static func type(_ hint: String?) -> AudioFileTypeID {
        switch hint {
        case "public.mp3": kAudioFileMP3Type
        case "public.aac-audio": kAudioFileAAC_ADTSType
        default: 0
        }
    }

    private func connect() {
        events.player = self
        let events = events
        queue.ended = { events.ended($0) }
        // A queue that is interrupted before its first sound reports nothing.
        events.interruptions.start(
            { [weak queue] in queue?.sessionInterrupted() }, { events.player?.interruptionEnded($0) })
    }

    deinit {
        events.interruptions.end()
        queue.dispose()
    }

    /// Called on the main queue. A weak reference.
    public final weak var delegate: (any AVAudioPlayerDelegate)?

    // MARK: Playing

    /// Reads the first frames, so that `play` begins at once. False when the file cannot be read.
    @discardableResult
    public final func prepareToPlay() -> Bool { queue.prepare() }

    /// Plays, or continues after a pause. False when the session refuses.
    @discardableResult
    open func play() -> Bool { queue.start(at: nil) }

    /// Plays at a time of `deviceCurrentTime`. False also for a time that does not come.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        guard let hostTime = DeviceTime.hostTime(time) else { return false }
        return queue.start(at: hostTime)
    }

    /// The position stays, and `play` continues.
    open func pause() { queue.pause() }

    /// Like a pause. The first frames are read again by the next start.
    open func stop() { queue.stop() }

    /// False after the end, a pause and an interruption.
    public final var isPlaying: Bool { queue.isPlaying }

    // MARK: The sound

    public final var numberOfChannels: Int { Int(queue.sound.format.mChannelsPerFrame) }
    public final var duration: TimeInterval { seconds(queue.sound.frames) }
    /// The format of the file.
    public final var format: AVAudioFormat {
        let layout =
            queue.sound.fileFormat.mChannelsPerFrame > 2
            ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | queue.sound.fileFormat.mChannelsPerFrame)
            : nil
        return AVAudioFormat(queue.sound.fileFormat, layout)
    }
    public final var settings: [String: Any] { format.settings }

    private func seconds(_ frames: Int64) -> TimeInterval { Double(frames) / max(queue.sound.format.mSampleRate, 1) }

    /// The position that is heard, in seconds. A player that plays continues at a new position.
    public final var currentTime: TimeInterval {
        get { seconds(queue.currentFrame) }
        set {
            guard newValue.isFinite else { return }
            queue.seek(Int64(clamping: Int((newValue * queue.sound.format.mSampleRate).rounded().clamped)))
        }
    }

    /// The time of the output in seconds, for `play(atTime:)`. It is the same for all players.
    public final var deviceCurrentTime: TimeInterval { Double(AudioGetCurrentHostTime()) / 1e9 }

    // MARK: Values

    private var values = PlayerValues()

    /// From 0 to 1.
    public final var volume: Float {
        get { values.volume }
        set { setVolume(newValue, fadeDuration: 0) }
    }

    /// Reaches a volume within a time.
    public final func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        values.volume = volume.isFinite ? min(max(volume, 0), 1) : values.volume
        queue.set(kAudioQueueParam_VolumeRampTime, Float(min(max(duration.isFinite ? duration : 0, 0), 3600)))
        queue.set(kAudioQueueParam_Volume, values.volume)
    }

    /// From -1, left, to 1, right.
    public final var pan: Float {
        get { values.pan }
        set {
            values.pan = newValue.isFinite ? min(max(newValue, -1), 1) : values.pan
            queue.set(kAudioQueueParam_Pan, values.pan)
        }
    }

    /// Repetitions after the first time; a negative number: without an end.
    public final var numberOfLoops: Int {
        get { queue.numberOfLoops }
        set { queue.numberOfLoops = newValue }
    }

    /// Whether `rate` has an effect. A change takes effect with the next `prepareToPlay` or `play` of a player that is stopped.
    public final var enableRate: Bool {
        get { queue.enablesRate }
        set { queue.enablesRate = newValue }
    }

    /// The speed, from 0.5 to 2, with `enableRate`. The pitch stays.
    public final var rate: Float {
        get { queue.rate }
        set { if newValue.isFinite { queue.rate = min(max(newValue, 0.5), 2) } }
    }

    // MARK: Meters

    public final var isMeteringEnabled: Bool {
        get { values.isMetered }
        set {
            values.isMetered = newValue
            queue.setMetering(newValue)
        }
    }

    /// Reads the levels of the channels.
    public final func updateMeters() { values.levels = values.isMetered ? queue.levels : [] }

    /// Decibels of full scale, from -160 to 0, at the last `updateMeters`.
    public final func peakPower(forChannel channelNumber: Int) -> Float {
        values.levels.indices.contains(channelNumber) ? values.levels[channelNumber].mPeakPower : -160
    }

    public final func averagePower(forChannel channelNumber: Int) -> Float {
        values.levels.indices.contains(channelNumber) ? values.levels[channelNumber].mAveragePower : -160
    }

    // MARK: Events

    fileprivate final func deliver(_ end: PlaybackQueue.End) {
        switch end {
        case .finished(let successfully): delegate?.audioPlayerDidFinishPlaying(self, successfully: successfully)
        case .interrupted: delegate?.audioPlayerBeginInterruption(self)
        case .failed(let error): delegate?.audioPlayerDecodeErrorDidOccur(self, error: error)
        }
    }

    fileprivate final func interruptionEnded(_ flags: Int) { delegate?.audioPlayerEndInterruption(self, withOptions: flags) }
}

private struct PlayerValues {
    var volume: Float = 1
    var pan: Float = 0
    var isMetered = false
    var levels: [AudioQueueLevelMeterState] = []
}

extension Double {
    /// Within the frames that a file can have.
    fileprivate var clamped: Double { Swift.min(Swift.max(self, 0), 9e15) }
}

/// Passes the events of a queue to its player, on the main queue.
private final class PlayerEvents: @unchecked Sendable {
    weak var player: AVAudioPlayer?
    let interruptions = InterruptionWatch()

    /// On a thread of the queue, or on the main thread.
    func ended(_ end: PlaybackQueue.End) {
        if case .interrupted = end { interruptions.markInterrupted() }
        DispatchQueue.main.async { self.player?.deliver(end) }
    }
}
