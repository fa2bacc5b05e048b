// SPDX-License-Identifier: Apache-2.0

/// Reads the tag of ID3 version 1: the last 128 bytes of a file, with texts of fixed sizes. It ignores the number of the genre.
func readOldID3(_ source: any ByteSource) throws(SoundFileError) -> [SoundFileTag] {
    var reader = ByteReader(source)
    guard reader.size >= 128 else { return [] }
    reader.offset = reader.size - 128
    let tag = try reader.bytes(128)
    guard tag[..<3].elementsEqual([0x54, 0x41, 0x47]) else { return [] }
    var tags: [SoundFileTag] = []
    func add(_ key: String, _ range: Range<Int>) {
        let value = latinText(tag[range])
        if !value.isEmpty { tags.append(SoundFileTag(key: key, value: value)) }
    }
    add("title", 3..<33)
    add("artist", 33..<63)
    add("album", 63..<93)
    add("year", 93..<97)
    add("comments", 97..<127)
    // Version 1.1 stores the track number in the last byte of the comment, after a byte that is 0.
    if tag[125] == 0, tag[126] > 0 { tags.append(SoundFileTag(key: "track number", value: "\(tag[126])")) }
    return tags
}

/// Decodes Latin-1 text that ends with zeros or spaces.
private func latinText(_ bytes: ArraySlice<UInt8>) -> String {
    var text = bytes.prefix { $0 != 0 }
    while text.last == 0x20 { text.removeLast() }
    return String(decoding: text.map { UInt16($0) }, as: UTF16.self)
}
