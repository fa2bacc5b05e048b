// SPDX-License-Identifier: Apache-2.0
internal import AudioSession
internal import SessionModel

extension AVAudioSession {
    /// An event of the session.
    public enum Event: Hashable, Sendable {
        case interruptionBegan
        case interruptionEnded(InterruptionOptions)
        case routeChanged(RouteChangeReason, previousRoute: AVAudioSessionRouteDescription)
        case mediaServicesLost
        case mediaServicesReset
        case secondaryAudioHint(SilenceSecondaryAudioHintType)
        case inputAvailabilityChanged(Bool)
        case inputChannelsChanged(Int)
        case outputChannelsChanged(Int)
        case outputVolumeChanged(Float)
        case inputGainChanged(Float)
        /// For the delegate only.
        case sampleRateChanged(Double)
    }

    /// The events of the session from now on, for one loop:
    ///
    ///     for await event in AVAudioSession.sharedInstance().events {
    ///         if case .interruptionBegan = event { pause() }
    ///     }
    ///
    /// The sequence ends with its task. Events that a slow reader does not fetch merge. No run loop is needed.
    public var events: Events { Events(of: self) }

    /// A sequence for one reader.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event
        public typealias Failure = Never
        private let reader: EventReader

        init(of owner: AVAudioSession) { reader = EventReader(owner) }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        public struct AsyncIterator: AsyncIteratorProtocol {
            let reader: EventReader
            public mutating func next() async -> Event? { await reader.next() }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? { await reader.next() }
        }
    }

    /// The subscription of one reader, which ends with the reader.
    final class EventReader: Sendable {
        private let owner: AVAudioSession
        private let subscription: EventSubscription?
        private let leave: @Sendable () -> Void
        private let wakes: AsyncStream<Void>

        init(_ owner: AVAudioSession) {
            let (wakes, waking) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            self.owner = owner
            self.wakes = wakes
            guard let session = try? owner.session() else {
                waking.finish()
                subscription = nil
                leave = {}
                return
            }
            let subscription = session.join(receivingEverything: true) { waking.yield() }
            self.subscription = subscription
            leave = { session.leave(subscription) }
        }

        deinit { leave() }

        func next() async -> Event? {
            var waker = wakes.makeAsyncIterator()
            while !Task.isCancelled {
                while let event = subscription?.nextEvent() {
                    if let event = Event(event, of: owner) { return event }
                }
                guard await waker.next() != nil else { return nil }
            }
            return nil
        }
    }
}

extension AVAudioSession.Event {
    /// Nil for an event of the C API only.
    init?(_ event: SessionEvent, of session: AVAudioSession) {
        switch event {
        case .interruption(.begin): self = .interruptionBegan
        case .interruption(.end(let type)): self = .interruptionEnded(type == .shouldResume ? .shouldResume : [])
        case .routeChange(let change):
            self = .routeChanged(
                AVAudioSession.RouteChangeReason(change.reason),
                previousRoute: AVAudioSessionRouteDescription(change.previous, of: session))
        case .secondaryAudioHint(let shouldBeSilenced): self = .secondaryAudioHint(shouldBeSilenced ? .begin : .end)
        case .propertyChange(.serverDied, let value): self = value == .flag(true) ? .mediaServicesLost : .mediaServicesReset
        case .propertyChange(.audioInputAvailable, let value): self = .inputAvailabilityChanged(value == .flag(true))
        case .propertyChange(.currentHardwareInputNumberChannels, .uint32(let count)): self = .inputChannelsChanged(Int(count))
        case .propertyChange(.currentHardwareOutputNumberChannels, .uint32(let count)): self = .outputChannelsChanged(Int(count))
        case .propertyChange(.currentHardwareOutputVolume, .float32(let volume)): self = .outputVolumeChanged(volume)
        case .propertyChange(.inputGainScalar, .float32(let gain)): self = .inputGainChanged(gain)
        case .propertyChange(.currentHardwareSampleRate, .float64(let rate)): self = .sampleRateChanged(rate)
        case .propertyChange: return nil
        }
    }
}
