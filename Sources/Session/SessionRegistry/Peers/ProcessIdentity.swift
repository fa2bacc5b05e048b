// SPDX-License-Identifier: Apache-2.0
import CLinux
public import SessionArbiter

extension ProcessIdentity {
    /// This process. Not cached, because a child of fork() is another process.
    public static var own: ProcessIdentity {
        let pid = linux_process_id()
        var startTime: UInt64 = 0
        _ = linux_process_start_time(0, &startTime)
        return ProcessIdentity(pid: pid, startTime: startTime, pidNamespace: linux_process_namespace())
    }

    /// Whether the process runs. A pid of another namespace has no meaning in this process.
    var isRunning: Bool {
        var startTime: UInt64 = 0
        return pidNamespace == linux_process_namespace() && linux_process_start_time(pid, &startTime) >= 0
            && startTime == self.startTime
    }
}
