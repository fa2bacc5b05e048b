import CLinux
import LinuxSystem

/// The folder where the kernel's sound devices appear and vanish.
final class DeviceFolder {
    private static let path = "/dev/snd"
    private let watch = FileWatch()
    /// It comes with the first card, unless somebody made it before.
    private var isWatched = false

    init() { watchFolder() }

    func wake(_ events: Int32, as token: UInt64) -> Bool { watch.wake(events, as: token) }

    /// Again each time: another folder may have the name by now. The same one is watched once.
    private func watchFolder() {
        isWatched = watch.watchFolder(DeviceFolder.path)
        if !isWatched { _ = watch.watchFolder("/dev") }
    }

    /// True when it may hold other devices than before.
    func heed() -> Bool {
        watch.heed()
        let wasWatched = isWatched
        // With the last card the folder itself may go.
        watchFolder()
        return isWatched || wasWatched
    }

    /// The numbers of the cards that have a control device.
    func cards() -> [UInt32] {
        var found: [UInt32] = []
        let result = withUnsafeMutablePointer(to: &found) { found in
            linux_list_directory(
                DeviceFolder.path,
                { name, context in
                    guard let name, let found = context?.assumingMemoryBound(to: [UInt32].self) else { return false }
                    if let card = String(cString: name).number(after: "controlC") {
                        found.pointee.insert(card, orderedBy: { $0 })
                    }
                    return true
                }, found)
        }
        if result < 0, SystemError(-result) != .notFound { Log.line("\(DeviceFolder.path): \(SystemError(-result).text)") }
        return found
    }

    /// Whether one of the devices that record can be opened, or there is none.
    static func mayRecord(in folder: String = path) -> Bool {
        var access = RecordingAccess(folder: folder)
        _ = withUnsafeMutablePointer(to: &access) { access in
            linux_list_directory(
                folder,
                { name, context in
                    guard let name, let access = context?.assumingMemoryBound(to: RecordingAccess.self) else { return false }
                    return access.pointee.take(String(cString: name))
                }, access)
        }
        return access.isGranted || !access.isWanted
    }

    private struct RecordingAccess {
        let folder: String
        var isWanted = false
        var isGranted = false

        /// `pcmC0D0c` records, `pcmC0D0p` plays. False when enough is known.
        mutating func take(_ name: String) -> Bool {
            guard name.begins(with: "pcmC"), name.utf8.last == 0x63 else { return true }
            isWanted = true
            isGranted = linux_may_read_and_write("\(folder)/\(name)")
            return !isGranted
        }
    }
}
