// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import SessionArbiter
import SessionRegistry
import Testing

@testable import AudioStreams

/// Which streams of a group count, and for what.
@Suite struct GroupMembersTests {
    private final class Member: GroupMember {
        let directions: StreamDirections
        let hasOptions: Bool
        var isRunning: Bool
        var isStarted = false
        var wasInterrupted = false
        var ducksOthers = false
        var hasReport = false
        private(set) var reportCount = 0

        init(_ directions: StreamDirections, hasOptions: Bool = false, isRunning: Bool = false) {
            self.directions = directions
            self.hasOptions = hasOptions
            self.isRunning = isRunning
        }

        func apply(_ conditions: StreamConditions) {}
        func reportStop(_ count: () -> Void) {
            reportCount += 1
            if hasReport { count() }
            hasReport = false
        }
    }

    private func members(_ all: Member...) -> GroupMembers {
        var members = GroupMembers()
        for member in all { members.append(member) }
        return members
    }

    @Test("A group runs while one of its streams runs; a voice that does not run ducks nobody")
    func activity() {
        let (voice, player) = (Member(.output), Member(.output))
        voice.ducksOthers = true
        let members = members(voice, player)
        #expect(members.activity == .stopped && GroupMembers().activity == .stopped)
        player.isRunning = true
        #expect(members.activity == .running)
        voice.isRunning = true
        #expect(members.activity == .runningVoice)
    }

    @Test("A pulled stream that does not run needs nothing of the session, and a pushed stream always does")
    func needs() {
        let pulled = Member(.input)
        #expect(!members(pulled).needs().recording)
        pulled.isRunning = true
        #expect(members(pulled).needs().recording && !members(pulled).needs().hasOptions)
        let pushed = members(Member(.input, hasOptions: true))
        #expect(pushed.needs().recording && pushed.needs().hasOptions)
        #expect(members().needs(adding: [.input, .output]).recording && !members().needs(adding: .output).recording)
        #expect(members().needs(adding: .output, withOptions: true).hasOptions)
    }

    @Test("An interruption marks the streams that run when it begins, until it ends")
    func interruption() {
        let (playing, silent) = (Member(.output, isRunning: true), Member(.output))
        let members = members(playing, silent)
        let free = SessionView()
        var interrupted = SessionView()
        interrupted.isInterrupted = true
        members.markInterrupted(from: free, to: interrupted)
        #expect(playing.wasInterrupted && !silent.wasInterrupted)
        (playing.isRunning, silent.isRunning) = (false, true)
        members.markInterrupted(from: interrupted, to: interrupted)
        #expect(playing.wasInterrupted && !silent.wasInterrupted)
        members.markInterrupted(from: interrupted, to: free)
        #expect(!playing.wasInterrupted && !silent.wasInterrupted)
    }

    @Test("Every stream is asked for its report, also after one that had a report")
    func reports() {
        let (first, second) = (Member(.output), Member(.output))
        (first.hasReport, second.hasReport) = (true, true)
        let members = members(first, second)
        var told = 0
        members.reportStops { told += 1 }
        #expect(told == 2)
        members.reportStops { told += 1 }
        #expect(told == 2)
        #expect(first.reportCount == 2 && second.reportCount == 2)
    }

    @Test("A stream that left is no member")
    func removal() {
        let (first, second) = (Member(.output, hasOptions: true), Member(.output))
        second.isStarted = true
        var members = members(first, second)
        #expect(members.hasOptions && members.hasStarted)
        members.remove(first)
        #expect(!members.hasOptions && members.hasStarted && !members.isEmpty)
        members.remove(second)
        #expect(members.isEmpty)
    }
}
