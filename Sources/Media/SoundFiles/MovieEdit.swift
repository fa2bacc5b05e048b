// SPDX-License-Identifier: Apache-2.0

/// An edit of a track: a part of its sound that the movie plays.
struct MovieEdit: Equatable {
    /// In units of the movie. 0: the part ends with the track.
    var duration: UInt64
    /// The start of the part, in units of the track.
    var time: UInt64

    /// Reads a box `elst`. Edits without sound are left out: silence, and a sound that stands still.
    static func read(_ reader: inout ByteReader, _ end: UInt64) throws(SoundFileError) -> [MovieEdit] {
        let isLong = try reader.uint32() >> 24 == 1
        let count = UInt64(try reader.uint32())
        guard count <= (end - min(reader.offset, end)) / (isLong ? 20 : 12) else { throw .invalidFile }
        var edits: [MovieEdit] = []
        for _ in 0..<count {
            let duration = isLong ? try reader.uint64() : UInt64(try reader.uint32())
            let time = isLong ? try reader.uint64() : UInt64(try reader.uint32())
            let rate = try reader.uint32()
            // A time with all bits set stands for silence.
            guard time != (isLong ? .max : 0xFFFF_FFFF), rate != 0 else { continue }
            edits.append(MovieEdit(duration: duration, time: time))
        }
        return edits
    }

    /// The part of the track from the start of the first part to the end of the last one, in units of the track: a file has one
    /// sound, and no part of it is lost. Nil without edits. The duration is nil if the part ends with the track.
    ///
    /// `unit` is a unit of the movie in units of the track; 0 if it is unknown.
    static func range(_ edits: [MovieEdit], _ unit: Double) -> (first: UInt64, duration: Double?)? {
        guard let earliest = edits.min(by: { $0.time < $1.time }) else { return nil }
        guard unit > 0, edits.allSatisfy({ $0.duration > 0 }) else { return (earliest.time, nil) }
        let end = edits.reduce(0) { max($0, Double($1.time - earliest.time) + Double($1.duration) * unit) }
        return (earliest.time, end)
    }
}
