// SPDX-License-Identifier: Apache-2.0
import CLinux

func currentThread() -> UInt64 { linux_thread_self() }
