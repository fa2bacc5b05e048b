import CLinux
import LinuxSystem

/// Whether a PulseAudio server may answer, as far as can be seen without its library. That is loaded with
/// some thirty others and takes longer than all else at the beginning, so nobody does it in vain.
enum PulseSigns {
    /// What makes the server the default device where one runs, in the configuration of its plug-ins.
    static let hook = "pulse_load_if_running"

    static var mayAnswer: Bool { isNamed || isHere || isNamedInFiles }

    /// DISPLAY: a server's address may be a property of the screen.
    private static var isNamed: Bool {
        ["PULSE_SERVER", "PULSE_CLIENTCONFIG", "DISPLAY"].contains { Environment.value($0) != nil }
    }

    /// A socket, or a program that would be started.
    private static var isHere: Bool {
        let runtime = Environment.value("PULSE_RUNTIME_PATH") ?? Environment.value("XDG_RUNTIME_DIR").map { "\($0)/pulse" }
        // Without a runtime folder its place is told by a link in one of these.
        let places = runtime.map { ["\($0)/native"] } ?? ["\(settings)/pulse", "\(home)/.pulse"]
        if places.contains(where: exists) || exists("/run/pulse/native") || exists("/var/run/pulse/native") { return true }
        return linux_user_id() != 0 && exists("/usr/bin/pulseaudio")
    }

    private static var isNamedInFiles: Bool {
        if exists("\(settings)/pulse/client.conf") || exists("\(home)/.pulse/client.conf") { return true }
        return KernelFile.text("/etc/pulse/client.conf").map(namesServer) ?? false || isAnyFile(in: "/etc/pulse/client.conf.d")
    }

    /// Lines are a name, "=" and a value; comments begin with "#" or ";".
    static func namesServer(_ text: String) -> Bool {
        text.parts { $0 == 0x0A }.contains { line in
            line.parts { $0 == 0x20 || $0 == 0x09 }.first?.begins(with: "default-server") ?? false
        }
    }

    private static var home: String { Environment.value("HOME") ?? "" }
    private static var settings: String { Environment.value("XDG_CONFIG_HOME") ?? "\(home)/.config" }

    /// Links that lead nowhere stand for what is off.
    private static func isAnyFile(in folder: String) -> Bool {
        var found = (folder: folder, isThere: false)
        _ = withUnsafeMutablePointer(to: &found) { found in
            linux_list_directory(
                folder,
                { name, context in
                    guard let name, let found = context?.assumingMemoryBound(to: (folder: String, isThere: Bool).self) else {
                        return false
                    }
                    found.pointee.isThere = PulseSigns.exists("\(found.pointee.folder)/\(String(cString: name))")
                    return !found.pointee.isThere
                }, found)
        }
        return found.isThere
    }

    private static func exists(_ path: String) -> Bool {
        var status = linux_file_status()
        return linux_status_of_path(path, true, &status) >= 0
    }
}
