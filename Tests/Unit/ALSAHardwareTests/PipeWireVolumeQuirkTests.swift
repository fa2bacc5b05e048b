// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ALSAHardware

/// A control plug-in that reports and reads changes of the first channel only.
struct PipeWireVolumeQuirkTests {
    @Test("The values of an element are kept when all of its channels have changed") func changesOfAllChannelsAreKept() {
        var channels = PipeWireVolumeQuirk()
        #expect(channels.correct([100, 40], of: 1) == [100, 40])
        #expect(channels.correct([50, 20], of: 1) == [50, 20])
        #expect(channels.correct([7], of: 2) == [7])
        #expect(channels.correct([8], of: 2) == [8])
    }

    @Test("The other channels follow when only the first channel has changed")
    func theOthersFollowWhenOnlyTheFirstChannelHasChanged() {
        var channels = PipeWireVolumeQuirk()
        _ = channels.correct([100, 100], of: 1)
        #expect(channels.correct([25, 100], of: 1) == [25, 25])
        // The same values, read again because of another element's event.
        #expect(channels.correct([25, 100], of: 1) == [25, 25])
        // With the next change of the first channel the plug-in reads the earlier values of the others.
        #expect(channels.correct([50, 25], of: 1) == [50, 50])
        #expect(channels.correct([10, 50], of: 1) == [10, 10])
        #expect(channels.correct([60, 60], of: 1) == [60, 60])
    }
}
