// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

// The search for packets of MPEG audio and ADTS. These packets state their own size.

/// The number of bytes that are searched for a packet, before the first packet and after each packet.
private let searchLimit: UInt64 = 65_536

/// Skips the tags at the start of a file.
func skipID3(_ reader: inout ByteReader) throws(SoundFileError) {
    while reader.remaining >= 10 {
        let start = reader.offset
        let tag = try reader.bytes(10)
        guard tag[0] == 0x49, tag[1] == 0x44, tag[2] == 0x33 else {
            reader.offset = start
            return
        }
        var size: UInt64 = 0
        for byte in tag[6..<10] { size = size << 7 | UInt64(byte & 0x7F) }
        reader.skip(size + (tag[5] & 0x10 == 0 ? 0 : 10))
    }
}

/// Advances to the next packet. Bytes that do not belong to a packet are skipped. Nil at the end, and after too many skipped
/// bytes. The contents of tags are not counted: files that were joined have tags with pictures between their packets.
///
/// `accept` returns the header of a packet, or nil for other bytes. Its arguments are the reader, the first four bytes, and
/// true if bytes were skipped before them. Any two bytes may look like a header: `accept` can check that another packet
/// follows, or that the file ends after the packet.
func nextPacket<Header>(
    _ reader: inout ByteReader, isFirst: Bool, headerSize: UInt64,
    _ accept: (inout ByteReader, UInt32, Bool) throws(SoundFileError) -> Header?
) throws(SoundFileError) -> Header? {
    let origin = reader.offset
    var limit = origin + searchLimit
    while reader.remaining >= headerSize, reader.offset < limit {
        let start = reader.offset
        let word = try reader.uint32()
        reader.offset = start
        if let tag = try TagHeader(&reader, word) {
            reader.offset = start
            reader.skip(tag.headerSize + tag.contentSize)
            limit += tag.contentSize
            continue
        }
        reader.offset = start
        let header = try accept(&reader, word, start > origin)
        reader.offset = start
        if let header { return header }
        // The tag at the end of a file is not searched.
        if !isFirst, reader.remaining <= 128 { return nil }
        reader.skip(1)
    }
    return nil
}

/// The header of a tag between frames: ID3 of version 2, or APE.
private struct TagHeader {
    let headerSize: UInt64
    let contentSize: UInt64

    /// Nil for other bytes. `word` is the first four bytes. Advances the reader.
    init?(_ reader: inout ByteReader, _ word: UInt32) throws(SoundFileError) {
        if word >> 8 == FourCC.code("ID3 ") >> 8, reader.remaining >= 10 {
            let tag = try reader.bytes(10)
            guard tag[3] < 0xFF, tag[4] < 0xFF, tag[6..<10].allSatisfy({ $0 < 0x80 }) else { return nil }
            headerSize = 10
            let footer: UInt64 = tag[5] & 0x10 == 0 ? 0 : 10
            contentSize = tag[6..<10].reduce(0) { $0 << 7 | UInt64($1) } + footer
        } else if word == FourCC.code("APET"), reader.remaining >= 32 {
            let tag = try reader.bytes(32)
            guard tag[4..<8].elementsEqual([0x41, 0x47, 0x45, 0x58]) else { return nil }
            headerSize = 32
            // A footer has the same form, and follows the content.
            let isHeader = tag[23] & 0x20 != 0
            contentSize = isHeader ? tag[12..<16].reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0
        } else {
            return nil
        }
    }
}
