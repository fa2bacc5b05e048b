// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Synchronization

/// The voices that the audio thread renders: a value that does not change.
final class VoiceList {
    /// Without a group, voices of any rate.
    typealias Group = (group: RateGroup?, voices: [Voice])

    let groups: [Group]

    init(_ groups: [Group]) { self.groups = groups }

    /// On the stream's thread.
    func configure(_ format: pull_format) {
        for (group, voices) in groups {
            group?.configure(format)
            for voice in voices { voice.configure(format) }
        }
    }

    /// The iterator of an array allocates in a build without optimization: indices do not.
    ///
    /// Returns whether the dispatcher has to call a queue, and whether a group is prepared for another device.
    func render(_ slice: Slice) -> (hasNews: Bool, isMismatched: Bool) {
        var result = (hasNews: false, isMismatched: false)
        for index in 0..<groups.count {
            let voices = groups[index].voices
            guard let group = groups[index].group else {
                if VoiceList.render(voices, slice) { result.hasNews = true }
                continue
            }
            guard group.fits(slice) else {
                result.isMismatched = true
                continue
            }
            guard let own = group.begin(slice) else { continue }
            if VoiceList.render(voices, own) { result.hasNews = true }
            group.end(own, slice)
        }
        return result
    }

    private static func render(_ voices: [Voice], _ slice: Slice) -> Bool {
        var hasNews = false
        for index in 0..<voices.count where voices[index].render(slice) {
            voices[index].hasNews.store(true, ordering: .releasing)
            hasNews = true
        }
        return hasNews
    }
}
