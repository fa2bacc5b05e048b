// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import LinuxSystem

// The calls of the program, one at a time. No lock is held during a call.
extension Queue {
    /// Makes all callbacks that are due at this moment. On the thread of the delivery.
    public func deliver() {
        let count = lock.withLock { () -> Int? in
            guard turn.enter(lock, while: { state.isUsable }) else { return nil }
            collect()
            encodeRecorded()
            return state.workCount
        }
        guard let count else { return }
        call(count, yields: true)
        lock.withLock {
            turn.leave(lock)
            signalDelivery()
        }
    }

    /// Makes `count` of the callbacks that are due, or those before another thread waits to make them. The caller has the turn.
    func call(_ count: Int, yields: Bool = false) {
        for _ in 0..<count {
            let next = lock.withLock { state.isUsable && !(yields && turn.hasWaiters) ? state.popWork() : nil }
            switch next {
            case nil: return
            case .buffer(let index)?:
                if let buffer = lock.withLock({ returned(index) }) { callBufferProcedure(buffer) }
            case .change(let property)?:
                for listener in lock.withLock({ listeners }) where listener.identity.property == property {
                    guard lock.withLock({ state.isUsable && isRegistered(listener.identity) }) else { continue }
                    listener.call(handle, property)
                }
            }
        }
    }

    /// A callback is late when it lasts longer than the enqueued sound.
    private func callBufferProcedure(_ buffer: ReturnedBuffer) {
        let before = underruns
        handlers.buffer(handle, buffer)
        guard underruns > before else { return }
        let late = lock.withLock { () -> UInt32 in
            lateCalls &+= 1
            show()
            return lateCalls
        }
        // Further late callbacks are counted only: see audiosessionctl status.
        guard late == 1 else { return }
        Log.debug(
            "a callback of an audio queue took longer than the sound that was enqueued: enqueue more or longer buffers")
    }

    private func returned(_ index: Int) -> ReturnedBuffer? {
        guard let buffer = buffers[index] else { return nil }
        let packets = recording == nil ? Int(buffer.recorded) / format.framesPerPacket : buffer.packets.count
        if let own = buffer.descriptions {
            for (index, packet) in buffer.packets.enumerated() { packet.store(at: own, index: index) }
        }
        return ReturnedBuffer(
            address: UInt(bitPattern: buffer.memory),
            bytes: recording == nil ? packets * format.bytesPerPacket : buffer.recordedBytes, packets: packets,
            descriptions: buffer.packets, startFrame: Double(buffer.recordedFrame), startTime: buffer.recordedTime)
    }

    /// Under the lock.
    func isRegistered(_ listener: Listener.Identity) -> Bool { listeners.contains { $0.identity == listener } }
}
