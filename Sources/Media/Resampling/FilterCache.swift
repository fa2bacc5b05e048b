// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The newest filters of a process. A filter leaves the cache after others, and stays in memory while a resampler uses it.
final class FilterCache {
    private static let ofProcess = ForkLocal<FilterCache>(LINUX_WORD_OF_FILTERS)
    /// A converter whose speed changes by four octaves has 17 filters.
    private static let capacity = 32

    private var filters: [RateFilter] = []

    private init() {}

    /// The filter of a shape. Computes its tables at the first call. Audio threads do not call this.
    static func filter(_ shape: RateFilter.Shape) -> RateFilter {
        let found = ofProcess.withExclusive { cache -> RateFilter? in cache?.filters.first { $0.shape == shape } }
        if let found { return found }
        // Two threads may compute the same tables: a lock would make one wait for the tables of another shape.
        let made = RateFilter(shape)
        ofProcess.withExclusive { cache in
            let present = cache ?? FilterCache()
            if present.filters.count >= capacity { present.filters.removeFirst() }
            present.filters.append(made)
            cache = present
        }
        return made
    }
}
