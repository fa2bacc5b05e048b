// SPDX-License-Identifier: Apache-2.0
import CALSA

extension ALSAConfiguration {
    /// Opens a PCM for playback without waiting, and closes it. Returns the text of the error; nil: none.
    public static func errorOpening(_ device: String) -> String? {
        alsa_silence_this_thread()
        var stream: OpaquePointer?
        let error = alsa_stream_open(&stream, device, true)
        guard error >= 0, let stream else { return ALSAError(number: 0 &- error).text }
        alsa_stream_close(stream)
        return nil
    }
}
