// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import Foundation
import SessionModel
import Testing

@testable import ALSAHardware

/// Callers and the thread of the cards, which is the test here.
struct HardwareQueueTests {
    let queue = HardwareQueue(answerLimit: 50_000_000)
    let speaker = HardwareSnapshot(ports: [
        Port(kind: .builtInSpeaker, device: 1, uid: "s", name: "Speaker", alsaDevice: "null", channels: 2)
    ])

    @Test func callersDoNotWaitForACardThatDoesNotAnswer() {
        queue.publish(speaker)
        // Only the first caller waits.
        for _ in 0..<1_000 { #expect(queue.ask(.isOtherProcessPlaying) == nil) }
        #expect(queue.currentSnapshot() == speaker)
    }

    @Test func aRequestToASlowCardIsPerformedLater() throws {
        let queue = HardwareQueue(answerLimit: 1_000_000_000)
        #expect(queue.ask(.isOtherProcessPlaying) == nil)
        let requests = try #require(queue.dequeue())
        #expect(requests.count == 1)
        queue.answer(requests[0], .playing(true))
        // The thread has answered: the next caller waits again.
        let thread = Thread {
            guard linux_poll(queue.requestEvent.number, UInt32(LINUX_READABLE), -1) > 0 else { return }
            for request in queue.dequeue() ?? [] { queue.answer(request, .done) }
        }
        thread.start()
        #expect(queue.ask(.isOtherProcessPlaying) != nil)
    }

    @Test func aMachineWhoseCardsNeverAnswerHasNoPorts() {
        #expect(queue.currentSnapshot() == HardwareSnapshot(isPending: true))
        queue.end()
        #expect(queue.currentSnapshot() == HardwareSnapshot())
    }

    @Test func aCallerThatDidNotWaitIsNotifiedOfTheFirstSnapshot() {
        _ = queue.currentSnapshot()
        queue.publish(speaker)
        #expect(queue.clearChange())
        #expect(queue.currentSnapshot() == speaker)
    }

    @Test func changesForACardThatDoesNotAnswerAreBounded() throws {
        queue.publish(speaker)
        #expect(queue.ask(.isOtherProcessPlaying) == nil)
        let port = try #require(speaker.ports.first)
        for _ in 0..<200 { #expect(queue.ask(.perform(.inputGain(1), on: port)) == nil) }
        #expect(try #require(queue.dequeue()).count == 64)
    }

    @Test func aThreadThatEndsAnswersTheRequestsThatWait() throws {
        let queue = HardwareQueue(answerLimit: UInt64(waitLimit) * 1_000_000_000)
        queue.publish(speaker)
        let thread = Thread {
            guard linux_poll(queue.requestEvent.number, UInt32(LINUX_READABLE), waitLimit * 1_000) > 0 else { return }
            queue.end()
        }
        thread.start()
        guard case .refused(.noHardware)? = queue.ask(.findings) else {
            Issue.record("the request was not refused")
            return
        }
    }

    @Test func theFirstSnapshotIsReported() {
        #expect(queue.knownSnapshot == nil)
        queue.publish(HardwareSnapshot())
        #expect(queue.knownSnapshot == HardwareSnapshot())
        #expect(queue.clearChange())
    }

    @Test func aChangeIsReportedOnce() {
        queue.publish(HardwareSnapshot())
        #expect(queue.clearChange())
        queue.publish(HardwareSnapshot())
        #expect(!queue.clearChange())
        queue.publish(speaker)
        #expect(linux_poll(queue.changeEvent.number, UInt32(LINUX_READABLE), 0) == LINUX_READABLE)
        #expect(queue.clearChange())
        #expect(!queue.clearChange())
        queue.publish(speaker)
        #expect(!queue.clearChange())
    }

    @Test func aBlockedThreadIsNotJoined() {
        #expect(!queue.stop())
        #expect(queue.dequeue() == nil)
        queue.end()
        #expect(queue.stop())
    }
}
