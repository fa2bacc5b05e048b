import AudioHardware
import CALSA
import CLinux
import FailingCalls
import Foundation
import LinuxSystem
import SessionModel
import StandInKernel
import Testing

@testable import ALSAHardware

// Nobody overhears the log of what is shipped.
#if DEBUG

    extension MachineTests {
        /// Every call to the system and to libasound fails in turn: alone, and with all that follow it.
        @Suite struct FailingTests {
            private let machine: Machine

            init() throws {
                alsa_silence_this_thread()
                machine = try Machine()
            }

            /// A way in which the n-th call fails.
            struct Failure: Sendable, CustomTestStringConvertible {
                let error: Int32
                var lasts = false
                var testDescription: String { "\(String(cString: strerror(error)))\(lasts ? ", from there on" : "")" }
            }
            private static let failures =
                [Failure(error: EINTR)] + [EIO, EMFILE].flatMap { [Failure(error: $0), Failure(error: $0, lasts: true)] }

            /// `body` for each call in turn, until it says that none has failed any more.
            private func forEachCall(_ body: (UInt64) throws -> Bool) rethrows {
                for nth: UInt64 in 1...2000 { if try !body(nth) { return } }
                Issue.record("no end of calls")
            }

            private func whileFailing(_ failure: Failure, _ nth: UInt64, _ body: () throws -> Void) rethrows -> Bool {
                failing_enter(failure.error, nth, failure.lasts)
                do { try body() } catch {
                    _ = failing_leave()
                    throw error
                }
                return failing_leave()
            }

            @Test(
                "Whichever call fails at the beginning, cards are used as far as it goes or told of, and nothing stays open",
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
                    #expect(standin_open_devices() == 0, "call \(nth)")
                    guard let kinds else { return hasFailed }
                    #expect(Set(kinds).isSubset(of: whole), "call \(nth)")
                    // One failure is one card's, unless none is there at all.
                    let isOther = kinds.starts(with: whole.prefix(2)) || kinds.suffix(2) == whole.suffix(2)
                    let isNone = lines.contains { $0.hasPrefix("no sound card can be used") }
                    if !failure.lasts { #expect(isOther || isNone, "\(kinds) by call \(nth)") }
                    if kinds.isEmpty { #expect(lines.contains { $0.contains("can't be used") } || isNone, "call \(nth)") }
                    return hasFailed
                }
                #expect(machine.look().kinds == whole)
            }

            @Test(
                "Whichever call fails while a change is taken in, it is seen at the latest with the next one", arguments: failures
            )
            func change(failure: Failure) throws {
                let laptop = try machine.laptop()
                let cards = machine.look()
                for isInFolder in [false, true] {
                    try forEachCall { nth in
                        let isPlugged = nth % 2 == 1
                        func plug() {
                            standin_set(0, laptop.headphones, isPlugged ? 1 : 0)
                            standin_report_new(0)
                        }
                        if isInFolder { try machine.touch(0) } else { plug() }
                        let hasFailed = try whileFailing(failure, nth) { _ = try cards.next() }
                        plug()
                        try machine.touch(0)
                        let wanted: [PortKind] = [.builtInSpeaker, .builtInMicrophone] + (isPlugged ? [.headphones] : [])
                        try cards.wait(for: "the ports \(wanted) after call \(nth)") { $0.kinds == wanted }
                        #expect(standin_open_devices() == 1)
                        return hasFailed
                    }
                }
            }

            @Test(
                "Whichever call fails while a wish is carried out, it is refused or done, and done the next time",
                arguments: failures)
            func wish(failure: Failure) throws {
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
                    if refusal == nil { #expect(standin_value(1, interface.gain) == 25) }
                    #expect(format?.sampleRate == rate)
                    #expect(cards.refusal(of: .inputGain(0.5), on: input) == nil)
                    #expect(cards.port(.usbInput)?.gain == 0.5)
                    #expect(cards.format(of: input, rate)?.sampleRate == rate)
                    #expect(standin_open_devices() == 1)
                    standin_set(1, interface.gain, 0)
                    return hasFailed
                }
            }

            @Test("A use-case profile is used as far as it can be read, or told of and as none", arguments: failures)
            func profile(failure: Failure) throws {
                _ = try machine.phone()
                try machine.show(0)
                func kinds(failing nth: UInt64?) throws -> (before: [PortKind], after: [PortKind], hasFailed: Bool) {
                    let card = try OpenCard(Control(card: 0)) { $0.plans(Wishes([]).card($0.id)) }
                    let before = card.state.present.map { $0.kind }
                    var hasFailed = false
                    if let nth {
                        hasFailed = whileFailing(failure, nth) { _ = card.askForProfile() }
                    } else {
                        _ = card.askForProfile()
                    }
                    #expect(!card.askForProfile(), "it is asked for once")
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
                "Whichever call fails while a server tells of a change or is looked for, it is noticed when it starts again",
                arguments: failures)
            func server(failure: Failure) throws {
                try machine.write("pcm.!default { type plug slave.pcm { type pulse } }\n", to: "/etc/asound.conf")
                let socket = Machine.runtimeFolder + "/pulse/native"
                standin_server(true)
                standin_server_levels(50, 60)
                try machine.write("", to: socket)
                let cards = machine.look()
                for isInFolder in [false, true] {
                    try forEachCall { nth in
                        let level = UInt8(nth % 90)
                        func showSocket() throws {
                            try machine.remove(socket)
                            try machine.write("", to: socket)
                        }
                        if isInFolder { try showSocket() } else { standin_server_levels(level, 60) }
                        let hasFailed = try whileFailing(failure, nth) { _ = try cards.next() }
                        // It dies, and starts again.
                        standin_server(true)
                        standin_server_levels(level, 60)
                        try showSocket()
                        try cards.wait(for: "the server's volume \(level) after call \(nth)") {
                            $0.snapshot().serverIsAlive && $0.port(.builtInSpeaker)?.volume == Float(level) / 100
                        }
                        return hasFailed
                    }
                }
            }

            @Test(
                "Without a thread or a descriptor for the cards there are none, or all, and nobody waits",
                arguments: [EIO, EMFILE])
            func thread(error: Int32) throws {
                _ = try machine.laptop()
                let port = try #require(machine.look().port(.builtInMicrophone))
                var without = 0
                let lines = Log.lines {
                    forEachCall { nth in
                        failing_enter(error, nth, true)
                        let hardware = ALSAHardware()
                        let hasFailed = failing_leave()
                        if hardware.snapshot().ports.isEmpty {
                            without += 1
                            #expect(throws: ResultCode.noHardware) { try hardware.perform(.inputGain(1), on: port) }
                            #expect(hardware.format(of: port, sampleRate: 8_000, bufferDuration: 0) == nil)
                            #expect(!hardware.isOtherProcessPlaying())
                        } else {
                            #expect(hardware.snapshot().ports.map { $0.kind } == [.builtInSpeaker, .builtInMicrophone])
                        }
                        return hasFailed
                    }
                }
                #expect(without > 0)
                let reason = error == EIO ? "no thread" : "no descriptors"
                #expect(lines.contains("\(reason) for the sound cards: none are used"))
                #expect(standin_open_devices() == 0)
            }

            @Test("While a card does not answer nobody waits for it more than once; what it was told to do it does later")
            func stuck() throws {
                let interface = try machine.interface(1)
                let lines = try Log.lines {
                    let hardware = ALSAHardware()
                    let input = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
                    standin_hold_up(true)
                    try hardware.perform(.inputGain(0.5), on: input)
                    #expect(hardware.format(of: input, sampleRate: 8_000, bufferDuration: 0) == likelyFormat(8_000, 0))
                    #expect(hardware.findings() == ["a sound card does not answer"])
                    #expect(!hardware.isOtherProcessPlaying())
                    #expect(standin_value(1, interface.gain) == 0)
                    standin_hold_up(false)
                    try hardware.wait(for: "the gain 0.5") { $0.ports.first { $0.kind == .usbInput }?.gain == 0.5 }
                    #expect(standin_value(1, interface.gain) == 50)
                }
                #expect(lines.contains { $0.hasPrefix("a sound card does not answer") })
            }

            @Test("A card that is stuck for good is left behind, and its thread ends when it answers after all")
            func leftBehind() throws {
                _ = try machine.interface(1)
                do {
                    let hardware = ALSAHardware()
                    let input = try #require(hardware.snapshot().ports.first { $0.kind == .usbInput })
                    standin_hold_up(true)
                    try hardware.perform(.inputGain(0.5), on: input)
                }
                #expect(standin_open_devices() == 1)
                standin_hold_up(false)
                #expect(standin_await_closed(waitLimit * 1_000), "the device is still open after \(waitLimit) s")
            }

            @Test("A clock that somebody sets is no sleep")
            func sleep() {
                let watch = SleepWatch()
                #expect(!watch.heed())
                #expect(watch.wakes == 0)
            }
        }
    }

#endif
