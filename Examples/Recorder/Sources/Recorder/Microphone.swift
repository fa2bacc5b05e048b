// SPDX-License-Identifier: Apache-2.0
import ALSA
import Foundation

/// An error of ALSA.
struct ALSAError: Error, CustomStringConvertible {
    let description: String
    init(_ device: String, _ code: Int32) { description = "\(device): \(String(cString: snd_strerror(code)))" }
}

/// A device that records: 16-bit samples, block by block.
struct Microphone: ~Copyable {
    let format: WaveFormat
    private let device: String
    private let pcm: OpaquePointer

    init(_ device: String, _ format: WaveFormat) throws {
        var opened: OpaquePointer?
        var code = snd_pcm_open(&opened, device, SND_PCM_STREAM_CAPTURE, 0)
        guard code >= 0, let opened else { throw ALSAError(device, code) }
        let latency: UInt32 = 100_000
        code = snd_pcm_set_params(
            opened, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, UInt32(format.channels), UInt32(format.sampleRate), 1,
            latency)
        guard code >= 0 else {
            snd_pcm_close(opened)
            throw ALSAError(device, code)
        }
        self.device = device
        self.format = format
        pcm = opened
    }

    deinit { snd_pcm_close(pcm) }

    /// Waits for the next frames. After an overrun it continues with the current input.
    func read(frames: Int) throws -> [Int16] {
        var samples = [Int16](repeating: 0, count: frames * format.channels)
        let got = samples.withUnsafeMutableBytes { snd_pcm_readi(pcm, $0.baseAddress, snd_pcm_uframes_t(frames)) }
        if got < 0 {
            let code = snd_pcm_recover(pcm, Int32(got), 1)
            guard code >= 0 else { throw ALSAError(device, code) }
            return []
        }
        samples.removeLast(samples.count - got * format.channels)
        return samples
    }
}
