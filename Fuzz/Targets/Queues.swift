// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

#if FUZZING
    import AudioConverters
    @testable import AudioQueues
    import CAudioStreams
    import EngineClient
    import MediaFormats

    // Calls of up to four queues, from the program and from inside their callbacks. Each buffer is the program's or the queue's, it
    // comes back once and in its order, no callback comes after the disposal, and each result is one that is documented.

    /// A buffer as the program knows it.
    private struct QueueBuffer {
        let memory: Queue.Allocation
        let bytes: UInt32
        let packets: UInt32
        var isQueues = false

        var address: UInt { UInt(bitPattern: memory.header) }
    }

    /// A queue and the program's knowledge of it.
    private final class FuzzedQueue {
        let handle: UInt
        let queue: Queue
        let delivery: SteppedDelivery
        var buffers: [QueueBuffer] = []
        /// Addresses of the queue's buffers, in the order of their enqueuing.
        var enqueued: [UInt] = []
        var timelines: [UInt] = []
        var isDisposed = false

        init(_ handle: UInt, _ queue: Queue, _ delivery: SteppedDelivery) {
            self.handle = handle
            self.queue = queue
            self.delivery = delivery
        }
    }

    /// The run calls the queue when it steps.
    private final class SteppedDelivery: QueueDelivery, @unchecked Sendable {
        private let queue: Queue
        private var isWanted = false
        private(set) var isInvalid = false

        init(_ queue: Queue) { self.queue = queue }

        func signal() { isWanted = true }
        func invalidate() { isInvalid = true }

        func deliver() {
            guard isWanted, !isInvalid else { return }
            isWanted = false
            queue.deliver()
        }
    }

    /// The state of a run. The callbacks of the queues find it here.
    private final class QueueRun {
        let engine = UnitEngine()
        let service: QueueService
        var queues: [FuzzedQueue] = []
        var input: Input
        /// Calls inside of calls.
        var depth = 0
        var calls = 0
        var isGood = true

        init(_ input: Input) {
            self.input = input
            service = QueueService(engine, hasDispatcher: false)
        }
    }

    nonisolated(unsafe) private var run: QueueRun?

    func fuzzQueues(_ input: Input) -> Bool {
        let made = QueueRun(input)
        run = made
        made.makeQueue()
        while !made.input.isEmpty, made.calls < QueueRun.mostCalls { made.call() }
        made.finish()
        run = nil
        return made.isGood
    }

    extension QueueRun {
        static let mostCalls = 300
        private static let documented: [QueueStatus] = [
            .invalidBuffer, .disposalPending, .invalidProperty, .invalidPropertySize, .invalidParameter, .cannotStart,
            .invalidDevice, .bufferInQueue, .invalidRunState, .invalidQueueType, .invalidPropertyValue, .codecNotFound,
            .queueInvalidated, .bufferEnqueuedTwice, .enqueueDuringReset, .stopped, .parameter, .outOfMemory, .unsupportedFormat,
            QueueStatus(UnitEngine.errorOfSession),
        ]

        private func check(_ condition: Bool) { if !condition { isGood = false } }

        /// The result of a call; nil for success.
        @discardableResult
        private func status(_ body: () throws(QueueStatus) -> Void) -> QueueStatus? {
            do throws(QueueStatus) {
                try body()
                return nil
            } catch {
                check(QueueRun.documented.contains(error))
                return error
            }
        }

        /// All calls of the end, and what the program holds then.
        func finish() {
            for member in queues { dispose(member, immediately: true) }
            turn(captured: 64)
            deliver()
            service.end()
            check(service.queues.all.isEmpty)
            queues = []
            engine.reset()
        }

        func call() {
            calls += 1
            guard calls < QueueRun.mostCalls else { return }
            let choice = input.byte()
            guard !queues.isEmpty else { return makeQueue() }
            let member = queues[Int(choice >> 6) % queues.count]
            switch choice & 0x3F % 32 {
            case 0: if depth == 0, queues.count < 4 { makeQueue() }
            case 1, 2: allocate(member)
            case 3: free(member)
            case 4...9: enqueue(member)
            case 10, 11: start(member)
            case 12: status { () throws(QueueStatus) in try member.queue.pause() }
            case 13: status { () throws(QueueStatus) in try member.queue.stop(immediately: false) }
            case 14: handBack(member) { () throws(QueueStatus) in try member.queue.stop(immediately: true) }
            case 15: handBack(member) { () throws(QueueStatus) in try member.queue.reset() }
            case 16: prepare(member)
            case 17: if input.byte() > 200 { dispose(member, immediately: input.byte() & 1 == 0) }
            case 18: getProperty(member)
            case 19: setProperty(member)
            case 20: parameters(member)
            case 21: times(member)
            case 22: engine.changeHardware(input.byte())
            case 23: listen(member)
            case 24: lookUp()
            case 25: runDry()
            default: turn(captured: Int(input.byte()) * 16)
            }
        }

        // MARK: Queues

        /// A format that queues may take, or any.
        private func format() -> StreamDescription {
            let (shape, more) = (input.byte(), input.byte())
            let rates: [Double] = [
                0, 4_000, 8_000, 22_050, 44_100, 48_000, 192_000, Double(bitPattern: UInt64(input.number()) << 32),
            ]
            let ids = [FormatID.linearPCM, FormatID.uLaw, FormatID.aLaw, FormatID.appleIMA4]
            let bits: [UInt32] = [8, 16, 24, 32, 64]
            var format = StreamDescription(
                sampleRate: rates[Int(more >> 5)], formatID: shape < 192 ? FormatID.linearPCM : ids[Int(shape & 3)],
                channelsPerFrame: UInt32(more & 7) + 1)
            if format.formatID == FormatID.linearPCM {
                format.bitsPerChannel = bits[Int(shape & 0x3F) % bits.count]
                format.formatFlags =
                    more & 8 != 0 && format.bitsPerChannel >= 32 ? [.float, .packed] : [.signedInteger, .packed]
                format.bytesPerFrame = format.bitsPerChannel / 8 * format.channelsPerFrame
                format.bytesPerPacket = format.bytesPerFrame
                format.framesPerPacket = 1
            }
            guard more & 0x18 == 0x18 else { return format }
            switch input.byte() % 6 {
            case 0: format.bytesPerFrame = input.number()
            case 1: format.bytesPerPacket = input.number()
            case 2: format.framesPerPacket = input.number()
            case 3: format.channelsPerFrame = input.number()
            case 4: format.bitsPerChannel = input.number()
            default: format.formatFlags = FormatFlags(rawValue: input.number())
            }
            return format
        }

        func makeQueue() {
            let choice = input.byte()
            let format = format()
            var made: SteppedDelivery?
            let handlers = Queue.Handlers { queue, buffer in run?.returned(queue, buffer) }
            let place: QueueService.MakeDelivery = { queue in
                let delivery = SteppedDelivery(queue)
                made = delivery
                return delivery
            }
            status { () throws(QueueStatus) in
                let handle: UInt
                if choice & 1 == 0 {
                    let sound = choice & 2 == 0 ? nil : pcm(format)
                    let codec = sound.map { FuzzedDecoder($0, framesPerPacket: Int(choice >> 2)) }
                    handle = try service.makeOutput(format, codec: codec, handlers, on: place)
                } else {
                    handle = try service.makeInput(
                        format,
                        codec: { description throws(QueueStatus) in
                            let sound = choice & 2 == 0 ? nil : pcm(description)
                            return sound.map { FuzzedEncoder($0, framesPerPacket: Int(choice >> 2) + 1) }
                        }, handlers, on: place)
                }
                guard let made else { return check(false) }
                queues.append(FuzzedQueue(handle, try service.queues.object(handle), made))
            }
        }

        private func dispose(_ member: FuzzedQueue, immediately: Bool) {
            let wasDisposed = member.isDisposed
            member.isDisposed = true
            let found = status { () throws(QueueStatus) in try member.queue.dispose(immediately: immediately) }
            check(found == nil || wasDisposed)
        }

        /// A value that may never have been a queue.
        private func lookUp() {
            let handle = UInt(input.number()) << 4 | UInt(input.byte())
            status { () throws(QueueStatus) in
                let queue = try service.queues.object(handle)
                check(queues.contains { $0.queue === queue })
            }
        }

        // MARK: Buffers

        private func allocate(_ member: FuzzedQueue) {
            let choice = input.byte()
            let bytes = choice == 0 ? 0 : UInt32(choice) * (choice & 1 == 0 ? 1 : 33)
            let packets = UInt32(input.byte() & 15)
            guard member.buffers.count < 16 else { return }
            status { () throws(QueueStatus) in
                let memory = try member.queue.allocateBuffer(bytes: bytes, packets: packets)
                check(!member.isDisposed && bytes > 0)
                // The program writes all that it was given.
                memory.data.initializeMemory(as: UInt8.self, repeating: choice, count: Int(bytes))
                memory.packetDescriptions?.initializeMemory(as: UInt8.self, repeating: 0, count: 16 * Int(packets))
                member.buffers.append(QueueBuffer(memory: memory, bytes: bytes, packets: packets))
            }
        }

        /// A buffer of this queue, of another one, or an address that is none.
        private func anyAddress(_ member: FuzzedQueue) -> UInt {
            let choice = Int(input.byte())
            if choice > 250 { return UInt(input.number()) }
            let owner = choice > 240 ? queues[choice % queues.count] : member
            return owner.buffers.isEmpty ? 1 : owner.buffers[choice % owner.buffers.count].address
        }

        private func free(_ member: FuzzedQueue) {
            let address = anyAddress(member)
            let index = member.buffers.firstIndex { $0.address == address }
            let isQueues = index.map { member.buffers[$0].isQueues }
            let found = status { () throws(QueueStatus) in try member.queue.freeBuffer(address) }
            guard !member.isDisposed else { return check(found != nil) }
            check(found == (isQueues == nil ? .invalidBuffer : isQueues == true ? .bufferInQueue : nil))
            if found == nil, let index { member.buffers.remove(at: index) }
        }

        private func enqueue(_ member: FuzzedQueue) {
            let address = anyAddress(member)
            let index = member.buffers.firstIndex { $0.address == address }
            let buffer = index.map { member.buffers[$0] }
            let choice = input.byte()
            var bytes = buffer?.bytes ?? UInt32(choice)
            if choice > 200 { bytes = bytes * UInt32(choice & 7) / 6 }
            let options = self.options(choice)
            var found: QueueStatus?
            withDescriptions(member, buffer, bytes) { packets in
                found = status { () throws(QueueStatus) in
                    try member.queue.enqueue(address, bytes: bytes, packets: packets, options)
                }
            }
            if buffer?.isQueues == true, !member.isDisposed { check(found == .bufferEnqueuedTwice) }
            guard found == nil else { return }
            guard let index, let buffer, !buffer.isQueues, !member.isDisposed else { return check(false) }
            check(member.queue.isInput || bytes <= buffer.bytes)
            member.buffers[index].isQueues = true
            member.enqueued.append(address)
        }

        private func options(_ choice: UInt8) -> Queue.EnqueueOptions {
            var options = Queue.EnqueueOptions()
            guard choice & 1 != 0 else { return options }
            let given = input.byte()
            if given & 1 != 0 { options.trimAtStart = given > 240 ? input.number() : UInt32(input.byte()) }
            if given & 2 != 0 { options.trimAtEnd = given > 240 ? input.number() : UInt32(input.byte()) }
            if given & 4 != 0 { options.startFrame = Double(input.number()) / 256 }
            status { () throws(QueueStatus) in
                let value = Float(bitPattern: input.number())
                if given & 8 != 0 { options.volume = try QueueParameter.volume.accepted(value) }
                if given & 16 != 0 { options.pan = try QueueParameter.pan.accepted(value) }
                if given & 32 != 0 { options.volumeRamp = try QueueParameter.volumeRampTime.accepted(value) }
            }
            return options
        }

        /// Packets that follow each other in the data, or others.
        private func withDescriptions(
            _ member: FuzzedQueue, _ buffer: QueueBuffer?, _ bytes: UInt32, _ body: (Queue.PacketDescriptions) -> Void
        ) {
            let choice = input.byte()
            let count = UInt32(choice >> 3 & 15)
            guard choice & 7 != 7 else { return body(.none) }
            let isOwn = choice & 4 != 0
            // Memory of the exact size.
            let memory = UnsafeMutableRawPointer.allocate(byteCount: max(16 * Int(count), 1), alignment: 8)
            defer { memory.deallocate() }
            let room = buffer?.isQueues == false ? buffer : nil
            for index in 0..<count {
                var packet = PacketDescription(startOffset: Int64(bytes / max(count, 1) * index), byteSize: bytes / max(count, 1))
                if choice & 3 == 3 {
                    packet.startOffset = Int64(Int32(bitPattern: input.number())) << (input.byte() & 32)
                    packet.byteSize = input.number() >> UInt32(input.byte() & 31)
                }
                packet.store(at: memory, index: Int(index))
                if isOwn, let room, index < room.packets, let own = room.memory.packetDescriptions {
                    packet.store(at: own, index: Int(index))
                }
            }
            body(isOwn ? .own(count: count) : .array(memory, count: count))
        }

        /// The callback of all queues.
        func returned(_ handle: UInt, _ returned: Queue.ReturnedBuffer) {
            guard let member = queues.first(where: { $0.handle == handle }), !member.isDisposed, !member.delivery.isInvalid,
                let index = member.buffers.firstIndex(where: { $0.address == returned.address }),
                member.buffers[index].isQueues, member.enqueued.first == returned.address
            else { return check(false) }
            member.enqueued.removeFirst()
            member.buffers[index].isQueues = false
            let buffer = member.buffers[index]
            check(!member.queue.isInput || returned.bytes <= Int(buffer.bytes))
            check(buffer.packets == 0 || returned.descriptions.count <= Int(buffer.packets))
            for packet in returned.descriptions {
                check(packet.startOffset >= 0 && packet.startOffset + Int64(packet.byteSize) <= Int64(returned.bytes))
            }
            // It is the program's again.
            buffer.memory.data.initializeMemory(as: UInt8.self, repeating: UInt8(calls & 0xFF), count: Int(buffer.bytes))
            callback()
        }

        private func callback() {
            guard depth < 3 else { return }
            depth += 1
            defer { depth -= 1 }
            for _ in 0..<input.byte() & 3 { call() }
        }

        // MARK: Running

        private func start(_ member: FuzzedQueue) {
            let choice = input.byte()
            engine.prepareStart(choice)
            var time = StartTime.now
            if choice & 0x30 == 0x10 { time = .frame(Double(Int32(bitPattern: input.number())) / 64) }
            if choice & 0x30 == 0x20 { time = .time(UInt64(input.number()) << UInt64(input.byte() & 31)) }
            status { () throws(QueueStatus) in try member.queue.start(at: time) }
        }

        /// A stop at once or a reset: all buffers are the program's when it returns.
        private func handBack(_ member: FuzzedQueue, _ body: () throws(QueueStatus) -> Void) {
            let found = status(body)
            if found == nil, !member.isDisposed { check(member.enqueued.isEmpty) }
        }

        private func prepare(_ member: FuzzedQueue) {
            let limit = input.number()
            status { () throws(QueueStatus) in
                try member.queue.flush()
                let frames = try member.queue.prime(limit)
                check(limit == 0 || frames <= limit)
            }
        }

        /// A cycle of both streams, the dispatcher and the callbacks, or a part of these.
        private func turn(captured: Int) {
            for stream in engine.streams { check(stream.turn(captured: captured)) }
            let choice = input.byte()
            if choice & 3 != 3 { service.dispatch() }
            if choice & 12 != 12 { deliver() }
        }

        private func deliver() { for member in queues { member.delivery.deliver() } }

        /// So many cycles that a queue without buffers is suspended.
        private func runDry() {
            guard input.byte() & 3 == 0, depth == 0 else { return }
            for _ in 0..<80 { for stream in engine.streams { check(stream.turn(captured: 0)) } }
            service.dispatch()
            deliver()
        }

        // MARK: Properties, parameters and times

        private func property() -> UInt32 {
            let choice = Int(input.byte())
            return choice > 248 ? input.number() : QueueProperty.table[choice % QueueProperty.table.count].id
        }

        private func getProperty(_ member: FuzzedQueue) {
            let id = property()
            status { () throws(QueueStatus) in
                let size = try member.queue.propertySize(id)
                check(try member.queue.property(id).count == size)
            }
        }

        private func setProperty(_ member: FuzzedQueue) {
            let id = property()
            let (isUsual, most) = (input.byte() > 64, Int(input.byte()))
            let size = isUsual ? QueueProperty.table.first { $0.id == id }?.size ?? most : most
            let value = input.bytes(upTo: size)
            value.withUnsafeBytes { bytes in
                _ = status { () throws(QueueStatus) in try member.queue.setProperty(id, bytes) }
            }
        }

        private func parameters(_ member: FuzzedQueue) {
            let (id, value) = (UInt32(input.byte() & 15), Float(bitPattern: input.number()))
            status { () throws(QueueStatus) in
                try member.queue.setParameter(id, value)
                let kept = try member.queue.parameter(id)
                check(kept >= -1 && kept <= 3_600)
            }
        }

        private func times(_ member: FuzzedQueue) {
            let now = UInt64(input.number()) << 4
            if member.timelines.count < 4 {
                status { () throws(QueueStatus) in member.timelines.append(try member.queue.makeTimeline()) }
            }
            let timeline = input.byte() < 128 ? member.timelines.last : UInt(input.number())
            status { () throws(QueueStatus) in
                let first = try member.queue.currentTime(timeline: nil, at: now)
                let second = try member.queue.currentTime(timeline: timeline, at: now &+ UInt64(input.byte()))
                check(second.frame >= first.frame)
            }
            status { () throws(QueueStatus) in
                check(try member.queue.deviceTime(at: now).frame >= 0)
                let frame = Double(bitPattern: UInt64(input.number()) << 32)
                _ = try member.queue.deviceTime(frame: frame)
                _ = try member.queue.nearestStart(frame: frame)
            }
            guard input.byte() & 1 == 0, let last = member.timelines.popLast() else { return }
            status { () throws(QueueStatus) in try member.queue.removeTimeline(last) }
        }

        private func listen(_ member: FuzzedQueue) {
            let (id, data) = (property(), UInt(input.byte() & 3))
            status { () throws(QueueStatus) in
                if data & 1 == 0 {
                    try member.queue.addListener(id, procedure: 1, data: data) { queue, _ in run?.changed(queue) }
                } else {
                    try member.queue.removeListener(id, procedure: 1, data: data - 1)
                }
            }
        }

        /// The listener of all queues.
        private func changed(_ handle: UInt) {
            guard let member = queues.first(where: { $0.handle == handle }), !member.isDisposed else { return check(false) }
            callback()
        }
    }

    /// Its packets state how many frames they have, and some are damaged.
    private final class FuzzedDecoder: PacketDecoder {
        let output: PCMFormat
        let bytesPerPacket = 0
        let largestPacket = 64
        let framesPerPacket: Int

        init(_ output: PCMFormat, framesPerPacket: Int) {
            self.output = output
            self.framesPerPacket = framesPerPacket
        }

        func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
            let first = packets.first ?? 0
            guard first < 250 else { throw .unspecified }
            let count = min(Int(first), framesPerPacket)
            UnsafeMutableRawBufferPointer(rebasing: frames[0..<count * output.bytesPerFrame])
                .initializeMemory(as: UInt8.self, repeating: first)
            return count
        }

        func setMagicCookie(_ cookie: UnsafeRawBufferPointer) throws(ConverterError) {
            guard cookie.first != 1 else { throw .unspecified }
        }

        func reset() {}
    }

    /// Its packets have sizes of all kinds, and some fail.
    private final class FuzzedEncoder: VariablePacketEncoder {
        let input: PCMFormat
        let framesPerPacket: Int
        let largestPacket = 64
        let primingFrames = 0
        let magicCookie: [UInt8] = [1, 2]
        let bitRate: UInt32 = 0
        private var packets = 0
        private var waiting = 0

        init(_ input: PCMFormat, framesPerPacket: Int) {
            self.input = input
            self.framesPerPacket = framesPerPacket
        }

        func setBitRate(_ rate: UInt32) throws(ConverterError) { throw .propertyNotSupported }

        func encode(_ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
            packets += 1
            guard packets % 17 != 0 else { throw .unspecified }
            // The packets of the last two blocks come when the input ends.
            if frames.isEmpty {
                guard waiting > 0 else { return 0 }
                waiting -= 1
            } else if waiting < 2 {
                waiting += 1
                return 0
            }
            let size = min(packets % 64 + 1, packet.count)
            for index in 0..<size { packet[index] = UInt8(size) }
            return size
        }

        func reset() { (packets, waiting) = (0, 0) }
    }

    /// The samples of a codec.
    private func pcm(_ format: StreamDescription) -> PCMFormat? {
        guard format.channelsPerFrame > 0, format.channelsPerFrame <= 8, format.sampleRate >= 4_000, format.sampleRate <= 192_000
        else { return nil }
        return try? PCMFormat(sampleRate: format.sampleRate, channels: Int(format.channelsPerFrame), sample: .integer(16))
    }
#endif
