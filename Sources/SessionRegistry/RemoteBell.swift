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

    /// A negative errno when it has not rung; `noReader` or `notFound` where nobody is there any more. A full
    /// bell has rung already.
    func ring() -> Int32 { descriptor.number >= 0 ? linux_ring(descriptor.number) : descriptor.number }
}

/// The bells rung last, kept open: who was interrupted is soon told that it ended.
struct RemoteBells {
    private static let most = 8
    private var bells: [RemoteBell] = []

    /// False when it may be heard and could not be rung: what the system refuses twice it refuses for longer.
    mutating func ring(_ home: UInt64, in directory: RuntimeDirectory) -> Bool {
        if let known = bells.firstIndex(where: { $0.home == home }) {
            if bells[known].ring() >= 0 { return true }
            bells.remove(at: known)
        }
        for _ in 0..<2 {
            let bell = RemoteBell(of: home, in: directory)
            let result = bell.ring()
            if result >= 0 {
                if bells.count == RemoteBells.most { bells.removeFirst() }
                bells.append(bell)
                return true
            }
            let error = SystemError(-result)
            if error == .noReader || error == .notFound { return true }
        }
        return false
    }
}
