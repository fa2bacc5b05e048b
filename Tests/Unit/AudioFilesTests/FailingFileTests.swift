// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import FaultPlan
import Foundation
import LinuxSystem
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Testing

/// Each call to the system fails in turn, once or with all that follow, while a program writes a file and reads it.
@Suite("A file of the system whose calls fail", .serialized)
final class FailingFileTests {
    struct Failure: Sendable, CustomTestStringConvertible {
        let error: Int32
        var lasts = false
        var testDescription: String { "\(String(cString: strerror(error)))\(lasts ? ", for good" : "")" }

        func begin(_ nth: UInt64) {
            // 0: transfers are short.
            if error == 0 { fault_plan_enter_short(nth) } else { fault_plan_enter(error, nth, lasts) }
        }
        /// A signal or a short transfer: the program notices nothing.
        var isInvisible: Bool { error == 0 || error == EINTR }
    }

    private static let failures = [
        Failure(error: 0), Failure(error: EINTR), Failure(error: EIO), Failure(error: EIO, lasts: true), Failure(error: ENOMEM),
    ]

    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "failing-file-\(UUID().uuidString).caf"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Runs the program while one call after another fails. `after` is told of the error, or of none.
    private func failEach(
        _ failure: Failure, _ act: () throws -> Void, after: (_ error: (any Error)?, _ place: String) throws -> Void
    ) throws {
        var (nth, hasStruck) = (UInt64(0), true)
        while hasStruck, nth < 500 {
            nth += 1
            var refusal: (any Error)?
            failure.begin(nth)
            do { try act() } catch { refusal = error }
            hasStruck = fault_plan_leave()
            let place = "call \(nth)"
            if failure.isInvisible { #expect(refusal == nil, "\(place)") }
            if let refusal { #expect(isDocumented(refusal), "\(place): \(refusal)") }
            #expect(openDescriptors == 0, "\(place)")
            try after(refusal, place)
        }
        #expect(!hasStruck && nth > 1)
    }

    private func isDocumented(_ error: any Error) -> Bool {
        let known: [AudioFileError] = [.system(.failed), .permissions, .outOfMemory, .fileNotFound]
        return switch error {
        case let error as SystemError: known.contains(AudioFileError(error))
        case let error as AudioFileError: known.contains(error)
        case ExtendedFileError.file(let error): known.contains(error)
        default: false
        }
    }

    /// The descriptors of the test's file that are left.
    private var openDescriptors: Int {
        var target = [CChar](repeating: 0, count: 512)
        return (0..<256).count { number in
            let length = readlink("/proc/self/fd/\(number)", &target, target.count)
            return length > 0 && target.prefix(length).elementsEqual(path.utf8.map { CChar(bitPattern: $0) })
        }
    }

    private let content = noise(4 * 500)

    private func writeFile() throws {
        let storage = try FileStorage.create(path, erasing: true)
        let file = try AudioFile.create(storage, storage, type: SoundFileType.caf.rawValue, format: pcm(16, signed))
        for start in stride(from: 0, to: content.count, by: 1_000) { try file.append(Array(content[start..<start + 1_000])) }
        try file.setUserData(code("abcd"), 0, [1, 2, 3, 4])
        try file.close()
    }

    private func readFile() throws -> [UInt8] {
        try AudioFile.open(try FileStorage.open(path, writing: false)).bytes(0, 10_000)
    }

    @Test("is written with the next try", arguments: failures)
    func writing(failure: Failure) throws {
        try failEach(failure, writeFile) { error, place in
            let written = try? readFile()
            let isPrefix = written.map { $0 == Array(content.prefix($0.count)) } ?? true
            #expect(isPrefix && (error != nil || written == content), "\(place)")
            try writeFile()
            let next = try readFile()
            #expect(next == content, "\(place)")
        }
    }

    @Test("is removed where its creation fails, unless it was there before", arguments: failures, [false, true])
    func creating(failure: Failure, wasThere: Bool) throws {
        // A call that fails for good may be the one that removes the file.
        guard !failure.lasts else { return }
        func begin() throws {
            try? FileManager.default.removeItem(atPath: path)
            if wasThere { try Data([1, 2, 3]).write(to: URL(filePath: path)) }
        }
        try begin()
        try failEach(failure) {
            try AudioFile.create(FilePath(path), erasing: true, type: SoundFileType.caf.rawValue, format: pcm(16, signed)) {
                (file: AudioFile) throws(AudioFileError) in
                try file.changeRate()
            }
        } after: { error, place in
            #expect(FileManager.default.fileExists(atPath: path) == (wasThere || error == nil), "\(place)")
            try begin()
        }
    }

    @Test("that exists is neither erased nor removed without the flag for it")
    func existing() throws {
        try writeFile()
        #expect(throws: AudioFileError.permissions) {
            try AudioFile.create(FilePath(path), erasing: false, type: SoundFileType.caf.rawValue, format: pcm(16, signed)) { _ in
            }
        }
        #expect(try readFile() == content)
    }

    @Test("is read with the next try", arguments: failures)
    func reading(failure: Failure) throws {
        try writeFile()
        var read: [UInt8] = []
        try failEach(failure) {
            read = []
            read = try readFile()
        } after: { error, place in
            #expect(error != nil || read == content, "\(place)")
            let next = try readFile()
            #expect(next == content, "\(place)")
        }
    }

    /// Writes at another rate, synchronously or on the file's thread.
    private func export(asynchronously: Bool) throws {
        let storage = try FileStorage.create(path, erasing: true)
        let file = try AudioFile.create(storage, storage, type: SoundFileType.caf.rawValue, format: pcm(16, signed))
        let extended = ExtendedFile(file, isForWriting: true)
        try extended.setClientFormat(pcm(32, .float))
        var samples = [Float](repeating: 0.25, count: 2_000)
        try samples.withUnsafeMutableBytes { bytes in
            if asynchronously {
                try extended.writeAsync(1_000, from: SampleBuffers(bytes))
            } else {
                try extended.write(1_000, from: SampleBuffers(bytes))
            }
        }
        try extended.finish()
        try file.close()
    }

    /// The file has all samples.
    private func isExported() -> Bool { (try? readFile()) == [UInt8]([0, 0x20]).repeated(2_000) }

    @Test("is written from frames of a program with the next try", arguments: failures, [false, true])
    func exporting(failure: Failure, asynchronously: Bool) throws {
        try failEach(failure) {
            try export(asynchronously: asynchronously)
        } after: { error, place in
            if error == nil { #expect(isExported(), "\(place)") }
            try export(asynchronously: asynchronously)
            #expect(isExported(), "\(place)")
        }
    }
}

extension AudioFile {
    /// Writes the header once more.
    fileprivate func changeRate() throws(AudioFileError) {
        var failure: AudioFileError?
        var format = file.format
        format.sampleRate /= 2
        format.bytes.withUnsafeBytes { bytes in
            do throws(AudioFileError) { try setProperty(code("dfmt"), bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension [UInt8] {
    fileprivate func repeated(_ count: Int) -> [UInt8] { Array([[UInt8]](repeating: self, count: count).joined()) }
}
