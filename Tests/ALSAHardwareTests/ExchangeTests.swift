import AudioHardware
import CLinux
import Foundation
import SessionModel
import Testing

@testable import ALSAHardware

/// Callers and the thread that talks to the cards; here the test is that thread.
struct ExchangeTests {
    let exchange = Exchange(patience: 50_000_000)
    let speaker = HardwareSnapshot(ports: [
        Port(kind: .builtInSpeaker, device: 1, uid: "s", name: "Speaker", alsaDevice: "null", channels: 2)
    ])

    @Test func whileACardDoesNotAnswerNobodyWaits() {
        exchange.publish(speaker)
        // The first one loses patience; after that nobody has any: this ends although nobody ever answers.
        for _ in 0..<1_000 { #expect(exchange.ask(.isOtherProcessPlaying) == nil) }
        #expect(exchange.currentSnapshot() == speaker)
    }

    @Test func whatWasAskedOfASlowCardIsDoneLater() throws {
        let exchange = Exchange()
        #expect(exchange.ask(.isOtherProcessPlaying) == nil)
        let errands = try #require(exchange.takeErrands())
        #expect(errands.count == 1)
        exchange.answer(errands[0], .playing(true))
        // It is back: the next one waits for it again.
        let thread = Thread {
            guard linux_poll(exchange.orders.number, UInt32(LINUX_READABLE), -1) > 0 else { return }
            for errand in exchange.takeErrands() ?? [] { exchange.answer(errand, .done) }
        }
        thread.start()
        #expect(exchange.ask(.isOtherProcessPlaying) != nil)
    }

    @Test func aMachineWhoseCardsNeverAnswerIsOneWithoutAnyThatAreKnown() {
        #expect(exchange.currentSnapshot() == HardwareSnapshot(isAwaited: true))
        exchange.end()
        #expect(exchange.currentSnapshot() == HardwareSnapshot())
    }

    @Test func whoGaveUpWaitingForTheFirstLookIsToldOfIt() {
        _ = exchange.currentSnapshot()
        exchange.publish(speaker)
        #expect(exchange.takeNews())
        #expect(exchange.currentSnapshot() == speaker)
    }

    @Test func changesForACardThatDoesNotAnswerAreBounded() throws {
        exchange.publish(speaker)
        #expect(exchange.ask(.isOtherProcessPlaying) == nil)
        let port = try #require(speaker.ports.first)
        for _ in 0..<200 { #expect(exchange.ask(.perform(.inputGain(1), on: port)) == nil) }
        #expect(try #require(exchange.takeErrands()).count == 64)
    }

    @Test func aThreadThatEndsAnswersTheRequestsThatWait() throws {
        let exchange = Exchange(patience: UInt64(waitLimit) * 1_000_000_000)
        exchange.publish(speaker)
        let thread = Thread {
            guard linux_poll(exchange.orders.number, UInt32(LINUX_READABLE), waitLimit * 1_000) > 0 else { return }
            exchange.end()
        }
        thread.start()
        guard case .refused(.noHardware)? = exchange.ask(.findings) else {
            Issue.record("the request was not refused")
            return
        }
    }

    @Test func newsAreToldOnce() {
        exchange.publish(HardwareSnapshot())
        #expect(!exchange.takeNews())
        exchange.publish(speaker)
        #expect(linux_poll(exchange.news.number, UInt32(LINUX_READABLE), 0) == LINUX_READABLE)
        #expect(exchange.takeNews())
        #expect(!exchange.takeNews())
        exchange.publish(speaker)
        #expect(!exchange.takeNews())
    }

    @Test func aThreadThatIsStuckIsLeftAlone() {
        #expect(!exchange.stop())
        #expect(exchange.takeErrands() == nil)
        exchange.end()
        #expect(exchange.stop())
    }
}
