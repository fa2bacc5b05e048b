// SPDX-License-Identifier: Apache-2.0

/// A box of an MPEG-4 file.
public func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
    let bytes = content.flatMap { $0 }
    return words(UInt32(8 + bytes.count)) + Array(name.utf8) + bytes
}

/// Big-endian words.
public func words(_ values: UInt32...) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) } }
}

/// A film without packets of its own. Its second track is one of AC-3; `trex` gives its packets 512 frames and 10 bytes.
public let fragmentedFilm: [UInt8] = {
    let entry = words(32) + Array("ac-3".utf8) + words(0, 1, 0, 0, 2 << 16, 0)
    let media = box(
        "mdia", box("mdhd", words(0, 0, 0, 44_100, 0, 0)), box("hdlr", words(0, 0) + Array("soun".utf8)),
        box("minf", box("stbl", box("stsd", words(0, 1), entry))))
    let defaults = box("mvex", box("trex", words(0, 1, 1, 1, 5, 0)), box("trex", words(0, 2, 1, 512, 10, 0)))
    return box("ftyp", Array("mp42".utf8), words(0)) + box("moov", box("trak", box("tkhd", words(0, 0, 0, 2)), media), defaults)
}()
