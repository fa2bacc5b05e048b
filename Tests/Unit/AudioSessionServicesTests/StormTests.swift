// SPDX-License-Identifier: Apache-2.0
import AudioSessionServices
import CAudioSessionServices
import Foundation
import Synchronization
import TestSupport
import Testing

/// How many listeners were called.
private let calls = Atomic<Int>(0)
/// A status that is none of the result codes; 0 while there was none.
private let unknownStatus = Atomic<Int32>(0)

/// Every call answers with a result code.
private func check(_ status: OSStatus) {
    if !resultCodes.contains(status) { unknownStatus.store(status, ordering: .relaxed) }
}

/// All in one test: a process has one session.
@Suite struct StormTests {
    @Test("Eight threads call every function while ports come and go: each call returns one of the result codes")
    func storm() throws {
        setenv("AUDIOSESSION_HARDWARE", "simulated", 1)
        unsetenv("AUDIOSESSION_SIMULATION")
        try withRuntimeDirectory {
            #expect(AudioSessionInitialize(nil, nil, { _, _ in calls.add(1, ordering: .relaxed) }, nil) == 0)
            let descriptor = AudioSessionLinuxEventDescriptor()
            #expect(descriptor >= 0)
            let rounds = Int(ProcessInfo.processInfo.environment["STORM_ROUNDS"] ?? "") ?? 1_000
            // The last thread closes the write end: the read end becomes readable.
            let end = Pipe()
            let running = Atomic<Int>(9)
            func start(_ body: @escaping @Sendable () -> Void) {
                Thread {
                    body()
                    if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                        end.fileHandleForWriting.closeFile()
                    }
                }.start()
            }
            start {
                for round in 0..<rounds {
                    check(AudioSessionLinuxSimulate(round % 2 == 0 ? "plug headset" : "unplug headset"))
                    if round % 64 == 0 {
                        check(AudioSessionLinuxSimulate(round % 128 == 0 ? "interrupt begin" : "interrupt end"))
                    }
                }
            }
            for seed: UInt64 in 0..<8 { start { callEverything(rounds / 4, seed: seed) } }
            var waiting = [descriptor, end.fileHandleForReading.fileDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            while waiting[1].revents == 0 {
                poll(&waiting, 2, -1)
                #expect(AudioSessionLinuxDispatchEvents() == 0)
            }
            #expect(AudioSessionLinuxDispatchEvents() == 0)
            #expect(calls.load(ordering: .relaxed) > 0)
            #expect(unknownStatus.load(ordering: .relaxed) == 0)
        }
    }
}

private func withRuntimeDirectory(_ body: () throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    setenv("AUDIOSESSION_RUNTIME_DIR", folder.path, 1)
    try body()
    // May fail: the session exists until the process ends, and creates its files again.
    try? FileManager.default.removeItem(at: folder)
}

/// Every function with every known property and some unknown ones.
private func callEverything(_ rounds: Int, seed: UInt64) {
    var generator = SeededGenerator(seed)
    let listener: AudioSessionPropertyListener = { _, id, size, data in
        calls.add(1, ordering: .relaxed)
        if size == 4, let data { _ = data.loadUnaligned(as: UInt32.self) + (id & 1) }
    }
    for _ in 0..<rounds {
        let random = generator.next()
        let id = propertyIDs[Int(random % UInt64(propertyIDs.count))]
        var buffer = (UInt64(0), UInt64(0))
        var size: UInt32 = 16
        switch (random >> 32) % 8 {
        case 0, 1, 2:
            let status = AudioSessionGetProperty(id, &size, &buffer)
            check(status)
            if status == 0, objects.contains(id) {
                Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(bitPattern: UInt(buffer.0))!).release()
            }
        case 3:
            buffer.0 = random >> 40
            let isFloat64 = id == 0x6877_7372
            if !objects.contains(id) { check(AudioSessionSetProperty(id, isFloat64 ? 8 : 4, &buffer)) }
        case 4: check(AudioSessionSetActive(UInt8(random >> 40 & 1)))
        case 5: check(AudioSessionAddPropertyListener(id, listener, UnsafeMutableRawPointer(bitPattern: UInt(random >> 60))))
        case 6:
            if random >> 40 & 1 == 0 {
                check(AudioSessionRemovePropertyListener(id))
            } else {
                check(
                    AudioSessionRemovePropertyListenerWithUserData(
                        id, listener, UnsafeMutableRawPointer(bitPattern: UInt(random >> 60))))
            }
        default:
            let category = categories[Int(random >> 40 % UInt64(categories.count)) % categories.count]
            withUnsafeBytes(of: category) { check(AudioSessionSetProperty(0x6163_6174, 4, $0.baseAddress)) }
        }
    }
}

private let resultCodes = Set(
    [0, -50]
        + ["!ini", "init", "ini?", "pty?", "!siz", "!act", "nohw", "?cat", "!cat", "what"].map { OSStatus(bitPattern: code($0)) })
private let propertyIDs: [UInt32] = [
    "hwsr", "iobd", "acat", "roch", "chsr", "chic", "choc", "chov", "cilt", "colt", "chbd", "othr", "ovrd", "aiav", "died",
    "duck", "cmix", "cspk", "cblu", "type", "mode", "srcs", "dsts", "isrc", "odst", "igav", "igsc", "crar", "rout", "lodv",
    "lidv", "nope",
].map(code)
private let objects = Set(["crar", "srcs", "dsts", "isrc", "odst", "rout", "lodv", "lidv"].map(code))
private let categories: [UInt32] = ["ambi", "solo", "medi", "reca", "plar", "proc", "mult", "uifx", "live", "nope"].map(code)

private func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
