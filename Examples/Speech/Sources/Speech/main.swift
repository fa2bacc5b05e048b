// SPDX-License-Identifier: Apache-2.0
import AVFAudio

// Reads a sound file of any type, writes it as a recognizer of speech takes it, and prints its level for each second.

func convert(_ input: String, to output: String) throws {
    let samples = try SpeechSamples(URL(fileURLWithPath: input))
    let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16,
    ]
    let file = try AVAudioFile(forWriting: URL(fileURLWithPath: output), settings: settings)
    try samples.forEachSecond { buffer in
        guard let channel = buffer.floatChannelData?[0] else { return }
        let sound = UnsafeBufferPointer(start: channel, count: Int(buffer.frameLength))
        let power = sound.reduce(0) { $0 + $1 * $1 } / Float(sound.count)
        print(String(format: "%.1f dB", 10 * log10(power)))
        try file.write(from: buffer)
    }
    print("\(file.length) frames")
}

guard CommandLine.arguments.count == 3 else {
    print("usage: Speech INPUT OUTPUT.wav")
    exit(2)
}
do {
    try convert(CommandLine.arguments[1], to: CommandLine.arguments[2])
} catch {
    print(error.localizedDescription)
    exit(1)
}
