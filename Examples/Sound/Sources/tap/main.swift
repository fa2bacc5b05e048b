// SPDX-License-Identifier: Apache-2.0
// tap SECONDS FILE: records the microphone by a tap of AVAudioEngine, and prints the level of each buffer.
import AVFAudio

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

guard CommandLine.arguments.count == 3, let seconds = Double(CommandLine.arguments[1]) else {
    say("usage: tap SECONDS FILE")
    exit(2)
}
try AVAudioSession.sharedInstance().setCategory(.record)
let engine = AVAudioEngine()
let input = engine.inputNode
let format = input.outputFormat(forBus: 0)
guard format.sampleRate > 0 else {
    say("there is no microphone")
    exit(1)
}
let file = try AVAudioFile(forWriting: URL(fileURLWithPath: CommandLine.arguments[2]), settings: format.settings)
let wanted = AVAudioFramePosition(seconds * format.sampleRate)
let done = DispatchSemaphore(value: 0)
input.installTap(onBus: 0, bufferSize: 4410, format: format) { buffer, time in
    guard file.length < wanted, let samples = buffer.floatChannelData?[0] else { return }
    var peak: Float = 0
    for frame in 0..<Int(buffer.frameLength) { peak = max(peak, abs(samples[frame])) }
    say("frame \(time.sampleTime): peak \(peak)")
    do { try file.write(from: buffer) } catch { say("cannot write: \(error.localizedDescription)") }
    if file.length >= wanted { done.signal() }
}
try engine.start()
done.wait()
input.removeTap(onBus: 0)
engine.stop()
say("recorded \(file.length) frames")
