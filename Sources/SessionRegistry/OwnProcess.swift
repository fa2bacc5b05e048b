import CLinux
public import SessionArbiter

extension ProcessIdentity {
    /// This process. Asked anew each time: a child of fork() is another process.
    public static var own: ProcessIdentity {
        let pid = linux_process_id()
        var startTime: UInt64 = 0
        _ = linux_process_start_time(0, &startTime)
        return ProcessIdentity(pid: pid, startTime: startTime, pidNamespace: linux_process_namespace())
    }
}
