// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ALSAHardware

extension MachineTests {
    /// Whether to load the library of a sound server that makes itself the default device.
    @Suite struct PulseProbeTests {
        private let machine: Machine
        private let home: String

        init() throws {
            machine = try Machine()
            home = machine.folder.path + "/home"
        }

        private func isLikely(_ environment: [String: String] = [:], isRoot: Bool = true) -> Bool {
            let variables = environment.merging(["HOME": home]) { own, _ in own }
            return PulseProbe(value: { variables[$0] }, isRoot: isRoot).isLikely
        }

        @Test("Without evidence a server is not likely; an address in the environment is evidence")
        func named() {
            #expect(!isLikely())
            #expect(!PulseProbe(value: { _ in nil }, isRoot: true).isLikely)
            for name in ["PULSE_SERVER", "PULSE_CLIENTCONFIG", "DISPLAY"] { #expect(isLikely([name: ":0"])) }
        }

        @Test("A socket is evidence in the folders of the server only")
        func socket() throws {
            let places = [
                ("/home/runtime/pulse/native", ["XDG_RUNTIME_DIR": home + "/runtime"]),
                ("/home/other/native", ["PULSE_RUNTIME_PATH": home + "/other", "XDG_RUNTIME_DIR": home + "/runtime"]),
                ("/home/.config/pulse/cookie", [:]), ("/home/.pulse/cookie", [:]),
                ("/home/settings/pulse/cookie", ["XDG_CONFIG_HOME": home + "/settings"]),
                ("/run/pulse/native", ["XDG_RUNTIME_DIR": home + "/runtime"]), ("/var/run/pulse/native", [:]),
            ]
            for (path, environment) in places {
                try machine.write("", to: path)
                #expect(isLikely(environment), "\(path)")
                try machine.remove((path as NSString).deletingLastPathComponent)
                #expect(!isLikely(environment), "\(path)")
            }
            try machine.write("", to: "/home/.config/pulse/cookie")
            #expect(!isLikely(["XDG_RUNTIME_DIR": home + "/runtime"]))
        }

        @Test("An installed server is evidence for all users but root")
        func program() throws {
            try machine.write("", to: "/usr/bin/pulseaudio")
            #expect(isLikely(isRoot: false))
            #expect(!isLikely(isRoot: true))
        }

        @Test("The user's configuration file is evidence; the system's file is evidence only if it names a server")
        func files() throws {
            let runtime = ["XDG_RUNTIME_DIR": home + "/runtime"]
            for path in ["/home/.config/pulse/client.conf", "/home/.pulse/client.conf"] {
                try machine.write("", to: path)
                #expect(isLikely(runtime), "\(path)")
                try machine.remove(path)
            }
            try machine.write("; default-server = other\n", to: "/etc/pulse/client.conf")
            #expect(!isLikely(runtime))
            let folder = "/etc/pulse/client.conf.d"
            try FileManager.default.createDirectory(atPath: machine.folder.path + folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: machine.folder.path + folder + "/00-off.conf", withDestinationPath: "/nowhere/at/all")
            #expect(!isLikely(runtime))
            try machine.write("", to: folder + "/01-on.conf")
            #expect(isLikely(runtime))
            try machine.remove(folder)
            try machine.write("default-server = other\n", to: "/etc/pulse/client.conf")
            #expect(isLikely(runtime))
        }
    }
}
