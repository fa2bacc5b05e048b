import ALSAHardware
import CLinux
import LinuxSystem
import SessionArbiter
import SessionRegistry
import SimulatedHardware
import Surroundings

/// Looks at everything that sessions stand on, and says what is wrong and how to mend it.
func doctor() -> Int32 {
    var findings = Findings()
    examineDirectory(&findings)
    examineMachine(&findings)
    findings.note(
        linux_library_is_loadable("libFoundation.so"), "CoreFoundation is installed",
        "CoreFoundation is not beside the library: programs that ask for strings or dictionaries get 'what'; "
            + "install libaudiosession-corefoundation0, or link a toolchain's usr/lib/swift to lib/audiosession/swift"
    )
    return Output.say(findings.text) && findings.areGood ? ExitCode.done : ExitCode.failed
}

struct Findings {
    private(set) var text = ""
    private(set) var areGood = true

    mutating func note(_ isGood: Bool, _ good: String, _ bad: String) {
        text += isGood ? "ok    \(good)\n" : "wrong \(bad)\n"
        if !isGood { areGood = false }
    }

    mutating func tell(_ line: String) { text += "      \(line)\n" }
}

private func examineDirectory(_ findings: inout Findings) {
    do throws(RuntimeDirectory.Unusable) {
        let directory = try RuntimeDirectory.find()
        let registry = try SharedRegistry(in: directory)
        let sessions = registry.table().entries.count { $0?.role == .session }
        if let reason = registry.reasonToBeAlone { throw reason }
        findings.note(true, "sessions meet in \(directory.path)", "")
        findings.note(true, "its table can be read and written; it has \(sessions) sessions", "")
    } catch {
        findings.note(false, "", "\(error.text); sessions cannot meet: \(error.remedy)")
    }
}

extension RuntimeDirectory.Unusable {
    /// What to do about it.
    fileprivate var remedy: String {
        switch error {
        case .notFound?: "make the folder that it is to lie in first"
        case .noSpace?, .tooLarge?: "make room there, or give AUDIOSESSION_RUNTIME_DIR a folder that has some"
        default: "give AUDIOSESSION_RUNTIME_DIR a folder of your own, mode 0700"
        }
    }
}

private func examineMachine(_ findings: inout Findings) {
    let named = NamedMachine.chosen
    switch named {
    case .simulated: findings.note(true, "the machine is simulated", "")
    case .soundCards:
        var status = linux_file_status()
        let isThere = linux_status_of_path("/dev/snd", true, &status) >= 0 && status.is_directory
        findings.note(
            isThere, "/dev/snd can be read",
            "/dev/snd cannot be read: there is no sound driver, or you are not in the group audio")
        for line in ALSAHardware().findings() { findings.tell(line) }
    case .misnamed: findings.note(false, "", named.complaint ?? "")
    }
}
