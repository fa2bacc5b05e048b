// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import TestSupport
import Testing

@testable import AVFAudio

/// A bus that has frames or an error.
private final class ScriptedOutput: NodeOutput, @unchecked Sendable {
    var status: OSStatus = 0

    override func produce(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        for index in 0..<Int(frames) { list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)[index] = 0.5 }
        return status
    }
}

@Suite("A sink")
struct SinkTests {
    @Test("receives the frames of its source, and nothing of a render that fails, in each life of the source")
    func failures() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let captured = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        captured.frameLength = 100
        let received = LockedValue([Float]())
        let source = ScriptedOutput()
        let sink = try #require(
            Sink(
                { _, _, list in
                    received.withLock { $0.append(list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)[99] ?? -1) }
                    return 0
                }, source, format))
        var (flags, time) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
        for status: OSStatus in [0, OSStatus(kAudioUnitErr_NoConnection), 0, -1, 0] {
            source.status = status
            sink.receive(&flags, &time, 100, captured.audioBufferList)
        }
        #expect(received.withLock { $0 } == [0.5, 0.5, 0.5])
    }
}
