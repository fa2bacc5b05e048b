// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation
internal import Synchronization

/// How a buffer is played.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The buffer repeats until another one interrupts it, or the player stops.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
    /// The buffer ends what was scheduled before it.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
    /// The buffer ends what was scheduled before it, at the end of a repetition of the buffer that plays.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)

    var flags: AUScheduledAudioSliceFlags {
        var flags = AUScheduledAudioSliceFlags(rawValue: 0)
        if contains(.loops) { flags.insert(.scheduledAudioSliceFlag_Loop) }
        if contains(.interrupts) { flags.insert(.scheduledAudioSliceFlag_Interrupt) }
        if contains(.interruptsAtLoop) { flags.insert(.scheduledAudioSliceFlag_InterruptAtLoop) }
        return flags
    }
}

/// When a completion handler is called.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player no longer needs the sound.
    case dataConsumed = 0
    /// The sound has been rendered.
    case dataRendered = 1
    /// The sound has been heard, or the player has stopped.
    case dataPlayedBack = 2
}

public typealias AVAudioPlayerNodeCompletionHandler = (_ callbackType: AVAudioPlayerNodeCompletionCallbackType) -> Void

/// Plays buffers and parts of files, at times or one behind another.
///
/// Completion handlers are called once, on a thread of the library, also for sounds that a stop drops. Those of one type come in the
/// order of the calls.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    private let player: PlayerOutput?
    final let service = PlayerNodeService()

    public init() {
        let unit = AVAudioNode.makeUnit("AVAudioPlayerNode") {
            try EngineUnit.pulled(UInt32(kAudioUnitType_Generator), UInt32(kAudioUnitSubType_AudioFilePlayer))
        }
        let output = unit.map { PlayerOutput($0) }
        player = output
        super.init(unit, output.map { [$0] } ?? [])
    }

    deinit { engineUnit?.reset() }

    // MARK: Buffers

    public final func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        schedule(buffer, nil, [], .dataConsumed, completionHandler.map { call in { _ in call() } })
    }

    public final func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) { schedule(buffer, nil, [], callbackType, completionHandler) }

    /// Plays a buffer at a time of the player; without a time, behind what was scheduled before. A buffer with another number of
    /// channels or another rate than the output of the player is refused, with a message in the log.
    public final func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) { schedule(buffer, when, options, .dataConsumed, completionHandler.map { call in { _ in call() } }) }

    public final func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) { schedule(buffer, when, options, callbackType, completionHandler) }

    /// False when the buffer is refused: its completion handler is not called.
    @discardableResult
    final func schedule(
        _ buffer: AVAudioPCMBuffer, _ when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
        _ type: AVAudioPlayerNodeCompletionCallbackType, _ completion: ScheduledSound.Completion?
    ) -> Bool {
        let format = outputFormat(forBus: 0)
        guard let engineUnit, let buffer = fitting(buffer, format) else {
            AudioCallError.refuse(
                "AVAudioPlayerNode.scheduleBuffer: the buffer is \(buffer.format), and the player has the format \(format):"
                    + " connect the player with the channels of the buffer, or convert the buffer")
            return false
        }
        do {
            try service.add(completion, type, delay: heardAfter) {
                try $0.schedule(buffer, on: engineUnit, at: when, options.flags)
            }
            return true
        } catch {
            AudioCallError.refuse("AVAudioPlayerNode.scheduleBuffer: \(error.localizedDescription)")
            return false
        }
    }

    /// The buffer in the format of the player, which plays frames of another rate at its own. Nil for another number of channels.
    private func fitting(_ buffer: AVAudioPCMBuffer, _ format: AVAudioFormat) -> AVAudioPCMBuffer? {
        var own = buffer.format.streamDescription.pointee
        own.mSampleRate = format.sampleRate
        guard own.mChannelsPerFrame == format.channelCount else { return nil }
        if outputFormats[0] == nil { try? setOutputFormat(format, 0) }
        if own.isSameFormat(as: format.streamDescription.pointee) { return buffer }
        var converter: AudioConverterRef?
        guard AudioConverterNew(&own, format.streamDescription, &converter) == 0, let converter else {
            return nil
        }
        defer { _ = AudioConverterDispose(converter) }
        guard let converted = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: buffer.frameLength) else { return nil }
        converted.frameLength = buffer.frameLength
        let status = AudioConverterConvertComplexBuffer(
            converter, buffer.frameLength, buffer.audioBufferList, converted.mutableAudioBufferList)
        guard status == 0 else { return nil }
        return converted
    }

    /// Until a connection or the program states another one.
    public override final func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormats[bus] ?? .standard44100 }

    // MARK: Playing

    /// Reads the files that come next ahead; 0 frames stand for about a second.
    public final func prepare(withFrameCount frameCount: AVAudioFrameCount) {
        try? engineUnit?.set(kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0, frameCount)
    }

    public final var isPlaying: Bool { player?.isPlaying ?? false }

    /// Plays from the next render on, or continues after a pause. The engine must run.
    public final func play() { play(at: nil) }

    /// Plays from a sample time of the node or a host time on.
    public final func play(at when: AVAudioTime?) {
        guard let player, let engineUnit, let owner else {
            return AudioCallError.refuse("AVAudioPlayerNode.play: the player is not attached to an engine")
        }
        guard owner.isRunning else {
            return AudioCallError.refuse("AVAudioPlayerNode.play: the engine does not run: start it before")
        }
        guard owner.isConnected(self, 0) else {
            return AudioCallError.refuse("AVAudioPlayerNode.play: the player is not connected")
        }
        if service.begin() {
            var start = AudioTimeStamp()
            if let when, when.isSampleTimeValid {
                start.mSampleTime = Double(when.sampleTime)
                start.mFlags = .sampleTimeValid
            } else if let when, when.isHostTimeValid {
                start.mHostTime = when.hostTime
                start.mFlags = .hostTimeValid
            } else {
                start.mSampleTime = -1
                start.mFlags = .sampleTimeValid
            }
            player.beginAgain()
            try? engineUnit.set(kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, start)
        }
        player.setPlaying(true)
    }

    /// Stops the sound. What is scheduled and the time of the player stay.
    public final func pause() { player?.setPlaying(false) }

    /// Stops the sound, drops what is scheduled, and calls its completion handlers.
    public final func stop() {
        player?.setPlaying(false)
        service.end()
        engineUnit?.reset()
        player?.beginAgain()
    }

    override public final func reset() { stop() }
    override final func engineStopped() { stop() }

    // MARK: Time

    /// The time of the player at a time of the node; nil unless the player plays.
    public final func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        guard isPlaying, nodeTime.isSampleTimeValid, let difference = playerTimeDifference else { return nil }
        let rate = outputFormat(forBus: 0).sampleRate
        let frame = Double(nodeTime.sampleTime) - difference
        return nodeTime.isHostTimeValid
            ? AVAudioTime(hostTime: nodeTime.hostTime, sampleTime: AVAudioFramePosition(frame.rounded()), atRate: rate)
            : AVAudioTime(sampleTime: AVAudioFramePosition(frame.rounded()), atRate: rate)
    }

    /// The time of the node at a time of the player; nil unless the player plays.
    public final func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        guard isPlaying, playerTime.isSampleTimeValid, let difference = playerTimeDifference else { return nil }
        let frame = Double(playerTime.sampleTime) + difference
        return AVAudioTime(sampleTime: AVAudioFramePosition(frame.rounded()), atRate: outputFormat(forBus: 0).sampleRate)
    }

    /// The frames by which the time of the node is ahead of that of the player; nil before the first render of the player.
    private var playerTimeDifference: Double? {
        player?.readBetweenRenders { differenceNow } ?? nil
    }

    private var differenceNow: Double? {
        guard let last = player?.clock.last,
            let played = try? engineUnit?.get(
                kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, AudioTimeStamp()
            ).mSampleTime, played >= 0
        else { return nil }
        return last.time.mSampleTime + Double(last.frames) - played
    }

    /// The time from the render of a frame until it is heard. Rendered frames of a program that pulls are heard at once.
    final var heardAfter: @Sendable () -> Double {
        { [weak self] in
            // Takes no lock of the engine, which a thread may hold that waits for this one.
            guard let self, let owner, !owner.io.isManual.load(ordering: .relaxed), let last = player?.clock.last,
                last.time.mFlags.contains(.hostTimeValid)
            else { return 0 }
            let rate = max(outputFormat(forBus: 0).sampleRate, 1)
            let end = Double(last.time.mHostTime) + Double(last.frames) / rate * 1e9
            return max((end - Double(AudioGetCurrentHostTime())) / 1e9, 0)
        }
    }
}

/// The sounds that are scheduled on a player node.
final class PlayerNodeService: @unchecked Sendable {
    private let lock = NSLock()
    private var files: [AudioFileID] = []
    private var hasBegun = false
    private let completions = CompletionQueue()

    /// True for the first start since a stop.
    func begin() -> Bool {
        lock.withLock {
            defer { hasBegun = true }
            return !hasBegun
        }
    }

    func end() { lock.withLock { hasBegun = false } }

    /// Schedules a sound. After an error its completion is not called.
    func add(
        _ completion: ScheduledSound.Completion?, _ type: AVAudioPlayerNodeCompletionCallbackType,
        delay: @escaping @Sendable () -> Double, _ schedule: (ScheduledSound) throws -> Void
    ) throws {
        nonisolated(unsafe) let completion = completion
        let sound = ScheduledSound { [weak self] sound in
            if let id = sound.file { self?.forget(id) }
            guard let completion else { return }
            nonisolated(unsafe) let handler = completion
            let call = { @Sendable in handler(type) }
            if type == .dataPlayedBack { self?.completions.call(after: delay(), call) } else { self?.completions.call(call) }
        }
        do { try schedule(sound) } catch {
            if let id = sound.file { forget(id) }
            throw error
        }
    }

    func setFiles(adding id: AudioFileID, of unit: EngineUnit) throws {
        let all = lock.withLock {
            files.append(id)
            return files
        }
        let status = all.withUnsafeBytes {
            AudioUnitSetProperty(
                unit.unit, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, $0.baseAddress, UInt32($0.count))
        }
        try AudioCallError.check(status, "AudioUnitSetProperty", "scheduling a file")
    }

    private func forget(_ id: AudioFileID) { lock.withLock { files.removeAll { $0 == id } } }
}
