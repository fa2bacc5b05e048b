// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import LinuxSystem

/// One direction of a stream. Only the stream's thread uses it.
protocol StreamPump: AnyObject {
    /// Opens the device. The error is the result of the program's call.
    func open() throws(SystemError)
    func prepare() throws(SystemError)
    func start() throws(SystemError)
    func pause(_ on: Bool) throws(SystemError)
    func drain() throws(SystemError)
    func stop()
    func close()
    /// Applies a new target.
    func apply(_ target: StreamTarget)
    /// Moves frames. Returns the time of the next move, in nanoseconds of the monotonic clock; `UInt64.max`: only
    /// after a wake-up.
    func move() -> UInt64
}

extension StreamPump {
    /// The permanent error of a device; nil if the device was late, or the machine slept, and `prepare` made it ready again.
    func failure(after error: SystemError, _ prepare: () throws(SystemError) -> Void) -> SystemError? {
        guard error == .late || error == .suspended else { return error }
        do throws(SystemError) { try prepare() } catch { return error }
        return nil
    }
}

extension UnsafeMutablePointer<stream_ring> {
    var program: UInt64 { stream_ring_program(self) }

    /// Allocates memory for a stream of this shape. Must not be called while a thread moves frames.
    func configure(_ shape: StreamShape) {
        pointee.bytes?.deallocate()
        // Frames in the queue of a device with long periods stay in the ring, after the program's buffer.
        let capacity = shape.buffer + shape.longestQueue
        let size = Int(capacity) * shape.layout.frameSize
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        bytes.initialize(repeating: 0, count: size)
        pointee.bytes = bytes
        pointee.capacity = capacity
        pointee.frame_size = UInt32(shape.layout.frameSize)
        pointee.buffer = shape.buffer
        pointee.avail_min = shape.period
        pointee.stop_threshold = shape.buffer
    }

    /// The address of a frame, and the number of frames from there to the end of the memory.
    func span(of position: UInt64) -> (UnsafeMutableRawPointer, UInt64) {
        let index = position % pointee.capacity
        let start = UnsafeMutableRawPointer(pointee.bytes) + Int(index) * Int(pointee.frame_size)
        return (start, pointee.capacity &- index)
    }
}
