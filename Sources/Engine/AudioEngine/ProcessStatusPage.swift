// SPDX-License-Identifier: Apache-2.0
import CLinux
public import CStatusPage
import LinuxSystem
import SessionRegistry
import StatusPages

/// The status page of this process. The first unit or queue creates it, and the process keeps it until it ends. A child of
/// fork() creates a page of its own.
public enum ProcessStatusPage {
    private enum Phase {
        static let absent: UInt32 = 0
        /// A thread is creating the page.
        static let held: UInt32 = 1
        static let present: UInt32 = 2
    }

    private static var phase: UnsafeMutablePointer<UInt32>? { linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_STATUS_PAGE)) }
    nonisolated(unsafe) private static var page: StatusPage?

    /// A free slot, filled with zeros. Nil when no slot is free, or the system has no memory for the page.
    public static func claim() -> UnsafeMutablePointer<status_slot>? {
        while linux_load(phase) != Phase.present {
            guard linux_compare_and_store(phase, Phase.absent, Phase.held) else {
                linux_wait_while(phase, Phase.held)
                continue
            }
            // In a child of fork(), the page of the parent is not freed: threads that the child does not have may use it.
            if let former = page { _ = Unmanaged.passRetained(former) }
            page = StatusPage.make(in: directory)
            if page == nil { Log.debug("no memory for the status page: audiosessionctl does not show the units of this process") }
            linux_store(phase, Phase.present)
            linux_wake_waiting(phase)
            linux_at_exit { if linux_load(ProcessStatusPage.phase) == Phase.present { ProcessStatusPage.page?.withdraw() } }
        }
        return page?.claim()
    }

    private static var directory: RuntimeDirectory? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find() } catch { return nil }
    }
}
