// SPDX-License-Identifier: Apache-2.0
public import AudioStreams
import CLinux
import LinuxSystem

/// The engine of this process. The first session or stream creates it. It ends with the last stream, unless the program has a
/// session. A child of fork() has no engine: the kernel wipes the word that records the engine. The child does not use the
/// engine of its parent, because threads that the child does not have may hold its locks.
public enum ProcessEngine {
    private enum Phase {
        static let absent: UInt32 = 0
        /// A thread has exclusive access to the engine.
        static let held: UInt32 = 1
        static let present: UInt32 = 2
    }

    private static var phase: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_ENGINE)) }
    nonisolated(unsafe) private static var instance: UnsafeRawPointer?

    public static func open(capture: Bool, _ choices: StreamOptions) throws(SystemError) -> Stream {
        let stream = Stream(capture: capture, choices)
        try withEngine { engine throws(SystemError) in try engine.open(stream) }
        return stream
    }

    public static func open(_ stream: PulledStream) {
        withEngine { $0.open(stream) }
    }

    public static func close(_ stream: any EngineStream) {
        // The engine is not held here: a thread of the stream may have to wait for its device.
        stream.endThreads()
        let isAbsent = hold()
        stream.leave()
        release(isAbsent ? nil : engine)
    }

    /// The rate that the device of the route grants; 0 without a device.
    public static func hardwareRate(input: Bool) -> Double {
        withEngine { $0.streams.hardwareRate(input: input) }
    }

    // MARK: Slices

    private static var sliceWord: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_IO_SLICE)) }

    /// The length of the slices of I/O units and queues in seconds; 0: the program has set none.
    static var ioSlice: Float { Float(bitPattern: linux_load(sliceWord)) }

    /// Sets the length of the slices of the program's session, also of a session that is created later.
    public static func setIOSlice(_ seconds: Float) {
        let isAbsent = hold()
        linux_store(sliceWord, (seconds > 0 && seconds.isFinite ? seconds : 0).bitPattern)
        let present = isAbsent ? nil : engine
        present?.setIOSlice(ioSlice)
        release(present)
    }

    /// Calls `body` with the engine, and creates the engine if there is none. One thread at a time.
    static func withEngine<Result, Failure: Error>(
        _ body: (Engine) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isAbsent = hold()
        let engine = (isAbsent ? nil : engine) ?? make()
        defer { release(engine) }
        return try body(engine)
    }

    private static var engine: Engine? { instance.map { Unmanaged<Engine>.fromOpaque($0).takeUnretainedValue() } }

    private static func make() -> Engine {
        let engine = Engine()
        instance = UnsafeRawPointer(Unmanaged.passRetained(engine).toOpaque())
        return engine
    }

    /// Acquires exclusive access. True when this process has no engine.
    private static func hold() -> Bool {
        while true {
            if linux_compare_and_store(phase, Phase.absent, Phase.held) { return true }
            if linux_compare_and_store(phase, Phase.present, Phase.held) { return false }
            linux_wait_while(phase, Phase.held)
        }
    }

    private static func release(_ engine: Engine?) {
        let isNeeded = engine.map { !$0.isUnused } ?? false
        if !isNeeded, let engine {
            engine.end()
            Unmanaged.passUnretained(engine).release()
            instance = nil
        }
        linux_store(phase, isNeeded ? Phase.present : Phase.absent)
        linux_wake_waiting(phase)
    }
}
