// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import EngineClient
import LinuxSystem
import Synchronization

/// Passes the calls of one stream to its unit. After the unit has removed the stream, these calls have no effect.
final class StreamConnection: EngineStreamOwner, @unchecked Sendable {
    private let unit: Unit
    private let number: UInt64
    /// The listeners of IsRunning know that the session has stopped the stream.
    private let isStopKnown = Atomic<Bool>(false)

    init(_ unit: Unit, _ number: UInt64) {
        self.unit = unit
        self.number = number
    }

    override func render(_ cycle: UnsafeMutablePointer<pull_cycle>) { unit.render(cycle, ofStream: number) }
    override func configure(_ format: pull_format) {
        if format.is_start { isStopKnown.store(false, ordering: .releasing) }
        unit.configure(format, ofStream: number)
    }

    override func sessionStopped() {
        guard unit.has(stream: number) else { return }
        isStopKnown.store(true, ordering: .releasing)
        unit.postRunning()
    }

    override func stopped(_ reason: StopReason) {
        guard unit.has(stream: number) else { return }
        let start = unit.graph == 0 ? "AudioOutputUnitStart" : "AUGraphStart"
        Log.debug("a unit was stopped by \(reason.text); \(start) starts it again")
        if !isStopKnown.exchange(false, ordering: .acquiringAndReleasing) { unit.postRunning() }
    }

    override func formatChanged() {
        guard unit.has(stream: number) else { return }
        for scopeElement in [ScopeElement(.output, 0), ScopeElement(.input, 1)] {
            unit.post(.streamFormat, scopeElement)
            unit.post(.sampleRate, scopeElement)
        }
    }
}

extension Unit {
    fileprivate func has(stream number: UInt64) -> Bool { read { $0.isInitialized && $0.streamNumber == number } }

    fileprivate func configure(_ format: pull_format, ofStream number: UInt64) {
        var unused: [RenderPlan] = []
        lock.withLock {
            guard state.isInitialized, state.streamNumber == number else { return }
            state.hardware = format
            do throws(UnitError) {
                // A start discards the frames in the former paths.
                unused = plans.publish(try state.plan(kind, context.echo, mixer, nil, after: format.is_start ? nil : plans.value))
            } catch {
                unused = plans.publish(nil)
                Log.debug("a unit is silent: there is no memory for the formats of the hardware")
            }
            if format.is_start && state.startsAtZero { startsAgain.store(true, ordering: .releasing) }
            isReconfigured.store(true, ordering: .releasing)
        }
        unused.removeAll()
    }
}

extension StopReason {
    fileprivate var text: StaticString {
        switch self {
        case .program: "the program"
        case .deadServer: "the end of the sound server"
        case .category: "the new category of the session"
        default: "an interruption, or the end of the session's activity"
        }
    }
}
