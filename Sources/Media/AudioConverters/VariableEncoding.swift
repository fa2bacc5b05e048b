// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion

/// An encoder whose packets differ in size, with the frames and the packet that are not written yet.
final class VariableEncoding {
    let encoder: any VariablePacketEncoder
    /// Frames that wait for the rest of their packet.
    private let pending: FrameStore
    /// A packet that is not written yet, because the output had no room for it.
    private let memory: UnsafeMutableRawBufferPointer
    private var packetBytes = 0
    private var hasEnded = false
    private var sound: EncodedSound
    /// The sound has ended. Further frames belong to another sound.
    private var isComplete = false

    init(_ encoder: any VariablePacketEncoder) {
        self.encoder = encoder
        sound = EncodedSound(encoder)
        pending = FrameStore(encoder.input, capacity: encoder.framesPerPacket)
        memory = .allocate(byteCount: encoder.largestPacket, alignment: 16)
    }

    deinit { memory.deallocate() }

    func reset() {
        pending.removeAll()
        (packetBytes, hasEnded, isComplete, sound) = (0, false, false, EncodedSound(encoder))
        encoder.reset()
    }

    /// Frames that a decoder of the packets adds before the sound and, so far, after it.
    var primeFrames: (leading: Int, trailing: Int) {
        (encoder.primingFrames, sound.trailingFrames)
    }

    /// The next packet. Nil at the end of the input; then the encoder starts again. `read` fills a buffer with frames and
    /// counts them; it returns false at the end.
    private func next(
        _ read: (UnsafeMutableRawBufferPointer, Int, inout Int) throws(ConverterError) -> Bool
    ) throws(ConverterError) -> UnsafeRawBufferPointer? {
        while packetBytes == 0 {
            if hasEnded {
                packetBytes = try encoder.encode(UnsafeRawBufferPointer(start: nil, count: 0), into: memory)
                guard packetBytes > 0 else {
                    encoder.reset()
                    (hasEnded, isComplete) = (false, true)
                    return nil
                }
                break
            }
            try readFrames(read)
            guard pending.count == encoder.framesPerPacket || hasEnded && pending.count > 0 else { continue }
            packetBytes = try encoder.encode(UnsafeRawBufferPointer(pending.frames), into: memory)
            pending.removeAll()
        }
        return UnsafeRawBufferPointer(rebasing: memory[..<packetBytes])
    }

    /// Reads the frames that complete a packet. Frames that are read before an error remain stored.
    private func readFrames(
        _ read: (UnsafeMutableRawBufferPointer, Int, inout Int) throws(ConverterError) -> Bool
    ) throws(ConverterError) {
        var count = 0
        defer {
            pending.append(count)
            if isComplete, count > 0 { (isComplete, sound) = (false, EncodedSound(encoder)) }
            sound.addFrames(count)
        }
        hasEnded = try !read(pending.room, encoder.framesPerPacket &- pending.count, &count)
    }

    /// Writes at most `room` packets: fewer where the next one does not fit, and at the end of the input.
    func write(
        into output: UnsafeMutableRawBufferPointer, packets room: Int, _ produced: inout Int, _ bytes: inout Int,
        _ describe: (Int, PacketDescription) -> Void,
        _ read: (UnsafeMutableRawBufferPointer, Int, inout Int) throws(ConverterError) -> Bool
    ) throws(ConverterError) {
        while produced < room, let packet = try next(read) {
            guard packet.count <= output.count &- bytes else {
                // The packet waits for the next call.
                guard produced > 0 else { throw .invalidOutputSize }
                return
            }
            UnsafeMutableRawBufferPointer(rebasing: output[bytes..<bytes &+ packet.count]).copyMemory(from: packet)
            let (size, frames) = (UInt32(clamping: packet.count), sound.addPacket())
            describe(produced, PacketDescription(startOffset: Int64(bytes), variableFrames: frames, byteSize: size))
            produced &+= 1
            bytes &+= packet.count
            packetBytes = 0
        }
    }
}
