// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem

extension RuntimeDirectory {
    /// The simulated machine that the processes of the user share.
    public var simulation: String { path + "/simulation" }
}
