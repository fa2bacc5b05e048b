import CAudioStreams
import CLinux

/// One direction of a stream, in the hands of the thread that moves it.
protocol Flow: AnyObject {
    /// Opens the device; what it refuses, the program hears.
    func open() throws(StreamError)
    func prepare() throws(StreamError)
    func start() throws(StreamError)
    func pause(_ on: Bool) throws(StreamError)
    func drain() throws(StreamError)
    func stop()
    func close()
    /// Comes to terms with how things are now.
    func settle(_ situation: Situation)
    /// Moves what can be moved. When to look again, unless something happens before; `UInt64.max`: not at all.
    func move() -> UInt64
}

extension Flow {
    /// What its device fails of for good; nil where it was only late, and is ready again.
    func failure(after error: StreamError, _ prepare: () throws(StreamError) -> Void) -> StreamError? {
        guard error == .late else { return error }
        do throws(StreamError) { try prepare() } catch { return error }
        return nil
    }
}

extension UnsafeMutablePointer<stream_ring> {
    var program: UInt64 { stream_load(&pointee.program) }

    /// Makes room for a stream of this shape. No thread moves frames meanwhile.
    func configure(_ shape: StreamShape) {
        pointee.bytes?.deallocate()
        // What is on its way to a device with long periods stays in the ring as well.
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

    /// From the first frame again, whatever ended the stream before.
    func restart() {
        linux_store(&pointee.fault, 0)
        stream_ring_advance(self, 0, 0)
    }

    /// Where a frame is, and how many follow it there without a break.
    func place(of position: UInt64) -> (UnsafeMutableRawPointer, UInt64) {
        let index = position % pointee.capacity
        let start = UnsafeMutableRawPointer(pointee.bytes) + Int(index) * Int(pointee.frame_size)
        return (start, pointee.capacity &- index)
    }
}
