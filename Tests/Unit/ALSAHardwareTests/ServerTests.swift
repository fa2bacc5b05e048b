// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CALSA
import CLinux
import FakeKernel
import Foundation
import LinuxSystem
import SessionModel
import Testing

@testable import ALSAHardware

extension MachineTests {
    /// A sound server that plays the device `default`.
    @Suite struct ServerTests {
        private let machine: Machine
        /// The line where the module of the server is not installed, as in these tests.
        private let unknown = "the devices of the sound server are not known: install audiosession-server-pulse"
        private let socket = Machine.runtimeFolder + "/pulse/native"

        init() throws {
            alsa_silence_this_thread()
            machine = try Machine()
            try machine.write("pcm.!default { type plug slave.pcm { type pulse } }\n", to: "/etc/asound.conf")
            // A server is likely, also where the user of the tests has no runtime directory.
            try machine.write("default-server = test\n", to: "/etc/pulse/client.conf")
        }

        private func start() throws {
            fake_server(true)
            fake_server_levels(50, 60)
            try machine.write("", to: socket)
        }

        private func die() throws {
            fake_server_dies()
            try machine.remove(socket)
        }

        @Test("Behind a server all ports are the device default with the server's levels")
        func levels() throws {
            try start()
            let cards = machine.look()
            #expect(ALSAConfiguration.serverBehindDefault() == "pulse")
            #expect(cards.findings() == ["default is served by pulse, which answers", unknown])
            #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
            #expect(cards.port(.builtInSpeaker)?.volume == 0.5)
            fake_server_levels(80, 60)
            try cards.waitForChange()
            #expect(cards.port(.builtInSpeaker)?.volume == 0.8)
            let laptop = try machine.laptop()
            try cards.waitForChange()
            fake_set(0, laptop.headphones, 1)
            try cards.waitForChange()
            let headphones = try #require(cards.port(.headphones))
            #expect(headphones.alsaDevice == "default" && headphones.volume == 0.8)
            #expect(cards.port(.builtInMicrophone)?.gain == 0.6)
        }

        @Test("The devices that the module knows are the machine; without them the ports of the cards are")
        func devices() throws {
            try start()
            _ = try machine.laptop()
            let cards = machine.look()
            let module = FakeModule()
            cards.connectDevices(by: module.connection)
            var screen = serverPort(.hdmi, "screen")
            let speaker = serverPort(.builtInSpeaker, "speaker", isDefault: true)
            let microphone = serverPort(.builtInMicrophone, "microphone", isDefault: true)
            module.tell([speaker, screen, microphone])
            try cards.waitForChange()
            #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone, .hdmi])
            #expect(
                cards.port(.hdmi)?.alsaDevice == "pulse:DEVICE=screen" && cards.port(.builtInSpeaker)?.alsaDevice == "default")
            let settings = SessionSettings(category: .mediaPlayback, mixes: false)
            func output() -> String? { Route(for: settings, among: cards.snapshot().ports).outputs.first?.uid }
            #expect(output() == "speaker" && cards.snapshot().move.number == 0)

            module.tell([serverPort(.builtInSpeaker, "speaker"), screen.chosen, microphone])
            try cards.waitForChange()
            #expect(output() == "screen" && cards.snapshot().move.reason == .override)

            screen.others = 1
            module.tell([speaker, screen, microphone])
            try cards.waitForChange()
            let outputs = cards.snapshot().ports.filter { !$0.kind.isInput }
            #expect(cards.isOtherProcessPlaying(on: outputs) && !cards.isOtherProcessPlaying(on: []))

            let input = try #require(cards.port(.builtInMicrophone))
            #expect(cards.refusal(of: .inputGain(0.5), on: input) == nil && module.requests == ["volume 0.5 microphone"])
            #expect(cards.refusal(of: .inputSource(1), on: input) == .noHardware)
            module.end()
            #expect(cards.isOtherProcessPlaying(on: outputs))
            #expect(cards.refusal(of: .inputGain(0.5), on: input) == nil)
        }

        @Test("The status of a server has its name, the reason and the command that starts it")
        func status() throws {
            try start()
            let cards = machine.look()
            #expect(cards.serverStatus?.name == "PulseAudio" && cards.serverStatus?.errorText == nil)
            #expect(cards.serverStatus?.command == "pulseaudio --start" && cards.serverStatus?.isDefault == true)
            try die()
            try cards.waitForChange()
            #expect(cards.serverStatus?.errorText == "Input/output error")
        }

        @Test("The user's configuration keeps the profile of a headset")
        func keptProfile() throws {
            try machine.write(
                "pcm.!default { type plug slave.pcm { type pulse } }\ndefaults.audiosession.headset.profile keep\n",
                to: "/etc/asound.conf")
            try start()
            let cards = machine.look()
            let module = FakeModule()
            cards.connectDevices(by: module.connection)
            module.tell([ServerPort(kind: .bluetoothHFPInput, uid: "call", device: "headset", name: "Ears", node: "")])
            try cards.waitForChange()
            let port = try #require(cards.port(.bluetoothHFPInput))
            #expect(cards.refusal(of: .headsetProfile(true), on: port) == .unsupportedProperty && module.requests.isEmpty)
        }

        @Test("A gain is set at the server, and its cards are not opened")
        func gain() throws {
            try start()
            _ = try machine.laptop()
            let cards = machine.look()
            let microphone = try #require(cards.port(.builtInMicrophone))
            #expect(cards.refusal(of: .inputGain(0.25), on: microphone) == nil)
            #expect(fake_server_input() == 25)
            fake_refuse_pcm(0, EBUSY)
            #expect(cards.format(of: microphone, 8_000) == likelyFormat(8_000, 0))
            try machine.stream(playback: false, owner: 1, parameters: "rate: 44100\nperiod_size: 441\n")
            #expect(cards.format(of: microphone, 8_000)?.sampleRate == 44_100)
        }

        @Test("The death of a server is reported and keeps the levels; its return is reported")
        func death() throws {
            try start()
            let cards = machine.look()
            #expect(cards.snapshot().serverIsAlive)
            try die()
            try cards.waitForChange()
            #expect(!cards.snapshot().serverIsAlive)
            #expect(cards.port(.builtInSpeaker)?.volume == 0.5)
            #expect(cards.findings() == ["default is served by pulse, which is dead", unknown])
            #expect(cards.refusal(of: .inputGain(1), on: try #require(cards.port(.builtInMicrophone))) == .unspecified)
            try start()
            try cards.waitForChange()
            #expect(cards.snapshot().serverIsAlive)
            #expect(cards.refusal(of: .inputGain(1), on: try #require(cards.port(.builtInMicrophone))) == nil)
            #expect(fake_server_input() == 100)
        }

        @Test("A server that starts after the program is noticed, also in a new folder")
        func later() throws {
            try machine.remove(Machine.runtimeFolder)
            try FileManager.default.createDirectory(
                atPath: machine.folder.path + Machine.runtimeFolder, withIntermediateDirectories: true)
            let cards = machine.look()
            #expect(!cards.snapshot().serverIsAlive)
            try start()
            try cards.waitForChange()
            #expect(cards.snapshot().serverIsAlive)
            #expect(cards.port(.builtInSpeaker)?.volume == 0.5)
        }

        @Test("The folder of a server's socket can be removed and created again while the server is dead")
        func folder() throws {
            let path = machine.folder.path + Machine.runtimeFolder + "/pulse"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let folder = SocketFolder("/pulse", named: "native", variable: "NO_SUCH_VARIABLE")
            let events = linux_epoll_create()
            defer { _ = linux_close(events) }
            #expect(folder.wake(events, as: 1))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            _ = folder.processEvents()
            try machine.write("", to: socket)
            var found = linux_event()
            repeat {
                try #require(linux_epoll_wait(events, &found, 1, waitLimit * 1_000) > 0, "no event of the folder")
            } while !folder.processEvents()
        }

        @Test("A server without a control plug-in counts as alive")
        func withoutControls() throws {
            try machine.write("pcm.!default { type jack }\n", to: "/etc/asound.conf")
            let cards = machine.look()
            #expect(cards.snapshot().serverIsAlive)
            #expect(cards.findings() == ["default is served by jack, which answers"])
        }

        @Test("Our own plug-in as the default device without a server stands for the cards")
        func ownPlugIn() throws {
            try machine.write("pcm.!default { type audiosession }\n", to: "/etc/asound.conf")
            #expect(ALSAConfiguration.serverBehindDefault() == nil)
            _ = try machine.laptop()
            let cards = machine.look()
            #expect(cards.port(.builtInSpeaker)?.alsaDevice == "hw:CARD=PCH,DEV=0")
        }

        /// The line of a user who makes our plug-in the default device, with the installed definition of the device.
        private func writeUsersLine(to path: String = Machine.usersFile) throws {
            try machine.write(
                """
                pcm.audiosession { @args [ PORT ] @args.PORT { type string default "" } type plug slave.pcm { type audiosession } }
                pcm.!default "audiosession"

                """, to: path)
        }

        @Test(
            "The line that makes our plug-in the default device hides neither the server nor the cards",
            arguments: ["/.asoundrc", "/alsa/asoundrc"])
        func usersLine(file: String) throws {
            try machine.write(
                "pcm.!default { type plug slave.pcm { type pulse } }\npcm.pulse { type pulse }\n", to: "/etc/asound.conf")
            try writeUsersLine(to: file == "/.asoundrc" ? Machine.usersFile : Machine.usersSettings + file)
            try start()
            let cards = machine.look()
            #expect(ALSAConfiguration.serverBehindDefault() == "pulse")
            #expect(cards.findings() == ["default is served by pulse, which answers", unknown])
            #expect(cards.snapshot().ports.map { $0.alsaDevice } == ["pulse", "pulse"])
            _ = try machine.laptop()
            try cards.waitForChange()
            #expect(cards.snapshot().ports.map { $0.alsaDevice } == ["pulse", "pulse"])
            #expect(cards.port(.builtInSpeaker)?.name == "Headphones")
        }

        @Test("A slave of the user changes neither the server nor the cards; the slave itself may name a server")
        func usersSlave() throws {
            try machine.write(
                """
                pcm.!default { type pulse }
                pcm.pulse { type pulse }
                pcm.room { type plug slave.pcm { type pipewire } }
                """, to: "/etc/asound.conf")
            try writeUsersLine()
            for slave in [nil, "null", "default", "audiosession:PORT=hdmi", "no such device"] {
                #expect(Configuration.read(slave: slave).server == ServerPCM(type: "pulse", name: "pulse"), "\(slave ?? "")")
            }
            #expect(Configuration.read(slave: "pulse:ROOM").server == ServerPCM(type: "pulse", name: "pulse:ROOM"))
            #expect(Configuration.read(slave: "room").server == ServerPCM(type: "pipewire", name: "room"))
            try machine.write("", to: "/etc/asound.conf")
            for slave in [nil, "null", "default"] { #expect(Configuration.read(slave: slave).server == nil, "\(slave ?? "")") }
        }

        @Test("Where a file of the system makes our plug-in the default device, the control device names the server")
        func systemsLine() throws {
            try machine.write(
                "ctl.!default { type pipewire }\npcm.pipewire { type pipewire }\npcm.!default { type audiosession }\n",
                to: "/etc/asound.conf")
            #expect(Configuration.read(slave: nil).server == ServerPCM(type: "pipewire", name: "pipewire"))
        }

        @Test("A server to which no PCM leads is not used, and the log says why")
        func withoutPCM() throws {
            try writeUsersLine()
            let lines = Log.lines { #expect(Configuration.read(slave: nil).server == nil) }
            #expect(lines.contains("the sound server pulse is not used: ALSA's configuration defines no PCM pulse"))
        }

        @Test("Streams of the server do not count as another process; streams of other programs do")
        func streams() throws {
            try start()
            _ = try machine.laptop()
            let cards = machine.look()
            try machine.program("firefox")
            try machine.stream(owner: Machine.process)
            #expect(cards.isOtherProcessPlaying)
            for server in ["pulseaudio", "pipewire", "pipewire-pulse", "wireplumber", "jackd", "jackdbus"] {
                try machine.program(server)
                #expect(!cards.isOtherProcessPlaying, "\(server)")
            }
        }

        @Test("A server that listens only after its socket has appeared is connected to without another event")
        func listensLater() throws {
            try machine.write("", to: socket)
            let cards = machine.look()
            #expect(!cards.snapshot().serverIsAlive)
            fake_server(true)
            fake_server_levels(50, 60)
            try cards.wait(for: "a server that is alive") { $0.snapshot().serverIsAlive }
            #expect(cards.port(.builtInSpeaker)?.volume == 0.5)
        }

        @Test("A server that was away until no attempt was left has all of them again when its socket appears, each time")
        func newAttempts() throws {
            let server = try #require(SoundServer.behind(ServerPCM(type: "pulse", name: "default")))
            func isConnected() -> Bool { server.connect { _ in } }
            for life in 1...2 {
                for _ in 0..<8 { #expect(!isConnected(), "life \(life)") }
                #expect(server.retryDelay() == -1, "life \(life)")
                #expect(!server.processFolderEvents(), "life \(life)")
                // The server creates its socket, and does not listen yet.
                try machine.write("", to: socket)
                #expect(server.processFolderEvents(), "life \(life)")
                #expect(server.retryDelay() == 50, "life \(life)")
                for delay in [100, 200, 400, 800, 1_600, -1] as [Int32] {
                    #expect(!isConnected(), "life \(life)")
                    #expect(server.retryDelay() == delay, "life \(life)")
                }
                fake_server(true)
                fake_server_levels(50, 60)
                #expect(isConnected(), "life \(life)")
                #expect(server.retryDelay() == -1, "life \(life)")
                try die()
                #expect(server.processEvents(), "life \(life)")
                #expect(!server.processFolderEvents() && !server.isAlive, "life \(life)")
            }
        }

        @Test("A server is found behind a default device that has a separate device for each direction")
        func behindNames() throws {
            try machine.write(
                """
                pcm.!default { type asym playback.pcm "sound" capture.pcm "null" }
                pcm.sound { type plug slave.pcm "pulse:UNUSED" }
                pcm.!pulse { type pulse }
                """, to: "/etc/asound.conf")
            #expect(ALSAConfiguration.serverBehindDefault() == "pulse")
            try machine.write("pcm.!default \"loop\"\npcm.loop \"default\"\n", to: "/etc/asound.conf")
            #expect(ALSAConfiguration.serverBehindDefault() == nil)
        }
    }

    /// The thread of the cards, and its callers.
    @Suite struct ThreadTests {
        @Test("Queries and changes reach the cards, and a change of a card is reported")
        func hardware() throws {
            let machine = try Machine()
            let interface = try machine.interface(1)
            let hardware = ALSAHardware()
            let input = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
            #expect(hardware.format(of: input, sampleRate: 44_100, bufferDuration: 0)?.sampleRate == 44_100)
            #expect(!hardware.isOtherProcessPlaying(on: []))
            #expect(hardware.findings().count == 2)
            #expect(hardware.mayRecord)
            try hardware.perform(.inputGain(0.5), on: input)
            #expect(fake_value(1, interface.gain) == 50)
            #expect(hardware.snapshot().ports.first { $0.kind == .usbInput }?.gain == 0.5)
            fake_refuse_sets(1, EIO)
            #expect(throws: ResultCode.unspecified) { try hardware.perform(.inputGain(1), on: input) }
            try machine.pullOut(1)
            try hardware.wait(for: "no port") { $0.ports.isEmpty }
        }

        @Test("A change and the latency that follows it are reported as one change")
        func latency() throws {
            let machine = try Machine()
            _ = try machine.interface(1)
            let hardware = ALSAHardware()
            let before = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
            _ = hardware.processEvents()
            try machine.stream(1, playback: false, owner: 1, parameters: "rate: 48000 (48000/1)\nperiod_size: 480\n")
            try hardware.perform(.inputGain(0.5), on: before)
            let after = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
            #expect(after.gain == 0.5 && after.latency != before.latency)
            var reports: UInt64 = 0
            #expect(read(hardware.descriptor, &reports, 8) == 8 && reports == 1)
        }

        @Test("The thread lets the program run first until the cards are explored, and is an ordinary thread afterwards")
        func policy() throws {
            let machine = try Machine()
            _ = try machine.interface(1)
            fake_block(true)
            defer { fake_block(false) }
            let hardware = ALSAHardware()
            #expect(ThreadTests.await([3]), "SCHED_BATCH, which Swift does not import")
            #expect(hardware.knownSnapshot == nil)
            fake_block(false)
            #expect(hardware.snapshot().ports.count == 2)
            #expect(ThreadTests.await([SCHED_OTHER]))
        }

        /// Waits for these policies: the thread of an earlier test may still be ending.
        private static func await(_ wanted: [Int32]) -> Bool {
            let limit = Date() + Double(waitLimit)
            while policies() != wanted, Date() < limit { usleep(1_000) }
            return policies() == wanted
        }

        /// The scheduling policies of the threads of this process that explore cards.
        private static func policies() -> [Int32] {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return tasks.compactMap { Int32($0) }.compactMap { task in
                let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                guard name == "audiosession-hw\n" else { return nil }
                return sched_getscheduler(task)
            }
        }
    }
}
