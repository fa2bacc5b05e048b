// SPDX-License-Identifier: Apache-2.0
import CAudioStreams

/// The calls of the program that a pulled stream still has to make, and the format that its devices have at this moment.
struct PendingDeliveries {
    enum Delivery: Equatable {
        case stopped(StopReason)
        case formatChanged
    }

    /// The starts that were stopped, by their numbers.
    private var stops: [(number: UInt64, reason: StopReason)] = []
    private var formatHasChanged = false
    /// Nil while no start is executed.
    private(set) var format: pull_format?

    mutating func add(_ reason: StopReason, ofStart number: UInt64) { stops.append((number, reason)) }

    /// The devices of the start that is executed. True when a call is pending for it: the first format of a start is no change.
    mutating func publish(_ new: pull_format) -> Bool {
        if let format, !format.hasSameLayout(as: new) { formatHasChanged = true }
        format = new
        return formatHasChanged
    }

    /// No start is executed any more.
    mutating func clearFormat() {
        format = nil
        formatHasChanged = false
    }

    mutating func removeStops() { stops = [] }

    /// The next call that may be made while a start is executed; 0: none is. A stop is reported when its start is not executed
    /// any more.
    mutating func next(executing current: UInt64) -> Delivery? {
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
