// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import Testing

@testable import SessionRegistry

/// The record of a session, which another process may have written.
@Suite struct TableRecordTests {
    private let plain = SessionEntry(
        serial: 7, process: ProcessIdentity(pid: 3, startTime: 5, pidNamespace: 9), name: SessionName("a session"),
        settings: SessionSettings(category: .ambientSound, mixes: false))

    private func read(_ entry: SessionEntry) throws -> TableRecord? { try TableRecord.read(written(entry), at: 0) }

    private func written(_ entry: SessionEntry?) -> ChecksummedBuffer {
        // The buffer had another record before.
        var buffer = ChecksummedBuffer(bytes: [UInt8](repeating: 0xEE, count: TableRecord.size))
        writeRecord([entry], 0, of: entry == nil ? 0 : 11, version: 13, to: &buffer, at: 0)
        return buffer
    }

    /// Each sets one fact of a session.
    private static let facts: [@Sendable (inout SessionEntry) -> Void] = [
        { $0.settings = settings(category: .recordAudio) }, { $0.settings = settings(mode: .voiceChat) },
        { $0.settings = settings(sampleRate: 44_100) }, { $0.settings = settings(bufferDuration: 0.01) },
        { $0.settings = settings(sharingPolicy: .longFormVideo) }, { $0.settings = settings(inputChannels: 3) },
        { $0.settings = settings(outputChannels: 0x102) }, { $0.settings = settings(input: 0xFEDC) },
        { $0.isActive = true }, { $0.isInterrupted = true }, { $0.isInterruptedByCall = true }, { $0.mustNotResume = true },
        { $0.speechInterrupter = 1023 }, { $0.speechInterrupter = 0 }, { $0.listedInterrupters.insert(1023) },
        { $0.interruptedSince = 0x1_0000_0002 }, { $0.interrupting = 0x1_0000_0003 },
        { $0.role = .streams(of: nil) }, { $0.role = .streams(of: 1023) }, { $0.playback = .stopped }, { $0.playback = .running },
        { $0.waiting = .begin }, { $0.waiting = .end(.shouldResume) }, { $0.waiting = .end(.shouldNotResume) },
        { $0.waiting = .beginAndEnd(.shouldResume) }, { $0.waiting = .beginAndEnd(.shouldNotResume) },
        { $0.gains[2] = SavedGain(input: 5, level: 0.5) },
        { $0.lastEnd = .shouldResume }, { $0.lastEnd = .shouldNotResume },
    ]

    private static func settings(
        category: SessionModel.Category = .ambientSound, mode: Mode = .standard, sampleRate: Double = 0,
        bufferDuration: Double = 0,
        sharingPolicy: RouteSharingPolicy = .standard, inputChannels: UInt16 = 0, outputChannels: UInt16 = 0, input: UInt64 = 0
    ) -> SessionSettings {
        SessionSettings(
            category: category, mode: mode, flags: [], sampleRate: sampleRate, bufferDuration: bufferDuration,
            sharingPolicy: sharingPolicy, inputChannels: inputChannels, outputChannels: outputChannels, input: input)
    }

    @Test("Each flag of the settings is read as it was written", arguments: 0..<32 as Range<UInt32>)
    func flags(bit: UInt32) throws {
        let flag = SessionSettings.Flags(rawValue: 1 << bit)
        guard SessionSettings.Flags.all.contains(flag) else { return }
        var entry = plain
        entry.settings.flags = flag
        #expect(try read(entry)?.entry == entry)
        entry.settings.flags = SessionSettings.Flags.all.subtracting(flag)
        #expect(try read(entry)?.entry == entry)
    }

    @Test("A record reads back every fact that it writes, and no other", arguments: facts.indices)
    func whole(fact: Int) throws {
        var entry = plain
        TableRecordTests.facts[fact](&entry)
        #expect(entry != plain)
        #expect(try read(entry) == TableRecord(entry: entry, endpoint: 11))
    }

    /// The bytes that each of the facts changes in a record of version 8, and how.
    private static let places: [String] = [
        "36:8 37:1 38:8 39:13", "41:f 42:5 43:12", "260:80 261:88 262:e5 263:40",
        "264:7b 265:14 266:ae 267:47 268:e1 269:7a 270:84 271:3f", "51:3", "52:3", "54:2 55:1", "272:dc 273:fe", "44:8", "44:10",
        "44:20", "44:40", "253:4", "252:1", "247:80", "328:2 332:1", "336:3 340:1", "44:80 248:ff 249:ff 250:ff 251:ff",
        "44:80 248:ff 249:3", "48:1", "48:2", "49:1", "49:4", "49:5", "49:2", "49:3", "304:5 315:3f", "50:1", "50:2",
    ]

    @Test("Each fact has the bytes that other programs of this version read", arguments: facts.indices)
    func place(fact: Int) {
        var entry = plain
        TableRecordTests.facts[fact](&entry)
        let (before, after) = (written(plain).bytes, written(entry).bytes)
        let differing = (0..<(TableRecord.size - 8)).filter { before[$0] != after[$0] }
        let found = differing.map { "\($0):\(String(before[$0] ^ after[$0], radix: 16))" }.joined(separator: " ")
        #expect(found == TableRecordTests.places[fact])
        #expect(TableHeader.version == 8 && TableRecord.size == 360, "another layout has another version")
    }

    @Test("The record of a free slot is nil. A torn record is damage")
    func torn() throws {
        #expect(try TableRecord.read(written(nil), at: 0) == nil)
        var bytes = written(plain).bytes
        bytes[40] ^= 1
        #expect(throws: TableRecord.Damage.notIntact) { try TableRecord.read(ChecksummedBuffer(bytes: bytes), at: 0) }
    }

    /// A record with one other value and a correct checksum.
    private func read(_ value: some BitwiseCopyable, at offset: Int, of entry: SessionEntry) throws -> SessionEntry? {
        var buffer = written(entry)
        buffer.set(value, at: offset)
        buffer.seal()
        return try TableRecord.read(buffer, at: 0)?.entry
    }

    @Test(
        "Numbers that stand for nothing are damage: category, mode, playback, pending interruptions, last end, sharing policy",
        arguments: [36, 40, 48, 49, 50, 51])
    func senseless(offset: Int) {
        #expect(throws: TableRecord.Damage.notIntact) { try read(UInt8(0xEE), at: offset, of: plain) }
    }

    @Test("A number that is no slot, no rate, no duration or no level counts as none")
    func unsaid() throws {
        var streams = plain
        streams.role = .streams(of: 4)
        #expect(try read(Int32(1024), at: 248, of: streams)?.role == .streams(of: nil))
        for value in [-1, 1025, Int32.max] { #expect(try read(value, at: 252, of: plain)?.speechInterrupter == nil) }
        var changed = plain
        changed.settings = TableRecordTests.settings(sampleRate: 8_000, bufferDuration: 1)
        changed.gains[0] = SavedGain(input: 3, level: 1)
        for value in [Double.nan, -Double.infinity, -1] {
            #expect(try read(value, at: 256, of: changed)?.settings.preferredSampleRate == 0)
            #expect(try read(value, at: 264, of: changed)?.settings.preferredBufferDuration == 0)
            #expect(try read(Float(value), at: 288, of: changed)?.gains.isEmpty == true)
        }
        #expect(try read(Float(1.5), at: 288, of: changed)?.gains.isEmpty == true)
    }
}
