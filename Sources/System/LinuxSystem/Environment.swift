// SPDX-License-Identifier: Apache-2.0
import CLinux

public enum Environment {
    /// Nil when unset or empty, and always in set-user-id programs.
    public static func value(_ name: String) -> String? {
        guard let value = linux_environment(name), value[0] != 0 else { return nil }
        return String(cString: value)
    }
}
