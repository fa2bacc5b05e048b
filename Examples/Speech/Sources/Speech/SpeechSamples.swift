// SPDX-License-Identifier: Apache-2.0
import AVFAudio

/// The sound of a file as recognizers of speech take it: floats at 16 kHz, one channel.
struct SpeechSamples {
    private let file: AVAudioFile
    private let converter: AVAudioConverter

    init(_ url: URL) throws {
        file = try AVAudioFile(forReading: url)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1),
            let converter = AVAudioConverter(from: file.processingFormat, to: format)
        else { throw CocoaError(.featureUnsupported) }
        converter.downmix = true
        self.converter = converter
    }

    var format: AVAudioFormat { converter.outputFormat }

    /// Calls `body` with a buffer of at most a second at a time, until the file ends.
    func forEachSecond(_ body: (AVAudioPCMBuffer) throws -> Void) throws {
        guard let input = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 8_192) else {
            throw POSIXError(.ENOMEM)
        }
        var failure: (any Error)?
        while true {
            guard let output = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16_000) else { throw POSIXError(.ENOMEM) }
            var conversionError: NSError?
            let status = converter.convert(to: output, error: &conversionError) { _, inputStatus in
                do { try file.read(into: input) } catch { failure = error }
                inputStatus.pointee = failure == nil && input.frameLength > 0 ? .haveData : .endOfStream
                return input
            }
            if let failure { throw failure }
            switch status {
            case .haveData: try body(output)
            case .endOfStream, .inputRanDry: return
            case .error: throw conversionError ?? CocoaError(.featureUnsupported) as NSError
            }
        }
    }
}
