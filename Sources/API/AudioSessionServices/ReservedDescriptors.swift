// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Keeps descriptors free for CoreFoundation, which ends the process when it cannot open the descriptors of a run loop.
struct ReservedDescriptors {
    /// The three descriptors of a run loop with one mode (Swift 6.3.1), and one more.
    private static let count = 4

    private var descriptors: [Int32] = []

    /// Nil when the process does not have this number of descriptors left.
    static func forRunLoop() -> ReservedDescriptors? {
        var reserved = ReservedDescriptors()
        for _ in 0..<count {
            let descriptor = linux_eventfd()
            guard descriptor >= 0 else {
                reserved.release()
                return nil
            }
            reserved.descriptors.append(descriptor)
        }
        return reserved
    }

    mutating func release() {
        for descriptor in descriptors { _ = linux_close(descriptor) }
        descriptors = []
    }
}
