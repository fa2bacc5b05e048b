// SPDX-License-Identifier: Apache-2.0
import CLinux
public import CStatusPage
import LinuxSystem
import StatusPages

/// The status page of this process. The first unit or queue creates it, and the process keeps it until it ends. A child of
/// fork() creates a page of its own.
public enum ProcessStatusPage {
    private static let ofProcess = ForkLocal<StatusPage>(LINUX_WORD_OF_STATUS_PAGE)

    /// A free slot, filled with zeros. Nil when no slot is free, or the system has no memory for the page.
    public static func claim() -> UnsafeMutablePointer<status_slot>? {
        ofProcess.makeOnce {
            guard let page = StatusPage.make(in: directory) else {
                Log.debug("no memory for the status page: audiosessionctl does not show the units of this process")
                return nil
            }
            linux_at_exit { ProcessStatusPage.ofProcess.present?.withdraw() }
            return page
        }?.claim()
    }

    private static var directory: RuntimeDirectory? {
        do throws(RuntimeDirectory.Unusable) { return try RuntimeDirectory.find() } catch { return nil }
    }
}
