// SPDX-License-Identifier: Apache-2.0
import CAudioStreams

/// The pending calls of the program by the delivery thread of a pulled stream, and the present format of the stream's devices.
struct PendingNotices {
    enum StreamNotice: Equatable {
        case stopped(StopReason)
        case formatChanged
    }

    /// The numbers of stopped starts whose stop has not been reported, with the reasons.
    private var stops: [(number: UInt64, reason: StopReason)] = []
    private var formatHasChanged = false
    /// The number of the last start whose devices were replaced before they opened; 0: none.
    private var changedStart: UInt64 = 0
    /// Nil while the stream's thread executes no start.
    private(set) var format: pull_format?

    mutating func add(_ reason: StopReason, ofStart number: UInt64) { stops.append((number, reason)) }

    /// Makes the first format of a start a change: its devices were replaced before they opened.
    mutating func noteChange(before number: UInt64) { changedStart = number }

    /// Sets the format of the devices of the executed start. True when a call about a change is pending: the first format of a
    /// start is not a change, unless its devices were replaced before they opened.
    mutating func publish(_ new: pull_format, ofStart number: UInt64) -> Bool {
        let isChange = format.map { !$0.hasSameLayout(as: new) } ?? (changedStart == number)
        if isChange { formatHasChanged = true }
        format = new
        return formatHasChanged
    }

    /// Called when the stream's thread has ended the start that it executed.
    mutating func clearFormat() {
        format = nil
        formatHasChanged = false
    }

    mutating func removeStops() { stops = [] }

    /// The next call that may be made now. `current` is the number of the executed start; 0: none. A stop is reported only after
    /// its start has ended.
    mutating func next(executing current: UInt64) -> StreamNotice? {
        if let first = stops.first, first.number != current {
            stops.removeFirst()
            return .stopped(first.reason)
        }
        guard formatHasChanged else { return nil }
        formatHasChanged = false
        return .formatChanged
    }
}

extension pull_format {
    func hasSameLayout(as other: pull_format) -> Bool {
        output_rate == other.output_rate && input_rate == other.input_rate && output_channels == other.output_channels
            && input_channels == other.input_channels
    }
}
