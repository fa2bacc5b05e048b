// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import CStatusPage

/// The counters of a pulled stream. The stream's thread writes them and any thread reads them, without a lock. Counters on the
/// status page are also read by other processes.
final class PullCounters: @unchecked Sendable {
    private enum Word: Int, CaseIterable { case cycles, underruns, overruns, lost, longest, slice, load, realtime }

    /// The layout is that of `status_counters`.
    private var words: UnsafeMutablePointer<UInt64>
    private let own: UnsafeMutablePointer<UInt64>
    // Only the stream's thread uses these:
    private var load = 0.0
    /// The longest render of the current second, and the time at which the second ends.
    private var longest: UInt64 = 0
    private var endOfSecond: UInt64 = 0
    private var hasLoggedUnderrun = false

    init() {
        own = .allocate(capacity: Word.allCases.count)
        own.initialize(repeating: 0, count: Word.allCases.count)
        words = own
    }

    deinit { own.deallocate() }

    /// Counts in this memory from now on. Called before a thread counts.
    func move(to counters: UnsafeMutablePointer<status_counters>) {
        words = UnsafeMutableRawPointer(counters).assumingMemoryBound(to: UInt64.self)
    }

    private subscript(word: Word) -> UInt64 {
        get { linux_load64(words + word.rawValue) }
        set { linux_store64(words + word.rawValue, newValue) }
    }

    var copy: pull_counters {
        var copy = pull_counters()
        copy.cycles = self[.cycles]
        copy.underruns = self[.underruns]
        copy.overruns = self[.overruns]
        copy.lost_frames = self[.lost]
        copy.longest_render_ns = UInt32(clamping: self[.longest])
        copy.slice_ns = UInt32(clamping: self[.slice])
        copy.load = Float(bitPattern: UInt32(truncatingIfNeeded: self[.load]))
        copy.is_realtime = self[.realtime] != 0
        return copy
    }

    // MARK: The stream's thread

    func setRealtime(_ isRealtime: Bool) { self[.realtime] = isRealtime ? 1 : 0 }

    func start(slice nanoseconds: UInt64) {
        for word in Word.allCases where word != .realtime { self[word] = 0 }
        self[.slice] = nanoseconds
        (load, longest, endOfSecond, hasLoggedUnderrun) = (0, 0, 0, false)
    }

    /// Counts a render with these begin and end times.
    func addCycle(from begin: UInt64, to end: UInt64) {
        let duration = end &- begin
        self[.cycles] &+= 1
        if end >= endOfSecond {
            if endOfSecond > 0 { self[.longest] = longest }
            (longest, endOfSecond) = (0, end &+ 1_000_000_000)
        }
        longest = max(longest, duration)
        self[.longest] = max(self[.longest], longest)
        let share = min(Double(duration) / Double(max(self[.slice], 1)), 1)
        load += (share - load) / 16
        self[.load] = UInt64(Float(load).bitPattern)
    }

    /// Counts an underrun. True for the first one since the start.
    func addUnderrun() -> Bool {
        self[.underruns] &+= 1
        defer { hasLoggedUnderrun = true }
        return !hasLoggedUnderrun
    }

    func addOverrun() { self[.overruns] &+= 1 }
    func addLost(_ frames: UInt64) { self[.lost] &+= frames }
}
