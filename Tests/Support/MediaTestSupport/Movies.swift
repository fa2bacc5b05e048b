// SPDX-License-Identifier: Apache-2.0

/// An edit in a box `elst`, with times of 32 bits: the duration in units of the movie, the start in units of the track.
public func edit(_ duration: UInt32, _ time: UInt32, rate: UInt32 = 0x10000) -> [UInt8] { words(duration, time, rate) }

/// The metadata of iTunes with one free-form text.
public func iTunesMetadata(_ name: String, _ text: String) -> [UInt8] {
    let item = box(
        "----", box("mean", words(0), Array("com.apple.iTunes".utf8)), box("name", words(0), Array(name.utf8)),
        box("data", words(1, 0), Array(text.utf8)))
    return box("udta", box("meta", words(0), box("ilst", item)))
}

/// An M4A file with packets of AAC, 2 channels at 44,100 Hz, of 5 bytes each.
///
/// `durations` are the rows of the table `stts`. `edits` are the content of the box `elst`; nil: the file has none.
public func movie(
    packets: Int, durations: [UInt8] = [], edits: [[UInt8]]? = nil, metadata: [UInt8] = [], movieScale: UInt32 = 44_100,
    entry: [UInt8] = movieEntry("mp4a", box("esds", words(0), [0x12, 0x10]))
) -> [UInt8] {
    let start = box("ftyp", Array("M4A ".utf8), words(0)) + words(UInt32(8 + 5 * packets)) + Array("mdat".utf8)
    let count = UInt32(packets)
    let rows = durations.isEmpty ? words(count, 1_024) : durations
    let tables = box(
        "stbl", box("stsd", words(0, 1), entry), box("stts", words(0, UInt32(rows.count / 8)), rows),
        box("stsc", words(0, 1, 1, count, 1)), box("stsz", words(0, 5, count)), box("stco", words(0, 1, UInt32(start.count))))
    let media = box(
        "mdia", box("mdhd", words(0, 0, 0, 44_100, count * 1_024, 0)),
        box("hdlr", words(0, 0), Array("soun".utf8), words(0, 0, 0, 0)),
        box("minf", tables))
    let list = edits.map { box("edts", box("elst", words(0, UInt32($0.count)), $0.flatMap { $0 })) } ?? []
    let track = box("trak", box("tkhd", words(0, 0, 0, 1)), list, media)
    return start + [UInt8](repeating: 7, count: 5 * packets)
        + box("moov", box("mvhd", words(0, 0, 0, movieScale, 0)), track, metadata)
}

/// The description of packets of 2 channels at 44,100 Hz, with the box of their configuration.
public func movieEntry(_ codec: String, _ configuration: [UInt8]) -> [UInt8] {
    box(codec, words(0, 1, 0, 0, 2 << 16 | 16, 0, 44_100 << 16), configuration)
}
