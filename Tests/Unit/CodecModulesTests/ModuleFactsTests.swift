// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CCodecModules
import MediaFormats
import Synchronization
import Testing

@testable import CodecModules

/// The answers of the module: its facts about a new codec, its number of codecs, the result of its encoder, and whether a
/// reset succeeds.
private struct Plan {
    var facts = codec_facts()
    var codecs = 0
    var encoded: Int32 = 4
    var resets = true
}

private let plan = Mutex(Plan())

/// A module whose codecs do nothing. It refuses a bit rate of 1, and has no rate above 96,000.
private nonisolated(unsafe) let functions: codec_module = {
    let formats = UnsafeMutablePointer<UInt32>.allocate(capacity: 2)
    formats.initialize(to: CodecFormat.opus)
    (formats + 1).initialize(to: 0)
    var module = codec_module()
    (module.decodes, module.encodes) = (UnsafePointer(formats), UnsafePointer(formats))
    module.decoder_create = { _, facts in create(0, facts) }
    module.decode = { _, _, _, _, _ in 0 }
    module.decoder_reset = { _ in }
    module.decoder_destroy = { _ in plan.withLock { $0.codecs -= 1 } }
    module.encoder_create = { format, facts in create(format?.pointee.bit_rate ?? 0, facts) }
    module.encode = { _, _, _, _, _ in plan.withLock { $0.encoded } }
    module.encoder_configuration = { _, _, _ in 0 }
    module.encoder_reset = { _ in plan.withLock { $0.resets ? 1 : 0 } }
    module.encoder_destroy = { _ in plan.withLock { $0.codecs -= 1 } }
    return module
}()

private func create(_ bitRate: UInt32, _ facts: UnsafeMutablePointer<codec_facts>?) -> UnsafeMutableRawPointer? {
    plan.withLock { plan in
        guard bitRate != 1 else { return nil }
        plan.codecs += 1
        facts?.pointee = plan.facts
        if bitRate > 0 { facts?.pointee.bit_rate = min(bitRate, 96_000) }
        return UnsafeMutableRawPointer(bitPattern: 0x1000 + plan.codecs)
    }
}

private func facts(
    samples: Int = CODEC_INT16, frames: UInt32 = 960, largest: UInt32 = 1_000, priming: UInt32 = 0, bitRate: UInt32 = 0
) -> codec_facts {
    codec_facts(
        samples: UInt32(samples), frames_per_packet: frames, largest_packet: largest, priming_frames: priming, bit_rate: bitRate)
}

@Suite("What a codec module states", .serialized)
struct ModuleFactsTests {
    private let format = StreamDescription(sampleRate: 48_000, formatID: CodecFormat.opus, channelsPerFrame: 2)

    init() { plan.withLock { $0 = Plan() } }

    private var codecs: Int { plan.withLock { $0.codecs } }

    private func module() throws -> CodecModule { try #require(withUnsafePointer(to: functions) { CodecModule($0) }) }

    private func decoder(_ facts: codec_facts) throws -> ModuleDecoder? {
        plan.withLock { $0.facts = facts }
        return ModuleDecoder.make(try module(), format, cookie: [])
    }

    private func encoder(_ facts: codec_facts, frames: UInt32 = 0) throws -> ModuleEncoder? {
        plan.withLock { $0.facts = facts }
        var stated = format
        stated.framesPerPacket = frames
        return ModuleEncoder.make(try module(), stated)
    }

    @Test("about a decoder has limits: a decoder beyond them is destroyed")
    func decoders() throws {
        let wrong = [
            facts(frames: 0), facts(frames: 65_537), facts(largest: 1 << 24 + 1), facts(samples: 0), facts(samples: 4),
        ]
        for wrong in wrong { #expect(try decoder(wrong) == nil && codecs == 0) }
        var made = try decoder(facts(samples: CODEC_FLOAT32, frames: 65_536, largest: 1 << 24))
        #expect(made?.framesPerPacket == 65_536 && made?.largestPacket == 1 << 24 && made?.output.sample == .float32())
        #expect(codecs == 1)
        made = nil
        #expect(codecs == 0)
    }

    @Test("about an encoder has limits, and fits the description: another encoder is destroyed")
    func encoders() throws {
        let wrong = [
            facts(frames: 0), facts(frames: 65_537), facts(largest: 0), facts(largest: 1 << 24 + 1), facts(priming: 65_537),
            facts(samples: 4),
        ]
        for wrong in wrong { #expect(try encoder(wrong) == nil && codecs == 0) }
        #expect(try encoder(facts(), frames: 1_024) == nil && codecs == 0)
        var made = try encoder(facts(frames: 960, priming: 65_536), frames: 960)
        #expect(made?.framesPerPacket == 960 && made?.primingFrames == 65_536 && codecs == 1)
        made = nil
        #expect(codecs == 0)
    }

    @Test("about a bit rate is that of a new encoder, which replaces the old one")
    func bitRate() throws {
        let encoder = try #require(try encoder(facts(bitRate: 64_000)))
        #expect(encoder.bitRate == 64_000)
        for rate: UInt32 in [0, 1] {
            #expect(throws: ConverterError.parameter) { try encoder.setBitRate(rate) }
            #expect(encoder.bitRate == 64_000 && codecs == 1)
        }
        try encoder.setBitRate(128_000)
        #expect(encoder.bitRate == 96_000 && codecs == 1)
        let lossless = try #require(try self.encoder(facts()))
        #expect(throws: ConverterError.propertyNotSupported) { try lossless.setBitRate(64_000) }
    }

    @Test("about a packet is an error where it is no size, and where the encoder could not begin again")
    func packets() throws {
        let encoder = try #require(try encoder(facts(bitRate: 64_000)))
        func encode(_ result: Int32) throws -> Int {
            plan.withLock { $0.encoded = result }
            var packet = [UInt8](repeating: 0, count: 10)
            return try packet.withUnsafeMutableBytes {
                try encoder.encode(UnsafeRawBufferPointer(start: nil, count: 0), into: $0)
            }
        }
        #expect(try encode(0) == 0 && encode(10) == 10)
        #expect(throws: ConverterError.unspecified) { try encode(11) }
        #expect(throws: ConverterError.unspecified) { try encode(-1) }
        plan.withLock { $0.resets = false }
        encoder.reset()
        #expect(throws: ConverterError.outOfMemory) { try encode(10) }
        try encoder.setBitRate(64_000)
        #expect(try encode(10) == 10)
    }

    @Test("about its functions is complete: each format has all functions of its codec")
    func functionsOfFormats() {
        func isModule(_ change: (inout codec_module) -> Void) -> Bool {
            var changed = functions
            change(&changed)
            return CodecModule(&changed) != nil
        }
        #expect(isModule { _ in })
        let changes: [(inout codec_module) -> Void] = [
            { $0.decoder_create = nil }, { $0.decode = nil }, { $0.decoder_reset = nil }, { $0.decoder_destroy = nil },
            { $0.encoder_create = nil }, { $0.encode = nil }, { $0.encoder_configuration = nil }, { $0.encoder_reset = nil },
            { $0.encoder_destroy = nil },
        ]
        for (index, change) in changes.enumerated() {
            #expect(!isModule(change), "function \(index)")
            #expect(
                isModule {
                    change(&$0)
                    if index < 4 { $0.decodes = nil } else { $0.encodes = nil }
                }, "function \(index) of no format")
        }
    }
}
