// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import TestSupport
import Testing

@testable import AVFAudio

@Suite("A tap of a node")
struct TapTimeTests {
    private static let rate = 44_100.0
    private static let frames = 300
    /// The sample time and the host time of each render. The device is restarted before each fourth one.
    private static let renders = (0..<12).map { index in
        (sample: Double(5_000 + index * frames), host: UInt64(1_000_000_000 * (1 + index / 4) + index * 6_802_721))
    }

    private func stamp(_ render: (sample: Double, host: UInt64), hasHostTime: Bool) -> AudioTimeStamp {
        var time = AudioTimeStamp()
        (time.mSampleTime, time.mHostTime) = render
        time.mFlags = hasHostTime ? [.sampleTimeValid, .hostTimeValid] : .sampleTimeValid
        return time
    }

    @Test("has the times of the render that has made its first frame, and the frames in between", arguments: [true, false])
    func times(hasHostTime: Bool) throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: Self.rate, channels: 1))
        let slice = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(Self.frames)))
        slice.frameLength = AVAudioFrameCount(Self.frames)
        let size = 1_000
        let (heard, isComplete) = (LockedValue([AVAudioTime]()), DispatchSemaphore(value: 0))
        let tap = try #require(
            NodeTap(format, size: size, nil) { buffer, time in
                heard.withLock { $0.append(time) }
                isComplete.signal()
            })
        try #require(tap.start())
        for render in Self.renders {
            var time = stamp(render, hasHostTime: hasHostTime)
            tap.add(slice.mutableAudioBufferList, Self.frames, &time)
        }
        for _ in 0..<3 { isComplete.wait() }
        tap.end()
        for (index, time) in heard.withLock({ $0 }).enumerated() {
            let (render, behind) = ((index * size) / Self.frames, (index * size) % Self.frames)
            let expected = Self.renders[render]
            #expect(Double(time.sampleTime) == expected.sample + Double(behind))
            #expect(time.isHostTimeValid == hasHostTime)
            let host = expected.host + UInt64(Double(behind) / Self.rate * 1e9)
            if hasHostTime { #expect(time.hostTime == host) }
        }
    }
}
