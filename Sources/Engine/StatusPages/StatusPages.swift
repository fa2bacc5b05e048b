// SPDX-License-Identifier: Apache-2.0
import CLinux
public import CStatusPage
public import LinuxSystem

/// The content of the page of another process at one moment. Any process of the user can have written it: no value is trusted.
public struct ProcessStatus: Sendable {
    public struct Slot: Sendable {
        /// The index of the slot on the page.
        public let index: Int
        public var description: status_description
        public var counters: status_counters

        public init(_ index: Int, _ description: status_description, _ counters: status_counters) {
            self.index = index
            self.description = description
            self.counters = counters
        }
    }

    public let process: Int32
    public let name: String
    public let slots: [Slot]

    public init(process: Int32, name: String, slots: [Slot]) {
        self.process = process
        self.name = name
        self.slots = slots
    }
}

/// The pages of all processes of a runtime directory.
public enum StatusPages {
    private static let longestText = 64

    /// Reads all pages that can be read, in the order of their processes, and removes the files of dead processes.
    public static func read(in directory: RuntimeDirectory) -> [ProcessStatus] {
        var found: [ProcessStatus] = []
        for path in directory.statusPages() {
            guard let text = text(of: path), let (process, descriptor) = numbers(text),
                let status = status(of: process, descriptor)
            else { continue }
            found.append(status)
        }
        return found.sorted { $0.process < $1.process }
    }

    static func removeAbandoned(in directory: RuntimeDirectory) {
        for path in directory.statusPages() { _ = text(of: path) }
    }

    /// Nil for the file of a dead process, which is removed.
    private static func text(of path: String) -> String? {
        let how = Int32(LINUX_READ_WRITE | LINUX_NONBLOCK | LINUX_NOFOLLOW)
        let file = FileDescriptor(owning: linux_open(path, how, 0))
        var status = linux_file_status()
        guard file.number >= 0, linux_status_of_descriptor(file.number, &status) >= 0, status.is_regular else { return nil }
        if linux_try_lock(file.number) >= 0 {
            _ = linux_unlink(path)
            _ = linux_unlock(file.number)
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: longestText)
        let count = linux_pread(file.number, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// "PROCESS DESCRIPTOR" and the end of the line.
    private static func numbers(_ text: String) -> (process: Int32, descriptor: Int32)? {
        let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2, words[1].last == 0x0A, let process = number(words[0]),
            let descriptor = number(words[1].dropLast()), process > 0
        else { return nil }
        return (process, descriptor)
    }

    private static func number(_ digits: Substring.UTF8View) -> Int32? {
        guard !digits.isEmpty, digits.count <= 10 else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return Int32(exactly: value)
    }

    /// Nil if the descriptor is not sealed memory with a page of that process.
    private static func status(of process: Int32, _ descriptor: Int32) -> ProcessStatus? {
        let path = "/proc/\(process)/fd/\(descriptor)"
        var status = linux_file_status()
        // A device is not opened, because opening a device can have effects.
        guard linux_status_of_path(path, true, &status) >= 0, status.is_regular, status.size == STATUS_PAGE_SIZE else {
            return nil
        }
        let file = FileDescriptor(owning: linux_open(path, Int32(LINUX_READ | LINUX_NONBLOCK), 0))
        guard file.number >= 0, let memory = linux_map_shared_memory(file.number, Int(STATUS_PAGE_SIZE)) else { return nil }
        defer { linux_unmap(memory, Int(STATUS_PAGE_SIZE)) }
        let page = memory.assumingMemoryBound(to: status_page.self)
        guard status_page_is_valid(page), page.pointee.process == process else { return nil }
        return ProcessStatus(process: process, name: name(of: page), slots: slots(of: page))
    }

    private static func name(of page: UnsafePointer<status_page>) -> String {
        var name = [CChar](repeating: 0, count: Int(STATUS_NAME_SIZE))
        status_page_name(page, &name)
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    private static func slots(of page: UnsafePointer<status_page>) -> [ProcessStatus.Slot] {
        var slots: [ProcessStatus.Slot] = []
        for index in 0..<UInt32(STATUS_SLOTS) {
            var slot = ProcessStatus.Slot(Int(index), status_description(), status_counters())
            if status_read(status_page_slot(page, index), &slot.description, &slot.counters) { slots.append(slot) }
        }
        return slots
    }
}
