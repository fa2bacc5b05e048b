import AVFoundation

// A voice recorder: records until Return is pressed, pauses while something else needs the microphone,
// and follows it from one microphone to the next.
//
//     swift run Recorder voice.wav          RECORDER_DEVICE=audiosession to record by the ALSA plug-in
//     audiosessionctl interrupt begin       in another terminal: a phone call

let session = AVAudioSession.sharedInstance()

/// What to record from: the route's input, unless the environment names another device.
func device() -> String? {
    ProcessInfo.processInfo.environment["RECORDER_DEVICE"] ?? session.currentRoute.inputs.first?.alsaDevice
}

/// Goes on, or says why not.
func resume(_ recording: Recording) {
    do {
        try session.setActive(true)
        guard let device = device() else { return say("there is no microphone") }
        try recording.resume(from: device)
        say("records from \(session.currentRoute.inputs.first?.portName ?? device)")
    } catch {
        say("\(error.localizedDescription)")
    }
}

func follow(_ recording: Recording) async {
    for await event in session.events {
        switch event {
        case .interruptionBegan:
            recording.pause()
            say("paused after \(String(format: "%.1f", recording.seconds)) s")
        case .interruptionEnded(let options):
            if options.contains(.shouldResume) { resume(recording) } else { say("stays paused") }
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
    say("\(path) has \(String(format: "%.1f", recording.seconds)) s")
} catch {
    say("\(error.localizedDescription)")
    exit(1)
}
