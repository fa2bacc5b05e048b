// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// Whether a PulseAudio server may answer, without loading its library. The library loads about thirty others,
/// which takes longer than the rest of the start.
struct PulseProbe {
    /// A variable of the program's environment.
    var value: (String) -> String? = Environment.value
    var isRoot = linux_user_id() == 0

    /// The hook of alsa-plugins that makes a running server the default device.
    static let hook = "pulse_load_if_running"

    var isLikely: Bool { isNamed || isInstalled || isNamedInFiles }

    /// DISPLAY counts because the address of a server can be a property of the X server.
    private var isNamed: Bool {
        ["PULSE_SERVER", "PULSE_CLIENTCONFIG", "DISPLAY"].contains { value($0) != nil }
    }

    /// The socket of a server, or a server that its library would start.
    private var isInstalled: Bool {
        let runtime = value("PULSE_RUNTIME_PATH") ?? value("XDG_RUNTIME_DIR").map { "\($0)/pulse" }
        // Without a runtime directory a link in one of these folders leads to the socket.
        let paths = runtime.map { ["\($0)/native"] } ?? ["\(settings)/pulse", "\(userFolder)/.pulse"]
        if paths.contains(where: exists) || exists("/run/pulse/native") || exists("/var/run/pulse/native") { return true }
        return !isRoot && exists("/usr/bin/pulseaudio")
    }

    private var isNamedInFiles: Bool {
        if exists("\(settings)/pulse/client.conf") || exists("\(userFolder)/.pulse/client.conf") { return true }
        return KernelFile.text("/etc/pulse/client.conf").map(PulseProbe.namesServer) ?? false
            || isAnyFile(in: "/etc/pulse/client.conf.d")
    }

    /// Lines are a name, "=" and a value. Comments begin with "#" or ";".
    static func namesServer(_ text: String) -> Bool {
        text.parts { $0 == 0x0A }.contains { line in
            line.parts { $0 == 0x20 || $0 == 0x09 }.first?.begins(with: "default-server") ?? false
        }
    }

    private var userFolder: String { value("HOME") ?? "" }
    private var settings: String { value("XDG_CONFIG_HOME") ?? "\(userFolder)/.config" }

    /// A link without a target stands for a file that is disabled.
    private func isAnyFile(in folder: String) -> Bool {
        do throws(SystemError) {
            var names = try DirectoryNames(folder)
            while let name = names.next() {
                if exists("\(folder)/\(name)") { return true }
            }
        } catch {
            // A folder that cannot be read disables nothing.
        }
        return false
    }

    private func exists(_ path: String) -> Bool {
        var status = linux_file_status()
        return linux_status_of_path(path, true, &status) >= 0
    }
}
