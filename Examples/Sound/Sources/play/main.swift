// SPDX-License-Identifier: Apache-2.0
// play FILE [REPETITIONS]: plays a sound file with AVAudioPlayer, and continues after a call.
import AVFAudio

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

final class Delegate: NSObject, AVAudioPlayerDelegate {
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        say(flag ? "finished" : "failed")
        exit(flag ? 0 : 1)
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        say("cannot decode: \(error?.localizedDescription ?? "unknown")")
    }
}

guard CommandLine.arguments.count > 1 else {
    say("usage: play FILE [REPETITIONS]")
    exit(2)
}
let session = AVAudioSession.sharedInstance()
try session.setCategory(.playback)
let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let delegate = Delegate()
player.delegate = delegate
player.numberOfLoops = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 0 : 0
say("\(player.duration) s, \(player.numberOfChannels) channels at \(player.format.sampleRate) Hz")

let observer = NotificationCenter.default.addObserver(
    forName: AVAudioSession.interruptionNotification, object: session, queue: .main
) { note in
    let type = (note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt).flatMap(AVAudioSession.InterruptionType.init)
    if type == .ended {
        say(player.play() ? "playing again" : "cannot play")
    } else {
        say("interrupted")
    }
}
say(player.play() ? "playing" : "cannot play")
RunLoop.main.run()
