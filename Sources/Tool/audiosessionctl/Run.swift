// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
import AudioStreams
import CLinux
import LinuxSystem
import SessionModel

/// Executes the program. Returns an exit status only after an error.
func run(_ options: RunOptions) -> Int32 {
    // Asked before this process has the configuration of the program, whose default PCM is the session.
    let server = ALSAConfiguration.serverBehindDefault()
    for variable in options.variables { set(variable.name, variable.value) }
    set("ALSA_CONFIG_PATH", configurationPath())
    if let plugin = Installation.file("lib/alsa-lib/libasound_module_pcm_audiosession.so") { set("AUDIOSESSION_PLUGIN", plugin) }
    if let file = Installation.file("share/audiosession/default.conf") { set("AUDIOSESSION_DEFAULT", file) }
    useServer(server, for: options.settings)

    let words = options.program.map { copied($0) }
    var arguments: [UnsafePointer<CChar>?] = words.map { UnsafePointer($0) }
    arguments.append(nil)
    let error = SystemError(result: arguments.withUnsafeBufferPointer { linux_execute($0.baseAddress) })
    for word in words { word.deallocate() }
    Output.error("\(options.program.first ?? ""): \(error.text)")
    return error == .notFound ? 127 : 126
}

private func set(_ name: String, _ value: String) { _ = linux_set_environment(name, value) }

private func copied(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.argumentBytes
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    var end = copy
    for byte in bytes {
        end.initialize(to: CChar(bitPattern: byte))
        end += 1
    }
    end.initialize(to: 0)
    return copy
}

/// The path of the default configuration, followed by the path of this tool's configuration.
private func configurationPath() -> String {
    let main = Environment.value("ALSA_CONFIG_PATH") ?? ALSAConfiguration.mainFile
    guard let own = Installation.file("share/audiosession/run.conf") else { return main }
    return "\(main):\(own)"
}

/// Plays to the PCM of the sound server behind the default PCM, and passes the role of the stream and the name of the session.
/// Variables that the user has set stay. PipeWire's plug-in takes a title from the environment only, as of version 0.3.68.
private func useServer(_ server: String?, for settings: SessionSettings) {
    guard let server else { return }
    if Environment.value("AUDIOSESSION_SLAVE") == nil { set("AUDIOSESSION_SLAVE", server) }
    let role = settings.role
    if Environment.value("PULSE_PROP_media.role") == nil { set("PULSE_PROP_media.role", role.pulse) }
    guard Environment.value("PIPEWIRE_PROPS") == nil else { return }
    let title = Environment.value("AUDIOSESSION_NAME").map { " media.name = \($0.inQuotes)" } ?? ""
    set("PIPEWIRE_PROPS", "{ media.role = \(role.pipeWire)\(title) }")
}

extension SessionSettings {
    /// The stream role of desktop sound servers.
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
