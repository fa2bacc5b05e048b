// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    import MediaFormats
    import SimpleCodecs
    import SoundFiles

    /// A sound file of any type.
    @c(fuzz_sounds) public func fuzzSounds(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        let memory = ByteMemory(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        do throws(SoundFileError) { return isConsistent(try SoundFile(memory), memory) } catch { return true }
    }

    /// The data and its packets lie in the file, and a decoder accepts every byte of them.
    private func isConsistent(_ file: SoundFile, _ memory: ByteMemory) -> Bool {
        guard file.dataOffset <= memory.size, file.dataSize <= memory.size - file.dataOffset else { return false }
        for packet in file.packets where packet.offset + UInt64(packet.size) > file.dataSize { return false }
        guard file.frameCount < .max else { return false }
        guard file.format.formatID == FormatID.appleIMA4, file.format.channelsPerFrame <= 8 else { return true }
        var decoder = IMA4Decoder(channels: Int(file.format.channelsPerFrame))
        var samples = [Int16](repeating: 0, count: 64 * 8)
        let start = Int(file.dataOffset)
        memory.bytes[start..<start + Int(file.dataSize)].withUnsafeBytes { packets in
            samples.withUnsafeMutableBufferPointer { _ = decoder.decode(packets, into: $0) }
        }
        return true
    }
#endif
