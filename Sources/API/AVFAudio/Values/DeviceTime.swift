// SPDX-License-Identifier: Apache-2.0

/// Times of the device and durations, as a program states them in seconds.
enum DeviceTime {
    /// The host time in nanoseconds. Nil for a time that does not come: one before 0, from 1e9 seconds on, or that is no number.
    static func hostTime(_ seconds: Double) -> UInt64? {
        seconds >= 0 && seconds < 1e9 ? UInt64((seconds * 1e9).rounded()) : nil
    }

    /// The nearest number of frames. Nil for less than one frame, 1e15 frames and more, and for what is no number.
    static func frames(_ seconds: Double, rate: Double) -> Int64? {
        let frames = seconds * rate
        return frames >= 1 && frames < 1e15 ? Int64(frames.rounded()) : nil
    }
}
