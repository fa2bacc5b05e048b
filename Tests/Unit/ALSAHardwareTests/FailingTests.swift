// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CALSA
import CLinux
import FakeKernel
import FaultPlan
import Foundation
import LinuxSystem
import SessionModel
import Testing

@testable import ALSAHardware

// The log can be captured in debug builds only.
#if DEBUG

    extension MachineTests {
        /// Every call to the system and to libasound fails in turn: once, and together with all later calls.
        @Suite struct FailingTests {
            private let machine: Machine

            init() throws {
                alsa_silence_this_thread()
                machine = try Machine()
            }

            /// The error of the n-th call.
            struct Failure: Sendable, CustomTestStringConvertible {
                let error: Int32
                var lasts = false
                var testDescription: String { "\(String(cString: strerror(error)))\(lasts ? ", from there on" : "")" }
            }
            private static let failures =
                [Failure(error: EINTR)] + [EIO, EMFILE].flatMap { [Failure(error: $0), Failure(error: $0, lasts: true)] }

            /// Runs `body` for each call in turn, until it returns that no call has failed.
            private func forEachCall(_ body: (UInt64) throws -> Bool) rethrows {
                for nth: UInt64 in 1...2000 { if try !body(nth) { return } }
                Issue.record("more than 2000 calls")
            }

            private func whileFailing(_ failure: Failure, _ nth: UInt64, _ body: () throws -> Void) rethrows -> Bool {
                fault_plan_enter(failure.error, nth, failure.lasts)
                do { try body() } catch {
                    _ = fault_plan_leave()
                    throw error
                }
                return fault_plan_leave()
            }

            @Test(
                "When any call fails at the start, cards are used in part or reported, and no device stays open",
                arguments: failures)
            func beginning(failure: Failure) throws {
                _ = try machine.laptop()
                _ = try machine.interface(1)
                let whole = machine.look().kinds
                #expect(whole == [.builtInSpeaker, .builtInMicrophone, .usbOutput, .usbInput])
                forEachCall { nth in
                    var hasFailed = false
                    var kinds: [PortKind]?
                    let lines = Log.lines {
                        let looked = machine.look(failing: failure.error, nth, lasting: failure.lasts)
                        hasFailed = looked.hasFailed
                        kinds = looked.cards.hasBegun ? looked.cards.kinds : nil
                    }
                    #expect(fake_open_devices() == 0, "call \(nth)")
                    guard let kinds else { return hasFailed }
                    #expect(Set(kinds).isSubset(of: whole), "call \(nth)")
                    // One failure affects one card, or all.
                    let isOther = kinds.starts(with: whole.prefix(2)) || kinds.suffix(2) == whole.suffix(2)
                    let isNone = lines.contains { $0.hasPrefix("no sound card can be used") }
                    if !failure.lasts { #expect(isOther || isNone, "\(kinds) by call \(nth)") }
                    if kinds.isEmpty { #expect(lines.contains { $0.contains("can't be used") } || isNone, "call \(nth)") }
                    return hasFailed
                }
                #expect(machine.look().kinds == whole)
            }

            @Test(
                "A call that fails during a change delays it until the next event at the latest", arguments: failures
            )
            func change(failure: Failure) throws {
                let laptop = try machine.laptop()
                let cards = machine.look()
                for isInFolder in [false, true] {
                    try forEachCall { nth in
                        let isPlugged = nth % 2 == 1
                        func plug() {
                            fake_set(0, laptop.headphones, isPlugged ? 1 : 0)
                            fake_report_new(0)
                        }
                        if isInFolder { try machine.touch(0) } else { plug() }
                        let hasFailed = try whileFailing(failure, nth) { _ = try cards.next() }
                        plug()
                        try machine.touch(0)
                        let wanted: [PortKind] = [.builtInSpeaker, .builtInMicrophone] + (isPlugged ? [.headphones] : [])
                        try cards.wait(for: "the ports \(wanted) after call \(nth)") { $0.kinds == wanted }
                        #expect(fake_open_devices() == 1)
                        return hasFailed
                    }
                }
            }

            @Test(
                "A call that fails during a request refuses it or not, and the next request succeeds",
                arguments: failures)
            func request(failure: Failure) throws {
                let interface = try machine.interface(1)
                let cards = machine.look()
                let input = try #require(cards.port(.usbInput))
                forEachCall { nth in
                    var refusal: ResultCode?
                    var format: StreamFormat?
                    let rate = Double(8_000 + nth)
                    let hasFailed = whileFailing(failure, nth) {
                        refusal = cards.refusal(of: .inputGain(0.25), on: input)
                        format = cards.format(of: input, rate)
                        _ = cards.isOtherProcessPlaying
                    }
                    #expect(refusal == nil || refusal == .unspecified)
                    if refusal == nil { #expect(fake_value(1, interface.gain) == 25) }
                    #expect(format?.sampleRate == rate)
                    #expect(cards.refusal(of: .inputGain(0.5), on: input) == nil)
                    #expect(cards.port(.usbInput)?.gain == 0.5)
                    #expect(cards.format(of: input, rate)?.sampleRate == rate)
                    #expect(fake_open_devices() == 1)
                    fake_set(1, interface.gain, 0)
                    return hasFailed
                }
            }

            @Test("A use-case profile is used in part, or reported and ignored, when any call fails", arguments: failures)
            func profile(failure: Failure) throws {
                _ = try machine.phone()
                try machine.show(0)
                func kinds(failing nth: UInt64?) throws -> (before: [PortKind], after: [PortKind], hasFailed: Bool) {
                    let card = try OpenCard(Control(card: 0)) { $0.plans(CardOverrides([]).card($0.id)) }
                    let before = card.state.present.map { $0.kind }
                    var hasFailed = false
                    if let nth {
                        hasFailed = whileFailing(failure, nth) { _ = card.readProfile() }
                    } else {
                        _ = card.readProfile()
                    }
                    #expect(!card.readProfile(), "the profile is read once")
                    return (before, card.state.present.map { $0.kind }, hasFailed)
                }
                let whole = try kinds(failing: nil)
                #expect(whole.after == [.builtInReceiver, .builtInMicrophone])
                #expect(whole.before.contains(.builtInSpeaker))
                let lines = try Log.lines {
                    try forEachCall { nth in
                        let found = try kinds(failing: nth)
                        #expect(found.after == found.before || Set(found.after).isSubset(of: whole.after), "call \(nth)")
                        return found.hasFailed
                    }
                }
                let isTold = lines.contains { $0.hasPrefix("the use-case profile of card 0 can't be used") }
                #expect(isTold == (failure.error != EINTR))
            }

            @Test(
                "A call that fails during an event of a server does not hide its next start",
                arguments: failures)
            func server(failure: Failure) throws {
                try machine.write("pcm.!default { type plug slave.pcm { type pulse } }\n", to: "/etc/asound.conf")
                let socket = Machine.runtimeFolder + "/pulse/native"
                fake_server(true)
                fake_server_levels(50, 60)
                try machine.write("", to: socket)
                let cards = machine.look()
                for isInFolder in [false, true] {
                    try forEachCall { nth in
                        let level = UInt8(nth % 90)
                        func showSocket() throws {
                            try machine.remove(socket)
                            try machine.write("", to: socket)
                        }
                        if isInFolder { try showSocket() } else { fake_server_levels(level, 60) }
                        let hasFailed = try whileFailing(failure, nth) { _ = try cards.next() }
                        // The server dies and starts again.
                        fake_server(true)
                        fake_server_levels(level, 60)
                        try showSocket()
                        try cards.wait(for: "the server's volume \(level) after call \(nth)") {
                            $0.snapshot().serverIsAlive && $0.port(.builtInSpeaker)?.volume == Float(level) / 100
                        }
                        return hasFailed
                    }
                }
            }

            @Test(
                "Without a thread or a descriptor there are no cards, and no caller waits",
                arguments: [EIO, EMFILE])
            func thread(error: Int32) throws {
                _ = try machine.laptop()
                let port = try #require(machine.look().port(.builtInMicrophone))
                var without = 0
                let lines = Log.lines(of: .all) {
                    forEachCall { nth in
                        fault_plan_enter(error, nth, true)
                        let hardware = ALSAHardware()
                        let hasFailed = fault_plan_leave()
                        if hardware.snapshot().ports.isEmpty {
                            without += 1
                            #expect(throws: ResultCode.noHardware) { try hardware.perform(.inputGain(1), on: port) }
                            #expect(hardware.format(of: port, sampleRate: 8_000, bufferDuration: 0) == nil)
                            #expect(!hardware.isOtherProcessPlaying(on: []))
                        } else {
                            #expect(hardware.snapshot().ports.map { $0.kind } == [.builtInSpeaker, .builtInMicrophone])
                        }
                        return hasFailed
                    }
                }
                #expect(without > 0)
                let reason =
                    error == EIO
                    ? "the thread of the sound cards cannot be started" : "no file descriptors are left for the sound cards"
                #expect(lines.contains("\(reason): no card is used"))
                #expect(fake_open_devices() == 0)
            }

            @Test("Callers wait once for a card that does not answer; its requests are performed later")
            func blocked() throws {
                let interface = try machine.interface(1)
                let lines = try Log.lines {
                    let hardware = ALSAHardware()
                    let input = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
                    fake_block(true)
                    try hardware.perform(.inputGain(0.5), on: input)
                    #expect(hardware.format(of: input, sampleRate: 8_000, bufferDuration: 0) == likelyFormat(8_000, 0))
                    #expect(hardware.findings() == ["a sound card does not answer"])
                    #expect(!hardware.isOtherProcessPlaying(on: []))
                    #expect(fake_value(1, interface.gain) == 0)
                    fake_block(false)
                    try hardware.wait(for: "the gain 0.5") { $0.ports.first { $0.kind == .usbInput }?.gain == 0.5 }
                    #expect(fake_value(1, interface.gain) == 50)
                }
                #expect(lines.contains { $0.hasPrefix("a sound card does not answer") })
            }

            @Test("The thread of a blocked card is detached, and ends when the card answers")
            func leftBehind() throws {
                _ = try machine.interface(1)
                do {
                    let hardware = ALSAHardware()
                    let input = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
                    fake_block(true)
                    try hardware.perform(.inputGain(0.5), on: input)
                }
                #expect(fake_open_devices() == 1)
                fake_block(false)
                #expect(fake_await_closed(waitLimit * 1_000), "the device is still open after \(waitLimit) s")
            }

            @Test("Setting the clock is not a system sleep")
            func sleep() {
                let watch = SleepWatch()
                #expect(!watch.processEvents())
                #expect(watch.wakes == 0)
            }
        }
    }

#endif
