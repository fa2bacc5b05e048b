// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import LinuxSystem
import MediaFormats
import PCMConversion
import Synchronization

/// What a player renders. It does not change while a thread renders it.
final class PlayList: @unchecked Sendable {
    let clock: PlayerClock
    let entries: [PlayerEntry]

    init(_ clock: PlayerClock, _ entries: [PlayerEntry]) {
        self.clock = clock
        self.entries = entries
    }
}

/// The slices and regions that are scheduled on a unit, in the order of the calls.
///
/// The rendering thread takes no lock and reads no file, unless it renders offline, where it waits for the service thread.
final class SoundPlayer: @unchecked Sendable {
    private let service: PlayerService
    private let files: PlayerFiles
    private let lists = RealtimeCell<PlayList>()
    /// Guards the members and the cell.
    private let lock = Lock()
    private var entries: [PlayerEntry] = []
    private var clock = PlayerClock(.none)
    private var startTime = AudioTimeStamp()
    private var fileIDs: [OpaquePointer?] = []
    /// The format of the unit while it is initialized.
    private var format: PCMFormat?
    private var wantsReset = false
    /// Held by the service thread while it uses files.
    private let fillLock = Lock()
    /// Rendering threads that work offline, and calls that prime, wait for frames.
    private let progress = ConditionLock()

    /// Regions that are read ahead at a time.
    private static let readAhead = 3
    /// The seconds before its start from which any other region is read.
    private static let soon = 2

    init(_ service: PlayerService, _ files: PlayerFiles) {
        self.service = service
        self.files = files
    }

    // MARK: Properties

    var playTime: AudioTimeStamp {
        var time = AudioTimeStamp()
        time.mSampleTime = lock.withLock { clock }.playTime
        time.mFlags = UInt32(kAudioTimeStampSampleTimeValid)
        return time
    }

    var start: AudioTimeStamp { lock.withLock { startTime } }

    /// The position 0 is at this time. Waits until the first frames are read.
    func setStart(_ time: AudioTimeStamp) throws(UnitError) {
        let start = try PlayerClock.Start(time)
        change {
            clock = PlayerClock(start)
            startTime = time
        }
        prime(1)
    }

    var scheduledFiles: [OpaquePointer?] { lock.withLock { fileIDs } }

    func setFiles(_ ids: [OpaquePointer?]) throws(UnitError) {
        for id in ids {
            guard let id, files.hasFile(id) else { throw .invalidFile }
        }
        lock.withLock { fileIDs = ids }
    }

    // MARK: Scheduling

    func schedule(_ region: ScheduledAudioFileRegion) throws(UnitError) {
        guard let file = region.mAudioFile, lock.withLock({ fileIDs.contains(file) }) else { throw .fileNotSpecified }
        guard files.hasFile(file) else { throw .invalidFile }
        guard region.mStartFrame >= 0 else { throw .invalidPropertyValue }
        try add(PlayerEntry(.region(region), at: try SoundPlayer.time(region.mTimeStamp)))
    }

    /// `slice` is valid until it is complete.
    func schedule(_ slice: UnsafeMutablePointer<ScheduledAudioSlice>, _ format: PCMFormat) throws(UnitError) {
        guard let list = slice.pointee.mBufferList, let bytes = format.bytes(frames: Int(slice.pointee.mNumberFrames)) else {
            throw .invalidPropertyValue
        }
        let buffers = BufferList(list)
        guard buffers.count == format.bufferCount else { throw .invalidPropertyValue }
        for index in 0..<buffers.count {
            guard buffers[index].pointee.mData != nil, Int(buffers[index].pointee.mDataByteSize) >= bytes else {
                throw .invalidPropertyValue
            }
        }
        let time = try SoundPlayer.time(slice.pointee.mTimeStamp)
        let flags = slice.pointee.mFlags
        // A repetition of no frames would never end.
        let loops = flags & UInt32(kScheduledAudioSliceFlag_Loop) != 0 && slice.pointee.mNumberFrames > 0
        slice.pointee.mFlags &= ~7
        try add(
            PlayerEntry(.slice(slice, buffers.memory(), format), at: time, loops: loops, SoundPlayer.interruption(flags)))
    }

    private static func interruption(_ flags: UInt32) -> PlayerEntry.Interruption {
        if flags & UInt32(kScheduledAudioSliceFlag_Interrupt) != 0 { return .now }
        return flags & UInt32(kScheduledAudioSliceFlag_InterruptAtLoop) != 0 ? .atLoop : .never
    }

    /// The sample time precedes the host time. A negative sample time and the host time 0 stand for no time.
    private static func time(_ time: AudioTimeStamp) throws(UnitError) -> PlayerEntry.Time {
        if time.mFlags & UInt32(kAudioTimeStampSampleTimeValid) != 0 {
            guard let position = Int(exactly: time.mSampleTime.rounded()), position < 1 << 53 else {
                throw .invalidPropertyValue
            }
            return position < 0 ? .none : .position(position)
        }
        let isHostTime = time.mFlags & UInt32(kAudioTimeStampHostTimeValid) != 0 && time.mHostTime != 0
        return isHostTime ? .host(time.mHostTime) : .none
    }

    private func add(_ entry: PlayerEntry) throws(UnitError) {
        guard progress.isValid, service.add(self) else { throw .memoryFull }
        change { entries.append(entry) }
    }

    private func change(_ body: () -> Void) {
        lock.withLock { body() }
        publish()
        service.signal()
    }

    // MARK: Life

    /// The unit is initialized with this format.
    func prepare(_ format: PCMFormat, isRendering: Bool) {
        let former = lock.withLock { self.format }
        guard former != format else { return }
        if former != nil { reset(isRendering: isRendering) }
        lock.withLock { self.format = format }
        publish()
        service.signal()
        if lock.withLock({ clock.isSet }) { prime(1) }
    }

    /// Drops everything that is scheduled, and calls its completion procedures. On a thread that renders, the service thread does
    /// both.
    func reset(isRendering: Bool) {
        guard !isRendering else {
            lock.withLock { wantsReset = true }
            return service.signal()
        }
        for entry in dropAll() { entry.complete() }
    }

    /// Called when the unit is uninitialized.
    func end(isRendering: Bool) {
        lock.withLock { format = nil }
        reset(isRendering: isRendering)
    }

    func dispose() {
        service.remove(self)
        for entry in dropAll() { entry.complete() }
    }

    /// No thread uses the memory and the files of the entries after the return.
    private func dropAll() -> [PlayerEntry] {
        let dropped = lock.withLock {
            let dropped = entries
            entries = []
            (clock, wantsReset, startTime) = (PlayerClock(.none), false, AudioTimeStamp())
            return dropped
        }
        for entry in dropped { entry.drop() }
        progress.withLock { progress.broadcast() }
        lock.withLock { lists.exchangeWaiting(nil) }
        // Entries that were scheduled meanwhile.
        publish()
        if !service.isOnThread { fillLock.withLock {} }
        return dropped
    }

    /// Sets the starts that are known, and gives the rendering thread the entries that it can render.
    private func publish() {
        let unused = lock.withLock {
            var visible: [PlayerEntry] = []
            for (index, entry) in entries.enumerated() {
                if entry.start.load(ordering: .acquiring) == PlayerEntry.unknown, let start = start(of: index) {
                    entry.start.store(start, ordering: .releasing)
                }
                visible.append(entry)
            }
            return lists.publish(PlayList(clock, visible))
        }
        withExtendedLifetime(unused) {}
    }

    /// The start of an entry behind another one; nil if it is not known. The rendering thread knows when an entry interrupts.
    private func start(of index: Int) -> Int? {
        guard entries[index].interruption == .never, entries[index].follows else { return nil }
        return index > 0 ? entries[index - 1].end : PlayerEntry.next
    }

    // MARK: The service thread

    /// Reads ahead, and completes what is finished.
    func serve() {
        if lock.withLock({ wantsReset }) {
            for entry in dropAll() { entry.complete() }
        }
        fillLock.withLock { readAhead() }
        publish()
        let finished = lock.withLock {
            let finished = entries.filter { $0.isFinished }
            // The next entry may begin where this one has ended.
            // Another entry may have finished meanwhile.
            entries.removeAll { entry in finished.contains { $0 === entry } }
            return finished
        }
        guard !finished.isEmpty else { return }
        publish()
        for entry in finished { entry.complete() }
        service.signal()
    }

    private func readAhead() {
        var hasRead = true
        while hasRead {
            hasRead = false
            for entry in prepared() {
                guard !entry.isDropped, let stream = entry.stream, stream.fill() else { continue }
                hasRead = true
                if stream.length != nil { publish() }
                progress.withLock { progress.broadcast() }
            }
        }
        progress.withLock { progress.broadcast() }
    }

    /// The regions that are read ahead. New ones get a stream.
    private func prepared() -> [PlayerEntry] {
        let (format, waiting) = lock.withLock { () -> (PCMFormat?, [PlayerEntry]) in
            let regions = entries.filter { $0.isRegion && !$0.isFinished }
            return (self.format, Array(regions.prefix(SoundPlayer.readAhead)) + soon(regions.dropFirst(SoundPlayer.readAhead)))
        }
        guard let format else { return [] }
        for entry in waiting where entry.stream == nil {
            guard case .region(let region) = entry.sound else { continue }
            let file = region.mAudioFile.flatMap { files.open($0) }
            guard let file, let stream = RegionStream.make(region, file, for: format) else {
                entry.fail(UnitError.invalidFile.rawValue)
                continue
            }
            entry.setStream(stream)
        }
        return waiting.filter { !$0.isFinished }
    }

    /// Of the later regions, those that begin within the next seconds.
    private func soon(_ regions: ArraySlice<PlayerEntry>) -> [PlayerEntry] {
        let limit = max(Int(clock.playTime), 0) + SoundPlayer.soon * Int(format?.sampleRate ?? 0)
        return regions.filter {
            let known = $0.start.load(ordering: .relaxed)
            let start = known == PlayerEntry.unknown ? $0.expectedStart.load(ordering: .relaxed) : known
            return $0.isDemanded || start != PlayerEntry.unknown && start < limit
        }
    }

    // MARK: Waiting for frames

    /// Waits until frames of the first region are read; 0: as many as are read ahead.
    func prime(_ frames: UInt32) {
        guard !isPrimed(frames) else { return }
        if service.isOnThread { return fillLock.withLock { readAhead() } }
        service.signal()
        progress.withLock { while !isPrimed(frames) { _ = progress.wait(until: UInt64.max) } }
    }

    private func isPrimed(_ frames: UInt32) -> Bool {
        let (format, first) = lock.withLock { (self.format, entries.first { $0.isRegion }) }
        guard format != nil, let first, !first.isFinished, !first.isDropped else { return true }
        guard let stream = first.stream else { return false }
        return stream.isFull || frames > 0 && stream.isReady(to: Int(frames))
    }

    /// Waits until the service thread has read the frames before `end`, or the region has ended.
    private func waitForFrames(_ entry: PlayerEntry, to end: Int) {
        entry.demand()
        service.signal()
        progress.withLock {
            while !entry.isDropped, !entry.isFinished, entry.stream?.isReady(to: end) != true {
                _ = progress.wait(until: UInt64.max)
            }
        }
    }

    // MARK: Rendering

    /// Renders a slice into the sum of the path. False when it is silent. `mayWait` is asked where frames are not read yet.
    func render(_ path: PlayerPath, _ time: AudioTimeStamp, _ frames: Int, _ mayWait: () -> Bool) -> Bool {
        let list = lists.enter()
        defer { lists.leave() }
        guard let list, let position = list.clock.advance(time, frames: frames, rate: path.shape.target.sampleRate) else {
            return false
        }
        var pass = Pass(path: path, position: position, frames: frames)
        pass.findStarts(of: list.entries, time)
        var former: PlayerEntry?
        // An iterator of an array allocates memory in code that is not optimized.
        for index in 0..<list.entries.count where !list.entries[index].isDropped {
            let entry = list.entries[index]
            pass.findStart(of: entry, behind: former)
            former = entry
            if !entry.isFinished { render(entry, &pass, mayWait) }
        }
        if pass.isServiceNeeded { service.signal() }
        return pass.hasSound
    }

    /// One render of all entries.
    private struct Pass {
        let path: PlayerPath
        /// The position of the first frame on the timeline of the player.
        let position: Int
        let frames: Int
        var hasSound = false
        var isServiceNeeded = false

        private var rate: Double { path.shape.target.sampleRate }

        /// Finds the starts that this render decides, and lets entries interrupt those before them.
        mutating func findStarts(of entries: [PlayerEntry], _ time: AudioTimeStamp) {
            for index in 0..<entries.count {
                entries[index].findHostTime(time, at: position, frames: frames, rate: rate)
            }
            var former: PlayerEntry?
            for index in 0..<entries.count {
                entries[index].interrupt(entries, before: index, at: position)
                // A later entry asks which one plays at its time. It can set the end of a slice that repeats: the starts behind
                // that slice are found after all interruptions.
                findStart(of: entries[index], behind: former)
                if !entries[index].isDropped { former = entries[index] }
            }
        }

        mutating func findStart(of entry: PlayerEntry, behind former: PlayerEntry?) {
            if entry.findStart(behind: former, at: position) { isServiceNeeded = true }
        }

        /// The service thread reads what begins soon, also while nothing plays.
        mutating func lookAhead(to entry: PlayerEntry, from start: Int) {
            let soon = SoundPlayer.soon &* Int(rate)
            if start &- position &- frames < soon, !entry.isReady { isServiceNeeded = true }
        }
    }

    /// Renders the frames of an entry that belong to the pass, and finishes it behind its last frame.
    private func render(_ entry: PlayerEntry, _ pass: inout Pass, _ mayWait: () -> Bool) {
        let (position, frames) = (pass.position, pass.frames)
        if entry.isInterrupted(before: position, frames: frames) {
            entry.finish()
            pass.isServiceNeeded = true
            return
        }
        if entry.start.load(ordering: .relaxed) == PlayerEntry.next {
            pass.isServiceNeeded = true
            guard mayWait() else { return }
            entry.start.store(max(position, 0), ordering: .releasing)
        }
        let start = entry.start.load(ordering: .relaxed)
        guard start != PlayerEntry.unknown else { return }
        guard start < position &+ frames else { return pass.lookAhead(to: entry, from: start) }
        let first = max(position &- start, 0)
        let offset = max(start &- position, 0)
        let count = min(frames &- offset, max((entry.length ?? .max) &- first, 0))
        if render(entry, pass.path, first, count, at: offset, mayWait) { pass.hasSound = true }
        if let length = entry.length, first &+ frames &- offset >= length { entry.finish() }
        pass.isServiceNeeded = true
    }

    private func render(
        _ entry: PlayerEntry, _ path: PlayerPath, _ first: Int, _ frames: Int, at offset: Int, _ mayWait: () -> Bool
    ) -> Bool {
        switch entry.sound {
        case .slice(let slice, let buffers, let format):
            guard frames > 0, format == path.shape.target else { return false }
            entry.begin(at: first)
            let length = Int(slice.pointee.mNumberFrames)
            var done = 0
            while done < frames {
                let next = entry.loops ? (first &+ done) % length : first &+ done
                let count = min(length &- next, frames &- done)
                guard count > 0 else { break }
                path.add(buffers, from: next, frames: count, at: offset &+ done)
                done &+= count
            }
            return done > 0
        case .region:
            if entry.stream?.isReady(to: first &+ frames) != true, mayWait() { waitForFrames(entry, to: first &+ frames) }
            guard let stream = entry.stream, stream.channels == path.shape.target.channels else { return false }
            var hasSound = false
            stream.read(first, frames) { samples, count, place in
                path.add(samples, frames: count, at: offset &+ place)
                hasSound = true
            }
            return hasSound
        }
    }
}
