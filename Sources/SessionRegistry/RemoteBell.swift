import CLinux
import LinuxSystem

/// Another process's bell, open for ringing.
final class RemoteBell {
    let home: UInt64
    private let descriptor: FileDescriptor

    init(of home: UInt64, in directory: RuntimeDirectory) {
        self.home = home
        descriptor = FileDescriptor(
            owning: linux_open(directory.bell(of: home), Int32(LINUX_WRITE | LINUX_NONBLOCK | LINUX_NOFOLLOW), 0))
    }

    /// False when nobody is there any more. A full bell has rung already.
    func ring() -> Bool { descriptor.number >= 0 && linux_ring(descriptor.number) >= 0 }
}

/// The bells rung last, kept open: who was interrupted is soon told that it ended.
struct RemoteBells {
    private static let most = 8
    private var bells: [RemoteBell] = []

    mutating func ring(_ home: UInt64, in directory: RuntimeDirectory) {
        let known = bells.firstIndex { $0.home == home }
        if let known, bells[known].ring() { return }
        if let known { bells.remove(at: known) }
        let bell = RemoteBell(of: home, in: directory)
        guard bell.ring() else { return }
        if bells.count == RemoteBells.most { bells.removeFirst() }
        bells.append(bell)
    }
}
