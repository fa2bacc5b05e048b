import SessionModel
import Testing

private func route(_ reason: RouteChangeReason, from old: OldRouteName = .speaker, to new: OldRouteName = .headphone)
    -> SessionEvent
{
    .routeChange(RouteChange(reason: reason, previous: Route(), current: Route(), oldName: old, newName: new))
}

private let begin = SessionEvent.interruption(.begin)
private let end = SessionEvent.interruption(.end(.shouldResume))

@Suite struct EventQueueTests {
    private func taken(_ queue: inout EventQueue) -> [SessionEvent] {
        var events: [SessionEvent] = []
        while let next = queue.take() { events.append(next.event) }
        return events
    }

    @Test("A hint that waits and its opposite are as if nothing had been")
    func hints() {
        var queue = EventQueue()
        queue.post(.secondaryAudioHint(shouldBeSilenced: true))
        queue.post(.secondaryAudioHint(shouldBeSilenced: false))
        #expect(queue.isEmpty)
        queue.post(.secondaryAudioHint(shouldBeSilenced: true))
        #expect(queue.take()?.event == .secondaryAudioHint(shouldBeSilenced: true))
    }

    @Test("Events leave in the order in which they happened, with rising numbers")
    func order() {
        var queue = EventQueue()
        let events = [begin, route(.override), .propertyChange(.currentHardwareOutputVolume, .float32(0.5)), end]
        for event in events { queue.post(event) }
        var numbers: [UInt64] = []
        var heard: [SessionEvent] = []
        while let next = queue.take() {
            numbers.append(next.number)
            heard.append(next.event)
        }
        #expect(heard == events)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 4)
    }

    @Test("Changes of one property merge into the latest, in its place")
    func properties() {
        var queue = EventQueue()
        queue.post(.propertyChange(.currentHardwareOutputVolume, .float32(0.1)))
        queue.post(.propertyChange(.audioInputAvailable, .uint32(1)))
        queue.post(.propertyChange(.currentHardwareOutputVolume, .float32(0.2)))
        #expect(
            taken(&queue) == [
                .propertyChange(.audioInputAvailable, .uint32(1)), .propertyChange(.currentHardwareOutputVolume, .float32(0.2)),
            ])
    }

    @Test("Beyond 64 waiting, route changes merge into one, from the first route to the last, in the last one's place")
    func routeChanges() {
        var queue = EventQueue()
        queue.post(begin)
        queue.post(route(.newDeviceAvailable, from: .receiver, to: .headset))
        for _ in 0..<62 { queue.post(route(.override)) }
        #expect(queue.count == 64)
        queue.post(end)
        #expect(queue.count == 3)
        #expect(taken(&queue) == [begin, route(.override, from: .receiver, to: .headphone), end])
    }

    @Test("A merged route change says that a device went, if any of them did")
    func lostDevice() {
        var queue = EventQueue()
        queue.post(route(.oldDeviceUnavailable))
        for _ in 0..<64 { queue.post(route(.newDeviceAvailable)) }
        #expect(taken(&queue) == [route(.oldDeviceUnavailable)])
    }

    @Test("If the last one delivered was a begin, a waiting end and begin cancel out")
    func cancels() {
        var queue = EventQueue()
        queue.post(begin)
        #expect(taken(&queue) == [begin])
        queue.post(end)
        queue.post(begin)
        #expect(queue.isEmpty)
        queue.post(end)
        #expect(taken(&queue) == [end])
    }

    @Test("Otherwise only the last waiting begin and what follows is kept")
    func lastBegin() {
        var queue = EventQueue()
        for _ in 0..<3 {
            queue.post(begin)
            queue.post(end)
        }
        #expect(taken(&queue) == [begin, end])
        queue.post(begin)
        queue.post(end)
        queue.post(begin)
        #expect(taken(&queue) == [begin])
    }

    @Test("An activation drops waiting begins and ends, and nothing else")
    func overtaken() {
        var queue = EventQueue()
        queue.post(begin)
        queue.post(route(.override))
        queue.post(end)
        queue.dropInterruptions()
        #expect(taken(&queue) == [route(.override)])
    }

    @Test("Whatever happens, what waits stays bounded, and begins and ends alternate")
    func bounded() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var queue = EventQueue()
            var interrupted = false
            var known = false
            for _ in 0..<500 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    queue.post(interrupted ? end : begin)
                    interrupted.toggle()
                case 1: queue.post(route(.override))
                case 2: queue.post(.propertyChange(Property.allCases.randomElement() ?? .mode, .uint32(UInt32.random(in: 0..<9))))
                case 3:
                    if let next = queue.take() {
                        if next.event == begin {
                            #expect(!known)
                            known = true
                        }
                        if next.event == end {
                            #expect(known)
                            known = false
                        }
                    }
                default: break
                }
                #expect(queue.count <= EventQueue.capacity + Property.allCases.count)
            }
            while let next = queue.take() {
                if next.event == begin { known = true }
                if next.event == end { known = false }
            }
            #expect(known == interrupted)
        }
    }
}
