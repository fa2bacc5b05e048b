// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CLinux
import MediaFormats

/// The functions of libmpg123, found by name after the library was loaded.
struct MPEGLibrary {
    typealias Handle = UnsafeMutableRawPointer

    let new: @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> Handle?
    let delete: @convention(c) (Handle?) -> Void
    let param: @convention(c) (Handle?, Int32, Int, Double) -> Int32
    let formatNone: @convention(c) (Handle?) -> Int32
    let format: @convention(c) (Handle?, Int, Int32, Int32) -> Int32
    let openFeed: @convention(c) (Handle?) -> Int32
    let decode:
        @convention(c) (
            Handle?, UnsafePointer<UInt8>?, Int, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?
        ) -> Int32

    /// Nil where the library is not installed.
    static func loaded() -> MPEGLibrary? {
        guard linux_load_library("libmpg123.so.0"), let initialize = linux_symbol("mpg123_init"),
            let new = linux_symbol("mpg123_new"), let delete = linux_symbol("mpg123_delete"),
            let param = linux_symbol("mpg123_param"), let formatNone = linux_symbol("mpg123_format_none"),
            let format = linux_symbol("mpg123_format"), let openFeed = linux_symbol("mpg123_open_feed"),
            let decode = linux_symbol("mpg123_decode")
        else { return nil }
        // Old versions make their tables here. Later calls do nothing.
        _ = unsafeBitCast(initialize, to: (@convention(c) () -> Int32).self)()
        return MPEGLibrary(
            new: unsafeBitCast(
                new, to: (@convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> Handle?).self),
            delete: unsafeBitCast(delete, to: (@convention(c) (Handle?) -> Void).self),
            param: unsafeBitCast(param, to: (@convention(c) (Handle?, Int32, Int, Double) -> Int32).self),
            formatNone: unsafeBitCast(formatNone, to: (@convention(c) (Handle?) -> Int32).self),
            format: unsafeBitCast(format, to: (@convention(c) (Handle?, Int, Int32, Int32) -> Int32).self),
            openFeed: unsafeBitCast(openFeed, to: (@convention(c) (Handle?) -> Int32).self),
            decode: unsafeBitCast(
                decode,
                to: (@convention(c) (
                    Handle?, UnsafePointer<UInt8>?, Int, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?
                ) -> Int32).self))
    }
}

/// Decodes packets of MPEG audio with libmpg123, each to the same number of frames.
final class MPEGDecoder: PacketDecoder {
    private enum Constant {
        static let flags: Int32 = 1
        /// Quiet, no information frames, no tags, and a packet is decoded without the next one.
        static let wantedFlags = 0x20 | 0x4000 | 0x2000 | 0x40_0000
        static let signed16: Int32 = 0xD0
        static let newFormat: Int32 = -11
    }

    let output: PCMFormat
    let framesPerPacket: Int
    private let library: MPEGLibrary
    private let handle: MPEGLibrary.Handle

    var bytesPerPacket: Int { 0 }
    /// Layer 2 at 384 kbit/s and 32 kHz has the largest packets.
    var largestPacket: Int { 1_792 }

    private init(_ library: MPEGLibrary, _ handle: MPEGLibrary.Handle, _ output: PCMFormat, framesPerPacket: Int) {
        self.library = library
        self.handle = handle
        self.output = output
        self.framesPerPacket = framesPerPacket
    }

    deinit { library.delete(handle) }

    static func make(_ library: MPEGLibrary, _ format: StreamDescription) -> MPEGDecoder? {
        guard 1...2 ~= format.channelsPerFrame, let rate = Int(exactly: format.sampleRate.rounded()), rate > 0,
            let output = try? PCMFormat(
                sampleRate: format.sampleRate, channels: Int(format.channelsPerFrame), sample: .integer(16))
        else { return nil }
        let frames = format.framesPerPacket
        guard frames == 384 || frames == 576 || frames == 1_152 || frames == 0 else { return nil }
        var error: Int32 = 0
        guard let handle = library.new(nil, &error) else { return nil }
        guard library.param(handle, Constant.flags, Constant.wantedFlags, 0) == 0, library.formatNone(handle) == 0,
            library.format(handle, rate, Int32(format.channelsPerFrame), Constant.signed16) == 0, library.openFeed(handle) == 0
        else {
            library.delete(handle)
            return nil
        }
        return MPEGDecoder(library, handle, output, framesPerPacket: frames == 0 ? 1_152 : Int(frames))
    }

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        let size = framesPerPacket * output.bytesPerFrame
        guard size <= frames.count else { throw .invalidOutputSize }
        var done = 0
        var input = packets.bindMemory(to: UInt8.self).baseAddress
        var bytes = packets.count
        // The library reports the format of the first packet before it decodes it.
        for _ in 0..<4 where done < size {
            guard let room = frames.baseAddress else { break }
            var written = 0
            let result = library.decode(handle, input, bytes, room + done, size - done, &written)
            done += min(max(written, 0), size - done)
            (input, bytes) = (nil, 0)
            guard result == 0 || result == Constant.newFormat else { break }
        }
        // A packet that is damaged, or that lacks the ones before it, is silence. The next ones keep their places.
        if done < size {
            UnsafeMutableRawBufferPointer(rebasing: frames[done..<size]).initializeMemory(as: UInt8.self, repeating: 0)
        }
        return framesPerPacket
    }

    func reset() { _ = library.openFeed(handle) }
}
