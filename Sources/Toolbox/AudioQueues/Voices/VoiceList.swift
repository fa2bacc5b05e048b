// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Synchronization

/// The voices that the audio thread renders. The list is immutable.
final class VoiceList {
    /// A group of nil contains voices of any rate.
    typealias Group = (group: RateGroup?, voices: [Voice])

    let groups: [Group]

    init(_ groups: [Group]) { self.groups = groups }

    /// Called on the stream's thread.
    func configure(_ format: pull_format) {
        for (group, voices) in groups {
            group?.configure(format)
            for voice in voices { voice.configure(format) }
        }
    }

    /// The news of all voices after one cycle.
    struct Result {
        /// The dispatcher has to call a queue.
        var hasNews = false
        /// A group is prepared for another device.
        var isMismatched = false
        /// The only voice with news, if the news are finished buffers: the thread of its queue calls the program.
        var voice: Unmanaged<Voice>?

        fileprivate mutating func add(_ news: VoiceEvents, of voice: Voice) {
            guard news != .none else { return }
            let isOnly = !hasNews && self.voice == nil
            if isOnly, news == .finished, voice.thread != nil {
                self.voice = .passUnretained(voice)
                return
            }
            voice.hasNews.store(true, ordering: .releasing)
            useDispatcher()
        }

        mutating func useDispatcher() {
            voice?.takeUnretainedValue().hasNews.store(true, ordering: .releasing)
            (hasNews, voice) = (true, nil)
        }
    }

    /// Plays a slice without a conversion, if there is only one voice and it has the format of the device. Nil, without an
    /// effect, if the voices have to be mixed.
    func copy(_ slice: Slice, to output: UnsafeMutablePointer<Int16>) -> Result? {
        guard groups.count == 1, groups[0].voices.count == 1, let group = groups[0].group, group.fits(slice),
            let events = groups[0].voices[0].copy(slice, to: output)
        else { return nil }
        var result = Result()
        result.add(events, of: groups[0].voices[0])
        return result
    }

    /// Loops over indices, because the iterator of an array allocates in a build without optimization.
    func render(_ slice: Slice) -> Result {
        var result = Result()
        for index in 0..<groups.count {
            let voices = groups[index].voices
            guard let group = groups[index].group else {
                VoiceList.render(voices, slice, &result)
                continue
            }
            guard group.fits(slice) else {
                result.isMismatched = true
                continue
            }
            guard let own = group.begin(slice) else { continue }
            VoiceList.render(voices, own, &result)
            group.end(own, slice)
        }
        return result
    }

    private static func render(_ voices: [Voice], _ slice: Slice, _ result: inout Result) {
        for index in 0..<voices.count { result.add(voices[index].render(slice), of: voices[index]) }
    }
}
