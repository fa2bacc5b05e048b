// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A recording that can pause: while it runs, a thread reads blocks from the microphone into the file.
final class Recording: Sendable {
    private struct State {
        var file: WaveFile
        /// The current run; a thread of an earlier run stops.
        var run = 0
        var isRunning = false
    }

    private let state: Mutex<State>
    private let format: WaveFormat
    private static let blockSeconds = 0.02

    init(to path: String, _ format: WaveFormat) throws {
        self.format = format
        state = Mutex(State(file: try WaveFile(path, format)))
    }

    var seconds: Double { state.withLock { $0.file.seconds } }
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Starts to record from this device.
    func resume(from device: String) throws {
        let run = state.withLock { state in
            state.run += 1
            state.isRunning = true
            return state.run
        }
        Thread.detachNewThread { [self] in
            do { try record(from: Microphone(device, format), during: run) } catch {
                pause()
                report("\(error)")
            }
        }
    }

    func pause() {
        state.withLock { state in
            state.run += 1
            state.isRunning = false
        }
    }

    func finish() throws {
        pause()
        try state.withLock { try $0.file.finish() }
    }

    private func record(from microphone: borrowing Microphone, during run: Int) throws {
        let start = Date()
        var recorded = 0.0
        while true {
            let samples = try microphone.read(frames: Int(Recording.blockSeconds * Double(format.sampleRate)))
            let isCurrent = try state.withLock { state in
                guard state.run == run else { return false }
                try state.file.append(samples)
                return true
            }
            guard isCurrent else { return }
            // A device without a clock of its own follows the clock of the program.
            recorded += Double(samples.count / format.channels) / Double(format.sampleRate)
            Thread.sleep(until: start + recorded - Recording.blockSeconds)
        }
    }
}

/// Without buffering, also into a pipe.
func report(_ line: String) { FileHandle.standardOutput.write(Data("recorder: \(line)\n".utf8)) }
