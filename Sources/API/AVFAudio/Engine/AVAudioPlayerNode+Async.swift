// SPDX-License-Identifier: Apache-2.0
internal import Foundation

// The forms that return when the sound is complete. One that is refused, with a message in the log, returns at once.
extension AVAudioPlayerNode {
    public final func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async {
        _ = await complete(.dataConsumed) { schedule(buffer, nil, [], .dataConsumed, $0) }
    }

    public final func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await complete(callbackType) { schedule(buffer, nil, [], callbackType, $0) }
    }

    public final func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = []
    ) async { _ = await complete(.dataConsumed) { schedule(buffer, when, options, .dataConsumed, $0) } }

    public final func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await complete(callbackType) { schedule(buffer, when, options, callbackType, $0) }
    }

    /// Schedules a sound, and waits for its completion.
    final func complete(
        _ type: AVAudioPlayerNodeCompletionCallbackType, _ schedule: (@escaping ScheduledSound.Completion) -> Bool
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { done in
            if !schedule({ done.resume(returning: $0) }) { done.resume(returning: type) }
        }
    }
}
