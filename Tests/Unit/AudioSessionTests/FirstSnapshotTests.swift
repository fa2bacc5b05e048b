// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SessionArbiter
import SessionModel
import SessionRegistry
import Synchronization
import Testing

@testable import AudioSession

/// A session whose hardware is still explored.
@Suite struct FirstSnapshotTests {
    @Test("A session is made without a wait for the hardware, and publishes nothing until it is known")
    func unexplored() throws {
        let world = try World(isExplored: false)
        #expect(world.session.published.reader.bits(of: SessionProperty.audioCategory.rawValue) == nil)
        // A change of the settings does not publish them before the first snapshot.
        var next = world.session.state
        next.settings.flags.insert(.wantsSecondaryAudioHint)
        world.session.publish(next, sending: [])
        #expect(world.session.published.reader.bits(of: SessionProperty.audioCategory.rawValue) == nil)
        #expect(world.session.published.reader.choices == nil)
        #expect(world.hardware.isAsked.wait(timeout: .now()) == .timedOut)
        world.hardware.endExploration()
        world.session.applyHardwareEvents()
        #expect(world.session.published.reader.bits(of: SessionProperty.audioCategory.rawValue) != nil)
        #expect(world.session.published.reader.choices != nil)
    }

    @Test("The first snapshot is no event, and each change after it is one")
    func changes() throws {
        let world = try World(isExplored: false)
        let change = DispatchSemaphore(value: 0)
        try world.subscription.addListener(
            { _, _ in change.signal() }, as: ListenerIdentity(procedure: 1, clientData: 1), to: .audioRouteChange)
        world.hardware.endExploration()
        world.session.applyHardwareEvents()
        #expect(world.isQuiet)
        world.hardware.happen { $0.ports.append(.headphones) }
        #expect(world.deliverNext())
        #expect(change.wait(timeout: .now()) == .success)
    }

    @Test("A gain of the dead is restored when the hardware is known")
    func gain() throws {
        let world = try World(isExplored: false)
        world.registry.prepare { $0.gainsToRestore[0] = SavedGain(input: Port.microphone.uidHash, level: 0.25) }
        world.session.applyEverything()
        #expect(world.registry.requests.isEmpty)
        world.hardware.endExploration()
        world.session.applyHardwareEvents()
        #expect(world.session.known.hardware.ports.last?.gain == 0.25)
    }

    /// Each question and change that needs the hardware, with a result that it gives only when it knows the ports.
    enum Question: CaseIterable {
        case known, current, value, set, change, activate, perform, simulate, sampleRate, listen, join

        func ask(_ world: World) throws {
            let session = world.session
            switch self {
            case .known: #expect(!session.known.hardware.ports.isEmpty)
            case .current: #expect(!session.current.hardware.ports.isEmpty)
            case .value: #expect(try session.value(of: .currentHardwareOutputNumberChannels) == .uint32(2))
            case .set: try session.set(.audioCategory, to: .uint32(Category.mediaPlayback.rawValue))
            case .change: try session.change(because: .unknown) { _, state in #expect(!state.hardware.ports.isEmpty) }
            case .activate: try session.setActive(true)
            case .perform: try session.perform(.inputGain(0.5), onPort: "microphone")
            case .simulate: try session.simulate(.silent(true))
            case .sampleRate: session.announceSampleRate()
            case .listen:
                try session.addListener(
                    { _, _ in }, as: ListenerIdentity(procedure: 1, clientData: 1), to: .audioRouteChange, in: world.subscription)
            case .join: _ = session.join(receivingEverything: true) {}
            }
        }
    }

    @Test("A question or change that needs the hardware waits for it", arguments: Question.allCases)
    func waits(_ question: Question) throws {
        let world = try World(isExplored: false)
        let hasEnded = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            #expect(throws: Never.self) { try question.ask(world) }
            hasEnded.signal()
            world.hardware.isAsked.signal()
        }
        world.hardware.isAsked.waitForSignal("a caller that asks for a snapshot")
        #expect(hasEnded.wait(timeout: .now()) == .timedOut, "\(question) did not wait")
        world.hardware.endExploration()
        hasEnded.waitForSignal("the end of \(question)")
        let isKnown = world.session.isHardwareKnown.load(ordering: .acquiring)
        #expect(isKnown)
    }
}
