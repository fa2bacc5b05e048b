// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MediaFormats
import MediaTestSupport
import SoundFiles
import TestSupport
import Testing

private enum FileCall: CaseIterable { case append, overwrite, shorten, store, remove, optimize, deferSizes, closeAndOpen }

/// The result of a call, and the content of the file after it.
private struct FileAnswer: Equatable {
    var error: AudioFileError?
    var data: [UInt8] = []
    var chunks: [[UInt8]] = []
}

/// The first byte of what is written next: each write of a life has its own bytes.
private func content(_ number: Int) -> [UInt8] { [UInt8(number), 7, 8, UInt8(number)] }

/// The rules of a file with the data of 16-bit stereo, and chunks that the program stores.
private struct FileModel: LifeModel {
    private var number = 0
    private var data: [UInt8] = []
    /// Chunks before the data cannot change.
    private var before: [[UInt8]] = []
    private var after: [[UInt8]] = []

    mutating func predict(_ call: FileCall) -> FileAnswer {
        number += 1
        var answer = FileAnswer()
        switch call {
        case .append: data += content(number)
        case .overwrite: data.replaceSubrange(..<min(4, data.count), with: content(number))
        case .shorten: if data.count < 4 { answer.error = .operationNotSupported } else { data = Array(data[..<4]) }
        case .store:
            if !before.isEmpty { answer.error = .operationNotSupported } else { after = [content(number)] }
        case .remove:
            if !before.isEmpty {
                answer.error = .operationNotSupported
            } else if after.isEmpty {
                answer.error = .invalidChunk
            } else {
                after = []
            }
        case .optimize: (before, after) = (before + after, [])
        case .deferSizes, .closeAndOpen: break
        }
        (answer.data, answer.chunks) = (data, before + after)
        return answer
    }
}

private final class FileLife: LivingObject {
    private let storage: TestStorage
    private let type: SoundFileType
    private var file: AudioFile
    private var number = 0
    private let chunk = code("more")

    convenience init(_ type: SoundFileType) throws { try self.init(type, on: TestStorage()) }

    private init(_ type: SoundFileType, on storage: TestStorage) throws {
        (self.storage, self.type) = (storage, type)
        file = try create(storage, type, pcm(16, type == .aiff ? [.signedInteger, .bigEndian] : .signedInteger))
    }

    /// The file is closed, and another one is created in its place.
    func reopened(_ way: Int) throws -> FileLife {
        try file.close()
        return try FileLife(type, on: storage)
    }

    func perform(_ call: FileCall, _ trace: inout Trace) -> FileAnswer {
        number += 1
        var answer = FileAnswer()
        do {
            switch call {
            case .append: try file.append(content(number))
            case .overwrite: try file.write(content(number), at: 0)
            case .shorten: try file.set(code("bcnt"), [UInt8](nativeBytesOf: UInt64(4)))
            case .store: try file.setUserData(chunk, 0, content(number))
            case .remove: try file.removeUserData(chunk, 0)
            case .optimize: try file.optimize()
            case .deferSizes: try file.set(code("dszu"), [1, 0, 0, 0])
            case .closeAndOpen:
                try file.close()
                file = try AudioFile.open(storage, storage)
            }
        } catch { answer.error = error as? AudioFileError ?? .unspecified }
        answer.data = (try? file.bytes(0, 64)) ?? [1]
        answer.chunks = (try? chunks()) ?? [[1]]
        trace.append(storage.memory.bytes)
        return answer
    }

    private func chunks() throws -> [[UInt8]] {
        try file.userData(chunk).indices.map { index in
            var content = [UInt8](repeating: 0xEE, count: 9)
            let count = try content.withUnsafeMutableBytes { try file.userData(chunk, index, into: $0) }
            return Array(content[..<count])
        }
    }
}

@Suite("The lives of a file")
struct FileLivesTests {
    @Test("are equal for every sequence of calls", arguments: [(SoundFileType.wave, 4), (.aiff, 3), (.caf, 3)])
    func equal(_ type: SoundFileType, longest: Int) throws {
        let calls = FileCall.allCases
        var lives = Lives(of: calls, longest: longest, make: { try FileLife(type) }, model: { FileModel() })
        try lives.run()
        for finding in lives.findings { Issue.record("\(finding)") }
    }
}
