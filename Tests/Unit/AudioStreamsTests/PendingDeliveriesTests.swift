// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Testing

@testable import AudioStreams

/// A pulled stream calls its program after a stop and after a change of the format. The tests state when it does.
@Suite struct PendingDeliveriesTests {
    /// The value behind a reference: an expectation calls no mutating function.
    private final class Pending {
        private var value = PendingNotices()

        var format: pull_format? { value.format }
        func add(_ reason: StopReason, ofStart number: UInt64) { value.add(reason, ofStart: number) }
        func publish(_ format: pull_format) -> Bool { value.publish(format, ofStart: 1) }
        func clearFormat() { value.clearFormat() }
        func removeStops() { value.removeStops() }
        func next(executing current: UInt64) -> PendingNotices.StreamNotice? { value.next(executing: current) }
    }

    private func format(_ rate: Double, channels: UInt32 = 2, slice: UInt32 = 512) -> pull_format {
        var format = pull_format()
        (format.output_rate, format.output_channels, format.slice) = (rate, channels, slice)
        return format
    }

    @Test("A stop is reported when its start is not executed any more, and once") func stop() {
        let pending = Pending()
        pending.add(.interruption, ofStart: 1)
        #expect(pending.next(executing: 1) == nil)
        #expect(pending.next(executing: 2) == .stopped(.interruption))
        #expect(pending.next(executing: 2) == nil)
        pending.add(.interruption, ofStart: 2)
        #expect(pending.next(executing: 0) == .stopped(.interruption))
    }

    @Test("A change of the format that came before a stop is reported while the start is executed") func order() {
        let pending = Pending()
        #expect(!pending.publish(format(44_100)))
        #expect(pending.publish(format(48_000)))
        pending.add(.interruption, ofStart: 1)
        #expect(pending.next(executing: 1) == .formatChanged)
        #expect(pending.next(executing: 1) == nil)
    }

    @Test("Other rates and channels are a change of the format; a first format and another slice are none") func layout() {
        let pending = Pending()
        #expect(!pending.publish(format(44_100)))
        #expect(!pending.publish(format(44_100, slice: 64)))
        #expect(pending.next(executing: 1) == nil && pending.format?.slice == 64)
        #expect(pending.publish(format(44_100, channels: 1)))
        #expect(pending.next(executing: 1) == .formatChanged)
        #expect(pending.publish(format(48_000, channels: 1)))
        pending.clearFormat()
        #expect(pending.next(executing: 0) == nil && pending.format == nil)
        #expect(!pending.publish(format(8_000)))
        #expect(pending.next(executing: 2) == nil)
    }

    @Test("Each rate and each number of channels, of both directions, is a change of the format by itself") func fields() {
        let changes: [(inout pull_format) -> Void] = [
            { $0.output_rate = 32_000 }, { $0.input_rate = 32_000 }, { $0.output_channels = 4 }, { $0.input_channels = 4 },
        ]
        let pending = Pending()
        var format = format(48_000)
        (format.input_rate, format.input_channels) = (48_000, 1)
        #expect(!pending.publish(format))
        for (index, change) in changes.enumerated() {
            change(&format)
            #expect(pending.publish(format), "\(index)")
            #expect(pending.next(executing: 1) == .formatChanged)
            #expect(!pending.publish(format) && pending.next(executing: 1) == nil)
        }
    }

    @Test("A stream that ends reports no stop") func end() {
        let pending = Pending()
        pending.add(.interruption, ofStart: 1)
        pending.removeStops()
        #expect(pending.next(executing: 0) == nil)
    }
}
