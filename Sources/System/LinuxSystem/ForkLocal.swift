// SPDX-License-Identifier: Apache-2.0
public import CLinux

/// An object of which this process has at most one, and which a child of fork() does not have: the kernel wipes the word that records
/// it. The child does not use the object of its parent, because threads that the child does not have may hold its locks, and
/// never frees it.
///
/// The word and the object are in the memory of CLinux, so that a constant of this type needs no initialization.
public struct ForkLocal<Value: AnyObject>: Sendable {
    private let word: linux_word

    private enum Phase {
        static var absent: UInt32 { 0 }
        /// A thread has exclusive access, or creates the object.
        static var held: UInt32 { 1 }
        static var present: UInt32 { 2 }
        /// Held, and other threads wait for the end of that.
        static var awaited: UInt32 { 3 }
    }

    @inline(__always)
    public init(_ word: linux_word) { self.word = word }

    private var phase: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(word) }
    private var object: UnsafeMutablePointer<UnsafeMutableRawPointer?> { linux_object_of_word(word) }

    private var value: Value? {
        // No map: an ordinary build calls it with the metadata of the type.
        guard let object = object.pointee else { return nil }
        return Unmanaged<Value>.fromOpaque(object).takeUnretainedValue()
    }

    /// Nil before the object exists, and during `withExclusive`. Takes no lock: audio threads and signal handlers may call it.
    @inline(__always)
    public var present: Value? { linux_load(phase) == Phase.present ? value : nil }

    @inline(__always)
    public var isPresent: Bool { linux_load(phase) == Phase.present }

    /// The object. If there is none, `make` creates it; nil or an error leaves the process without one. A second thread waits
    /// while the first one creates it.
    public func makeOnce<Failure: Error>(_ make: () throws(Failure) -> Value?) throws(Failure) -> Value? {
        while !linux_compare_and_store(phase, Phase.absent, Phase.held) {
            if let present { return present }
            waitWhileHeld()
        }
        // An error leaves the word absent.
        var made: Value?
        defer { put(made) }
        made = try make()
        return made
    }

    /// The object, which `make` creates if there is none.
    public func made(_ make: () -> Value) -> Value {
        while true { if let value = makeOnce({ Optional(make()) }) { return value } }
    }

    /// Calls `body` with the object or with nil. `body` may replace or remove it. One thread at a time.
    public func withExclusive<Result, Failure: Error>(
        _ body: (inout Value?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var value = hold()
        defer { put(value) }
        return try body(&value)
    }

    private func hold() -> Value? {
        while true {
            if linux_compare_and_store(phase, Phase.absent, Phase.held) { return nil }
            if linux_compare_and_store(phase, Phase.present, Phase.held) {
                let taken = value
                if let taken { Unmanaged.passUnretained(taken).release() }
                return taken
            }
            waitWhileHeld()
        }
    }

    private func put(_ value: Value?) {
        object.pointee = value.map { Unmanaged.passRetained($0).toOpaque() }
        let next = value == nil ? Phase.absent : Phase.present
        // A system call only if a thread waits.
        guard !linux_compare_and_store(phase, Phase.held, next) else { return }
        linux_store(phase, next)
        linux_wake_waiting(phase)
    }

    private func waitWhileHeld() {
        _ = linux_compare_and_store(phase, Phase.held, Phase.awaited)
        linux_wait_while(phase, Phase.awaited)
    }
}
