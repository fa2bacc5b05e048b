// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

@testable import SoundFiles

private enum StreamCall: CaseIterable {
    case short, long, breaks, end, first, fourth, behind

    /// The calls that move the stream.
    static let moving: [StreamCall] = [.long, .end, .first, .fourth]
}

/// The result of a call, the headers up to it, and the bytes of its packets.
private struct StreamAnswer: Equatable {
    var error: SoundStreamError?
    var offset: UInt64?
    var headers = 0
    /// The bytes of the packets of this call.
    var bytes: [UInt8] = []
}

private let (headerSize, packetSize, packetCount) = (44, 4, 60)

/// The bytes that the program has next. Each byte of a packet differs.
private let fileBytes: [UInt8] = {
    let format = pcm(16, .signedInteger)
    return (try? write(.wave, format, (0..<packetCount * packetSize).map { UInt8($0 % 251) })) ?? []
}()

/// The rules of a stream of a WAVE file with 16-bit stereo.
private struct StreamModel: LifeModel {
    /// The offset in the file of the next byte that the stream has not passed on.
    private var parsed = 0
    /// The offset in the file of the next byte of the program.
    private var given = 0
    private var target: Int?
    private var headers = 0

    mutating func predict(_ call: StreamCall) -> StreamAnswer {
        var answer = StreamAnswer()
        switch call {
        case .short: parse(7, &answer)
        case .long: parse(50, &answer)
        case .breaks: parse(7, isDiscontinuous: true, &answer)
        case .end: parse(0, isDiscontinuous: true, &answer)
        case .first: seek(0, &answer)
        case .fourth: seek(3, &answer)
        case .behind: seek(packetCount + 1, &answer)
        }
        answer.headers = headers
        return answer
    }

    private mutating func parse(_ count: Int, isDiscontinuous: Bool = false, _ answer: inout StreamAnswer) {
        if headers > 0, isDiscontinuous || target != nil {
            guard let target else {
                answer.error = .discontinuity
                return
            }
            (parsed, given) = (target, target)
            self.target = nil
        }
        given = min(given + count, fileBytes.count)
        guard given >= headerSize else { return }
        if headers == 0 { (headers, parsed) = (1, headerSize) }
        let end = parsed + (given - parsed) / packetSize * packetSize
        answer.bytes = Array(fileBytes[parsed..<end])
        parsed = end
    }

    private mutating func seek(_ packet: Int, _ answer: inout StreamAnswer) {
        guard headers > 0 else {
            answer.error = .unknownValue
            return
        }
        guard packet <= packetCount else {
            answer.error = .packetOffset
            return
        }
        answer.offset = UInt64(packet * packetSize)
        target = headerSize + packet * packetSize
    }
}

private final class StreamLife: LivingObject {
    private var program = Listener()
    private var given = 0
    private var target: Int?

    /// Another stream of the same program.
    func reopened(_ way: Int) throws -> StreamLife {
        program.stream.close()
        return StreamLife()
    }

    func perform(_ call: StreamCall, _ trace: inout Trace) -> StreamAnswer {
        var answer = StreamAnswer()
        let before = program.packets.count
        do throws(SoundStreamError) {
            switch call {
            case .short: try parse(7)
            case .long: try parse(50)
            case .breaks: try parse(7, isDiscontinuous: true)
            case .end: try parse(0, isDiscontinuous: true)
            case .first: answer.offset = try seek(0)
            case .fourth: answer.offset = try seek(3)
            case .behind: answer.offset = try seek(Int64(packetCount + 1))
            }
        } catch { answer.error = error }
        answer.headers = program.headers
        answer.bytes = Array(program.packets[before...].joined())
        trace.append(program.stream.packetsSeen)
        trace.append(program.stream.bytesSeen)
        return answer
    }

    private func parse(_ count: Int, isDiscontinuous: Bool = false) throws(SoundStreamError) {
        let start = target ?? given
        let end = min(start + count, fileBytes.count)
        try program.parse(fileBytes[start..<end], isDiscontinuous: isDiscontinuous)
        (given, target) = (end, nil)
    }

    private func seek(_ packet: Int64) throws(SoundStreamError) -> UInt64 {
        let offset = try program.stream.seek(toPacket: packet).offset
        target = headerSize + Int(offset)
        return offset
    }
}

@Suite("The lives of a file stream")
struct StreamLivesTests {
    @Test("are equal for every sequence of calls", arguments: [(StreamCall.moving, 6), (StreamCall.allCases, 4)])
    fileprivate func equal(_ calls: [StreamCall], longest: Int) throws {
        var lives = Lives(of: calls, longest: longest, make: { StreamLife() }, model: { StreamModel() })
        try lives.run()
        for finding in lives.findings { Issue.record("\(finding)") }
    }
}
