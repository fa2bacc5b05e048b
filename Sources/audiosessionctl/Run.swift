import ALSAHardware
import AudioStreams
import CLinux
import LinuxSystem
import SessionModel

/// Becomes the program; the answer is an exit code for when that could not be.
func run(_ running: Running) -> Int32 {
    for variable in running.variables { set(variable.name, variable.value) }
    set("ALSA_CONFIG_PATH", configurationPath())
    if let plugin = Installation.file("lib/alsa-lib/libasound_module_pcm_audiosession.so") { set("AUDIOSESSION_PLUGIN", plugin) }
    if let file = Installation.file("share/audiosession/default.conf") { set("AUDIOSESSION_DEFAULT", file) }
    leaveSoundTo(ALSAConfiguration.serverBehindDefault(), for: running.settings)

    let words = running.program.map { copied($0) }
    var arguments: [UnsafePointer<CChar>?] = words.map { UnsafePointer($0) }
    arguments.append(nil)
    let error = -arguments.withUnsafeBufferPointer { linux_execute($0.baseAddress) }
    for word in words { word.deallocate() }
    Output.complain("\(running.program.first ?? ""): \(String(cString: linux_error_text(error)))")
    return error == SystemError.notFound.number ? 127 : 126
}

private func set(_ name: String, _ value: String) { _ = linux_set_environment(name, value) }

private func copied(_ text: String) -> UnsafeMutablePointer<CChar> {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
    var end = copy
    for byte in text.utf8 {
        end.initialize(to: CChar(bitPattern: byte))
        end += 1
    }
    end.initialize(to: 0)
    return copy
}

/// What ALSA reads anyway, and ours after it.
private func configurationPath() -> String {
    let usual = Environment.value("ALSA_CONFIG_PATH") ?? ALSAConfiguration.mainFile
    guard let own = Installation.file("share/audiosession/run.conf") else { return usual }
    return "\(usual):\(own)"
}

/// The cards belong to a sound server where there is one: the streams go through it, and tell it their role.
private func leaveSoundTo(_ server: String?, for settings: SessionSettings) {
    guard let server else { return }
    if Environment.value("AUDIOSESSION_SLAVE") == nil { set("AUDIOSESSION_SLAVE", server) }
    let role = settings.role
    if Environment.value("PULSE_PROP_media.role") == nil { set("PULSE_PROP_media.role", role.pulse) }
    if Environment.value("PIPEWIRE_PROPS") == nil { set("PIPEWIRE_PROPS", "{ media.role = \(role.pipeWire) }") }
}

extension SessionSettings {
    /// What desktops call the purpose of such a session's sound.
    var role: (pulse: String, pipeWire: String) {
        if mode.isChat { return ("phone", "Communication") }
        if mode == .moviePlayback { return ("video", "Movie") }
        if mode == .spokenAudio { return ("a11y", "Accessibility") }
        switch category.equivalent {
        case .ambientSound, .soloAmbientSound: return ("game", "Game")
        case .playAndRecord, .recordAudio, .audioProcessing: return ("production", "Production")
        default: return ("music", "Music")
        }
    }
}
