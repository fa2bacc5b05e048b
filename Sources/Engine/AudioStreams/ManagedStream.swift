// SPDX-License-Identifier: Apache-2.0
/// A stream as the engine of the process sees it when it closes the stream.
public protocol ManagedStream: AnyObject {
    /// Ends the threads of the stream, which give its devices back.
    func endThreads()
    /// Removes the stream from its session.
    func leave()
}
