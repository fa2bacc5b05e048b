// SPDX-License-Identifier: Apache-2.0
/// Constants at file scope: see tools/check-objects.
private let halves: [Double] = [0.5, 0.5]
private let meanOfStereo: [[Double]] = [halves]

/// The rule by which source channels become target channels.
///
/// A map copies: each target channel is one source channel, or silence. A matrix mixes: each target
/// channel is a weighted sum of all source channels, added in double precision and rounded once.
public enum ChannelMix: Equatable, Sendable {
    /// The source channel of each target channel; nil is silence.
    case map([Int?])
    /// One row of weights per target channel, one weight per source channel. A weight of 0 excludes the
    /// channel, also where its sample is infinite or not a number.
    case matrix([[Double]])

    /// The mix of streams that state no channel map:
    /// - A mono source feeds the first two target channels.
    /// - A mono target is the mean of a stereo source, which cannot clip.
    /// - Otherwise channels of the same number correspond. The rest of the target is silent.
    public static func standard(from source: Int, to target: Int) -> ChannelMix {
        if source == 2, target == 1 { return .matrix(meanOfStereo) }
        return .map(
            (0..<max(target, 0)).map { channel in
                if source == 1, channel < 2 { return 0 }
                return channel < source ? channel : nil
            })
    }
}

/// A converter cannot connect two formats.
public enum PCMConversionError: Error, Equatable, Sendable {
    /// The rates of the formats differ: `Resampling` changes rates.
    case sampleRatesDiffer
    /// The map or the matrix does not have one entry per target channel, or a row of the matrix does not
    /// have one weight per source channel.
    case channelCount
    /// The map names a channel that the source does not have.
    case channelIndex
    /// A weight of the matrix is infinite or not a number.
    case weight
}

/// A channel mix, checked against two channel counts.
enum ChannelRoute: Equatable, Sendable {
    case identity
    /// The source channel of each target channel; nil is silence.
    case map([Int?])
    /// Rows of weights, one after another.
    case matrix([Double])

    init(_ mix: ChannelMix, from source: Int, to target: Int) throws(PCMConversionError) {
        switch mix {
        case .map(let channels):
            guard channels.count == target else { throw .channelCount }
            for case .some(let channel) in channels where !(0..<source).contains(channel) { throw .channelIndex }
            self = source == target && channels == (0..<target).map { $0 } ? .identity : .map(channels)
        case .matrix(let rows):
            guard rows.count == target else { throw .channelCount }
            for row in rows {
                guard row.count == source else { throw .channelCount }
                for weight in row where !weight.isFinite { throw .weight }
            }
            self = .matrix(Array(rows.joined()))
        }
    }
}
