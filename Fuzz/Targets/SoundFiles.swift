// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    import AudioConverters
    import AudioFiles
    import MediaFormats
    import PCMConversion
    import SoundFiles

    /// A sound file of any type: its header, its properties, its packets, and its frames through a converter.
    @c(fuzz_sounds) public func fuzzSounds(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        let memory = ByteMemory(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        guard streamPackets(memory.bytes, pieces: count) == streamPackets(memory.bytes, pieces: 7),
            streamPackets(memory.bytes, pieces: 61, hasHoles: true)[0].count <= count
        else { return false }
        do throws(AudioFileError) {
            let file = try AudioFile.open(memory)
            guard isConsistent(file.file, memory) else { return false }
            readProperties(file)
            readFormats(file.file)
            return readFrames(file) && change(memory)
        } catch { return true }
    }

    private final class StreamRecord: SoundStreamClient {
        var bytes: [UInt8] = []
        var sizes: [Int] = []

        func streamHasHeader() {}
        func streamHasPackets(_ sound: UnsafeRawBufferPointer, count: Int, _ packets: [SoundFile.Packet]) {
            for index in 0..<count {
                let size = packets.isEmpty ? sound.count / count : Int(packets[index].size)
                let start = packets.isEmpty ? index * size : Int(packets[index].offset)
                bytes += sound[start..<start + size]
                sizes.append(size)
            }
        }
    }

    /// The packets of a stream that arrives in pieces of this size. Of a stream with holes each third piece is lost.
    private func streamPackets(_ bytes: [UInt8], pieces: Int, hasHoles: Bool = false) -> [[UInt8]] {
        let (stream, record) = (SoundStream(hint: 0), StreamRecord())
        var number = 0
        bytes.withUnsafeBytes { rest in
            var rest = rest
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(max(pieces, 1)))
                do throws(SoundStreamError) {
                    if !hasHoles || number % 3 < 2 {
                        try stream.parse(piece, isDiscontinuous: hasHoles && number % 3 == 0 && number > 0, for: record)
                    }
                } catch { return }
                number += 1
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            }
        }
        do throws(SoundStreamError) {
            try stream.parse(UnsafeRawBufferPointer(start: nil, count: 0), isDiscontinuous: true, for: record)
        } catch {}
        return [record.bytes] + record.sizes.map { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }
    }

    /// The data and its packets lie in the file.
    private func isConsistent(_ file: SoundFile, _ memory: ByteMemory) -> Bool {
        guard file.dataOffset <= memory.size, file.dataSize <= memory.size - file.dataOffset else { return false }
        for packet in file.packets where packet.offset + UInt64(packet.size) > file.dataSize { return false }
        return file.frameCount < .max
    }

    private func readProperties(_ file: AudioFile) {
        let argument = file.file.format.bytes
        _ = file.tags
        for id in file.propertyIDs {
            argument.withUnsafeBytes { buffer in
                do throws(AudioFileError) {
                    _ = try file.propertyInfo(id)
                    _ = try file.property(id, buffer)
                } catch {}
            }
        }
    }

    /// The facts about the format of the file, whose specifier contains its magic cookie.
    private func readFormats(_ file: SoundFile) {
        file.magicCookie.withUnsafeBytes { cookie in
            var specifier = file.format.bytes + [UInt8](nativeBytesOf: UInt(bitPattern: cookie.baseAddress))
            specifier += [UInt8](nativeBytesOf: UInt32(clamping: cookie.count)) + [0, 0, 0, 0]
            specifier.withUnsafeBytes { specifier in
                // 'flst', 'fmti', 'essd', 'fnam'
                for id: UInt32 in [0x666C_7374, 0x666D_7469, 0x6573_7364, 0x666E_616D] {
                    do throws(FormatError) {
                        _ = try Formats.property(id, id == 0x6573_7364 ? cookie : specifier, specifier)
                    } catch {}
                }
            }
        }
    }

    /// Reads some frames, and the last ones. More are never read than the file says.
    private func readFrames(_ file: AudioFile) -> Bool {
        let extended = ExtendedFile(file, isForWriting: false)
        let client = StreamDescription(
            sampleRate: 0, formatID: FormatID.linearPCM, formatFlags: [.float, .packed], bytesPerPacket: 8, framesPerPacket: 1,
            bytesPerFrame: 8, channelsPerFrame: 2, bitsPerChannel: 32)
        var samples = [Float](repeating: 0, count: 1_024)
        return samples.withUnsafeMutableBytes { buffer -> Bool in
            do throws(ExtendedFileError) {
                try extended.setClientFormat(client)
                _ = try extended.read(512, into: SampleBuffers(buffer))
                let start = max(extended.length - 100, 0)
                try extended.seek(start)
                return try Int64(extended.read(512, into: SampleBuffers(buffer))) <= extended.length - start
            } catch { return true }
        }
    }

    /// The file grows by a packet, and is still one.
    private func change(_ memory: ByteMemory) -> Bool {
        do throws(AudioFileError) {
            let file = try AudioFile.open(memory, memory)
            let (packets, size) = (file.packetCount, Int(file.file.format.bytesPerPacket))
            guard size > 0, size < 4_096, file.file.dataSize % UInt64(size) == 0 else { return true }
            let packet = [UInt8](repeating: 0, count: size)
            var failure: AudioFileError?
            packet.withUnsafeBytes { bytes in
                do throws(AudioFileError) { try file.writePackets(Int64(packets), count: 1, bytes) } catch { failure = error }
            }
            guard failure == nil else { return true }
            return try AudioFile.open(memory).packetCount > packets
        } catch { return false }
    }
#endif
