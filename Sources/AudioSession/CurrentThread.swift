import CLinux

func currentThread() -> UInt64 { linux_thread_self() }
