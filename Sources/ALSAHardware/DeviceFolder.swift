import CLinux
import LinuxSystem

/// The folder in which the kernel creates and removes sound devices.
final class DeviceFolder {
    private static let path = "/dev/snd"
    private let watch = FileWatch()
    /// The kernel creates the folder with the first card.
    private var isWatched = false

    init() { watchFolder() }

    func wake(_ events: Int32, as token: UInt64) -> Bool { watch.wake(events, as: token) }

    /// Called after each event: the folder may have been replaced. To watch the same folder twice has no effect.
    private func watchFolder() {
        isWatched = watch.watchFolder(DeviceFolder.path)
        if !isWatched { _ = watch.watchFolder("/dev") }
    }

    /// True when the devices may have changed.
    func processEvents() -> Bool {
        watch.heed()
        let wasWatched = isWatched
        // The kernel may remove the folder with the last card.
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

    /// Whether this process may open a capture device; true without capture devices.
    static func mayRecord(in folder: String = path) -> Bool {
        var access = RecordingAccess(folder: folder)
        _ = withUnsafeMutablePointer(to: &access) { access in
            linux_list_directory(
                folder,
                { name, context in
                    guard let name, let access = context?.assumingMemoryBound(to: RecordingAccess.self) else { return false }
                    return access.pointee.add(String(cString: name))
                }, access)
        }
        return access.isGranted || !access.isWanted
    }

    private struct RecordingAccess {
        let folder: String
        var isWanted = false
        var isGranted = false

        /// `pcmC0D0c` is a capture device, `pcmC0D0p` a playback device. False when the answer is known.
        mutating func add(_ name: String) -> Bool {
            guard name.begins(with: "pcmC"), name.utf8.last == 0x63 else { return true }
            isWanted = true
            isGranted = linux_may_read_and_write("\(folder)/\(name)")
            return !isGranted
        }
    }
}
