// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import Synchronization

// Searches CoreFoundation in the process, without a lock: a child of fork() would inherit a held lock. Two threads
// that search at the same time find the same functions.
extension CoreFoundation {
    private static let found = Atomic<UInt>(0)
    /// The number of loaded libraries at the last search that found nothing.
    private static let librariesThen = Atomic<UInt64>(0)
    private static let wasLoadedByUs = Atomic<Bool>(false)

    /// CoreFoundation, if the process has loaded it.
    public static var inProcess: CoreFoundation? { search()?.pointee }

    /// Takes less time than `inProcess`, which copies all functions.
    public static var isInProcess: Bool { search() != nil }

    private static func search() -> UnsafePointer<CoreFoundation>? {
        if let there = UnsafePointer<CoreFoundation>(bitPattern: found.load(ordering: .acquiring)) { return there }
        let libraries = linux_libraries_added()
        guard libraries != librariesThen.load(ordering: .relaxed) else { return nil }
        do throws(MissingSymbol) {
            let new = try CoreFoundation()
            // Never freed, because any thread may read it from now on.
            let kept = UnsafeMutablePointer<CoreFoundation>.allocate(capacity: 1)
            kept.initialize(to: new)
            found.store(UInt(bitPattern: kept), ordering: .releasing)
            return UnsafePointer(kept)
        } catch {
            librariesThen.store(libraries, ordering: .relaxed)
            return nil
        }
    }

    /// This library has loaded CoreFoundation. The run loop of the program is then not a CFRunLoop.
    public static var isLoadedByLibrary: Bool { wasLoadedByUs.load(ordering: .acquiring) }

    /// Loads CoreFoundation into the process. Called only on a thread of the program that reads a value.
    public static func loadLibrary() -> Bool {
        wasLoadedByUs.store(true, ordering: .releasing)
        guard linux_load_library("libFoundation.so", "audiosession/swift/linux") else {
            wasLoadedByUs.store(false, ordering: .releasing)
            Log.debug("CoreFoundation is not installed: libFoundation.so was not found")
            return false
        }
        linux_correct_main_thread("_CFMainPThread")
        librariesThen.store(0, ordering: .relaxed)
        return true
    }
}
