// SPDX-License-Identifier: Apache-2.0
import CLinux
public import CStatusPage
public import LinuxSystem

/// The page in which the units and queues of this process describe themselves, and its announcement: a file with its location.
///
/// The memory is sealed: no damage to the runtime directory can make an access to it fail. The file contains the number of
/// the process and its descriptor of the memory. The process holds the lock of the file while it runs, so that a
/// reader detects the file of a dead process. The page is never freed, because audio threads write into it.
public final class StatusPage: @unchecked Sendable {
    private let page: UnsafeMutablePointer<status_page>
    private let memory: FileDescriptor
    private let pageFile: FileDescriptor
    private let path: String?

    private init(
        _ page: UnsafeMutablePointer<status_page>, _ memory: consuming FileDescriptor, _ pageFile: PageFile?
    ) {
        self.page = page
        self.memory = memory
        self.pageFile = FileDescriptor(owning: pageFile?.descriptor ?? -1)
        path = pageFile?.path
        // A child of fork() would keep the lock held.
        for descriptor in [self.memory.number, self.pageFile.number] where descriptor >= 0 {
            linux_close_on_fork(descriptor)
        }
    }

    deinit {
        for descriptor in [memory.number, pageFile.number] where descriptor >= 0 { linux_forget_on_fork(descriptor) }
    }

    /// Nil when the system has no memory or descriptor left. Without a directory no other process can find the page.
    public static func make(in directory: RuntimeDirectory?) -> StatusPage? {
        var descriptor: Int32 = -1
        guard let address = linux_shared_memory("audiosession-units", Int(STATUS_PAGE_SIZE), &descriptor) else { return nil }
        let page = address.bindMemory(to: status_page.self, capacity: 1)
        status_page_init(page, linux_process_id(), linux_program_name())
        var pageFile: PageFile?
        if let directory {
            StatusPages.removeAbandoned(in: directory)
            pageFile = PageFile.make(of: descriptor, in: directory)
        }
        return StatusPage(page, FileDescriptor(owning: descriptor), pageFile)
    }

    /// A free, zeroed slot; nil when no slot is free.
    public func claim() -> UnsafeMutablePointer<status_slot>? { status_claim(page) }

    /// Removes the file when the process ends.
    public func withdraw() { if let path { _ = linux_unlink(path) } }
}

/// A file of the runtime directory. It contains the number of a process, and the number of its descriptor.
private struct PageFile {
    let path: String
    let descriptor: Int32

    /// Nil if the file cannot be created.
    static func make(of memory: Int32, in directory: RuntimeDirectory) -> PageFile? {
        // Another process may remove the file between its creation and its lock.
        for _ in 0..<8 {
            let path = directory.newStatusPage()
            let how = LINUX_READ_WRITE | LINUX_CREATE | LINUX_EXCLUSIVE | LINUX_NOFOLLOW
            let opened = linux_open(path, Int32(how), 0o600)
            guard opened >= 0 else { return nil }
            var status = linux_file_status()
            if linux_try_lock(opened) >= 0, linux_status_of_descriptor(opened, &status) >= 0, status.links > 0 {
                let text = "\(linux_process_id()) \(memory)\n"
                let bytes = Array(text.utf8)
                if bytes.withUnsafeBytes({ linux_pwrite(opened, $0.baseAddress, $0.count, 0) }) == bytes.count {
                    return PageFile(path: path, descriptor: opened)
                }
                _ = linux_unlink(path)
                _ = linux_close(opened)
                return nil
            }
            _ = linux_unlink(path)
            _ = linux_close(opened)
        }
        return nil
    }
}
