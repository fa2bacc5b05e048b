// SPDX-License-Identifier: Apache-2.0
import CAudioStreams

/// Adds interleaved frames to a mix with another number of channels.
///
/// A mono source feeds the first two channels. A mono mix receives the mean of the first two channels of the source.
/// Otherwise channels of the same number correspond.
@_optimize(speed)
func addFrames(
    _ source: UnsafePointer<Float>, channels: Int, to mix: UnsafeMutablePointer<Float>, mixChannels: Int, frames: Int,
    gain: inout OutputGain
) {
    if gain.isSteady {
        let gains = gain.steady
        if mixChannels == 2, channels <= 2 {
            if channels == 2, gains.left == 1, gains.right == 1 {
                addSamples(source, to: mix, count: 2 &* frames)
            } else {
                addToStereo(source, channels: channels, to: mix, frames: frames, gains: (gains.left, gains.right))
            }
            return
        }
        for frame in 0..<frames {
            addFrame(source + frame &* channels, channels, mix + frame &* mixChannels, mixChannels, gains)
        }
        return
    }
    for frame in 0..<frames {
        addFrame(source + frame &* channels, channels, mix + frame &* mixChannels, mixChannels, gain.next())
    }
}

@inline(never)
@_optimize(speed)
private func addSamples(_ source: UnsafePointer<Float>, to mix: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { mix[index] += source[index] }
}

@inline(never)
@_optimize(speed)
private func addToStereo(
    _ source: UnsafePointer<Float>, channels: Int, to mix: UnsafeMutablePointer<Float>, frames: Int,
    gains: (left: Float, right: Float)
) {
    let right = channels &- 1
    for frame in 0..<frames {
        mix[2 &* frame] += source[frame &* channels] * gains.left
        mix[2 &* frame &+ 1] += source[frame &* channels &+ right] * gains.right
    }
}

@inline(__always)
private func addFrame(
    _ source: UnsafePointer<Float>, _ channels: Int, _ mix: UnsafeMutablePointer<Float>, _ mixChannels: Int,
    _ gains: (left: Float, right: Float, others: Float)
) {
    if mixChannels == 1 {
        mix[0] += channels == 1 ? source[0] * gains.others : (source[0] * gains.left + source[1] * gains.right) * 0.5
        return
    }
    mix[0] += source[0] * gains.left
    mix[1] += source[channels == 1 ? 0 : 1] * gains.right
    var channel = 2
    while channel < mixChannels, channel < channels {
        mix[channel] += source[channel] * gains.others
        channel &+= 1
    }
}

/// Copies frames to another number of channels, by the same rule.
@_optimize(speed)
func copyFrames(
    _ source: UnsafePointer<Float>, channels: Int, to target: UnsafeMutablePointer<Float>, targetChannels: Int, frames: Int
) {
    guard channels != targetChannels else { return stream_copy(target, source, frames &* channels) }
    for frame in 0..<frames {
        let (from, to) = (source + frame &* channels, target + frame &* targetChannels)
        if targetChannels == 1 {
            to[0] = channels == 1 ? from[0] : (from[0] + from[1]) * 0.5
            continue
        }
        for channel in 0..<targetChannels {
            to[channel] = channel < channels ? from[channel] : channels == 1 && channel == 1 ? from[0] : 0
        }
    }
}
