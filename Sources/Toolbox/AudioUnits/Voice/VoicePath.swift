// SPDX-License-Identifier: Apache-2.0
import Resampling

/// Converts the device's frames to one channel without echo, at the program's rate. Only the stream's thread uses it.
final class VoicePath {
    private let processor: VoiceProcessor
    private let down: RateConverter?
    private let up: RateConverter?
    private let deviceRate: Double
    private let mono: FrameQueue
    /// Frames at the processor's rate that do not fill a block yet.
    private let waiting: FrameQueue
    private let block: FrameQueue
    /// Frames at the program's rate.
    let output: FrameQueue

    static func make(_ reference: EchoReference, deviceRate: Double, clientRate: Double, followsClock: Bool) -> VoicePath? {
        guard let processor = VoiceProcessor.make(reference) else { return nil }
        var (down, up): (RateConverter?, RateConverter?)
        if deviceRate != EchoTap.rate || followsClock {
            down = RateConverter.make(channels: 1, from: deviceRate, to: EchoTap.rate, followsClock: followsClock)
            guard down != nil else { return nil }
        }
        if clientRate != EchoTap.rate {
            up = RateConverter.make(channels: 1, from: EchoTap.rate, to: clientRate)
            guard up != nil else { return nil }
        }
        return VoicePath(processor, down, up, deviceRate, clientRate)
    }

    private init(
        _ processor: VoiceProcessor, _ down: RateConverter?, _ up: RateConverter?, _ deviceRate: Double, _ clientRate: Double
    ) {
        self.processor = processor
        self.down = down
        self.up = up
        self.deviceRate = deviceRate
        mono = FrameQueue(channels: 1, frames: VoicePath.portion)
        // A portion of 1,024 frames at the lowest rate has 4,096 frames at the processor's rate.
        waiting = FrameQueue(channels: 1, frames: 5 * VoicePath.portion)
        block = FrameQueue(channels: 1, frames: VoiceProcessor.block)
        output = FrameQueue(channels: 1, frames: Int(6 * Double(VoicePath.portion) * max(clientRate / EchoTap.rate, 1)))
    }

    static let portion = 1024

    func reset() {
        down?.reset()
        up?.reset()
        waiting.clear()
        output.clear()
    }

    func setGainControl(_ on: Bool) { processor.setGainControl(on) }
    func setDrift(_ factor: Double) { down?.setDrift(factor) }

    /// The difference in seconds between the capture of the newest frame of the output and the newest captured frame.
    var delay: Double { latency + Double(waiting.count) / EchoTap.rate }
    var latency: Double { (down?.latency ?? 0) + (up?.latency ?? 0) }

    /// Accepts at most a portion of interleaved frames. The last one was captured at `end`. Writes the result to `output`.
    func accept(_ input: UnsafePointer<Float>, channels: Int, _ frames: Int, endingAt end: Double) {
        output.clear()
        guard mono.setMeans(of: input, channels: channels, frames: frames) else { return }
        waiting.append(mono.frames, through: down)
        let newest = Int64(exactly: (end - (down?.latency ?? 0) * 1e9).rounded()) ?? 0
        while waiting.count >= VoiceProcessor.block { processBlock(newest) }
    }

    private func processBlock(_ newest: Int64) {
        block.clear()
        guard let source = waiting.frames.baseAddress, let target = block.room(for: VoiceProcessor.block)?.baseAddress
        else { return }
        processor.process(
            source, into: target, capturedAt: newest &- Int64(waiting.count) &* EchoTap.nanosecondsPerFrame)
        block.appended(VoiceProcessor.block)
        waiting.removeFirst(VoiceProcessor.block)
        output.append(block.frames, through: up)
    }
}
