// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The tokens of what an epoll instance of this process watches. A watch remains when its descriptor is closed while a copy of it is
/// open, as a child of fork() has one.
public func watchedTokens(_ epoll: Int32) throws -> [UInt64] {
    try lines(ofDescriptor: epoll).compactMap { line in
        guard line.hasPrefix("tfd:"), let data = line.range(of: "data:") else { return nil }
        return line[data.upperBound...].split(separator: " ").first.flatMap { UInt64($0, radix: 16) }
    }
}

/// Copies of descriptors of this process, which are closed when the object is destroyed.
public final class DescriptorCopies {
    private let copies: [Int32]

    public var count: Int { copies.count }

    /// Copies each descriptor that is open as a file with this name.
    public convenience init(ofFile name: String) {
        self.init { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"))?.hasSuffix(name) ?? false
        }
    }

    /// Copies each descriptor that watches this process.
    public convenience init(ofProcess pid: Int32) {
        self.init { descriptor in
            guard let lines = try? lines(ofDescriptor: descriptor) else { return false }
            return lines.contains { $0.hasPrefix("Pid:") && Int32($0.dropFirst(4).trimmingCharacters(in: .whitespaces)) == pid }
        }
    }

    private init(where isWanted: (Int32) -> Bool) {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        copies = all.compactMap { Int32($0) }.filter(isWanted).map { fcntl($0, F_DUPFD_CLOEXEC, 0) }.filter { $0 >= 0 }
    }

    deinit { for copy in copies { close(copy) } }
}

private func lines(ofDescriptor descriptor: Int32) throws -> [String] {
    try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8).components(separatedBy: "\n")
}
