// SPDX-License-Identifier: Apache-2.0
/// Why the session does not let streams run. A program that deactivates its session is not told of an interruption.
public enum SessionStop: Sendable {
    case interruption
    /// The program has deactivated the session, the category does not permit the direction, or the audio server is dead.
    case other
}
