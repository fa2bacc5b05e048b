// SPDX-License-Identifier: Apache-2.0
import CLinux
import EngineTestSupport
import LinuxSystem
import MediaFormats
import SoundFiles
import Testing

@testable import AudioQueues

@Suite struct SystemSoundTests {
    /// A WAVE file of 16-bit mono samples at 48 kHz.
    private func file(_ samples: [Int16], rate: UInt32 = 48_000) -> ByteMemory {
        func number(_ value: UInt32, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let data = samples.flatMap { number(UInt32(truncatingIfNeeded: $0), 2) }
        var bytes = Array("RIFF".utf8) + number(UInt32(36 + data.count), 4) + Array("WAVEfmt ".utf8) + number(16, 4)
        bytes += number(1, 2) + number(1, 2) + number(rate, 4) + number(2 * rate, 4) + number(2, 2) + number(16, 2)
        return ByteMemory(bytes + Array("data".utf8) + number(UInt32(data.count), 4) + data)
    }

    /// A file whose sound cannot be read.
    private final class DamagedFile: ByteSource {
        private let whole: ByteMemory
        private let soundSize: Int
        init(_ whole: ByteMemory, soundSize: Int) { (self.whole, self.soundSize) = (whole, soundSize) }
        var size: UInt64 { whole.size }
        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
            let count = try whole.read(at: offset, into: buffer)
            return buffer.count == soundSize ? count - 1 : count
        }
    }

    /// Counts, and waits for a count.
    private final class Counter: @unchecked Sendable {
        private let lock = ConditionLock()
        private var count = 0

        func add() {
            lock.withLock {
                count += 1
                lock.broadcast()
            }
        }

        func wait(for wanted: Int, _ body: () -> Void) -> Bool {
            for _ in 0..<60_000 {
                body()
                let found = lock.withLock {
                    if count < wanted { _ = lock.wait(until: linux_monotonic_nanoseconds() + 1_000_000) }
                    return count
                }
                if found >= wanted { return found == wanted }
            }
            return false
        }

        var value: Int { lock.withLock { count } }
    }

    @Test("A system sound that is interrupted before it begins is complete, and can be played again")
    func aSoundThatIsInterruptedBeforeItBeginsIsComplete() throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        let id = try sounds.load(file(noise(700)))
        let counter = Counter()
        sounds.setCompletion(id) { counter.add() }
        sounds.play(id)
        engine.systemSounds?.interrupt()
        #expect(counter.wait(for: 1) { service.dispatch() })
        sounds.play(id)
        #expect(
            counter.wait(for: 2) {
                _ = engine.systemSounds?.cycle()
                service.dispatch()
            })
        sounds.end()
        service.end()
    }

    @Test("System sounds have a stream of their own, and publish no length of a slice for the program's session")
    func streamOfTheirOwn() throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        let id = try sounds.load(file([Int16](repeating: 8_192, count: 4_000)))
        sounds.play(id)
        #expect(engine.publishedSlice == 0 && engine.output == nil)
        // It does not follow the program's preference.
        #expect(abs((engine.systemSounds?.frames ?? 0) - 1_024.0 / 44_100 * 48_000) < 0.001)
        let queue = try service.queues.object(try service.makeOutput(int16(), Queue.Handlers { _, _ in }))
        try queue.start()
        #expect(engine.systemSounds?.cycle().last == 0.25 && engine.output?.cycle().last == 0)
        engine.output?.interrupt()
        service.dispatch()
        #expect(engine.systemSounds?.cycle().last == 0.25)
        sounds.end()
        service.end()
    }

    @Test("A system sound is played, and its completion is called once when it ends or is played again")
    func aSoundIsPlayedAndItsCompletionIsCalledOnce() throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        let samples = noise(700)
        let id = try sounds.load(file(samples))
        let counter = Counter()
        sounds.setCompletion(id) { counter.add() }
        sounds.play(id)
        var left: [Float] = []
        let isComplete = counter.wait(for: 1) {
            left += leftSide(engine.systemSounds?.cycle() ?? [])
            service.dispatch()
        }
        #expect(isComplete)
        #expect(Array(left.prefix(700)) == floats(samples))
        sounds.play(id)
        sounds.play(id)
        #expect(counter.value == 2, "a sound that begins again has ended")
        #expect(sounds.remove(id))
        #expect(!sounds.remove(id))
        #expect(counter.value == 2)
        sounds.end()
        service.end()
    }

    @Test("A completion is freed with its sound, and the former number of the sound calls nothing", arguments: [false, true])
    func aCompletionGoesWithItsSound(isPlaying: Bool) throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        for _ in 0..<2 {
            let id = try sounds.load(file(noise(700)))
            let calls = Counter()
            weak var kept: Counter?
            do {
                let counter = Counter()
                kept = counter
                sounds.setCompletion(id) {
                    counter.add()
                    calls.add()
                }
            }
            #expect(kept != nil)
            if isPlaying { sounds.play(id) }
            #expect(sounds.remove(id))
            #expect(kept == nil)
            sounds.play(id)
            #expect(calls.value == 0)
        }
        sounds.end()
        service.end()
    }

    @Test("A system sound that is played again begins anew, at each place of its sound")
    func aSoundBeginsAnew() throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        let samples = noise(700)
        let id = try sounds.load(file(samples))
        let counter = Counter()
        sounds.setCompletion(id) { counter.add() }
        sounds.play(id)
        for slices in [0, 1, 2] {
            for _ in 0..<slices { _ = engine.systemSounds?.cycle() }
            let completions = counter.value
            sounds.play(id)
            #expect(counter.value == completions + 1)
            let begins = leftSide(engine.systemSounds?.cycle() ?? []) == floats(Array(samples.prefix(256)))
            #expect(begins, "after \(slices) slices")
        }
        let isComplete = counter.wait(for: 4) {
            _ = engine.systemSounds?.cycle()
            service.dispatch()
        }
        #expect(isComplete)
        sounds.end()
        service.end()
    }

    @Test("A system sound ends the one that plays, whose completion is called") func oneSoundEndsAnother() throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        let first = try sounds.load(file([Int16](repeating: 8_192, count: 4_000)))
        let second = try sounds.load(file([Int16](repeating: 16_384, count: 4_000)))
        #expect(first != second && first > SystemSounds.preferredAlert)
        let counter = Counter()
        sounds.setCompletion(first) { counter.add() }
        sounds.play(first)
        #expect(engine.systemSounds?.cycle().last == 0.25)
        sounds.play(second)
        #expect(counter.value == 1)
        #expect(engine.systemSounds?.cycle().last == 0.5)
        sounds.end()
        service.end()
    }

    @Test("A file that is no readable sound of at most 30 s is refused, and a vibration is complete at once")
    func whatIsNoShortSoundIsRefused() throws {
        let service = QueueService(FakeEngine(slice: 256), hasDispatcher: false)
        let sounds = SystemSounds(service)
        func refusal(_ file: any ByteSource) -> QueueStatus? {
            status { () throws(QueueStatus) in _ = try sounds.load(file) }
        }
        #expect(refusal(ByteMemory(Array("no sound".utf8))) == SystemSounds.unspecified)
        #expect(refusal(file([])) == SystemSounds.unspecified)
        #expect(refusal(file([Int16](repeating: 1, count: 48_000 * 31))) == SystemSounds.unspecified)
        #expect(refusal(file([1], rate: 1_000)) == SystemSounds.unspecified)
        #expect(refusal(DamagedFile(file(noise(700)), soundSize: 1_400)) == SystemSounds.unspecified)
        #expect(service.queues.all.isEmpty)
        let counter = Counter()
        sounds.setCompletion(SystemSounds.vibration) { counter.add() }
        sounds.play(SystemSounds.vibration)
        #expect(counter.value == 1)
        #expect(!sounds.setCompletion(9_999) { counter.add() } && sounds.setCompletion(9_999, nil))
        sounds.play(9_999)
        #expect(counter.value == 1)
        for id in [0xFFE, SystemSounds.preferredAlert] { #expect(sounds.setCompletion(id) { counter.add() }) }
        sounds.end()
        service.end()
    }

    @Test("A system sound that the session refuses is complete, and the log has the session's code")
    func aSoundThatTheSessionRefusesIsComplete() throws {
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        let id = try sounds.load(file(noise(700)))
        let counter = Counter()
        sounds.setCompletion(id) { counter.add() }
        engine.startResult = 0x2169_6E74
        let lines = Log.lines { sounds.play(id) }
        #expect(lines.contains("system sound \(id) cannot be played: result code \(0x2169_6E74)"))
        #expect(counter.value == 1)
        sounds.end()
        service.end()
    }

    @Test("The settings of a system sound are kept, and an unknown sound has none") func settingsAreKept() throws {
        let service = QueueService(FakeEngine(slice: 256), hasDispatcher: false)
        let sounds = SystemSounds(service)
        let id = try sounds.load(file([1]))
        #expect(sounds.settings(id)?.isUISound == 1)
        sounds.change(id) { $0.isUISound = 0 }
        #expect(sounds.settings(id)?.isUISound == 0)
        #expect(sounds.settings(id + 1) == nil)
        sounds.end()
        service.end()
    }

    @Test("The priming and the remainder that the file of a sound states are not played")
    func trimmedFrames() throws {
        func number(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
        }
        func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] { Array(name.utf8) + number(UInt64(bytes.count), 8) + bytes }
        func packet(_ level: UInt8) -> [UInt8] { [level, 0] + [UInt8](repeating: 0x80, count: 32) }
        var format = number(48_000.0.bitPattern, 8) + Array("ima4".utf8)
        for value in [0, 34, 64, 1, 0] as [UInt64] { format += number(value, 4) }
        let table = number(4, 8) + number(160, 8) + number(64, 4) + number(32, 4)
        // The first packet is the priming, at another level.
        let data = number(0, 4) + packet(0x40) + packet(0x20) + packet(0x20) + packet(0x20)
        var file = Array("caff".utf8) + number(1, 2) + number(0, 2)
        file += chunk("desc", format) + chunk("pakt", table) + chunk("data", data)
        let engine = FakeEngine(slice: 256)
        let service = QueueService(engine, hasDispatcher: false)
        let sounds = SystemSounds(service)
        sounds.play(try sounds.load(ByteMemory(file)))
        let left = leftSide(engine.systemSounds?.cycle() ?? [])
        #expect(left.count == 256 && left.prefix(160).allSatisfy { abs($0 - 0.25) < 0.001 })
        #expect(left.dropFirst(160).allSatisfy { $0 == 0 })
        sounds.end()
        service.end()
    }
}
