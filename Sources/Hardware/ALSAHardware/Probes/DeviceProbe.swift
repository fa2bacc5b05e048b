// SPDX-License-Identifier: Apache-2.0
import CALSA
public import LinuxSystem

extension ALSAConfiguration {
    /// Opens a PCM for playback without waiting, and closes it. Returns the error; nil: none.
    public static func errorOpening(_ device: String) -> SystemError? {
        alsa_silence_this_thread()
        var stream: OpaquePointer?
        let result = alsa_stream_open(&stream, device, true)
        guard result >= 0, let stream else { return SystemError(result: result) }
        alsa_stream_close(stream)
        return nil
    }
}
