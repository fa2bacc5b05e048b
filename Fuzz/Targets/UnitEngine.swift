// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    import CAudioStreams
    import EngineClient

    /// An engine without threads, for the units or queues of a run: the run turns each cycle itself.
    final class UnitEngine: AudioEngineClient, @unchecked Sendable {
        private(set) var format = UnitEngine.usualFormat
        private(set) var startStatus: Int32 = 0
        private(set) var refusesStreams = false
        private(set) var preferredSlice = 0.0
        private(set) var streams: [UnitStream] = []

        private static let usualFormat = pull_format(
            output_rate: 48_000, input_rate: 48_000, output_channels: 2, input_channels: 1, slice: 0, shares_clock: true,
            is_start: false)

        /// The session refuses a start. The program gets this code.
        static let errorOfSession: Int32 = 561_017_449
        /// The device refuses a start: -ENODEV.
        private static let errorOfDevice: Int32 = -19

        /// The result of the next start, the preferred slice, and whether a stream can be made. `choice`: a byte of the input.
        func prepareStart(_ choice: UInt8) {
            startStatus = choice > 240 ? (choice & 1 == 0 ? UnitEngine.errorOfSession : UnitEngine.errorOfDevice) : 0
            preferredSlice = Double(choice & 15) / 1_000
            refusesStreams = choice == 240
        }

        /// A new format of the hardware, which configures or interrupts all streams.
        func changeHardware(_ choice: UInt8) {
            let rates: [Double] = [0, 8_000, 44_100, 48_000, 96_000, 192_000, 16_000, 11_025]
            format.output_rate = rates[Int(choice & 7)]
            format.input_rate = choice & 0x40 == 0 ? format.output_rate : rates[Int(choice >> 3 & 7)]
            format.output_channels = UInt32(choice >> 4 & 3) + 1
            format.input_channels = UInt32(choice >> 5 & 3) + 1
            for stream in streams {
                if choice & 0x80 == 0 { stream.configure() } else { stream.interrupt() }
            }
        }

        /// No unit has a stream any more.
        func reset() {
            (format, startStatus, refusesStreams, preferredSlice) = (UnitEngine.usualFormat, 0, false, 0)
            streams = []
        }

        func publishSlice(seconds: Double) {}
        func makeStatusSlot() -> StatusSlot? { nil }
        func hardwareRate(isInput: Bool) -> Double { isInput ? format.input_rate : format.output_rate }

        func hardwareFormat(_ directions: StreamDirections) -> pull_format? {
            var format = format
            if !directions.contains(.output) { (format.output_rate, format.output_channels) = (0, 0) }
            if !directions.contains(.input) { (format.input_rate, format.input_channels) = (0, 0) }
            return format.output_rate > 0 || format.input_rate > 0 ? format : nil
        }

        func makeStream(for owner: EngineStreamOwner, _ directions: StreamDirections) -> EngineStreamResult {
            guard !refusesStreams else { return .refused(-19) }
            let stream = UnitStream(self, owner, directions)
            streams.append(stream)
            return .stream(stream)
        }

        func makeSystemSoundStream(for owner: EngineStreamOwner) -> EngineStreamResult { makeStream(for: owner, .output) }
    }

    /// A stream whose device has the format of the engine.
    final class UnitStream: EngineStream, @unchecked Sendable {
        /// No device has more frames in a cycle.
        private static let mostFrames = 16_384

        private let engine: UnitEngine
        private var owner: EngineStreamOwner?
        private let directions: StreamDirections
        private(set) var isRunning = false
        private var isSuspended = false
        private var seconds = 0.0
        private var frame: UInt64 = 0
        private var isInCycle = false

        init(_ engine: UnitEngine, _ owner: EngineStreamOwner, _ directions: StreamDirections) {
            self.engine = engine
            self.owner = owner
            self.directions = directions
        }

        private func frames(_ rate: Double) -> Int { min(max(Int((seconds * rate).rounded()), 1), UnitStream.mostFrames) }

        var format: pull_format? {
            guard var format = engine.hardwareFormat(directions) else { return nil }
            format.slice = UInt32(frames(directions.contains(.output) ? format.output_rate : format.input_rate))
            return format
        }

        func start(frames: Double, rate: Double) -> Int32 {
            guard engine.startStatus == 0 else { return engine.startStatus }
            guard !isRunning || isSuspended else { return 0 }
            seconds = rate > 0 ? frames / rate : 0
            (isRunning, isSuspended) = (true, false)
            frame = 0
            configure(isStart: true)
            return 0
        }

        func configure(isStart: Bool = false) {
            // The engine configures a stream between cycles only.
            guard !isInCycle, var format else { return }
            format.is_start = isStart
            owner?.configure(format)
        }

        func stop() { isRunning = false }
        func suspend() { isSuspended = true }
        func count(in slot: StatusSlot) {}
        func setDucksOthers(_ on: Bool) {}

        func destroy() {
            isRunning = false
            owner = nil
        }

        var counters: pull_counters { pull_counters() }

        func interrupt() {
            guard isRunning, !isInCycle else { return }
            isRunning = false
            owner?.stopped(.interruption)
        }

        /// One cycle. `captured`: the frames that are there, which may be more or fewer than a slice. False where the unit states
        /// more frames than there was room for.
        func turn(captured: Int) -> Bool {
            guard isRunning, !isSuspended, !isInCycle, let owner, let format else { return true }
            isInCycle = true
            defer { isInCycle = false }
            let room = format.output_rate > 0 ? frames(format.output_rate) + Int(PULL_EXTRA_FRAMES) : 0
            let given = format.input_rate > 0 ? min(captured, UnitStream.mostFrames) : 0
            // Memory of the exact size: the sanitizer sees each access beside it.
            let output = UnsafeMutablePointer<Float>.allocate(capacity: max(room * Int(format.output_channels), 1))
            let input = UnsafeMutablePointer<Float>.allocate(capacity: max(given * Int(format.input_channels), 1))
            output.initialize(repeating: 0, count: max(room * Int(format.output_channels), 1))
            input.initialize(repeating: 0.5, count: max(given * Int(format.input_channels), 1))
            defer {
                output.deallocate()
                input.deallocate()
            }
            var cycle = pull_cycle()
            (cycle.output_frame, cycle.input_frame) = (frame, frame)
            cycle.output_time = 1_000_000_000 &+ frame &* 20_000
            cycle.input_time = cycle.output_time &- 10_000_000
            (cycle.rate_scalar, cycle.drift) = (1, 1)
            (cycle.output, cycle.output_frames) = (room > 0 ? output : nil, UInt32(room))
            (cycle.input, cycle.input_frames) = (given > 0 ? UnsafePointer(input) : nil, UInt32(given))
            owner.render(&cycle)
            frame &+= UInt64(room)
            return cycle.produced <= UInt32(room)
        }
    }
#endif
