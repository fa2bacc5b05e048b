// SPDX-License-Identifier: Apache-2.0
#if LOG_CAPTURE
    import CLinux

    /// The threads whose messages a test captures. Tests run at the same time: `all` includes the messages of other tests.
    public enum LogThreads {
        case calling, all
        /// The threads of the set when the capture ends.
        case these(() -> Set<UInt64>)

        var contains: (UInt64) -> Bool {
            switch self {
            case .calling: { $0 == linux_thread_self() }
            case .all: { _ in true }
            case .these(let threads): threads().contains
            }
        }
    }
#endif
