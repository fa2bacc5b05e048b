import Foundation
import Testing

@testable import ALSAHardware

extension MachineTests {
    /// Whether it is worth while to load the library of a sound server that makes itself the default.
    @Suite struct PulseTests {
        private let machine: Machine
        private let home: String

        init() throws {
            machine = try Machine()
            home = machine.folder.path + "/home"
        }

        private func mayAnswer(_ environment: [String: String] = [:], isRoot: Bool = true) -> Bool {
            let variables = environment.merging(["HOME": home]) { own, _ in own }
            return PulseSigns(value: { variables[$0] }, isRoot: isRoot).mayAnswer
        }

        @Test("Without any sign there is none, and an address in the environment is one")
        func named() {
            #expect(!mayAnswer())
            #expect(!PulseSigns(value: { _ in nil }, isRoot: true).mayAnswer)
            for name in ["PULSE_SERVER", "PULSE_CLIENTCONFIG", "DISPLAY"] { #expect(mayAnswer([name: ":0"])) }
        }

        @Test("A socket is looked for where the server would make it, and nowhere else")
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
                #expect(mayAnswer(environment), "\(path)")
                try machine.remove((path as NSString).deletingLastPathComponent)
                #expect(!mayAnswer(environment), "\(path)")
            }
            try machine.write("", to: "/home/.config/pulse/cookie")
            #expect(!mayAnswer(["XDG_RUNTIME_DIR": home + "/runtime"]))
        }

        @Test("A program that would be started is one for everybody but the superuser")
        func program() throws {
            try machine.write("", to: "/usr/bin/pulseaudio")
            #expect(mayAnswer(isRoot: false))
            #expect(!mayAnswer(isRoot: true))
        }

        @Test("The files that name a server: the user's in any case, the machine's by what is in them")
        func files() throws {
            let runtime = ["XDG_RUNTIME_DIR": home + "/runtime"]
            for path in ["/home/.config/pulse/client.conf", "/home/.pulse/client.conf"] {
                try machine.write("", to: path)
                #expect(mayAnswer(runtime), "\(path)")
                try machine.remove(path)
            }
            try machine.write("; default-server = other\n", to: "/etc/pulse/client.conf")
            #expect(!mayAnswer(runtime))
            let folder = "/etc/pulse/client.conf.d"
            try FileManager.default.createDirectory(atPath: machine.folder.path + folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: machine.folder.path + folder + "/00-off.conf", withDestinationPath: "/nowhere/at/all")
            #expect(!mayAnswer(runtime))
            try machine.write("", to: folder + "/01-on.conf")
            #expect(mayAnswer(runtime))
            try machine.remove(folder)
            try machine.write("default-server = other\n", to: "/etc/pulse/client.conf")
            #expect(mayAnswer(runtime))
        }
    }
}
