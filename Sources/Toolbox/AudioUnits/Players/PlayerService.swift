// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The thread that reads the files of all players ahead, and calls the completion procedures of the program.
final class PlayerService: @unchecked Sendable {
    private let lock = Lock()
    private let wake = ThreadSignal()
    private var players: [SoundPlayer] = []
    private var thread: UnsafeMutableRawPointer?
    private var ownThread: UInt64 = 0

    /// Rendering threads call this as well.
    func signal() { wake.signal() }

    var isOnThread: Bool { lock.withLock { ownThread } == linux_thread_self() }

    /// False when the system has no thread left.
    func add(_ player: SoundPlayer) -> Bool {
        lock.withLock {
            if thread == nil {
                let reference = Unmanaged.passRetained(self)
                thread = linux_thread_start_for_program(
                    { if let context = $0 { Unmanaged<PlayerService>.fromOpaque(context).takeUnretainedValue().run() } },
                    reference.toOpaque(), "audiounit-files")
                guard thread != nil else {
                    reference.release()
                    return false
                }
            }
            if !players.contains(where: { $0 === player }) { players.append(player) }
            return true
        }
    }

    func remove(_ player: SoundPlayer) { lock.withLock { players.removeAll { $0 === player } } }

    private func run() {
        lock.withLock { ownThread = linux_thread_self() }
        while true {
            wake.wait()
            for player in lock.withLock({ players }) { player.serve() }
        }
    }
}
