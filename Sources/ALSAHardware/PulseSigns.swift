import CLinux
import LinuxSystem

/// Whether a PulseAudio server may answer, as far as can be seen without its library. That is loaded with
/// some thirty others and takes longer than all else at the beginning, so nobody does it in vain.
struct PulseSigns {
    /// Of the program's environment.
    var value: (String) -> String? = Environment.value
    var isRoot = linux_user_id() == 0

    /// What makes the server the default device where one runs, in the configuration of its plug-ins.
    static let hook = "pulse_load_if_running"

    var mayAnswer: Bool { isNamed || isHere || isNamedInFiles }

    /// DISPLAY: a server's address may be a property of the screen.
    private var isNamed: Bool {
        ["PULSE_SERVER", "PULSE_CLIENTCONFIG", "DISPLAY"].contains { value($0) != nil }
    }

    /// A socket, or a program that would be started.
    private var isHere: Bool {
        let runtime = value("PULSE_RUNTIME_PATH") ?? value("XDG_RUNTIME_DIR").map { "\($0)/pulse" }
        // Without a runtime folder its place is told by a link in one of these.
        let places = runtime.map { ["\($0)/native"] } ?? ["\(settings)/pulse", "\(home)/.pulse"]
        if places.contains(where: exists) || exists("/run/pulse/native") || exists("/var/run/pulse/native") { return true }
        return !isRoot && exists("/usr/bin/pulseaudio")
    }

    private var isNamedInFiles: Bool {
        if exists("\(settings)/pulse/client.conf") || exists("\(home)/.pulse/client.conf") { return true }
        return KernelFile.text("/etc/pulse/client.conf").map(PulseSigns.namesServer) ?? false
            || isAnyFile(in: "/etc/pulse/client.conf.d")
    }

    /// Lines are a name, "=" and a value; comments begin with "#" or ";".
    static func namesServer(_ text: String) -> Bool {
        text.parts { $0 == 0x0A }.contains { line in
            line.parts { $0 == 0x20 || $0 == 0x09 }.first?.begins(with: "default-server") ?? false
        }
    }

    private var home: String { value("HOME") ?? "" }
    private var settings: String { value("XDG_CONFIG_HOME") ?? "\(home)/.config" }

    /// Links that lead nowhere stand for what is off.
    private func isAnyFile(in folder: String) -> Bool {
        var found = (folder: folder, signs: self, isThere: false)
        _ = withUnsafeMutablePointer(to: &found) { found in
            linux_list_directory(
                folder,
                { name, context in
                    guard let name,
                        let found = context?.assumingMemoryBound(to: (folder: String, signs: PulseSigns, isThere: Bool).self)
                    else {
                        return false
                    }
                    found.pointee.isThere = found.pointee.signs.exists("\(found.pointee.folder)/\(String(cString: name))")
                    return !found.pointee.isThere
                }, found)
        }
        return found.isThere
    }

    private func exists(_ path: String) -> Bool {
        var status = linux_file_status()
        return linux_status_of_path(path, true, &status) >= 0
    }
}
