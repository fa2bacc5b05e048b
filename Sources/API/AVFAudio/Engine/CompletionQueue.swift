// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The thread of the completion handlers of a player node. Handlers that wait until their sound is heard come in the order of the
/// sounds: two sounds may end in one slice, and so at the same time.
final class CompletionQueue: @unchecked Sendable {
    private let queue = DispatchQueue(label: "AVAudioPlayerNode.completions")
    /// Only `queue`, which is serial, uses it.
    private var waiting: [Waiting] = []

    private final class Waiting: @unchecked Sendable {
        let call: @Sendable () -> Void
        var isDue = false

        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
    }

    func call(_ call: @escaping @Sendable () -> Void) { queue.async(execute: call) }

    /// Calls a handler after a time in seconds, and not before the handlers that were added before it.
    func call(after delay: Double, _ call: @escaping @Sendable () -> Void) {
        let entry = Waiting(call)
        let deadline = DispatchTime.now() + max(delay, 0)
        queue.async {
            self.waiting.append(entry)
            self.queue.asyncAfter(deadline: deadline) {
                entry.isDue = true
                self.callDue()
            }
        }
    }

    private func callDue() {
        while let first = waiting.first, first.isDue {
            waiting.removeFirst()
            first.call()
        }
    }
}
