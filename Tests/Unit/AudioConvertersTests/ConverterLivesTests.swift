// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport
import Testing

private enum ConverterCall: CaseIterable { case fill, end, fail, reset, lowQuality, firstQuality }

/// The result of a call, and whether it gave packets: a call with input gives what it was asked for.
private struct ConverterAnswer: Equatable {
    var error: ConverterError?
    var isFull = false
}

/// The conversions of a life: each kind of stage, and each codec that the library has itself.
private enum Conversion: CaseIterable {
    case samples, rate, toIMA4, fromIMA4, toLaw, fromLaw

    func descriptions() throws -> (source: StreamDescription, target: StreamDescription) {
        let (mono, slow) = (try linear(.integer(16), rate: 8_000, channels: 1), try linear(.float32(), rate: 11_025, channels: 1))
        switch self {
        case .samples: return (mono.streamDescription, try linear(.float32(), rate: 8_000, channels: 2).streamDescription)
        case .rate: return (mono.streamDescription, slow.streamDescription)
        case .toIMA4: return (mono.streamDescription, codec(FormatID.appleIMA4))
        case .fromIMA4: return (codec(FormatID.appleIMA4), mono.streamDescription)
        case .toLaw: return (slow.streamDescription, codec(FormatID.uLaw))
        case .fromLaw: return (codec(FormatID.uLaw), mono.streamDescription)
        }
    }

    /// The packets of a call: at least a packet of the input.
    var packets: Int { self == .toIMA4 ? 3 : 128 }
    var changesRate: Bool { self == .rate || self == .toLaw }
}

private struct ConverterModel: LifeModel {
    let conversion: Conversion

    func predict(_ call: ConverterCall) -> ConverterAnswer {
        switch call {
        case .fill: ConverterAnswer(isFull: true)
        case .fail: ConverterAnswer(error: .program(-77))
        case .lowQuality, .firstQuality: ConverterAnswer(error: conversion.changesRate ? nil : .propertyNotSupported)
        case .end, .reset: ConverterAnswer()
        }
    }
}

private final class ConverterLife: LivingObject {
    private let conversion: Conversion
    private let converter: Converter
    private let memory = ExactMemory()
    /// The packets of this life that the procedure has given.
    private var given = 0
    private var quality: UInt32 = 0x40

    init(_ conversion: Conversion) throws {
        self.conversion = conversion
        let (source, target) = try conversion.descriptions()
        converter = try Converter.make(from: source, to: target)
    }

    /// After a reset, or as a new converter.
    func reopened(_ way: Int) throws -> ConverterLife {
        guard way == 0 else { return try ConverterLife(conversion) }
        // A change of the quality discards the input as well: an unchanged one leaves that to the reset.
        if quality != 0x40 { try converter.set(code("srcq"), 0x40) }
        quality = 0x40
        converter.reset()
        given = 0
        return self
    }

    func perform(_ call: ConverterCall, _ trace: inout Trace) -> ConverterAnswer {
        switch call {
        case .fill: return fill(&trace, input)
        case .end: return ConverterAnswer(error: fill(&trace) { _ in .end }.error)
        case .fail: return fill(&trace) { _ throws(ConverterError) in throw .program(-77) }
        case .reset: converter.reset()
        case .lowQuality: return setQuality(0)
        case .firstQuality: return setQuality(0x40)
        }
        return ConverterAnswer()
    }

    private func setQuality(_ wanted: UInt32) -> ConverterAnswer {
        do { try converter.set(code("srcq"), wanted) } catch { return ConverterAnswer(error: error as? ConverterError) }
        quality = wanted
        return ConverterAnswer()
    }

    /// As many packets as the converter needs, each different from the others of a life.
    private func input(_ packets: Int) throws(ConverterError) -> InputPackets {
        let bytes = (0..<packets * converter.inputBuffers.bytesPerPacket).map {
            UInt8(truncatingIfNeeded: ($0 + given) &* 41 ^ $0 >> 3)
        }
        given += packets
        return InputPackets(buffers: memory.replace([bytes[...]]), count: packets)
    }

    private func fill(_ trace: inout Trace, _ supply: PacketSupply) -> ConverterAnswer {
        let size = conversion.packets * converter.outputBuffers.bytesPerPacket
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { room.deallocate() }
        let filled = converter.fill(SampleBuffers(room), packets: conversion.packets, supply)
        trace.append(UInt64(filled.packets))
        trace.append(Array(room[..<filled.bytes]))
        return ConverterAnswer(error: filled.error, isFull: filled.packets == conversion.packets)
    }
}

@Suite("The lives of a converter")
struct ConverterLivesTests {
    @Test("are equal for every sequence of calls", arguments: Conversion.allCases)
    fileprivate func equal(_ conversion: Conversion) throws {
        let (calls, longest) = (ConverterCall.allCases, 3)
        var lives = Lives(
            of: calls, longest: longest, ways: 2, make: { try ConverterLife(conversion) },
            model: { ConverterModel(conversion: conversion) })
        try lives.run()
        for finding in lives.findings { Issue.record("\(finding)") }
    }
}
