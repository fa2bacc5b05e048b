// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    @testable import AudioUnits
    import CAudioStreams
    import CAudioToolbox
    import EngineClient

    // Calls of two units of any kind, from the program and from inside their callbacks. Each result is one that is documented, and
    // no call reads or writes beside the memory that it is given.

    /// One for all runs: its table is large.
    private let engine = UnitEngine()
    private let context = UnitContext(engine: engine)

    /// The state of a run. The callbacks of the units find it here.
    private final class UnitRun {
        let units: [Unit]
        var input: Input
        /// Calls inside of calls.
        var depth = 0
        var calls = 0
        var isGood = true

        init?(_ input: Input) {
            var input = input
            var units: [Unit] = []
            for _ in 0..<2 {
                let kind = UnitKind.allCases[Int(input.byte()) % UnitKind.allCases.count]
                do throws(UnitError) { units.append(try Unit.make(kind, in: context)) } catch { return nil }
            }
            self.units = units
            self.input = input
        }
    }

    nonisolated(unsafe) private var run: UnitRun?
    /// Keeps the reads of samples in the optimized program.
    nonisolated(unsafe) public var sumOfSamples: UInt32 = 0

    /// Queues behind a first byte of 255, which share the program with the units.
    @c(fuzz_units) public func fuzzUnits(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        if let bytes, count > 0, bytes.load(as: UInt8.self) == 255 { return fuzzQueues(Input(bytes + 1, count - 1)) }
        guard let made = UnitRun(Input(bytes, count)) else { return false }
        run = made
        while !made.input.isEmpty, made.calls < 200 { made.call() }
        for unit in made.units { _ = unit.dispose() }
        run = nil
        engine.reset()
        return made.isGood
    }

    private let renderCallback: AURenderCallback = { _, flags, _, _, frames, list in
        guard let run, flags != nil else { return 0 }
        return run.callback(Int(frames), list)
    }

    extension UnitRun {
        private func check(_ condition: Bool) { if !condition { isGood = false } }

        /// A call that fails has a result of units. The one of a callback is passed on.
        private func expect(_ status: Int32) {
            let isKnown = status == 0 || UnitError(rawValue: status) != nil
            check(isKnown || status == UnitRun.errorOfCallback || status == UnitEngine.errorOfSession)
        }

        private func expect(_ body: () throws(UnitError) -> Void) { do throws(UnitError) { try body() } catch {} }

        private static let errorOfCallback: Int32 = -7777

        func call() {
            calls += 1
            guard calls < 200 else { return }
            let choice = input.byte()
            let unit = units[Int(choice >> 7)]
            switch choice & 0x7F % 24 {
            case 0...5: set(unit)
            case 6, 7: get(unit)
            case 8: setFormat(unit)
            case 9: expect { () throws(UnitError) in try unit.initialize() }
            case 10: if depth == 0 { unit.uninitialize() }
            case 11: start(unit)
            case 12: expect { () throws(UnitError) in try unit.stop() }
            case 13: unit.reset()
            case 14, 15, 16: turn()
            case 17: changeHardware()
            case 18: notify(unit)
            case 19: parameters(unit)
            case 20: process(unit)
            default: render(unit, frames: nil)
            }
        }

        // MARK: Properties

        /// Places that exist in most cases.
        private func place() -> (id: UInt32, scope: UInt32, element: UInt32) {
            let (property, where_) = (Int(input.byte()), input.byte())
            let id =
                property < 248 ? UnitProperty.allCases[property % UnitProperty.allCases.count].rawValue : input.number()
            let element = UInt32(where_ >> 3 & 7)
            return (id, UInt32(where_ & 7) % 5, element < 7 ? element : input.number())
        }

        /// Memory of an exact size whose content comes from the input. NULL for one size.
        private func withValue(_ size: Int, _ body: (UnsafeMutableRawPointer?) -> Void) {
            guard size != 63 else { return body(nil) }
            let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 16)
            defer { memory.deallocate() }
            for index in 0..<size { memory.storeBytes(of: input.byte(), toByteOffset: index, as: UInt8.self) }
            body(memory)
        }

        private func set(_ unit: Unit) {
            let (id, scope, element) = place()
            switch UnitProperty(rawValue: id) {
            case .setRenderCallback, .setInputCallback: return setCallback(unit, id, scope, element)
            case .makeConnection: return connect(unit, scope, element)
            // Pointers of the program, which the unit keeps and never uses.
            case .hostCallbacks: return
            // A slice belongs to the unit until it is complete.
            case .scheduleAudioSlice: return
            default: break
            }
            var size = 0
            if let property = UnitProperty(rawValue: id), let row = UnitPropertyRow.of(property) {
                switch row.size {
                case .bytes(let bytes): size = bytes
                case .structure(let bytes, _): size = bytes
                case .array(let bytes, _): size = bytes * Int(input.byte() & 7)
                case .atLeast(let bytes): size = bytes + Int(input.byte() & 31)
                }
            }
            let change = input.byte()
            if change > 240 { size = Int(input.byte()) }
            withValue(size) { data in
                expect { () throws(UnitError) in try unit.set(id, scope, element, data, UInt32(size)) }
            }
        }

        private func setCallback(_ unit: Unit, _ id: UInt32, _ scope: UInt32, _ element: UInt32) {
            let isRemoval = input.byte() > 240
            let value = AURenderCallbackStruct(inputProc: isRemoval ? nil : renderCallback, inputProcRefCon: nil)
            withUnsafeBytes(of: value) { bytes in
                expect { () throws(UnitError) in try unit.set(id, scope, element, bytes.baseAddress, UInt32(bytes.count)) }
            }
        }

        private func connect(_ unit: Unit, _ scope: UInt32, _ element: UInt32) {
            let choice = input.byte()
            let value = AudioUnitConnection(
                sourceAudioUnit: choice > 240 ? nil : units[Int(choice & 1)].handle, sourceOutputNumber: UInt32(choice >> 1 & 3),
                destInputNumber: UInt32(choice >> 3 & 3))
            withUnsafeBytes(of: value) { bytes in
                expect { () throws(UnitError) in
                    try unit.set(UnitProperty.makeConnection.rawValue, scope, element, bytes.baseAddress, UInt32(bytes.count))
                }
            }
        }

        /// A format that a unit may take.
        private func setFormat(_ unit: Unit) {
            let (shape, more) = (input.byte(), input.byte())
            let bits: [UInt32] = [8, 16, 24, 32, 64]
            let rates: [Double] = [0, 4_000, 8_000, 22_050, 44_100, 48_000, 192_000, 11_111]
            let bitsPerChannel = bits[Int(shape) % bits.count]
            let channels = UInt32(more & 7) + 1
            let size = (bitsPerChannel / 8 + UInt32(more >> 3 & 1)) * (more & 0x10 == 0 ? channels : 1)
            // Packed where the containers are not larger.
            let flags = UInt32(shape >> 4) << 1 & 0x16 | (more & 8 == 0 ? 8 : 0) | (more & 0x10 == 0 ? 0 : 0x20)
            let format = AudioStreamBasicDescription(
                mSampleRate: rates[Int(more >> 5)], mFormatID: 0x6C70_636D,
                mFormatFlags: flags | (shape & 0x80 != 0 && bitsPerChannel >= 32 ? 1 : 4), mBytesPerPacket: size,
                mFramesPerPacket: 1, mBytesPerFrame: size, mChannelsPerFrame: channels, mBitsPerChannel: bitsPerChannel,
                mReserved: 0)
            let isOutput = input.byte() & 1 != 0
            withUnsafeBytes(of: format) { bytes in
                expect { () throws(UnitError) in
                    try unit.set(
                        UnitProperty.streamFormat.rawValue, isOutput ? 2 : 1, isOutput && unit.kind.isIO ? 1 : 0,
                        bytes.baseAddress,
                        UInt32(bytes.count))
                }
            }
        }

        private func get(_ unit: Unit) {
            let (id, scope, element) = place()
            let room = Int(input.byte())
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(room, 1))
            memory.initialize(repeating: 0xA5, count: max(room, 1))
            defer { memory.deallocate() }
            var size = UInt32(room)
            var isDone = false
            expect { () throws(UnitError) in
                _ = try unit.info(id, scope, element)
                try unit.get(id, scope, element, memory, &size)
                isDone = true
            }
            // Nothing is written behind the value, and nothing by a call that fails.
            check(isDone ? Int(size) <= room : Int(size) == room)
            for index in (isDone ? Int(size) : 0)..<room { check(memory[index] == 0xA5) }
        }

        private func parameters(_ unit: Unit) {
            let (id, place) = (UInt32(input.byte() & 31), input.byte())
            let (scope, element) = (UInt32(place & 3), UInt32(place >> 2 & 7))
            let value = Float(bitPattern: input.number())
            expect { () throws(UnitError) in
                try unit.setParameter(id, scope, element, value)
                let kept = try unit.parameter(id, scope, element)
                check(kept == kept)
            }
            var event = AudioUnitParameterEvent()
            (event.scope, event.element, event.parameter) = (scope, element, id)
            event.eventType = UInt32(input.byte() % 4)
            event.eventValues.ramp.startBufferOffset = Int32(bitPattern: input.number())
            event.eventValues.ramp.durationInFrames = input.number()
            event.eventValues.ramp.startValue = Float(bitPattern: input.number())
            event.eventValues.ramp.endValue = value
            withUnsafePointer(to: event) { event in
                expect { () throws(UnitError) in try unit.schedule(UnsafeBufferPointer(start: event, count: 1)) }
            }
        }

        // MARK: Running

        private func start(_ unit: Unit) {
            engine.prepareStart(input.byte())
            expect(unit.start())
        }

        private func turn() {
            let captured = Int(input.byte()) * 16
            for stream in engine.streams { check(stream.turn(captured: captured)) }
        }

        private func changeHardware() {
            guard depth == 0 else { return }
            engine.changeHardware(input.byte())
        }

        private func notify(_ unit: Unit) {
            let callback = RenderCallback(renderCallback, nil)
            let isAdded = input.byte() & 1 == 0
            expect { () throws(UnitError) in
                try isAdded ? unit.addRenderNotify(callback) : unit.removeRenderNotify(callback)
            }
        }

        // MARK: Rendering

        /// A program's callback: it writes all that its list states, changes the list, calls the units, or fails.
        func callback(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?) -> Int32 {
            guard depth < 3 else { return 0 }
            depth += 1
            defer { depth -= 1 }
            let choice = input.byte()
            if let list { fill(list, choice) }
            if choice & 0x10 != 0 { call() }
            if choice & 0x20 != 0, let first = units.first { render(first, frames: frames) }
            return choice > 240 ? UnitRun.errorOfCallback : 0
        }

        private func fill(_ list: UnsafeMutablePointer<AudioBufferList>, _ choice: UInt8) {
            let buffers = BufferList(list)
            for index in 0..<buffers.count {
                let buffer = buffers[index]
                if let data = buffer.pointee.mData {
                    data.initializeMemory(as: UInt8.self, repeating: choice, count: Int(buffer.pointee.mDataByteSize))
                }
                switch choice & 7 {
                case 1: buffer.pointee.mDataByteSize = 0
                case 2: buffer.pointee.mDataByteSize /= 2
                case 3: buffer.pointee.mData = nil
                default: break
                }
            }
        }

        /// Passes a list of any shape. `frames`: those of the slice.
        private func render(_ unit: Unit, frames: Int?) {
            let choice = input.byte()
            let count = choice > 250 ? input.number() : UInt32(frames ?? Int(input.byte()) * 8)
            withList(choice) { list in
                var flags: UInt32 = 0
                var time = AudioTimeStamp()
                time.mSampleTime = Double(bitPattern: UInt64(input.number()) << 32)
                time.mFlags = 1
                let status = unit.render(flags: &flags, time: &time, bus: UInt32(choice & 1), frames: count, list: list)
                expect(status)
                // A list that was too small has the sizes that it needs.
                if status == 0 { read(list) }
            }
        }

        private func process(_ unit: Unit) {
            let frames = UInt32(input.byte()) * 8
            let (first, second) = (input.byte(), input.byte())
            withList(first) { list in
                expect(unit.process(frames: frames, list: list))
                withList(second) { other in
                    var inputs: UnsafePointer<AudioBufferList>? = UnsafePointer(list)
                    var outputs: UnsafeMutablePointer<AudioBufferList>? = other
                    expect(unit.process(frames: frames, inputs: &inputs, inputCount: 1, outputs: &outputs, outputCount: 1))
                }
            }
        }

        private static let listRoom = 8

        /// Up to eight buffers with memory of an exact size, or without memory: the unit may lend some.
        private func withList(_ choice: UInt8, _ body: (UnsafeMutablePointer<AudioBufferList>) -> Void) {
            let count = min(Int(choice >> 1 & 7) + 1, UnitRun.listRoom)
            let size = Int(input.byte()) * 16
            let memory = UnsafeMutableRawPointer.allocate(byteCount: BufferList.size(buffers: count), alignment: 8)
            let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
            list.pointee.mNumberBuffers = UInt32(count)
            var owned: [UnsafeMutableRawPointer] = []
            for index in 0..<count {
                var data: UnsafeMutableRawPointer?
                if choice & 0x40 == 0 {
                    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 16)
                    bytes.initializeMemory(as: UInt8.self, repeating: 0x55, count: size)
                    owned.append(bytes)
                    data = bytes
                }
                BufferList(list)[index].pointee = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(size), mData: data)
            }
            body(list)
            for bytes in owned { bytes.deallocate() }
            memory.deallocate()
        }

        /// The program may read all that the list states.
        private func read(_ list: UnsafeMutablePointer<AudioBufferList>) {
            for index in 0..<BufferList(list).count {
                let buffer = BufferList(list)[index].pointee
                guard let data = buffer.mData else { continue }
                let bytes = UnsafeRawBufferPointer(start: data, count: Int(buffer.mDataByteSize))
                for byte in bytes { sumOfSamples &+= UInt32(byte) }
            }
        }
    }
#endif
