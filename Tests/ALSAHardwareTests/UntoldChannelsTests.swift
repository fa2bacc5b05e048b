import Testing

@testable import ALSAHardware

/// A server's plug-in that neither tells nor sees it when another channel than the first changes.
struct UntoldChannelsTests {
    @Test func whatIsFoundAndWhatChangesAsAWholeCounts() {
        var channels = UntoldChannels()
        #expect(channels.meaning(of: [100, 40], in: 1) == [100, 40])
        #expect(channels.meaning(of: [50, 20], in: 1) == [50, 20])
        #expect(channels.meaning(of: [7], in: 2) == [7])
        #expect(channels.meaning(of: [8], in: 2) == [8])
    }

    @Test func whereOnlyTheFirstHasChangedTheOthersFollow() {
        var channels = UntoldChannels()
        _ = channels.meaning(of: [100, 100], in: 1)
        #expect(channels.meaning(of: [25, 100], in: 1) == [25, 25])
        // Asked again because of another element's event, it says the same.
        #expect(channels.meaning(of: [25, 100], in: 1) == [25, 25])
        // With the next change of the first the plug-in sees what the others were before that.
        #expect(channels.meaning(of: [50, 25], in: 1) == [50, 50])
        #expect(channels.meaning(of: [10, 50], in: 1) == [10, 10])
        #expect(channels.meaning(of: [60, 60], in: 1) == [60, 60])
    }
}
