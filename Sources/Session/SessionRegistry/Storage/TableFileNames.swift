// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem

/// The files of the table and of the processes that share it.
extension RuntimeDirectory {
    /// Each version of the table's layout has its own file. After an update of this library, programs with the old version and
    /// programs with the new version continue side by side.
    public var table: String { path + "/sessions.\(TableHeader.version)" }
    /// A process that replaces the table holds the lock of this file.
    var replacing: String { table + ".replacing" }
    func wakeUp(of endpoint: UInt64) -> String { path + "/" + String(endpoint, radix: 16) + ".wakeup" }
    func liveness(of endpoint: UInt64) -> String { path + "/" + String(endpoint, radix: 16) + ".alive" }

    /// All endpoints with a wake-up FIFO here, open or not.
    func endpoints() -> [UInt64] {
        names(endingIn: ".wakeup").compactMap { UInt64(String(decoding: $0.utf8.dropLast(7), as: UTF8.self), radix: 16) }
    }

    /// The name of a new file that will replace another file.
    func unfinished(_ number: UInt64) -> String { path + "/" + String(number, radix: 16) + unfinishedEnding }

    /// New files that their processes have not finished.
    func unfinished() -> [String] { names(endingIn: unfinishedEnding).map { path + "/" + $0 } }

    private var unfinishedEnding: String { ".\(TableHeader.version).new" }
}
