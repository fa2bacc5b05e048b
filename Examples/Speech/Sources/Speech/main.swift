// SPDX-License-Identifier: Apache-2.0
import AVFAudio

// Reads a sound file of any type, writes it as a recognizer of speech takes it, and prints its level for each second.

guard CommandLine.arguments.count == 3 else {
    print("usage: Speech INPUT OUTPUT.wav")
    exit(2)
}
let samples = try SpeechSamples(URL(fileURLWithPath: CommandLine.arguments[1]))
let output = try AVAudioFile(
    forWriting: URL(fileURLWithPath: CommandLine.arguments[2]),
    settings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16,
    ])

try samples.forEachSecond { buffer in
    guard let channel = buffer.floatChannelData?[0] else { return }
    let sound = UnsafeBufferPointer(start: channel, count: Int(buffer.frameLength))
    let power = sound.reduce(0) { $0 + $1 * $1 } / Float(sound.count)
    print(String(format: "%.1f dB", 10 * log10(power)))
    try output.write(from: buffer)
}
print("\(output.length) frames")
