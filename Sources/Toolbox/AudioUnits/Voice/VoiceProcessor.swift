// SPDX-License-Identifier: Apache-2.0
/// Removes the echo, the noise and the changes of level from captured frames, at 16,000 frames a second: the canceller of
/// libspeexdsp removes most echo at this rate. Only the stream's thread uses it.
final class VoiceProcessor {
    /// Ten milliseconds.
    static let block = 160
    /// The longest echo: 128 milliseconds.
    private static let tail = 2048
    /// The reference begins earlier than the captured frames by this time in nanoseconds, so that an error of the times does not
    /// make it late.
    private static let lead: Int64 = 8_000_000

    private let module: VoiceModule
    private let handle: VoiceModule.Processor
    private let reference: EchoReference
    private let captured: UnsafeMutablePointer<Int16>
    private let played: UnsafeMutablePointer<Int16>
    private let output: UnsafeMutablePointer<Int16>
    private let floats: UnsafeMutablePointer<Float>
    private var controlsGain = false

    static func make(_ reference: EchoReference) -> VoiceProcessor? {
        guard let module = VoiceModule.installed,
            let handle = module.create(Int32(EchoTap.rate), Int32(block), Int32(tail))
        else { return nil }
        return VoiceProcessor(module, handle, reference)
    }

    private init(_ module: VoiceModule, _ handle: VoiceModule.Processor, _ reference: EchoReference) {
        self.module = module
        self.handle = handle
        self.reference = reference
        captured = .allocate(capacity: VoiceProcessor.block)
        played = .allocate(capacity: VoiceProcessor.block)
        output = .allocate(capacity: VoiceProcessor.block)
        floats = .allocate(capacity: VoiceProcessor.block)
        reference.beginListening()
    }

    deinit {
        reference.endListening()
        module.destroy(handle)
        captured.deallocate()
        played.deallocate()
        output.deallocate()
        floats.deallocate()
    }

    func setGainControl(_ on: Bool) {
        guard on != controlsGain else { return }
        controlsGain = on
        module.setGainControl(handle, on)
    }

    /// Processes one block. Its first frame was captured at `time`.
    func process(_ input: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, capturedAt time: Int64) {
        VoiceProcessor.round(UnsafeBufferPointer(start: input, count: VoiceProcessor.block), captured)
        let heard = UnsafeMutableBufferPointer(start: floats, count: VoiceProcessor.block)
        reference.read(into: heard, heardFrom: time &+ VoiceProcessor.lead)
        VoiceProcessor.round(UnsafeBufferPointer(heard), played)
        module.process(handle, captured, played, output)
        for index in 0..<VoiceProcessor.block { target[index] = Float(output[index]) / 32768 }
    }

    private static func round(_ source: UnsafeBufferPointer<Float>, _ target: UnsafeMutablePointer<Int16>) {
        for index in 0..<source.count {
            let sample = (source[index] * 32768).rounded(.toNearestOrEven)
            target[index] = sample >= 32767 ? 32767 : sample > -32768 ? Int16(sample) : -32768
        }
    }
}
