// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The costs of a process up to now, as the kernel counts them.
public struct ProcessCosts: Equatable, Sendable {
    /// The times that a thread has given up its processor: each return from a wait is one.
    public var waits = 0
    /// The times that a thread was interrupted while it ran.
    public var preemptions = 0
    /// The processor time in ticks, of which 100 are a second.
    public var ticks = 0
    public var threads = 0
    public var descriptors = 0

    /// Nil: the process does not exist.
    public init?(of process: Int32) {
        let folder = "/proc/\(process)"
        guard let tasks = try? FileManager.default.contentsOfDirectory(atPath: folder + "/task") else { return nil }
        for task in tasks {
            // A thread that has ended meanwhile has no file.
            guard let status = try? String(contentsOfFile: "\(folder)/task/\(task)/status", encoding: .utf8) else { continue }
            threads += 1
            waits += ProcessCosts.number("voluntary_ctxt_switches:", status)
            preemptions += ProcessCosts.number("nonvoluntary_ctxt_switches:", status)
        }
        guard let stat = try? String(contentsOfFile: folder + "/stat", encoding: .utf8) else { return nil }
        // The name, in parentheses, may have spaces. The state is behind it, and the times are the fields 14 and 15.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard fields.count > 14 else { return nil }
        ticks = (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count) ?? 0
    }

    private static func number(_ key: String, _ status: String) -> Int {
        status.split(separator: "\n").first { $0.hasPrefix(key) }
            .flatMap { Int($0.dropFirst(key.count).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// All threads of the process wait: none runs or can run.
    public static func isWaiting(_ process: Int32) -> Bool {
        guard let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") else { return false }
        return tasks.allSatisfy { task in
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/stat", encoding: .utf8),
                let end = stat.lastIndex(of: ")")
            else { return true }
            return stat[end...].dropFirst(2).first == "S"
        }
    }
}
