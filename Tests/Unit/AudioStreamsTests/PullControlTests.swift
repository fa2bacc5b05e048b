// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Dispatch
import TestSupport
import Testing

@testable import AudioStreams

extension PullControl {
    /// A notice would be delivered now.
    fileprivate var hasNotice: Bool {
        var pending = deliveries
        return pending.next(executing: 0) != nil
    }
}

/// The messages between the program and the thread of a pulled stream, without the thread.
@Suite("The control of a pulled stream")
struct PullControlTests {
    private func length() throws -> SliceLength { try #require(SliceLength(frames: 512, rate: 48_000)) }

    private func format(_ rate: Double) -> pull_format {
        var format = pull_format()
        (format.output_rate, format.output_channels) = (rate, 2)
        return format
    }

    @Test("has the format of the start that is executed, and none before and behind it")
    func formats() throws {
        let control = PullControl()
        for rate in [48_000.0, 44_100] {
            control.begin(try length())
            #expect(control.format == nil)
            let start = try #require(control.fetchMessages().start)
            #expect(control.execute(start))
            control.publish(format(rate))
            #expect(control.format?.output_rate == rate)
            control.stop(because: .program)
            #expect(control.format == nil, "a stop is requested")
            // Another start follows before the thread has stopped.
            control.begin(try length())
            #expect(control.format == nil)
            #expect(!control.execute(start), "a former start")
            control.stop(because: .program)
            control.hasStopped()
            #expect(control.format == nil)
        }
    }

    fileprivate enum Replaced: CaseIterable { case output, input, gainOnly }

    @Test("notifies once of devices that were replaced before the start opened them", arguments: Replaced.allCases)
    fileprivate func replacedBeforeTheyOpen(side: Replaced) throws {
        let control = PullControl()
        var target = PullTarget(gain: 1, output: DeviceTarget(), input: DeviceTarget())
        control.apply(target)
        for channels in [4, 1] as [UInt32] {
            control.begin(try length())
            switch side {
            case .output: target.output?.channels = channels
            case .input: target.input?.channels = channels
            case .gainOnly: target.gain /= 2
            }
            control.apply(target)
            #expect(!control.hasNotice, "the devices are not open")
            let messages = control.fetchMessages()
            #expect(messages.target == target)
            #expect(control.execute(try #require(messages.start)))
            control.publish(format(48_000))
            #expect(control.hasNotice == (side != .gainOnly))
            if control.hasNotice { #expect(control.nextDelivery() == .formatChanged) }
            #expect(!control.hasNotice)
            control.stop(because: .program)
            control.hasStopped()
            // A start whose devices stay.
            control.begin(try length())
            #expect(control.execute(try #require(control.fetchMessages().start)))
            control.publish(format(48_000))
            #expect(!control.hasNotice)
            control.stop(because: .program)
            control.hasStopped()
        }
    }

    @Test("notifies once of a device that is replaced while the former one opens, and not in another start")
    func replacedWhileTheyOpen() throws {
        let control = PullControl()
        var target = PullTarget(gain: 1, output: DeviceTarget())
        control.apply(target)
        control.begin(try length())
        let start = try #require(control.fetchMessages().start)
        target.output?.rate = 44_100
        control.apply(target)
        #expect(control.execute(start))
        control.publish(format(48_000))
        #expect(!control.hasNotice)
        #expect(control.fetchMessages().target == target)
        control.publish(format(44_100))
        #expect(control.hasNotice && control.nextDelivery() == .formatChanged)
        control.stop(because: .program)
        control.hasStopped()
        // The change comes between a start that ends at once and the next one, which finds the new device.
        control.begin(try length())
        target.output?.rate = 32_000
        control.apply(target)
        control.stop(because: .program)
        control.begin(try length())
        #expect(control.execute(try #require(control.fetchMessages().start)))
        control.publish(format(32_000))
        #expect(!control.hasNotice)
    }

    @Test("gives a target once for each change, also behind a suspension, which has no start")
    func targets() throws {
        let control = PullControl()
        var target = PullTarget()
        for gain in [0.5, 0.25] as [Float] {
            control.begin(try length())
            target.gain = gain
            control.apply(target)
            control.apply(target)
            let messages = control.fetchMessages()
            let start = try #require(messages.start)
            #expect(messages.target == target && control.execute(start) && control.hasCycles)
            #expect(control.fetchMessages().target == nil)
            control.suspend()
            #expect(!control.hasCycles && control.fetchMessages().start == nil && !control.execute(start))
            control.begin(try length())
            #expect(control.hasCycles && control.fetchMessages().start?.number == start.number + 1)
            control.stop(because: .interruption)
            #expect(control.fetchMessages().isInterrupted && !control.isRunning)
            control.hasStopped()
        }
    }

    @Test("tells of each stop of the session once, and of none of the program")
    func reports() throws {
        let control = PullControl()
        var reports = 0
        for reason in [StopReason.interruption, .category, .deadServer] {
            control.begin(try length())
            control.stop(because: reason)
            control.reportStop { reports += 1 }
            control.reportStop { reports += 1 }
            control.begin(try length())
            control.stop(because: .program)
            control.reportStop { reports += 1 }
            // A start ends what was not told.
            control.begin(try length())
            control.stop(because: reason)
            control.begin(try length())
            control.reportStop { reports += 1 }
            control.stop(because: .program)
        }
        #expect(reports == 3)
        control.begin(try length())
        control.stop(because: .interruption)
        control.end()
        control.reportStop { reports += 1 }
        #expect(reports == 3)
    }
    fileprivate enum Waiting: CaseIterable { case reportsAsWell, ends }

    @Test("waits for the report that another thread makes, and not for its own", arguments: Waiting.allCases)
    fileprivate func concurrentReports(call: Waiting) throws {
        let control = PullControl()
        let order = LockedValue([String]())
        for _ in 0..<2 {
            control.begin(try length())
            control.stop(because: .interruption)
            let (begun, returned, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            DispatchQueue.global().async {
                control.reportStop {
                    begun.signal()
                    control.reportStop { order.withLock { $0.append("reports twice") } }
                    // The other call does not return during the report: nothing ends this wait before its time.
                    _ = returned.wait(timeout: .now() + .milliseconds(200))
                    order.withLock { $0.append("has reported") }
                }
                ended.signal()
            }
            begun.wait()
            switch call {
            case .reportsAsWell: control.reportStop { order.withLock { $0.append("reports twice") } }
            case .ends: control.end()
            }
            order.withLock { $0.append("returns") }
            returned.signal()
            ended.wait()
            if call == .ends { control.reopen() }
        }
        #expect(order.withLock { $0 } == ["has reported", "returns", "has reported", "returns"])
    }
}
