// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The digest of the inputs that seeds make, for each file of tests.
///
/// If the environment variable `TEST_INPUTS` names a file, the process writes a line for each file of tests into it at its end: the
/// number of inputs, their digest, and the file. Two processes that test the same write the same: `tools/check-seeds` compares them.
/// The digest is a sum over the inputs, each with the state of its generator, so that the order of threads does not matter.
enum InputDigest {
    private struct Entry {
        var count: UInt64 = 0
        var digest: UInt64 = 0
    }

    /// By the address of the file's name.
    private static let entries = Mutex<[UInt: (file: StaticString, entry: Entry)]>([:])

    static let isWanted: Bool = {
        guard getenv("TEST_INPUTS") != nil else { return false }
        atexit { InputDigest.write() }
        return true
    }()

    static func add(_ input: UInt64, at state: UInt64, _ file: StaticString) {
        var mixed = (state ^ input &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 29)) &* 0x94D0_49BB_1331_11EB
        let key = UInt(bitPattern: file.utf8Start)
        entries.withLock {
            $0[key, default: (file, Entry())].entry.count += 1
            $0[key, default: (file, Entry())].entry.digest &+= mixed ^ (mixed >> 31)
        }
    }

    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func write() {
        guard let path = getenv("TEST_INPUTS"), let file = fopen(path, "a") else { return }
        var files: [String: Entry] = [:]
        for (name, entry) in entries.withLock({ $0.values }) {
            files["\(name)", default: Entry()].count += entry.count
            files["\(name)", default: Entry()].digest &+= entry.digest
        }
        for (name, entry) in files.sorted(by: { $0.key < $1.key }) {
            fputs("\(entry.count) \(String(entry.digest, radix: 16)) \(name)\n", file)
        }
        fclose(file)
    }
}
