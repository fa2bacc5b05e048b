import AudioHardware
import CALSA
import LinuxSystem
import SessionModel

/// What devices grant to a stream with a preference. A device that runs is not asked: it runs at what it
/// runs at, and the kernel tells.
struct Grants {
    private struct Wish: Equatable {
        let card: UInt64
        let place: PCMPlace
        let sampleRate: Double
        let bufferDuration: Float
    }

    /// A device grants the same as before: each question is put to it once.
    private var known: [(wish: Wish, format: StreamFormat)] = []
    private static let mostKnown = 32

    mutating func format(
        of place: PCMPlace, on card: UInt64, sampleRate: Double, bufferDuration: Float
    ) -> StreamFormat {
        if let setup = place.setup { return StreamFormat(setup) }
        let wish = Wish(card: card, place: place, sampleRate: sampleRate, bufferDuration: bufferDuration)
        if let known = known.first(where: { $0.wish == wish }) { return known.format }
        // Somebody is about to use it, and must find it free.
        guard place.owners.isEmpty else { return likelyFormat(sampleRate, bufferDuration) }
        do throws(ALSAError) {
            let format = try ask(wish)
            if known.count == Grants.mostKnown { known.removeFirst() }
            known.append((wish, format))
            return format
        } catch {
            Log.line("PCM \(place.card),\(place.device) does not say what it grants: \(error.text)")
            return place.setup.map { StreamFormat($0) } ?? likelyFormat(sampleRate, bufferDuration)
        }
    }

    private func ask(_ wish: Wish) throws(ALSAError) -> StreamFormat {
        var granted = alsa_format()
        let rate = wish.sampleRate > 0 ? UInt32(min(max(wish.sampleRate.rounded(), 1), 10_000_000)) : 0
        try ALSAError.check(
            alsa_pcm_ask(
                wish.place.card, wish.place.device, wish.place.isPlayback, rate, Double(wish.bufferDuration), &granted))
        guard granted.rate > 0 else { throw .noDevice }
        return StreamFormat(
            sampleRate: Double(granted.rate), bufferDuration: Float(Double(granted.period) / Double(granted.rate)))
    }

    mutating func forget(card: UInt64) { known = known.filter { $0.wish.card != card } }
}

extension StreamFormat {
    init(_ setup: StreamSetup) {
        self.init(sampleRate: setup.rate, bufferDuration: Float(setup.period / setup.rate))
    }
}

/// What nearly every device grants.
func likelyFormat(_ sampleRate: Double, _ bufferDuration: Float) -> StreamFormat {
    let rate = sampleRate > 0 ? min(max(sampleRate.rounded(), 8_000), 192_000) : 48_000
    let duration = bufferDuration > 0 ? Double(min(bufferDuration, 2)) : 1024 / rate
    return StreamFormat(sampleRate: rate, bufferDuration: Float(max(1, (duration * rate).rounded()) / rate))
}
