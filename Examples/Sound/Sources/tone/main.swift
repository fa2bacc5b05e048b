// SPDX-License-Identifier: Apache-2.0
// tone HERTZ SECONDS: a tone from a source node of AVAudioEngine.
import AVFAudio

guard CommandLine.arguments.count == 3, let frequency = Double(CommandLine.arguments[1]),
    let seconds = Double(CommandLine.arguments[2])
else {
    print("usage: tone HERTZ SECONDS")
    exit(2)
}
let engine = AVAudioEngine()
let rate = engine.mainMixerNode.outputFormat(forBus: 0).sampleRate
guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) else { exit(1) }

/// The state of the tone between two slices. Only the rendering thread uses it.
final class Oscillator: @unchecked Sendable {
    var phase = 0.0
}
let oscillator = Oscillator()
let step = 2 * Double.pi * frequency / rate
let source = AVAudioSourceNode(format: format) { _, _, frameCount, audioBufferList in
    let buffers = UnsafeMutableAudioBufferListPointer(audioBufferList)
    for frame in 0..<Int(frameCount) {
        let value = Float(sin(oscillator.phase) * 0.25)
        oscillator.phase += step
        if oscillator.phase > 2 * Double.pi { oscillator.phase -= 2 * Double.pi }
        for buffer in buffers { buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = value }
    }
    return noErr
}
engine.attach(source)
engine.connect(source, to: engine.mainMixerNode, format: format)
try engine.start()
print("playing \(frequency) Hz")
RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
engine.stop()
