// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import TestSupport
import Testing

@testable import AudioSession

/// The notifications of one session, in the order in which they were posted.
final class Posted: @unchecked Sendable {
    private let notes = LockedValue<[String]>([])
    private let arrived: AsyncStream<Void>
    private let arriving: AsyncStream<Void>.Continuation

    init(of session: AVAudioSession) {
        (arrived, arriving) = AsyncStream<Void>.makeStream()
        for name in [
            AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification,
            AVAudioSession.mediaServicesWereLostNotification, AVAudioSession.mediaServicesWereResetNotification,
            AVAudioSession.silenceSecondaryAudioHintNotification,
        ] {
            _ = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak self] in
                self?.take($0)
            }
        }
    }

    private func take(_ notification: Notification) {
        let note = line(of: notification) + (isOnMainQueue ? "" : " elsewhere")
        notes.withLock { $0.append(note) }
        arriving.yield()
    }

    /// The notification as a program reads it.
    private func line(of notification: Notification) -> String {
        let userInfo = notification.userInfo
        switch notification.name {
        case AVAudioSession.interruptionNotification:
            guard let raw = userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
                let type = AVAudioSession.InterruptionType(rawValue: raw)
            else { return "an interruption without type" }
            guard type == .ended else { return "began, \(userInfo?.count ?? 0) key" }
            guard let bits = userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt else { return "an end without options" }
            let options = AVAudioSession.InterruptionOptions(rawValue: bits)
            return "ended\(options.contains(.shouldResume) ? ", should resume" : "")"
        case AVAudioSession.routeChangeNotification:
            guard let raw = userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt,
                let reason = AVAudioSession.RouteChangeReason(rawValue: raw),
                let previous = userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            else { return "a route change without its keys" }
            return "\(reason) from \(previous.outputs.map { $0.portType.rawValue })"
        case AVAudioSession.silenceSecondaryAudioHintNotification:
            guard let raw = userInfo?[AVAudioSessionSilenceSecondaryAudioHintTypeKey] as? UInt,
                let type = AVAudioSession.SilenceSecondaryAudioHintType(rawValue: raw)
            else { return "a hint without type" }
            return "hint \(type)"
        default: return notification.name.rawValue
        }
    }

    /// Waits until `count` notifications have come, or until the test's time limit cancels its task.
    func first(_ count: Int) async -> [String] {
        var arrivals = arrived.makeAsyncIterator()
        while notes.withLock({ $0.count }) < count { guard await arrivals.next() != nil else { break } }
        return notes.withLock { $0 }
    }
}

@Suite(.limitedTime) struct NotificationTests {
    @Test("An interruption begins and ends, on the main thread, with its keys")
    func interruption() async throws {
        let program = try singleProgram()
        let posted = Posted(of: program.session)
        try program.session.setActive(true)
        try program.simulate("interrupt begin")
        #expect(await posted.first(1) == ["began, 1 key"])
        try program.simulate("interrupt end")
        #expect(await posted.first(2).last == "ended, should resume")
        try program.session.setActive(true)
        try program.simulate("interrupt begin")
        #expect(await posted.first(3).last == "began, 1 key")
        try program.simulate("interrupt end --should-not-resume")
        #expect(await posted.first(4).last == "ended")
    }

    @Test("Route changes have their reason and the previous route, in order")
    func routes() async throws {
        let program = try singleProgram()
        let posted = Posted(of: program.session)
        try program.simulate("plug headphones")
        try program.session.setCategory(.playAndRecord)
        try program.session.overrideOutputAudioPort(.speaker)
        try program.simulate("unplug headphones")
        try program.session.setCategory(.audioProcessing)
        try program.simulate("wake")
        #expect(
            await posted.first(6) == [
                "newDeviceAvailable from [\"Speaker\"]",
                "categoryChange from [\"Headphones\"]",
                "override from [\"Headphones\"]",
                "oldDeviceUnavailable from [\"Speaker\"]",
                "categoryChange from [\"Receiver\"]",
                "wakeFromSleep from []",
            ])
    }

    @Test("An interruption reverts the override: the begin comes first")
    func interruptionAndRoute() async throws {
        let program = try singleProgram()
        let posted = Posted(of: program.session)
        try program.session.setCategory(.playAndRecord)
        try program.session.setActive(true)
        try program.session.overrideOutputAudioPort(.speaker)
        try program.simulate("interrupt begin")
        #expect(
            await posted.first(4) == [
                "categoryChange from [\"Speaker\"]", "override from [\"Receiver\"]", "began, 1 key",
                "override from [\"Speaker\"]",
            ])
    }

    @Test("The audio server is lost and reset")
    func server() async throws {
        let program = try singleProgram()
        let posted = Posted(of: program.session)
        try program.session.setActive(true)
        try program.simulate("server die")
        #expect(await posted.first(1) == ["AVAudioSessionMediaServicesWereLostNotification"])
        #expect(!program.isActive)
        try program.simulate("server restart")
        #expect(await posted.first(2).last == "AVAudioSessionMediaServicesWereResetNotification")
    }

    @Test("An active session receives a hint when another session starts and stops playing without mixing")
    func secondaryAudio() async throws {
        let group = ProgramGroup()
        let game = try group.program()
        let music = try group.program()
        let posted = Posted(of: game.session)
        try game.session.setCategory(.ambient)
        try game.session.setActive(true)
        try music.session.setCategory(.playback)
        try music.session.setActive(true)
        #expect(await posted.first(1) == ["hint begin"])
        try music.session.setActive(false)
        #expect(await posted.first(2).last == "hint end")
    }

    @Test("The names are those of the platform, old and new")
    func names() {
        #expect(Notification.Name.AVAudioSessionInterruption.rawValue == "AVAudioSessionInterruptionNotification")
        #expect(NSNotification.Name.AVAudioSessionRouteChange == AVAudioSession.routeChangeNotification)
        #expect(
            NSNotification.Name.AVAudioSessionMediaServicesWereReset.rawValue
                == "AVAudioSessionMediaServicesWereResetNotification")
    }

    @Test("A number in the userInfo can be read as NSNumber too")
    func asNumber() async throws {
        let program = try singleProgram()
        let session = program.session
        let (numbers, came) = AsyncStream<UInt?>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
        ) { came.yield(($0.userInfo?[AVAudioSessionRouteChangeReasonKey] as? NSNumber)?.uintValue) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try program.simulate("plug headphones")
        let number = await numbers.first { _ in true }
        #expect(number == 1)
    }
}

@Suite(.limitedTime) struct EventTests {
    @Test("Events come in the order in which they happened, from the creation of the sequence on")
    func order() async throws {
        let program = try singleProgram()
        try program.simulate("plug headphones")
        var events = program.session.events.makeAsyncIterator()
        try program.session.setActive(true)
        try program.simulate("unplug headphones")
        try program.simulate("volume 0.25")
        try program.simulate("interrupt begin")
        guard case .routeChanged(.oldDeviceUnavailable, let previous)? = await events.next() else {
            Issue.record("no route change")
            return
        }
        #expect(previous.outputs.map { $0.portType } == [.headphones])
        #expect(await events.next() == .outputVolumeChanged(0.25))
        #expect(await events.next() == .interruptionBegan)
    }

    @Test("The loop ends with its task")
    func cancellation() async throws {
        let program = try singleProgram()
        let events = program.session.events
        let loop = Task {
            var count = 0
            for await _ in events { count += 1 }
            return count
        }
        try program.simulate("plug hdmi")
        loop.cancel()
        #expect(await loop.value <= 1)
    }

    @Test("A reader that does not read keeps at most 64 events, from the first previous route to the latest change")
    func bounded() async throws {
        let program = try singleProgram()
        let events = program.session.events
        for _ in 0..<1_000 {
            try program.simulate("plug hdmi")
            try program.simulate("unplug hdmi")
        }
        try program.simulate("plug usb")
        try program.simulate("server die")
        var changes: [(reason: AVAudioSession.RouteChangeReason, previous: [AVAudioSession.Port])] = []
        var count = 0
        for await event in events {
            if event == .mediaServicesLost { break }
            count += 1
            if case .routeChanged(let reason, let route) = event { changes.append((reason, route.outputs.map { $0.portType })) }
        }
        #expect(count <= 64)
        // The merged change comes first. It stands for changes in which a device became unavailable.
        #expect(changes.first?.reason == .oldDeviceUnavailable)
        #expect(changes.first?.previous == [.builtInSpeaker])
        #expect(changes.last?.reason == .newDeviceAvailable)
        #expect(changes.last?.previous == [.builtInSpeaker])
    }

    @Test("A sequence that its reader has released leaves the session, as does its iterator")
    func released() async throws {
        let program = try singleProgram()
        let before = program.below.currentSubscriptions.count
        do {
            let events = program.session.events
            var iterator = events.makeAsyncIterator()
            try program.simulate("plug hdmi")
            #expect(await iterator.next() != nil)
            #expect(program.below.currentSubscriptions.count == before + 1)
        }
        #expect(program.below.currentSubscriptions.count == before)
    }

    @Test("Two readers receive the same events")
    func readers() async throws {
        let program = try singleProgram()
        var first = program.session.events.makeAsyncIterator()
        var second = program.session.events.makeAsyncIterator()
        try program.simulate("plug hdmi")
        #expect(await first.next() == second.next())
    }
}
