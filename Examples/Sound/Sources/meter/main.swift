// SPDX-License-Identifier: Apache-2.0
// meter SECONDS FILE: records with AVAudioRecorder, and prints the level ten times a second. The name of the file selects the
// container: .wav, .caf or .aiff.
import AVFAudio

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

final class Delegate: NSObject, AVAudioRecorderDelegate {
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        say(flag ? "recorded \(recorder.url.path)" : "failed")
        exit(flag ? 0 : 1)
    }
}

guard CommandLine.arguments.count == 3, let seconds = Double(CommandLine.arguments[1]) else {
    say("usage: meter SECONDS FILE")
    exit(2)
}
try AVAudioSession.sharedInstance().setCategory(.record)
let settings: [String: Any] = [
    AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16,
    AVLinearPCMIsFloatKey: false,
]
let recorder = try AVAudioRecorder(url: URL(fileURLWithPath: CommandLine.arguments[2]), settings: settings)
let delegate = Delegate()
recorder.delegate = delegate
recorder.isMeteringEnabled = true
guard recorder.record(forDuration: seconds) else {
    say("cannot record")
    exit(1)
}
let timer = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { _ in
    recorder.updateMeters()
    let level = recorder.averagePower(forChannel: 0)
    let bar = String(repeating: "#", count: max(0, Int((level + 60) / 2)))
    say(String(format: "%6.1f s %6.1f dB ", recorder.currentTime, level) + bar)
}
RunLoop.main.run()
