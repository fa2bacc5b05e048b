// SPDX-License-Identifier: Apache-2.0
/// A local time of day with milliseconds.
public struct TimeOfDay: Equatable, Sendable {
    private let milliseconds: UInt32

    /// Since midnight.
    public init(milliseconds: UInt32) { self.milliseconds = milliseconds }

    public var text: String {
        let seconds = milliseconds / 1000
        return two(seconds / 3600 % 24) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
            + (milliseconds % 1000 < 100 ? ".0" : ".") + (milliseconds % 1000 < 10 ? "0" : "") + "\(milliseconds % 1000)"
    }

    private func two(_ number: UInt32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
