// SPDX-License-Identifier: Apache-2.0
import Foundation

struct WaveFormat: Equatable, Sendable {
    var sampleRate: Int
    var channels: Int
}

/// A WAV file that grows. The header is complete after `finish`.
struct WaveFile {
    private let file: FileHandle
    private let format: WaveFormat
    private(set) var frames = 0

    init(_ path: String, _ format: WaveFormat) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        self.file = file
        self.format = format
        try file.write(contentsOf: header)
    }

    var seconds: Double { Double(frames) / Double(format.sampleRate) }

    mutating func append(_ samples: [Int16]) throws {
        try file.write(contentsOf: samples.map { $0.littleEndian }.withUnsafeBytes { Data($0) })
        frames += samples.count / format.channels
    }

    func finish() throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: header)
        try file.close()
    }

    private var header: Data {
        let frameSize = format.channels * 2
        let size = frames * frameSize
        var header = Data("RIFF".utf8)
        func add<Number: FixedWidthInteger>(_ number: Number) { withUnsafeBytes(of: number.littleEndian) { header += Data($0) } }
        add(UInt32(clamping: size + 36))
        header += Data("WAVEfmt ".utf8)
        add(UInt32(16))
        add(UInt16(1))
        add(UInt16(clamping: format.channels))
        add(UInt32(clamping: format.sampleRate))
        add(UInt32(clamping: format.sampleRate * frameSize))
        add(UInt16(clamping: frameSize))
        add(UInt16(16))
        header += Data("data".utf8)
        add(UInt32(clamping: size))
        return header
    }
}
