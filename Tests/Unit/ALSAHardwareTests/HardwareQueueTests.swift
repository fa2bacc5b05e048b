// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import Foundation
import LinuxSystem
import SessionModel
import Testing

@testable import ALSAHardware

/// Callers and the thread of the cards, which is the test here.
struct HardwareQueueTests {
    let queue = HardwareQueue(answerLimit: 50_000_000)
    let speaker = HardwareSnapshot(ports: [
        Port(kind: .builtInSpeaker, device: 1, uid: "s", name: "Speaker", alsaDevice: "null", channels: 2)
    ])

    @Test("Callers of a card that does not answer get the last snapshot, and no answer to a query")
    func callersDoNotWaitForACardThatDoesNotAnswer() {
        queue.publish(speaker)
        // Only the first caller waits: each wait without an answer is logged. Another test may log some as well.
        let lines = Log.lines { for _ in 0..<1_000 { #expect(queue.ask(.isOtherProcessPlaying(on: [])) == nil) } }
        let waits = lines.count { $0.hasPrefix("a sound card does not answer") }
        #expect((1..<100).contains(waits))
        #expect(queue.currentSnapshot() == speaker)
    }

    @Test("A request to a slow card is performed later, and after its answer the next caller waits again")
    func aRequestToASlowCardIsPerformedLater() throws {
        let queue = HardwareQueue(answerLimit: 1_000_000_000)
        #expect(queue.ask(.isOtherProcessPlaying(on: [])) == nil)
        let requests = try #require(queue.dequeue())
        #expect(requests.count == 1)
        queue.answer(requests[0], .playing(true))
        // The thread has answered: the next caller waits again.
        let thread = Thread {
            guard linux_poll(queue.requestEvent.number, UInt32(LINUX_READABLE), -1) > 0 else { return }
            for request in queue.dequeue() ?? [] { queue.answer(request, .done) }
        }
        thread.start()
        #expect(queue.ask(.isOtherProcessPlaying(on: [])) != nil)
    }

    @Test("A machine whose cards do not answer has no ports, and its snapshot is pending until the thread ends")
    func aMachineWhoseCardsNeverAnswerHasNoPorts() {
        #expect(queue.currentSnapshot() == HardwareSnapshot(isPending: true))
        queue.end()
        #expect(queue.currentSnapshot() == HardwareSnapshot())
    }

    @Test("A caller that continued without a snapshot is notified of the first one")
    func aCallerThatDidNotWaitIsNotifiedOfTheFirstSnapshot() {
        _ = queue.currentSnapshot()
        queue.publish(speaker)
        #expect(queue.clearChange())
        #expect(queue.currentSnapshot() == speaker)
    }

    @Test("At most 64 requests wait for a card that does not answer") func changesForACardThatDoesNotAnswerAreBounded() throws {
        queue.publish(speaker)
        #expect(queue.ask(.isOtherProcessPlaying(on: [])) == nil)
        let port = try #require(speaker.ports.first)
        for _ in 0..<200 { #expect(queue.ask(.perform(.inputGain(1), on: port)) == nil) }
        #expect(try #require(queue.dequeue()).count == 64)
    }

    @Test("Requests that wait when the thread ends are refused with 'nohw'")
    func aThreadThatEndsAnswersTheRequestsThatWait() throws {
        let queue = HardwareQueue(answerLimit: UInt64(waitLimit) * 1_000_000_000)
        queue.publish(speaker)
        let thread = Thread {
            guard linux_poll(queue.requestEvent.number, UInt32(LINUX_READABLE), waitLimit * 1_000) > 0 else { return }
            queue.end()
        }
        thread.start()
        guard case .refused(.noHardware)? = queue.ask(.inspect { _ in }) else {
            Issue.record("the request was not refused")
            return
        }
    }

    @Test("The first snapshot is reported as a change, also when it is empty") func theFirstSnapshotIsReported() {
        #expect(queue.knownSnapshot == nil)
        queue.publish(HardwareSnapshot())
        #expect(queue.knownSnapshot == HardwareSnapshot())
        #expect(queue.clearChange())
    }

    @Test("A change is reported once, and an equal snapshot is no change") func aChangeIsReportedOnce() {
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

    @Test("A stop fails while the thread is blocked, and succeeds once the thread has ended") func aBlockedThreadIsNotJoined() {
        #expect(!queue.stop())
        #expect(queue.dequeue() == nil)
        queue.end()
        #expect(queue.stop())
    }
}
