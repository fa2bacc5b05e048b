// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Resampling

/// The format that a program has set for a side of a unit, as a description and as a format of the converters.
struct ClientFormat: Equatable, Sendable {
    /// The description that the program has set, with the rate filled in.
    let description: StreamDescription
    let pcm: PCMFormat

    /// 32-bit float, one buffer for each of two channels, 44,100 Hz.
    static let standard: ClientFormat? = floats(rate: 44_100, channels: 2)

    /// 32-bit float with one buffer for each channel.
    static func floats(rate: Double, channels: Int) -> ClientFormat? {
        guard let pcm = try? PCMFormat(sampleRate: rate, channels: channels, sample: .float32(), isInterleaved: false) else {
            return nil
        }
        return ClientFormat(description: pcm.streamDescription, pcm: pcm)
    }

    private init(description: StreamDescription, pcm: PCMFormat) {
        self.description = description
        self.pcm = pcm
    }

    /// A rate of 0 stands for `defaultRate`. The sizes may be 0.
    init(_ given: StreamDescription, defaultRate: Double) throws(UnitError) {
        var description = given.completed
        do throws(PCMFormatError) {
            pcm = try PCMFormat(description, defaultRate: defaultRate)
        } catch {
            throw .formatNotSupported
        }
        guard BlockResampler.rates.contains(pcm.sampleRate) else { throw .formatNotSupported }
        description.sampleRate = pcm.sampleRate
        self.description = description
    }

    /// The same samples at another rate.
    func with(rate: Double) throws(UnitError) -> ClientFormat {
        var description = description
        description.sampleRate = rate
        return try ClientFormat(description, defaultRate: pcm.sampleRate)
    }
}

extension StreamDescription {
    /// The description of linear PCM with the sizes of its packets and frames, which programs may leave 0.
    fileprivate var completed: StreamDescription {
        var completed = self
        guard formatID == FormatID.linearPCM else { return completed }
        if framesPerPacket == 0 { completed.framesPerPacket = 1 }
        if bytesPerFrame == 0 { completed.bytesPerFrame = bytesPerPacket / completed.framesPerPacket }
        completed.completeLinearSizes()
        return completed
    }
}
