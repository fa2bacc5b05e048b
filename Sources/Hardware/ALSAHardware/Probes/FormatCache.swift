// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CALSA
import LinuxSystem
import SessionModel

/// The formats that devices grant for a preference. A running device is not opened: the kernel reports its format.
struct FormatCache {
    private struct Key: Equatable {
        let card: UInt64
        let address: PCMAddress
        let sampleRate: Double
        let bufferDuration: Float
    }

    /// A device grants the same format each time: it is opened once for each key.
    private var entries: [(key: Key, format: StreamFormat)] = []
    private static let mostEntries = 32

    mutating func format(
        of address: PCMAddress, on card: UInt64, sampleRate: Double, bufferDuration: Float
    ) -> StreamFormat {
        if let setup = address.setup { return StreamFormat(setup) }
        let key = Key(card: card, address: address, sampleRate: sampleRate, bufferDuration: bufferDuration)
        if let entry = entries.first(where: { $0.key == key }) { return entry.format }
        // A program is about to configure the device. Opening the device now would make the program's call fail.
        guard address.owners.isEmpty else { return likelyFormat(sampleRate, bufferDuration) }
        do throws(SystemError) {
            let format = try ask(key)
            if entries.count == FormatCache.mostEntries { entries.removeFirst() }
            entries.append((key, format))
            return format
        } catch {
            Log.debug("PCM \(address.card),\(address.device) cannot be opened for its format: \(error.text)")
            return address.setup.map { StreamFormat($0) } ?? likelyFormat(sampleRate, bufferDuration)
        }
    }

    private func ask(_ key: Key) throws(SystemError) -> StreamFormat {
        var granted = alsa_format()
        let rate = key.sampleRate > 0 ? UInt32(min(max(key.sampleRate.rounded(), 1), 10_000_000)) : 0
        try SystemError.check(
            alsa_pcm_ask(
                key.address.card, key.address.device, key.address.isPlayback, rate, Double(key.bufferDuration), &granted))
        guard granted.rate > 0 else { throw .noDevice }
        return StreamFormat(
            sampleRate: Double(granted.rate), bufferDuration: Float(Double(granted.period) / Double(granted.rate)))
    }

    mutating func removeAll(of card: UInt64) { entries = entries.filter { $0.key.card != card } }
}

extension StreamFormat {
    init(_ setup: StreamSetup) {
        self.init(sampleRate: setup.rate, bufferDuration: Float(setup.period / setup.rate))
    }
}

/// The format that nearly every device grants.
func likelyFormat(_ sampleRate: Double, _ bufferDuration: Float) -> StreamFormat {
    let rate = sampleRate > 0 ? min(max(sampleRate.rounded(), 8_000), 192_000) : 48_000
    let duration = bufferDuration > 0 ? Double(min(bufferDuration, 2)) : 1024 / rate
    return StreamFormat(sampleRate: rate, bufferDuration: Float(max(1, (duration * rate).rounded()) / rate))
}
