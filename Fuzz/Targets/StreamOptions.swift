// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    import AudioStreams
    import SessionModel

    /// The options of a PCM in ALSA's configuration: lines of a key and a value.
    @c(fuzz_options) public func fuzzOptions(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        var input = Input(bytes, count)
        var options = StreamOptions()
        while !input.isEmpty {
            let key = input.text(upTo: 0x20)
            if let errorText = options.set(key, to: input.text(upTo: 0x0A)), errorText.isEmpty { return false }
        }
        for direction in 0..<4 {
            do throws(ResultCode) { _ = try options.settings(recording: direction & 2 != 0) } catch {
                if error == .noError { return false }
            }
        }
        return true
    }
#endif
