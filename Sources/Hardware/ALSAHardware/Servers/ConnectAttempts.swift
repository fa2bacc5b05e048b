// SPDX-License-Identifier: Apache-2.0
/// The attempts to connect to a server whose socket has appeared. A server creates its socket a moment before it listens, so that
/// six attempts follow with growing delays.
struct ConnectAttempts {
    private var failures: Int32 = 0
    private static let most: Int32 = 6

    var areExhausted: Bool { failures >= ConnectAttempts.most }

    /// Milliseconds until the next attempt; -1: no attempt is due.
    var delay: Int32 { areExhausted ? -1 : 50 << failures }

    mutating func fail() { failures = min(failures + 1, ConnectAttempts.most) }

    /// The server answers, or its socket has appeared again.
    mutating func restart() { failures = 0 }
}
