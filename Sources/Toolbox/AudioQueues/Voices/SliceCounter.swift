// SPDX-License-Identifier: Apache-2.0
import CAudioStreams

/// Makes a slice of each cycle of a stream, and counts the frames that the device lost between two cycles. Only the stream's thread
/// uses it.
struct SliceCounter {
    let isInput: Bool
    private(set) var format = pull_format()
    private var nextFrame: UInt64 = 0
    private var isFirstCycle = true

    init(isInput: Bool) { self.isInput = isInput }

    /// The next cycle is the first one on these devices: no frame was lost before it.
    mutating func configure(_ format: pull_format) {
        self.format = format
        isFirstCycle = true
    }

    mutating func next(_ cycle: pull_cycle) -> Slice {
        let frame = isInput ? cycle.input_frame : cycle.output_frame
        let room = Int(cycle.output_frames)
        let frames = isInput ? Int(cycle.input_frames) : format.slice > 0 ? min(room, Int(format.slice)) : room
        let rate = isInput ? format.input_rate : format.output_rate
        let time = isInput ? cycle.input_time : cycle.output_time
        let delay = rate > 0 ? UInt64(Double(cycle.output_delay) * 1e9 / rate) : 0
        defer {
            nextFrame = frame &+ UInt64(frames)
            isFirstCycle = false
        }
        return Slice(
            output: cycle.output, input: cycle.input, frames: frames,
            channels: Int(isInput ? format.input_channels : format.output_channels), rate: rate, deviceRate: rate,
            frame: frame, time: time,
            now: isInput || time < delay ? time : time - delay, rateScalar: cycle.rate_scalar > 0 ? cycle.rate_scalar : 1,
            lostFrames: !isFirstCycle && frame > nextFrame ? frame - nextFrame : 0)
    }
}
