// SPDX-License-Identifier: Apache-2.0
public import AudioStreams
public import CAudioStreams
import CLinux
import LinuxSystem

/// The engine of this process and its session. The first session or stream creates the engine. It ends with the last stream, unless
/// the program has a session. A child of fork() has neither until it creates its own.
public enum ProcessEngine {
    private static let ofProcess = ForkLocal<Engine>(LINUX_WORD_OF_ENGINE)

    public static func open(capture: Bool, _ options: StreamOptions) throws(SystemError) -> PushedStream {
        guard !PushedStream.isOpeningDevice else {
            Log.error(
                "the device of a stream leads back to the PCM audiosession, which would play into itself: "
                    + "name the PCM of a card or of a sound server as the slave, or as the device of the port")
            throw .loop
        }
        let stream = PushedStream(capture: capture, options)
        try withEngine { engine throws(SystemError) in try engine.open(stream) }
        return stream
    }

    /// A stream of system sounds is no part of the program's session.
    public static func open(_ stream: PulledStream, playingSystemSounds: Bool = false) {
        withEngine { $0.open(stream, playingSystemSounds: playingSystemSounds) }
    }

    /// Called before the program is told of an interruption, under no lock: stops the streams of the session, and tells the units
    /// and queues. Returns the number of such calls since the engine exists; 0 without an engine.
    public static func reportStops() -> UInt64 { ofProcess.withExclusive { $0?.streams }?.stopInterrupted() ?? 0 }

    /// The number that the last `reportStops` has returned.
    public static var reportedStops: UInt64 { ofProcess.withExclusive { $0?.streams }?.reportedStops ?? 0 }

    /// Why the session of this process does not let streams of this direction run; nil if they may run.
    public static func stop(isInput: Bool) -> SessionStop? {
        ofProcess.withExclusive { $0?.streams }?.stop(of: isInput ? .input : .output)
    }

    public static func close(_ stream: any ManagedStream) {
        // The engine is not held here: a thread of the stream may have to wait for its device.
        stream.endThreads()
        ofProcess.withExclusive { engine in
            stream.leave()
            endIfUnused(&engine)
        }
    }

    /// The rate that the device of the route grants; 0 without a device.
    public static func hardwareRate(input: Bool) -> Double {
        withEngine { $0.streams.hardwareRate(input: input) }
    }

    /// The format that the hardware would grant to a new pulled stream of these directions; nil without a device.
    public static func hardwareFormat(_ directions: StreamDirections) -> pull_format? {
        withEngine { $0.streams.format(of: directions) }
    }

    // MARK: Slices

    private static var sliceWord: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(LINUX_WORD_OF_IO_SLICE) }

    /// The length of the slices of I/O units and queues in seconds; 0: the program has set none.
    static var ioSlice: Float { Float(bitPattern: linux_load(sliceWord)) }

    /// Sets the length of the slices of the program's session, also of a session that is created later.
    public static func setIOSlice(_ seconds: Float) {
        ofProcess.withExclusive { engine in
            linux_store(sliceWord, (seconds > 0 && seconds.isFinite ? seconds : 0).bitPattern)
            engine?.setIOSlice(ioSlice)
            endIfUnused(&engine)
        }
    }

    /// Calls `body` with the engine, and creates the engine if there is none. One thread at a time.
    static func withEngine<Result, Failure: Error>(
        _ body: (Engine) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try ofProcess.withExclusive { engine throws(Failure) in
            let used = engine ?? Engine()
            engine = used
            defer { endIfUnused(&engine) }
            return try body(used)
        }
    }

    private static func endIfUnused(_ engine: inout Engine?) {
        guard let unused = engine, unused.isUnused else { return }
        unused.end()
        engine = nil
    }
}
