// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem

/// The files that contain the location of a status page.
extension RuntimeDirectory {
    /// A new name for the file that announces the status page of a process.
    public func newStatusPage() -> String { path + "/" + String(RuntimeDirectory.newNumber(), radix: 16) + ".units" }
    /// The files of this kind.
    public func statusPages() -> [String] { names(endingIn: ".units").map { path + "/" + $0 } }
}
