// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EngineTestSupport
import Foundation
import LinuxSystem
import MediaFormats
import Synchronization
import Testing

@testable import AudioQueues

/// The status that a call throws; nil where it succeeds.
func status(_ body: () throws(QueueStatus) -> Void) -> QueueStatus? {
    do throws(QueueStatus) {
        try body()
        return nil
    } catch {
        return error
    }
}

extension Queue {
    fileprivate func result(ofSetting id: UInt32, to bytes: [UInt8]) -> QueueStatus? {
        bytes.withUnsafeBytes { value in status { () throws(QueueStatus) in try setProperty(id, value) } }
    }
}

/// An owner that has been told when the test lets it.
private final class SlowOwner: VoiceOwner {
    let entered = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    let isTold = Mutex(false)

    func voiceChanged() {}
    func streamStopped() {
        entered.signal()
        _ = mayLeave.wait(timeout: .now() + 60)
        isTold.withLock { $0 = true }
    }
}

@Suite struct BehaviourTests {
    @Test("A callback enqueues the same buffer again, and the frames are played in their order")
    func aCallbackEnqueuesTheSameBufferAgain() throws {
        let bench = try Bench(int16(channels: 1))
        var fills = 0
        func fill(_ address: UInt) {
            let buffer = UnsafeMutableRawPointer(bitPattern: address)?.advanced(by: 64).assumingMemoryBound(to: Int16.self)
            for index in 0..<128 { buffer?[index] = Int16(fills * 128 + index) }
            fills += 1
            _ = try? bench.queue.enqueue(address, bytes: 256)
        }
        bench.onBuffer = { fill($0.address) }
        // The program calls its own callback to fill the first buffers.
        for _ in 0..<3 { fill(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 256).header)) }
        try bench.queue.start()
        let left = leftSide(bench.run(40))
        // Three buffers hold one slice and a half: silence follows where the callback comes late, never another order.
        let sounds = left.filter { $0 != 0 }.map { Int($0 * 32_768) }
        #expect(sounds == Array(1...sounds.count))
        #expect(fills > 40)
    }

    @Test("A buffer that is enqueued with size 0 comes back, and can be enqueued again with its size")
    func aBufferCanBeEnqueuedBeforeItsSizeIsSet() throws {
        let bench = try Bench(int16(channels: 1))
        let address = UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 64).header)
        try bench.queue.enqueue(address, bytes: 0)
        #expect(status { () throws(QueueStatus) in try bench.queue.freeBuffer(address) } == .bufferInQueue)
        try bench.queue.start()
        bench.run(2)
        #expect(bench.returned.map(\.address) == [address])
        try bench.queue.enqueue(address, bytes: 64)
        bench.run(2)
        #expect(bench.returned.map(\.address) == [address, address])
    }

    @Test("A stop that waits, called in a callback, plays what is enqueued and refuses further buffers")
    func stopInACallbackPlaysOut() throws {
        let bench = try Bench(int16(channels: 1))
        for _ in 0..<3 { try bench.enqueue([Int16](repeating: 1_000, count: 256)) }
        bench.onBuffer = { [unowned bench] buffer in
            #expect(status { () throws(QueueStatus) in try bench.queue.stop(immediately: false) } == nil)
            #expect(status { () throws(QueueStatus) in try bench.queue.enqueue(buffer.address, bytes: 2) } == .enqueueDuringReset)
            #expect(status { () throws(QueueStatus) in try bench.queue.freeBuffer(buffer.address) } == nil)
        }
        try bench.queue.start()
        let played = leftSide(bench.run(12))
        #expect(played.filter { $0 != 0 }.count == 768)
        #expect(bench.returned.count == 3)
        #expect(bench.changes.count == 2)
        #expect(!bench.isRunning)
    }

    @Test("An immediate stop gives all buffers back during the call, and refuses those that a callback enqueues meanwhile")
    func stopGivesAllBuffersBackDuringTheCall() throws {
        let bench = try Bench(int16(channels: 1))
        let addresses = try (0..<5).map { _ in try bench.enqueue([Int16](repeating: 1_000, count: 300)) }
        var refusals: [QueueStatus?] = []
        bench.onBuffer = { [unowned bench] buffer in
            refusals.append(status { () throws(QueueStatus) in try bench.queue.enqueue(buffer.address, bytes: 2) })
        }
        try bench.queue.start()
        _ = bench.engine.play()
        try bench.queue.stop(immediately: true)
        #expect(bench.returned.map(\.address) == addresses)
        #expect(refusals == [QueueStatus?](repeating: .enqueueDuringReset, count: 5))
        for address in addresses { try bench.queue.freeBuffer(address) }
        bench.run(3)
        #expect(bench.returned.count == 5)
        #expect(bench.engine.output?.isRunning == false)
    }

    @Test("The IsRunning listener can dispose its queue, whose handle is invalid afterwards") func disposeInTheListener() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1_000, count: 256))
        bench.onChange = { [unowned bench] in
            guard !bench.isRunning else { return }
            #expect(status { () throws(QueueStatus) in try bench.queue.dispose(immediately: true) } == nil)
        }
        try bench.queue.start()
        try bench.queue.stop(immediately: false)
        bench.run(8)
        #expect(bench.changes.count == 2)
        #expect(status { () throws(QueueStatus) in _ = try bench.service.queues.object(bench.handle) } == .queueInvalidated)
    }

    @Test("A dispose that waits plays what is enqueued, and calls neither callbacks nor listeners")
    func disposeLaterPlaysOutInSilenceTowardsTheProgram() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1_000, count: 1_000))
        try bench.queue.start()
        var left = leftSide(bench.run())
        try bench.queue.dispose(immediately: false)
        #expect(status { () throws(QueueStatus) in try bench.queue.pause() } == .disposalPending)
        left += leftSide(bench.run(8))
        #expect(left.filter { $0 != 0 }.count == 1_000)
        #expect(bench.returned.isEmpty)
        #expect(bench.changes.count == 1)
        #expect(bench.delivery?.isInvalid == true)
        #expect(bench.service.queues.all.isEmpty)
    }

    @Test("A dispose waits for a callback that runs on another thread") func disposeWaitsForTheCallbackOfAnotherThread() throws {
        let bench = try Bench(int16(channels: 1))
        let (entered, mayLeave, hasReturned) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let hasLeft = Mutex(false)
        bench.onBuffer = { _ in
            entered.signal()
            _ = mayLeave.wait(timeout: .now() + 60)
            hasLeft.withLock { $0 = true }
        }
        try bench.enqueue([1])
        try bench.queue.start()
        bench.engine.play(cycles: 2)
        bench.service.dispatch()
        Thread.detachNewThread { bench.delivery?.deliver() }
        #expect(entered.wait(timeout: .now() + 60) == .success)
        Thread.detachNewThread {
            #expect(status { () throws(QueueStatus) in try bench.queue.dispose(immediately: true) } == nil)
            #expect(hasLeft.withLock { $0 })
            hasReturned.signal()
        }
        // It has begun, and waits for the callback.
        #expect(bench.queue.awaitState { !bench.queue.state.isUsable && bench.queue.turn.waiters == 1 })
        mayLeave.signal()
        #expect(hasReturned.wait(timeout: .now() + 60) == .success)
    }

    @Test("A queue with 5,000 buffers can be disposed, and allocates no buffer afterwards")
    func thousandsOfBuffersDieWithTheQueue() throws {
        let bench = try Bench(int16(channels: 1))
        for _ in 0..<5_000 { _ = try bench.queue.allocateBuffer(bytes: 4_096) }
        try bench.queue.dispose(immediately: true)
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.allocateBuffer(bytes: 1) } == .queueInvalidated)
    }

    @Test("Buffers cannot be freed while a stop waits for them, and a dispose then calls no callback")
    func stopWhenFinishedThenFreeThenDispose() throws {
        let bench = try Bench(int16(channels: 1))
        let addresses = try (0..<3).map { _ in try bench.enqueue([Int16](repeating: 1, count: 600)) }
        try bench.queue.start()
        bench.run()
        try bench.queue.stop(immediately: false)
        for address in addresses {
            #expect(status { () throws(QueueStatus) in try bench.queue.freeBuffer(address) } == .bufferInQueue)
        }
        try bench.queue.dispose(immediately: true)
        bench.run(3)
        #expect(bench.returned.isEmpty)
    }

    @Test("A start of a queue that runs changes nothing: the sound goes on, and no listener is called")
    func startIsHarmlessWhileTheQueueRuns() throws {
        let bench = try Bench(int16(channels: 1))
        let samples = noise(1_024)
        try bench.enqueue(samples)
        try bench.queue.start()
        var left = leftSide(bench.run())
        try bench.queue.start()
        left += leftSide(bench.run(3))
        #expect(left == floats(samples))
        #expect(bench.engine.output?.starts == 1)
        #expect(bench.changes.count == 1)
    }

    @Test("An interruption pauses the queue and keeps its buffers; only a start resumes it, and fades in")
    func anInterruptionPausesAndKeepsBuffers() throws {
        let bench = try Bench(int16(channels: 1))
        let samples = (0..<4_096).map { Int16($0 + 1) }
        try bench.enqueue(samples)
        try bench.queue.start()
        bench.run(2)
        bench.engine.output?.interrupt()
        bench.run(20)
        #expect(!bench.isRunning)
        #expect(bench.changes.count == 2)
        #expect(bench.returned.isEmpty)
        #expect(bench.engine.output?.starts == 1, "nothing resumes by itself")
        try bench.queue.start()
        let left = leftSide(bench.run(2))
        #expect(Array(left[240...]) == floats(samples[752..<1_024]))
        // It was cut off, and fades in.
        for (index, sample) in floats(samples[512..<752]).enumerated() {
            #expect(abs(left[index] - sample * Float(index) / 240) < 1e-4)
        }
        #expect(bench.isRunning)
        #expect(bench.changes.count == 3)
    }

    @Test("The listener of a queue that is interrupted before its first sound is called, and the next start plays")
    func interruptedBeforeItsSound() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 8_192))
        for life in 0..<2 {
            try bench.queue.start()
            bench.engine.output?.interrupt()
            bench.run(1)
            #expect(!bench.isRunning)
            #expect(bench.changes.count == 3 * life + 1, "life \(life)")
            try bench.queue.start()
            bench.run(2)
            #expect(bench.isRunning)
            bench.engine.output?.interrupt()
            bench.run(1)
            #expect(bench.changes.count == 3 * life + 3, "life \(life)")
        }
    }

    @Test(
        "A queue does not run, and its listener is due, before the program is told of an interruption", arguments: [false, true])
    func doesNotRunWhenTheInterruptionIsReported(isDry: Bool) throws {
        let bench = try Bench(int16(channels: 1))
        for life in 1...2 {
            if isDry {
                try bench.runDry()
            } else {
                try bench.enqueue([Int16](repeating: 1, count: 4_096))
                try bench.queue.start()
                bench.run(2)
            }
            #expect(bench.isRunning)
            // No thread of the queues runs here.
            bench.engine.output?.interrupt(tellsOwner: false, reports: true)
            #expect(!bench.isRunning)
            bench.delivery?.deliver()
            #expect(bench.changes.count == 2 * life)
            // What the engine's own thread tells afterwards changes nothing, also after the next start.
            bench.engine.output?.interrupt()
            bench.settle()
            #expect(bench.changes.count == 2 * life)
        }
        try bench.queue.start()
        bench.engine.output?.interrupt(tellsOwner: false)
        try bench.queue.start()
        bench.run(2)
        #expect(bench.isRunning)
    }

    @Test("A report of an interruption returns after another thread has told the queue")
    func reportsOfTwoThreads() throws {
        let bench = try Bench(int16(channels: 1))
        let (owner, reported) = (SlowOwner(), DispatchSemaphore(value: 0))
        try bench.queue.stream.activate(bench.queue.voice, owner)
        bench.engine.output?.interrupt()
        Thread.detachNewThread { bench.service.dispatch() }
        #expect(owner.entered.wait(timeout: .now() + 60) == .success)
        let begins = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            begins.signal()
            bench.engine.output?.interrupt(tellsOwner: false, reports: true)
            #expect(owner.isTold.withLock { $0 })
            reported.signal()
        }
        #expect(begins.wait(timeout: .now() + 60) == .success)
        owner.mayLeave.signal()
        #expect(reported.wait(timeout: .now() + 60) == .success)
    }

    @Test("A stop that waits for the last buffer continues after an interruption or a pause", arguments: [false, true])
    func interruptedStop(isPause: Bool) throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue((0..<4_096).map { Int16($0 + 1) })
        try bench.queue.start()
        bench.run(2)
        try bench.queue.stop(immediately: false)
        if isPause { try bench.queue.pause() } else { bench.engine.output?.interrupt() }
        bench.run(4)
        #expect(bench.returned.isEmpty)
        try bench.queue.start()
        bench.run(2)
        #expect(bench.isRunning && bench.returned.isEmpty)
        bench.run(40)
        #expect(!bench.isRunning && bench.returned.count == 1)
    }

    @Test("A buffer that is enqueued after an interruption cancels the stop that waited")
    func aBufferAfterTheInterruptionCancelsTheStop() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue((0..<4_096).map { Int16($0 + 1) })
        try bench.queue.start()
        bench.run(2)
        try bench.queue.stop(immediately: false)
        bench.engine.output?.interrupt()
        bench.run(4)
        try bench.enqueue([1])
        try bench.queue.start()
        bench.run(40)
        #expect(bench.isRunning && bench.returned.count == 2)
    }

    @Test("A queue that is paused before it notices its interruption does not run until it is started again")
    func aQueueThatIsPausedInItsInterruptionDoesNotRun() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 4_096))
        try bench.queue.start()
        bench.run(2)
        bench.engine.output?.interrupt()
        // The session has called the program before the queue notices that its stream has stopped.
        try bench.queue.pause()
        bench.run(2)
        #expect(!bench.isRunning)
        #expect(bench.changes.count == 2)
        try bench.queue.start()
        bench.run(2)
        #expect(bench.isRunning)
    }

    @Test("A start restarts a stream whose interruption is not reported yet, and the next interruption pauses the queue")
    func startAfterAnInterruptionThatWasNotReportedYet() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 4_096))
        try bench.queue.start()
        bench.run(2)
        bench.engine.output?.interrupt(tellsOwner: false)
        try bench.queue.start()
        #expect(bench.engine.output?.isRunning == true)
        bench.run(2)
        bench.engine.output?.interrupt()
        bench.run(2)
        #expect(!bench.isRunning)
    }

    @Test("A refused start has the session's code, any other failure is CannotStart, and the next start plays")
    func aSessionThatRefusesGivesItsOwnCode() throws {
        let bench = try Bench(int16(channels: 1))
        bench.engine.startResult = 0x2169_6E74
        #expect(status { () throws(QueueStatus) in try bench.queue.start() } == QueueStatus(0x2169_6E74))
        bench.engine.startResult = -19
        #expect(status { () throws(QueueStatus) in try bench.queue.start() } == .cannotStart)
        bench.engine.startResult = 0
        try bench.enqueue([1, 2, 3])
        try bench.queue.start()
        #expect(Array(leftSide(bench.run())[..<3]) == floats([1, 2, 3]))
    }

    @Test("A queue without buffers for a second runs on, and its stream is suspended until a start or a buffer")
    func aQueueWithoutBuffersLetsTheStreamSleep() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.runDry()
        #expect(bench.engine.output?.isSuspended == true)
        #expect(bench.isRunning)
        try bench.queue.start()
        #expect(bench.engine.output?.isSuspended == false)
        bench.run(48_000 / 256 + 20)
        #expect(bench.engine.output?.isSuspended == true, "a start without buffers lets it sleep again")
        let samples = noise(300)
        try bench.enqueue(samples)
        #expect(Array(leftSide(bench.run(2))[..<300]) == floats(samples))
        #expect(try bench.queue.currentTime().isDiscontinuous)
    }

    @Test("An interruption pauses a queue without buffers; only a start, and not a new buffer, resumes it")
    func anInterruptionPausesAQueueWithoutBuffers() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.runDry()
        bench.engine.output?.interrupt()
        bench.run(2)
        #expect(!bench.isRunning)
        #expect(bench.changes.count == 2)
        let samples = noise(300)
        try bench.enqueue(samples)
        bench.run(2)
        #expect(bench.engine.output?.starts == 1, "nothing resumes by itself")
        try bench.queue.start()
        #expect(Array(leftSide(bench.run(2))[240..<300]) == floats(samples[240...]))
        #expect(bench.isRunning && bench.changes.count == 3)
    }

    @Test("A stream is suspended once none of its queues plays, and its interruption also pauses a queue without buffers")
    func aQueueWithoutBuffersIsInterruptedWithOneThatPlays() throws {
        let bench = try Bench(int16(channels: 1))
        let other = try bench.service.queues.object(
            try bench.service.makeOutput(int16(channels: 1), Queue.Handlers { _, _ in }, on: { ManualDelivery($0) }))
        let buffer = try other.allocateBuffer(bytes: 400_000)
        try other.enqueue(UInt(bitPattern: buffer.header), bytes: 400_000)
        try other.start()
        try bench.runDry()
        #expect(!bench.queue.stream.has(bench.queue.voice) && bench.engine.output?.isSuspended == false)
        // The stream is suspended when the last queue that plays has stopped.
        try other.stop(immediately: true)
        #expect(bench.engine.output?.isSuspended == true)
        try other.enqueue(UInt(bitPattern: buffer.header), bytes: 400_000)
        try other.start()
        bench.engine.output?.interrupt()
        bench.run(2)
        #expect(!bench.isRunning && !other.hasSound)
        #expect(bench.changes.count == 2)
    }

    @Test("A pause, a stop or a dispose of a queue without buffers stops its suspended stream once")
    func aQueueWithoutBuffersEndsItsStreamWithAPauseAStopOrItsDisposal() throws {
        let ends: [(Queue) throws -> Void] = [
            { try $0.pause() }, { try $0.stop(immediately: true) }, { try $0.stop(immediately: false) },
            { try $0.dispose(immediately: false) },
        ]
        for (index, end) in ends.enumerated() {
            let bench = try Bench(int16(channels: 1))
            try bench.runDry()
            try bench.queue.reset()
            try bench.queue.start()
            try bench.runDry()
            #expect(bench.engine.output?.isSuspended == true, "\(index)")
            try end(bench.queue)
            #expect(bench.engine.output?.isRunning == false, "\(index)")
            #expect(bench.engine.output?.stops == 1, "\(index)")
        }
    }

    @Test("A queue without buffers runs on after a refused start, and is paused if the session refuses its next buffer")
    func aSessionThatRefusesPausesAQueueThatHadNoBuffers() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.runDry()
        bench.engine.startResult = 0x2169_6E74
        // The queue runs on: the session has not stopped it.
        #expect(status { () throws(QueueStatus) in try bench.queue.start() } == QueueStatus(0x2169_6E74))
        #expect(bench.isRunning && bench.engine.output?.isSuspended == true)
        try bench.enqueue([1])
        bench.run()
        #expect(!bench.isRunning && bench.engine.output?.isRunning == false)
        bench.engine.startResult = 0
        try bench.queue.start()
        bench.run()
        #expect(bench.isRunning)
    }

    @Test("A reset gives all buffers back, and the queue runs on and plays the next one")
    func resetGivesBuffersBackAndTheQueueRunsOn() throws {
        let bench = try Bench(int16(channels: 1))
        let addresses = try (0..<3).map { _ in try bench.enqueue([Int16](repeating: 9, count: 400)) }
        try bench.queue.start()
        bench.run()
        try bench.queue.reset()
        #expect(bench.returned.map(\.address) == addresses)
        #expect(bench.isRunning)
        let samples = noise(200)
        try bench.enqueue(samples)
        #expect(Array(leftSide(bench.run())[..<200]) == floats(samples))
    }

    @Test("The sound continues at its level when the route changes to another rate") func aRouteWithAnotherRateGoesOn() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 48_000))
        try bench.queue.start()
        bench.run(2)
        bench.engine.outputRate = 44_100
        bench.engine.output?.reconfigure()
        bench.run(2)
        let left = leftSide(bench.run(2))
        let extremes = (left.min() ?? 0, left.max() ?? 0)
        #expect(extremes.0 > 0.49 && extremes.1 < 0.51)
        #expect(bench.isRunning)
    }

    @Test("The sound of another rate continues at its level when the slices of the device change at the same rate")
    func aRouteWithOtherSlicesGoesOn() throws {
        let bench = try Bench(int16(rate: 24_000, channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 24_000))
        try bench.queue.start()
        bench.run(4)
        for slice in [1_024, 512, 2_048] {
            bench.engine.slice = slice
            bench.engine.output?.reconfigure()
            bench.run(2)
            let left = leftSide(bench.run(2))
            #expect(left.count == 2 * slice && left.allSatisfy { abs($0 - 0.5) < 0.01 }, "slices of \(slice) frames")
        }
        #expect(bench.isRunning)
    }

    @Test("The sound keeps its pitch when the route changes to another rate") func aRouteWithAnotherRateKeepsThePitch() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue((0..<48_000).map { Int16((16_000 * sin(2 * Double.pi * 1_000 * Double($0) / 48_000)).rounded()) })
        try bench.queue.start()
        bench.run(2)
        bench.engine.outputRate = 44_100
        bench.engine.output?.reconfigure()
        bench.run(4)
        let left = leftSide(bench.run(100))
        let crossings = zip(left, left.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(crossings) - 1_000 * Double(left.count) / 44_100) <= 1.5)
    }

    @Test("A queue that starts during a route change is heard beside the one that plays")
    func aQueueThatStartsDuringARouteChangeIsHeard() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 8_192, count: 48_000))
        try bench.queue.start()
        bench.run(2)
        let stream = try #require(bench.engine.output)
        let handle = try bench.service.makeOutput(int16(rate: 24_000, channels: 1), Queue.Handlers { _, _ in })
        let second = try bench.service.queues.object(handle)
        let buffer = try second.allocateBuffer(bytes: 48_000)
        buffer.data.bindMemory(to: Int16.self, capacity: 24_000).update(repeating: 16_384, count: 24_000)
        try second.enqueue(UInt(bitPattern: buffer.header), bytes: 48_000)
        // The device changes after the converter of the second queue was made, before the audio thread has it.
        var reads = 0
        stream.formatWasRead = {
            reads += 1
            guard reads == 2 else { return }
            stream.formatWasRead = nil
            bench.engine.outputRate = 44_100
            stream.reconfigure()
            _ = stream.cycle()
        }
        try second.start()
        #expect(reads == 2)
        bench.run(4)
        let left = leftSide(bench.run(2))
        let extremes = (left.min() ?? 0, left.max() ?? 0)
        #expect(extremes.0 > 0.74 && extremes.1 < 0.76)
    }

    // MARK: Time

    @Test("The current time counts heard frames, stands still in a pause, and is an error before the start and after a stop")
    func timeCountsWhatIsHeard() throws {
        let bench = try Bench(int16(rate: 24_000, channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 6_000))
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.currentTime() } == .invalidRunState)
        try bench.queue.start()
        var last = 0.0
        for cycle in 0..<20 {
            bench.run()
            guard let stream = bench.engine.output else { return }
            let heard = Double(cycle * 256 + 256 - bench.engine.delay) / 2
            let time = try bench.queue.currentTime(at: stream.now).frame
            #expect(abs(time - max(heard, 0)) <= 128, "cycle \(cycle)")
            #expect(time >= last)
            last = time
        }
        try bench.queue.pause()
        bench.run(10)
        let paused = try bench.queue.currentTime(at: bench.engine.output?.time ?? 0).frame
        #expect(try bench.queue.currentTime(at: (bench.engine.output?.time ?? 0) + 5_000_000_000).frame == paused)
        try bench.queue.start()
        bench.run(4)
        #expect(try bench.queue.currentTime(at: bench.engine.output?.now ?? 0).frame >= paused)
        #expect(try !bench.queue.currentTime().isDiscontinuous)
        try bench.queue.stop(immediately: true)
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.currentTime() } == .stopped)
    }

    @Test("The current time never runs backwards, and begins again at the start after a stop")
    func timeNeverRunsBackwards() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 6_000))
        try bench.queue.start()
        bench.run(8)
        let stream = try #require(bench.engine.output)
        let late = try bench.queue.currentTime(at: stream.time).frame
        #expect(late > 1_000)
        #expect(try bench.queue.currentTime(at: stream.now - 5_000_000).frame == late)
        try bench.queue.stop(immediately: true)
        try bench.enqueue([Int16](repeating: 1, count: 6_000))
        try bench.queue.start()
        bench.run(3)
        #expect(try bench.queue.currentTime(at: stream.now).frame <= 768)
    }

    @Test("Lost frames and a reset are discontinuities of the time; another device and the end of the sound are not")
    func anEndOrAnotherDeviceIsNoMissingSoundAndAResetIs() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 2_000))
        try bench.queue.start()
        bench.run(2)
        #expect(try !bench.queue.currentTime().isDiscontinuous)
        bench.engine.output?.reconfigure()
        bench.engine.output?.lose(1_000)
        bench.run(1)
        #expect(try !bench.queue.currentTime().isDiscontinuous)
        bench.engine.output?.lose(100)
        bench.run(1)
        #expect(try bench.queue.currentTime().isDiscontinuous)
        try bench.queue.reset()
        #expect(try bench.queue.currentTime().isDiscontinuous)
        #expect(try !bench.queue.currentTime().isDiscontinuous)
        try bench.enqueue([Int16](repeating: 1, count: 200))
        try bench.queue.stop(immediately: false)
        bench.run(2)
        #expect(try !bench.queue.currentTime().isDiscontinuous)
    }

    @Test("A stop that waits ends when the last frame was heard") func aStopThatWaitsEndsWhenTheLastFrameWasHeard() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 1_000))
        try bench.queue.start()
        try bench.queue.stop(immediately: false)
        // 512 frames lie between writing and hearing: the cycle that is written after frame 1,512 finds all heard.
        bench.run(6)
        #expect(bench.isRunning && bench.changes.count == 1)
        bench.run()
        #expect(!bench.isRunning && bench.changes.count == 2)
    }

    @Test("Without a preference a queue asks for a slice as long as 1,024 frames at 44.1 kHz")
    func withoutAPreferenceASliceHas1024FramesOf44100() throws {
        let bench = try Bench(int16(channels: 1))
        bench.engine.preferredSlice = 0
        try bench.enqueue([1])
        try bench.queue.start()
        #expect(abs((bench.engine.output?.frames ?? 0) - 1_024.0 / 44_100 * 48_000) < 0.001)
    }

    @Test("The length of the slice is published while a queue exists, and that of a unit replaces it")
    func theSliceIsPublishedWhileAQueueExists() throws {
        let engine = FakeEngine(slice: 256)
        let bench = try Bench(int16(channels: 1), engine: engine)
        let first: Double = 256 / 48_000
        let second: Double = 512 / 48_000
        #expect(engine.publishedSlice == first)
        (engine.slice, engine.preferredSlice) = (512, 512 / 48_000)
        try bench.queue.start()
        #expect(engine.publishedSlice == second)
        let unit = FakeEngine(slice: 256)
        bench.service.slices.set(ObjectIdentifier(unit), .unit, seconds: 0.01)
        #expect(engine.publishedSlice == 0.01)
        bench.service.slices.remove(ObjectIdentifier(unit))
        #expect(engine.publishedSlice == second)
        try bench.queue.dispose(immediately: true)
        #expect(engine.publishedSlice == 0)
    }

    /// Units that cancel echoes hear it.
    @Test("The played sound is written into the reference of the echo canceller, with its time and the device's rate")
    func whatIsPlayedIsWrittenIntoTheReference() throws {
        let reference = RecordedReference()
        let engine = FakeEngine(slice: 256)
        let bench = try Bench(int16(channels: 1), engine: engine, reference: reference)
        let samples = noise(1_024)
        try bench.enqueue(samples)
        try bench.queue.start()
        bench.run(1)
        let first = try #require(engine.output).time
        bench.run(3)
        #expect(reference.rates == [48_000] && reference.times.count == 4 && reference.times[1] == first)
        #expect(leftSide(reference.frames) == floats(samples))
        engine.outputRate = 44_100
        engine.output?.reconfigure()
        bench.run(1)
        #expect(reference.rates == [48_000, 44_100])
    }

    /// The session can be deactivated then: nothing of the program sounds.
    @Test("The stream stops with its last queue, before the IsRunning listener is called")
    func theStreamStopsWithItsLastQueue() throws {
        let engine = FakeEngine(slice: 256)
        let bench = try Bench(int16(channels: 1), engine: engine)
        try bench.enqueue([Int16](repeating: 1, count: 4_096))
        try bench.queue.start()
        bench.run(2)
        try bench.queue.stop(immediately: true)
        #expect(engine.output?.isRunning == false)
        try bench.enqueue([Int16](repeating: 1, count: 256))
        try bench.queue.start()
        bench.run(1)
        var ranAtTheEnd: Bool?
        bench.onChange = { if !bench.isRunning { ranAtTheEnd = engine.output?.isRunning } }
        try bench.queue.stop(immediately: false)
        #expect(engine.output?.isRunning == true)
        bench.run(8)
        #expect(ranAtTheEnd == false)
    }

    @Test("A timeline reports a discontinuity once, and does not take it from the queue")
    func aTimelineTellsOfMissingSoundOnce() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 1, count: 100))
        try bench.queue.start()
        let handle = try bench.queue.makeTimeline()
        let timeline = try bench.service.timelines.object(handle)
        bench.run(2)
        #expect(try bench.queue.currentTime(timeline).isDiscontinuous)
        #expect(try !bench.queue.currentTime(timeline).isDiscontinuous)
        #expect(try bench.queue.currentTime().isDiscontinuous, "without a timeline the queue keeps its own count")
        try bench.queue.removeTimeline(handle)
        #expect(status { () throws(QueueStatus) in try bench.queue.removeTimeline(handle) } == .queueInvalidated)
    }

    @Test("The device's time follows the speed of its clock, and counts frames of the device, whatever the queue's rate is")
    func theDevicesTimeFollowsItsClock() throws {
        let bench = try Bench(int16(rate: 44_100, channels: 1))
        try bench.enqueue(noise(8_000))
        for life in 1...2 {
            try bench.queue.start()
            let stream = try #require(bench.engine.output)
            stream.rateScalar = 1.25
            bench.run(2)
            // The frames 512 to 767 are heard from this time on.
            let time = stream.time
            bench.run()
            let now = try bench.queue.deviceTime(at: time + 4_000_000)
            #expect(abs(now.frame - (512 + 4 * 60)) < 0.01 && now.rateScalar == 1.25, "life \(life)")
            let then = try bench.queue.deviceTime(frame: 512 + 60_000)
            #expect(abs(Int64(then.hostTime) - Int64(time) - 1_000_000_000) < 10 && then.rateScalar == 1.25, "life \(life)")
            let heard = try bench.queue.currentTime(at: time + 2_000_000)
            let later = try bench.queue.currentTime(at: time + 4_000_000)
            #expect(abs(later.frame - heard.frame - 2 * 44.1 * 1.25) < 0.01 && later.rateScalar == 1.25, "life \(life)")
            try bench.queue.stop(immediately: true)
            try bench.enqueue(noise(8_000))
        }
    }

    @Test("A stream asks for a slice at the rate of its direction, and without a device at 44,100 Hz", arguments: [false, true])
    func aStreamAsksForASliceAtTheRateOfItsDirection(isInput: Bool) throws {
        let engine = FakeEngine()
        (engine.outputRate, engine.inputRate) = (48_000, 16_000)
        let bench = try Bench(int16(rate: 22_050, channels: 1), isInput: isInput, engine: engine)
        let usual = isInput ? 16_000.0 : 48_000
        for rate in [usual, 0, 32_000, 0] {
            if isInput { engine.inputRate = rate } else { engine.outputRate = rate }
            try bench.queue.start()
            let stream = try #require(isInput ? engine.input : engine.output)
            let wanted = rate > 0 ? rate : 44_100
            #expect(stream.rate == wanted && abs(stream.frames - 1_024 * wanted / 44_100) < 1e-6)
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("A buffer that comes between the second without buffers and its notice is played", arguments: [false, true])
    func aBufferComesBeforeTheSuspension(disposes: Bool) throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([1])
        try bench.queue.start()
        bench.run(4)
        // The audio thread has found nothing for a second. The dispatcher has not looked yet.
        bench.engine.play(cycles: 48_000 / 256 + 20)
        let samples = noise(1_000)
        try bench.enqueue(samples)
        if disposes { try bench.queue.dispose(immediately: false) }
        bench.settle()
        #expect(bench.engine.output?.isSuspended == false)
        #expect(Array(leftSide(bench.run(4)).prefix(1_000)) == floats(samples))
        guard disposes else { return }
        bench.run(8)
        #expect(bench.service.queues.all.isEmpty && bench.engine.output?.isRunning == false)
    }

    @Test("While the device runs, host times and frames are translated, and the nearest start is never in the past")
    func theDevicesTimeIsTranslated() throws {
        let bench = try Bench(int16(channels: 1))
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.deviceTime(at: 0) } == .invalidRunState)
        #expect(try bench.queue.presentDeviceTime(at: 0) == nil)
        try bench.queue.start()
        bench.run(3)
        let stream = try #require(bench.engine.output)
        #expect(try bench.queue.presentDeviceTime(at: stream.time) == bench.queue.deviceTime(at: stream.time))
        let now = try bench.queue.deviceTime(at: stream.time)
        #expect(abs(now.frame - 768) < 0.01)
        let then = try bench.queue.deviceTime(frame: 768)
        #expect(abs(Int64(then.hostTime) - Int64(stream.time)) < 1_000)
        #expect(try bench.queue.nearestStart(frame: 0).frame == 1_024)
        #expect(try bench.queue.nearestStart(frame: 90_000).frame == 90_000)
        try bench.queue.stop(immediately: true)
        #expect(try bench.queue.presentDeviceTime(at: stream.time) == nil)
        try bench.queue.dispose(immediately: true)
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.presentDeviceTime(at: 0) } == .queueInvalidated)
    }

    // MARK: Values

    @Test("Level meters measure the average and the peak of each channel, linear and in decibels, and 0 during a pause")
    func metersMeasureEachChannel() throws {
        let bench = try Bench(int16())
        try bench.enqueue((0..<48_000).map { $0 % 2 == 0 ? 16_384 : $0 % 4 == 1 ? 8_192 : -8_192 })
        try bench.queue.setProperty(0x6171_6D65, 1)
        try bench.queue.start()
        bench.run(90)
        let levels = try bench.queue.property(0x6171_6D76).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        for (level, wanted) in zip(levels, [0.5, 0.5, 0.25, 0.25] as [Float]) { #expect(abs(level - wanted) < 0.01) }
        let decibels = try bench.queue.property(0x6171_6D64).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        for (level, wanted) in zip(decibels, [-6.02, -6.02, -12.04, -12.04] as [Float]) { #expect(abs(level - wanted) < 0.1) }
        try bench.queue.pause()
        #expect(try bench.queue.property(0x6171_6D76).allSatisfy { $0 == 0 })
        #expect(Float.decibels(0) == -160 && Float.decibels(1e-9) == -160)
        #expect(abs(Float.decibels(0.001) + 60) < 1e-4)
    }

    @Test("A property has the size of its row in the table, and a get or a set that the row does not allow is refused")
    func propertiesFollowTheirTable() throws {
        let bench = try Bench(int16())
        for row in QueueProperty.table {
            if row.access.contains(.get) {
                guard row.name != .currentDevice else { continue }
                let size = try bench.queue.propertySize(row.id)
                #expect(try bench.queue.property(row.id).count == size)
                if let fixed = row.size { #expect(size == fixed) }
            } else {
                #expect(status { () throws(QueueStatus) in _ = try bench.queue.property(row.id) } == .invalidProperty)
                #expect(
                    status { () throws(QueueStatus) in
                        try bench.queue.addListener(row.id, procedure: 1, data: 1) { _, _ in }
                    } == .invalidProperty)
            }
            guard !row.access.contains(.set) else { continue }
            let refusal = status { () throws(QueueStatus) in
                try bench.queue.setProperty(row.id, UnsafeRawBufferPointer(start: nil, count: 0))
            }
            #expect(refusal == (row.name == .currentDevice ? .invalidDevice : .invalidProperty))
        }
        #expect(try bench.queue.property(0x6171_6D63).isEmpty, "no cookie")
        #expect(try bench.queue.property(0x6171_7372).withUnsafeBytes { $0.load(as: Double.self) } == 48_000)
        #expect(try bench.queue.property(0x6171_6674).prefix(8).elementsEqual(withUnsafeBytes(of: 48_000.0) { Array($0) }))
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.property(1) } == .invalidProperty)
    }

    @Test("A channel layout that does not fit the queue's channels or its own size is refused and changes nothing")
    func aChannelLayoutHasTheChannelsOfTheQueue() throws {
        let bench = try Bench(int16())
        let layout: UInt32 = 0x6171_636C
        func set(_ tag: UInt32, descriptions: UInt32 = 0, bytes count: Int = 12) -> QueueStatus? {
            var bytes = [UInt8](repeating: 0, count: count)
            withUnsafeBytes(of: (tag, UInt32(0), descriptions)) { for index in 0..<min(count, 12) { bytes[index] = $0[index] } }
            let status = bench.queue.result(ofSetting: layout, to: bytes)
            if status == nil { #expect((try? bench.queue.property(layout)) == bytes) }
            return status
        }
        #expect(set(101 << 16 | 2) == nil && set(101 << 16 | 2, bytes: 32) == nil)
        #expect(set(0, descriptions: 2, bytes: 52) == nil && set(1 << 16) == nil)
        #expect(set(100 << 16 | 1) == .invalidPropertyValue && set(0, descriptions: 1, bytes: 32) == .invalidPropertyValue)
        #expect(set(101 << 16 | 2, bytes: 11) == .invalidPropertySize)
        #expect(set(0, descriptions: 2, bytes: 51) == .invalidPropertySize)
        #expect(set(0, descriptions: 65, bytes: 12 + 20 * 64) == .invalidPropertySize)
        #expect(set(101 << 16 | 2, bytes: 13 + 20 * 64) == .invalidPropertySize)
        #expect(try bench.queue.property(layout).prefix(4) == [0, 0, 1, 0], "a refused layout changes nothing")
    }

    @Test("A codec policy is kept unless it requires hardware or is unknown") func aCodecPolicyDoesNotRequireHardware() throws {
        let bench = try Bench(int16())
        for policy in 0...5 as ClosedRange<UInt32> {
            let isKnown = policy <= 4 && policy != 2
            let status = bench.queue.result(ofSetting: 0x6171_6370, to: [UInt8(policy), 0, 0, 0])
            #expect(status == (isKnown ? nil : .invalidPropertyValue))
            if isKnown { #expect(try bench.queue.property(0x6171_6370) == [UInt8(policy), 0, 0, 0]) }
        }
    }

    @Test(
        "Time pitch and codec policy can be set only while the queue is stopped or interrupted",
        arguments: [0x715F_7470, 0x6171_6370])
    func settingsOfAStoppedQueue(property: UInt32) throws {
        let bench = try Bench(int16(channels: 1))
        func set(_ value: UInt8) -> QueueStatus? { bench.queue.result(ofSetting: property, to: [value, 0, 0, 0]) }
        for _ in 1...2 {
            try bench.enqueue([Int16](repeating: 1, count: 4_096))
            #expect(set(1) == nil)
            try bench.queue.start()
            #expect(set(0) == .invalidRunState)
            bench.run(2)
            #expect(set(0) == .invalidRunState)
            try bench.queue.pause()
            bench.run(6)
            #expect(set(0) == .invalidRunState)
            #expect(try bench.queue.property(property) == [1, 0, 0, 0])
            try bench.queue.start()
            bench.engine.output?.interrupt()
            bench.settle()
            #expect(set(0) == nil)
            try bench.queue.start()
            #expect(set(1) == .invalidRunState)
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("A removed listener is not called; listeners with another procedure, data or property stay")
    func aRemovedListenerIsNotCalledAndOthersAre() throws {
        let bench = try Bench(int16(channels: 1))
        var calls: [UInt] = []
        for data in 1...3 as ClosedRange<UInt> {
            try bench.queue.addListener(QueueState.isRunningProperty, procedure: 7, data: data) { _, _ in calls.append(data) }
        }
        try bench.queue.removeListener(QueueState.isRunningProperty, procedure: 7, data: 2)
        try bench.queue.removeListener(QueueState.isRunningProperty, procedure: 8, data: 1)
        try bench.queue.removeListener(QueueState.converterErrorProperty, procedure: 7, data: 3)
        try bench.enqueue([1])
        try bench.queue.start()
        bench.run()
        #expect(calls == [1, 3])
    }

    @Test("An unknown parameter, NaN and a changed play rate or pitch are InvalidParameter, and a volume is limited to 1")
    func parametersAreChecked() throws {
        let bench = try Bench(int16())
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(2, 1) } == nil)
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(2, 1.5) } == .invalidParameter)
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(3, -100) } == .invalidParameter)
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(3, 0) } == nil)
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(1, .nan) } == .invalidParameter)
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(99, 0) } == .invalidParameter)
        try bench.queue.setParameter(1, 7)
        #expect(try bench.queue.parameter(1) == 1)
    }

    @Test("A wrong handle of a queue or a timeline, a foreign buffer, and a buffer enqueued twice give result codes")
    func handlesOfAnyValueAreAnswered() throws {
        let bench = try Bench(int16())
        for value in [1, 4_096, UInt.max, bench.handle &+ 1, bench.handle &+ 16] {
            #expect(status { () throws(QueueStatus) in _ = try bench.service.queues.object(value) } == .parameter)
        }
        #expect(status { () throws(QueueStatus) in _ = try bench.service.queues.object(0) } == .parameter)
        let other = try Bench(int16())
        let foreign = UInt(bitPattern: try other.queue.allocateBuffer(bytes: 4).header)
        #expect(status { () throws(QueueStatus) in try bench.queue.enqueue(foreign, bytes: 4) } == .invalidBuffer)
        #expect(status { () throws(QueueStatus) in try bench.queue.freeBuffer(foreign) } == .invalidBuffer)
        // The memory of a foreign buffer is not read.
        var reads = 0
        let result = status { () throws(QueueStatus) in
            try bench.queue.enqueue(foreign) { () throws(QueueStatus) in
                reads += 1
                return Queue.Content(bytes: 4)
            }
        }
        #expect(result == .invalidBuffer && reads == 0)
        let timeline = try bench.queue.makeTimeline()
        #expect(status { () throws(QueueStatus) in _ = try bench.service.queues.object(timeline) } == .parameter)
        #expect(status { () throws(QueueStatus) in _ = try bench.service.timelines.object(bench.handle) } == .parameter)
        // Another queue of the same service does not remove it.
        let neighbour = try bench.service.queues.object(try bench.service.makeOutput(int16(), Queue.Handlers { _, _ in }))
        for _ in 1...2 {
            #expect(status { () throws(QueueStatus) in try neighbour.removeTimeline(timeline) } == .parameter)
            _ = try bench.service.timelines.object(timeline)
        }
        try bench.queue.removeTimeline(timeline)
        #expect(status { () throws(QueueStatus) in try bench.queue.removeTimeline(timeline) } == .queueInvalidated)
        let own = UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 4).header)
        #expect(status { () throws(QueueStatus) in try bench.queue.enqueue(own, bytes: 5) } == .invalidBuffer)
        try bench.queue.enqueue(own, bytes: 4)
        #expect(status { () throws(QueueStatus) in try bench.queue.enqueue(own, bytes: 4) } == .bufferEnqueuedTwice)
    }

    @Test("Finished buffers of one queue wake its own thread, and those of two wake the dispatcher")
    func ownThread() throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        defer { service.end() }
        let returned = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let queues = try returned.map { returned in
            try service.queues.object(try service.makeOutput(int16(), Queue.Handlers { _, _ in returned.signal() }))
        }
        // The third cycle finishes a buffer.
        func enqueue(_ queue: Queue) throws {
            let bytes = UInt32(4 * 2 * engine.slice + 4)
            try queue.enqueue(UInt(bitPattern: try queue.allocateBuffer(bytes: bytes).header), bytes: bytes)
        }
        func playThirdCycle() {
            engine.play(cycles: 2)
            service.dispatch()
            engine.play()
        }
        func news() -> [Bool] { queues.map { $0.voice.hasNews.load(ordering: .relaxed) } }
        try enqueue(queues[0])
        try queues[0].start()
        playThirdCycle()
        #expect(news() == [false, false])
        #expect(returned[0].wait(timeout: .now() + 30) == .success)
        try queues[1].start()
        for queue in queues { try enqueue(queue) }
        playThirdCycle()
        #expect(news() == [true, true])
        service.dispatch()
        for returned in returned { #expect(returned.wait(timeout: .now() + 30) == .success) }
    }

    @Test("The description of a queue has the sizes that the program has left 0", arguments: [false, true])
    func completedDescription(isInput: Bool) throws {
        var description = int16(channels: 2)
        (description.bytesPerFrame, description.bytesPerPacket, description.framesPerPacket) = (0, 0, 0)
        let bench = try Bench(description, isInput: isInput)
        #expect(try bench.queue.property(0x6171_6674) == int16(channels: 2).bytes)
        // A frame of 24 bits in four bytes.
        (description.bitsPerChannel, description.bytesPerPacket, description.formatFlags) = (
            24, 8, [.signedInteger, .alignedHigh]
        )
        let wide = try Bench(description, isInput: isInput)
        #expect(wide.queue.described.bytesPerFrame == 8 && wide.queue.described.framesPerPacket == 1)
    }

    @Test("A format that cannot be played is refused, and integer samples without the flag Packed are accepted")
    func formatsThatCannotBePlayedAreRefused() {
        let service = QueueService(FakeEngine(slice: 256), hasDispatcher: false)
        func make(_ change: (inout StreamDescription) -> Void) -> QueueStatus? {
            var description = int16()
            change(&description)
            return status { () throws(QueueStatus) in _ = try service.makeOutput(description, Queue.Handlers { _, _ in }) }
        }
        #expect(make { $0.sampleRate = 0 } == .unsupportedFormat)
        #expect(make { $0.sampleRate = .nan } == .unsupportedFormat)
        #expect(make { $0.formatID = 0x6161_6320 } == .unsupportedFormat)
        #expect(make { $0.formatFlags.insert(.nonInterleaved) } == .unsupportedFormat)
        #expect(make { $0.channelsPerFrame = 9 } == .unsupportedFormat)
        // Sizes that follow from the others may be 0.
        #expect(make { ($0.bytesPerFrame, $0.bytesPerPacket, $0.framesPerPacket) = (0, 0, 0) } == nil)
        #expect(make { $0.bytesPerFrame = 0 } == nil && make { $0.bytesPerPacket = 0 } == nil)
        #expect(make { $0.framesPerPacket = 0 } == nil)
        #expect(make { ($0.bytesPerFrame, $0.bytesPerPacket, $0.bitsPerChannel) = (0, 0, 0) } == .unsupportedFormat)
        #expect(make { ($0.bytesPerFrame, $0.channelsPerFrame) = (0, 0) } == .unsupportedFormat)
        #expect(make { $0.framesPerPacket = 2 } == .unsupportedFormat)
        // Flags that lack Packed.
        #expect(make { $0.formatFlags = .signedInteger } == nil)
        service.end()
    }
}
