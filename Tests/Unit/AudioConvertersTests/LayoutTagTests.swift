// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioConverters

/// The header states the channels of most layouts behind their tags.
@Suite("The tags of layouts")
struct LayoutTagTests {
    /// The labels of the abbreviations of the header.
    private static let labels: [Substring: UInt32] = [
        "L": 1, "R": 2, "C": 3, "Lfe": 4, "Ls": 5, "Rs": 6, "Lc": 7, "Rc": 8, "Cs": 9, "Ts": 12, "Vhl": 13, "Vhr": 15, "Rls": 33,
        "Rrs": 34, "Ltm": 49, "Rtm": 51, "Ltr": 52, "Rtr": 54,
    ]

    /// The tags whose comment has nothing but channels.
    private func stated() throws -> [(name: Substring, tag: UInt32, channels: [UInt32])] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let header = root.appendingPathComponent("include/audiotoolbox/CoreAudio/CoreAudioTypes.h")
        let line = /kAudioChannelLayoutTag_(\w+) = (\d+) << 16 \| (\d+), *\/\* (.+) \*\//
        return try String(contentsOf: header, encoding: .utf8).matches(of: line).compactMap { match in
            let channels = match.output.4.split(separator: " ").map { LayoutTagTests.labels[$0] }
            guard let number = UInt32(match.output.2), let count = UInt32(match.output.3), !channels.contains(nil) else {
                return nil
            }
            return (match.output.1, number << 16 | count, channels.compactMap { $0 })
        }
    }

    @Test("have the channels of the header, in its order")
    func channels() throws {
        let stated = try stated()
        #expect(stated.count > 70)
        for (name, tag, channels) in stated {
            #expect(ChannelLayout.tags.first { $0.tag == tag }?.labels == channels, "\(name)")
        }
    }

    @Test("are each in the list once, with a channel for each of their number")
    func list() {
        #expect(Set(ChannelLayout.tags.map(\.tag)).count == ChannelLayout.tags.count)
        for (tag, labels) in ChannelLayout.tags {
            #expect(UInt32(labels.count) == tag & 0xFFFF && Set(labels).count == labels.count, "\(tag >> 16)")
        }
    }
}
