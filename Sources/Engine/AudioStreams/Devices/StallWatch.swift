// SPDX-License-Identifier: Apache-2.0
/// Notices a device that accepts frames and does not play them.
struct StallWatch {
    private static let limit: UInt64 = 2_000_000_000

    private var played: UInt64 = 0
    /// The time at which the device played its last frame, or was started.
    private var since: UInt64 = 0
    private var hasNoticed = false

    /// The device starts.
    mutating func start(at now: UInt64) { (played, since, hasNoticed) = (0, now, false) }

    /// `played` counts the frames since the start. True once when no frame was played for two seconds, until one is played.
    mutating func notices(played frames: UInt64, at now: UInt64) -> Bool {
        guard frames == played else {
            (played, since, hasNoticed) = (frames, now, false)
            return false
        }
        guard !hasNoticed, now > since, now &- since >= StallWatch.limit else { return false }
        hasNoticed = true
        return true
    }
}
