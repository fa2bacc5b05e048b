// SPDX-License-Identifier: Apache-2.0
import AVFoundation

// A voice recorder: records until Return, pauses during interruptions, and follows the route from one microphone to
// the next.
//
//     swift run Recorder voice.wav          RECORDER_DEVICE=audiosession records through the ALSA plug-in
//     audiosessionctl interrupt begin       in another terminal: a phone call

let session = AVAudioSession.sharedInstance()

/// The input of the route, or the device that the environment names.
func device() -> String? {
    ProcessInfo.processInfo.environment["RECORDER_DEVICE"] ?? session.currentRoute.inputs.first?.alsaDevice
}

/// Resumes, or prints the reason of the failure.
func resume(_ recording: Recording) {
    do {
        try session.setActive(true)
        guard let device = device() else { return report("there is no microphone") }
        try recording.resume(from: device)
        report("records from \(session.currentRoute.inputs.first?.portName ?? device)")
    } catch {
        report("\(error.localizedDescription)")
    }
}

func follow(_ recording: Recording) async {
    for await event in session.events {
        switch event {
        case .interruptionBegan:
            recording.pause()
            report("paused after \(String(format: "%.1f", recording.seconds)) s")
        case .interruptionEnded(let options):
            if options.contains(.shouldResume) { resume(recording) } else { report("stays paused") }
        case .routeChanged where recording.isRunning, .mediaServicesReset: resume(recording)
        default: break
        }
    }
}

func untilReturnIsPressed() async {
    await withCheckedContinuation { pressed in
        Thread.detachNewThread {
            _ = readLine()
            pressed.resume()
        }
    }
}

do {
    try session.setCategory(.record, options: .allowBluetooth)
    try session.setPreferredSampleRate(48_000)
    let path = CommandLine.arguments.dropFirst().first ?? "voice.wav"
    let recording = try Recording(to: path, WaveFormat(sampleRate: 48_000, channels: 1))
    let following = Task { await follow(recording) }
    resume(recording)
    await untilReturnIsPressed()
    following.cancel()
    try recording.finish()
    try session.setActive(false, options: .notifyOthersOnDeactivation)
    report("\(path) has \(String(format: "%.1f", recording.seconds)) s")
} catch {
    report("\(error.localizedDescription)")
    exit(1)
}
