// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
import AudioEngine
import CLinux
import LinuxSystem
import MediaFormats
import SessionArbiter
import SessionModel
import SessionRegistry
import SimulatedHardware

/// Checks the requirements of the sessions, and prints each defect with its remedy. Fails if there is a defect.
func doctor() -> Int32 {
    var findings = Findings()
    let directory = examineDirectory(&findings)
    let isMachineGood = examineMachine(in: directory, &findings)
    examineDevice(of: isMachineGood, &findings)
    examineCoreFoundation(&findings)
    examineToolbox(&findings)
    return Output.print(findings.text) && findings.areGood ? ExitCode.success : ExitCode.failure
}

private func examineCoreFoundation(_ findings: inout Findings) {
    let file = linux_loadable_library("libFoundation.so").map { String(cString: $0) }
    findings.add(
        file != nil, "CoreFoundation is installed: \(file ?? "")\(file.map(ownerOfCoreFoundation) ?? "")",
        "CoreFoundation is not installed beside the library: calls that return strings or dictionaries fail with 'what'; "
            + "install libaudiosession-corefoundation0, or link a toolchain's usr/lib/swift to lib/audiosession/swift"
    )
}

/// The package that brings the file, where its folder tells.
private func ownerOfCoreFoundation(_ file: String) -> String {
    if file.hasPrefix("/usr/libexec/swift/") { return ", of Debian's package libswiftlang" }
    if file.hasPrefix("/usr/lib/") { return ", of the package libaudiosession-corefoundation0" }
    return ""
}

private struct Findings {
    private(set) var text = ""
    private(set) var areGood = true

    mutating func add(_ isGood: Bool, _ good: String, _ bad: String) {
        text += isGood ? "ok    \(good)\n" : "wrong \(bad)\n"
        if !isGood { areGood = false }
    }

    mutating func add(_ line: String) { text += "      \(line)\n" }
}

/// A missing companion library or codec is not a defect. An installed library that cannot be loaded is a defect.
private func examineToolbox(_ findings: inout Findings) {
    do throws(ToolboxFailure) {
        let formats = try Toolbox.find().decodedFormats
        findings.add(true, "libAudioToolbox is installed: units, queues and sound files", "")
        for (name, id) in compressedFormats where !formats.contains(id) {
            findings.add("no decoder of \(name): install \(CodecSource.list(for: id, encoding: false))")
        }
    } catch {
        guard !error.isMissing else {
            return findings.add(
                "libAudioToolbox is not installed: units, queues and sound files need the package libaudiotoolbox0")
        }
        findings.add(
            false, "",
            "libAudioToolbox does not load: \(error.reason); reinstall the package libaudiotoolbox0 and those that it needs")
    }
}

private let compressedFormats: [(StaticString, UInt32)] = [
    ("AAC", CodecFormat.aac), ("Apple Lossless", CodecFormat.appleLossless), ("MP3", FourCC.code(".mp3")),
    ("FLAC in MPEG-4 and CAF", CodecFormat.flac),
]

/// Nil if the runtime directory cannot be used.
private func examineDirectory(_ findings: inout Findings) -> RuntimeDirectory? {
    do throws(RuntimeDirectory.Unusable) {
        let directory = try RuntimeDirectory.find()
        let registry = try FileRegistry(in: directory)
        let sessions = registry.table().entries.count { $0?.role == .session && $0?.settings.areOfSystemSounds == false }
        if let reason = registry.privateFallbackReason { throw reason }
        findings.add(true, "sessions meet in \(directory.path)", "")
        findings.add(
            true, "its table can be read and written; it has \(sessions == 1 ? "1 session" : "\(sessions) sessions")", "")
        return directory
    } catch {
        findings.add(false, "", "\(error.text); sessions cannot meet: \(error.remedy)")
        return nil
    }
}

extension RuntimeDirectory.Unusable {
    /// The action by which the user makes the folder usable.
    var remedy: String {
        if lacksParent { return "create that folder first" }
        if error == .noSpace || error == .tooLarge {
            return "free some space there, or set AUDIOSESSION_RUNTIME_DIR to a folder that has space"
        }
        return "set AUDIOSESSION_RUNTIME_DIR to a folder of your own, mode 0700"
    }
}

/// False if the machine has a defect.
private func examineMachine(in directory: RuntimeDirectory?, _ findings: inout Findings) -> Bool {
    let selected = HardwareSelection.chosen
    switch selected {
    case .simulated:
        findings.add(true, "the machine is simulated", "")
        guard let file = SystemState.simulationFile(in: directory), let mistake = SimulatedHardware.mistake(in: file) else {
            return true
        }
        findings.add(false, "", mistake)
        return false
    case .soundCards: return examineCards(&findings)
    case .misnamed:
        findings.add(false, "", selected.errorText ?? "")
        return false
    }
}

/// A machine whose sound server answers needs no card of its own.
private func examineCards(_ findings: inout Findings) -> Bool {
    let hardware = ALSAHardware(answerLimit: SystemState.answerLimit)
    let lines = hardware.findings()
    let server = hardware.server()
    var status = linux_file_status()
    let hasCards = linux_status_of_path("/dev/snd", true, &status) >= 0 && status.is_directory
    let needsServer = server.map { $0.isDefault || !hasCards } ?? false
    if let server, needsServer {
        findings.add(
            server.errorText == nil, "the sound server \(server.name) answers",
            "the sound server \(server.name) does not answer: \(server.errorText ?? ""); type: \(server.command)")
    }
    if hasCards || !needsServer {
        findings.add(
            hasCards, "/dev/snd can be read",
            "/dev/snd cannot be read: there is no sound driver, or you are not in the group audio")
    }
    for line in lines { findings.add(line) }
    if let server, !needsServer { findings.add("a card plays default, because \(server.name) does not answer") }
    return needsServer ? server?.errorText == nil : hasCards
}

/// A defect of the machine, which has its own remedy, can be the reason why the device does not open.
private func examineDevice(of isMachineGood: Bool, _ findings: inout Findings) {
    let error = ALSAConfiguration.errorOpening("audiosession")
    let remedy =
        error == .notFound ? "; " + deviceRemedy : isMachineGood ? "; AUDIOSESSION_DEBUG=1 audiosessionctl doctor says why" : ""
    findings.add(
        error == nil, "the ALSA device audiosession can be opened",
        "the ALSA device audiosession cannot be opened: \(error?.text ?? "")\(remedy)")
}

/// A private prefix is not on the path of ALSA's configuration: programs do not find the device there.
private var deviceRemedy: String {
    guard let file = Installation.file("share/alsa/alsa.conf.d/60-audiosession.conf") else {
        return "install libasound2-plugin-audiosession"
    }
    return "set ALSA_CONFIG_PATH=\(Environment.value("ALSA_CONFIG_PATH") ?? ALSAConfiguration.mainFile):\(file)"
}
