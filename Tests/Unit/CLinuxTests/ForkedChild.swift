// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Calls the body in a child of fork(), which exits with its result, and returns the status of waitpid; -1: there is no child.
///
/// The body makes only calls to the system: at the first use of a generic type the runtime of Swift takes locks, which a thread of
/// the parent may hold. A child that waits for one is ended by SIGALRM after a minute.
func waitStatus(ofChild body: () -> Int32) -> Int32 {
    // Swift does not import fork.
    typealias Fork = @convention(c) () -> pid_t
    guard let function = dlsym(nil, "fork") else { return -1 }
    let child = unsafeBitCast(function, to: Fork.self)()
    if child == 0 {
        // Threads of libdispatch block signals.
        var alarmSignal = sigset_t()
        sigemptyset(&alarmSignal)
        sigaddset(&alarmSignal, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarmSignal, nil)
        alarm(60)
        _exit(body())
    }
    var status: Int32 = -1
    guard child > 0, waitpid(child, &status, 0) == child else { return -1 }
    return status
}
