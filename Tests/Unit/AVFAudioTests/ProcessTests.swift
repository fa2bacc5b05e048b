// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct OneProcessTests {
    @Test("C first: Swift uses C's session, and a second Initialize is refused")
    func cFirst() throws {
        #expect(
            try PeerDirectory().peer("AVFAudioPeer", "c-first").lines() == [
                "C before: !ini", "C initialize: 0", "C sets playback: 0", "Swift reads AVAudioSessionCategoryPlayback",
                "C initialize: init",
            ])
    }

    @Test("Swift first: C's functions work, its first Initialize returns 0 and leaves the session as it is")
    func swiftFirst() throws {
        #expect(
            try PeerDirectory().peer("AVFAudioPeer", "swift-first").lines() == [
                "C reads solo", "Swift sets playback: 0", "C reads medi", "C initialize: 0", "C initialize: init", "C reads medi",
            ])
    }

    @Test("C and Swift change the same session alternately, each by its own rules")
    func turns() throws {
        #expect(
            try PeerDirectory().peer("AVFAudioPeer", "turns").lines() == [
                "C initialize: 0", "C sets playAndRecord: 0", "C sets speaker: 0",
                "Swift reads AVAudioSessionCategoryPlayAndRecord 8", "Swift sets Bluetooth: 0", "C reads 0 1",
                "Swift activates: 0", "C sets voice chat: what", "Swift sets voice chat: 0", "C reads vcct",
                "C deactivates: 0", "C sets default: 0", "Swift reads AVAudioSessionModeDefault 4", "Swift sets live: badParam",
                "C sets live: 0", "Swift reads AVAudioSessionCategoryPlayback", "Swift ducks: 0", "C reads 1 1",
                "Swift sets a duration: 0", "C reads 0 true", "Swift sets multiRoute: 0", "C reads mult",
                "C listens to the rate: pty?",
            ])
    }

    @Test("The document's listing compiles unchanged and configures the session")
    func listing() throws {
        #expect(
            try PeerDirectory().peer("AVFAudioPeer", "listing").lines() == [
                "AVAudioSessionCategoryPlayback AVAudioSessionModeMoviePlayback 0"
            ])
    }

    @Test("C's listeners and Swift's observers receive the same events on the main run loop")
    func listeners() throws {
        #expect(
            try PeerDirectory().peer("AVFAudioPeer", "listeners").lines() == [
                "C listens: 0", "C plugs: 0", "both received it", "C initialize: 0", "Swift activates: 0", "C interrupts: 0",
                "both received it", "C ends it: 0", "both received it",
            ])
    }
}

@Suite struct TwoProcessTests {
    @Test("A C program interrupts a Swift program and lets it resume, and vice versa")
    func interruptions() throws {
        let directory = try PeerDirectory()
        let swift = try directory.peer("AVFAudioPeer", "player")
        let c = try directory.peer("CPeer")
        #expect(swift.line() == "category: 0")
        swift.say("activate")
        #expect(swift.line() == "activate: 0")
        c.say("activate")
        #expect(c.line() == "activate: 0")
        #expect(swift.line() == "began")
        c.say("leave")
        #expect(c.line() == "leave: 0")
        #expect(swift.line() == "ended, should resume")
        c.say("activate")
        #expect(c.line() == "activate: 0")
        swift.say("activate")
        #expect(swift.line() == "activate: 0")
        #expect(c.line() == "began")
        swift.say("leave")
        #expect(swift.line() == "leave: 0")
        #expect(c.line() == "ended, should resume")
        swift.say("activate")
        #expect(swift.line() == "activate: 0")
        c.say("activate")
        #expect(c.line() == "activate: 0")
        #expect(swift.line() == "began")
        c.say("deactivate")
        #expect(c.line() == "deactivate: 0")
        #expect(swift.line() == "ended")
    }

    @Test("A C program that is killed lets a Swift program resume")
    func death() throws {
        let directory = try PeerDirectory()
        let swift = try directory.peer("AVFAudioPeer", "player")
        let c = try directory.peer("CPeer")
        #expect(swift.line() == "category: 0")
        swift.say("activate")
        #expect(swift.line() == "activate: 0")
        c.say("activate")
        #expect(c.line() == "activate: 0")
        #expect(swift.line() == "began")
        c.kill()
        #expect(swift.line() == "ended, should resume")
    }
}
