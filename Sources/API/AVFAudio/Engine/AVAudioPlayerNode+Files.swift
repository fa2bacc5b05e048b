// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

extension AVAudioPlayerNode {
    public final func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) { schedule(file, 0, nil, when, .dataConsumed, completionHandler.map { call in { _ in call() } }) }

    public final func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) { schedule(file, 0, nil, when, callbackType, completionHandler) }

    public final func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) { schedule(file, startFrame, numberFrames, when, .dataConsumed, completionHandler.map { call in { _ in call() } }) }

    public final func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) { schedule(file, startFrame, numberFrames, when, callbackType, completionHandler) }

    // The forms that return when the sound is complete.

    public final func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
        _ = await complete(.dataConsumed) { schedule(file, 0, nil, when, .dataConsumed, $0) }
    }

    public final func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await complete(callbackType) { schedule(file, 0, nil, when, callbackType, $0) }
    }

    public final func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?
    ) async { _ = await complete(.dataConsumed) { schedule(file, startFrame, numberFrames, when, .dataConsumed, $0) } }

    public final func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await complete(callbackType) { schedule(file, startFrame, numberFrames, when, callbackType, $0) }
    }

    /// The player reads the file by a reader of its own: `framePosition` of the file stays.
    @discardableResult
    final func schedule(
        _ file: AVAudioFile, _ startFrame: Int64, _ frames: UInt32?, _ when: AVAudioTime?,
        _ type: AVAudioPlayerNodeCompletionCallbackType, _ completion: ScheduledSound.Completion?
    ) -> Bool {
        guard let engineUnit else { return false }
        if outputFormats[0] == nil { try? setOutputFormat(outputFormat(forBus: 0), 0) }
        do {
            try service.add(completion, type, delay: heardAfter) { sound in
                let id = try sound.open(file.url)
                try service.setFiles(adding: id, of: engineUnit)
                try sound.schedule(from: startFrame, frames: frames ?? UInt32.max, on: engineUnit, at: when)
            }
            return true
        } catch {
            AudioCallError.refuse("AVAudioPlayerNode.scheduleFile: \(error.localizedDescription)")
            return false
        }
    }
}
