// SPDX-License-Identifier: Apache-2.0
import CAudioSessionServices
import CLinux
import CoreFoundationTable
import Synchronization

// Finds CoreFoundation for values of this library. Its constant strings become objects when CoreFoundation has their class.
extension CoreFoundation {
    private static let constantsAreComplete = Atomic<Bool>(false)

    /// CoreFoundation, if the process has loaded it.
    static var present: CoreFoundation? {
        guard let there = inProcess else { return nil }
        if !constantsAreComplete.load(ordering: .acquiring) {
            guard audio_session_complete_constants(linux_symbol("$s10Foundation19_NSCFConstantStringCN")) else { return nil }
            constantsAreComplete.store(true, ordering: .releasing)
        }
        return there
    }

    /// CoreFoundation, if the program itself has loaded it and therefore may run its run loops.
    static var ofProgram: CoreFoundation? { isLoadedByLibrary ? nil : present }
    static var isOfProgram: Bool { !isLoadedByLibrary && isInProcess }

    /// CoreFoundation, loaded if necessary. Called only on a thread of the program that reads a value.
    static func loaded() -> CoreFoundation? { present ?? (loadLibrary() ? present : nil) }
}
