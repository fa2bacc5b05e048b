// SPDX-License-Identifier: Apache-2.0
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
        watch.processEvents()
        let wasWatched = isWatched
        // The kernel may remove the folder with the last card.
        watchFolder()
        return isWatched || wasWatched
    }

    /// The numbers of the cards that have a control device.
    func cards() -> [UInt32] {
        var found: [UInt32] = []
        do throws(SystemError) {
            var names = try DirectoryNames(DeviceFolder.path)
            while let name = names.next() {
                if let card = name.number(after: "controlC") { found.insert(card, orderedBy: { $0 }) }
            }
        } catch {
            if error != .notFound { Log.debug("\(DeviceFolder.path): \(error.text)") }
        }
        return found
    }

    /// Whether this process may open a capture device; true without capture devices.
    static func mayRecord(in folder: String = path) -> Bool {
        var isAny = false
        do throws(SystemError) {
            var names = try DirectoryNames(folder)
            while let name = names.next() {
                // `pcmC0D0c` is a capture device, `pcmC0D0p` a playback device.
                guard name.begins(with: "pcmC"), name.utf8.last == 0x63 else { continue }
                isAny = true
                if linux_may_read_and_write("\(folder)/\(name)") { return true }
            }
        } catch {
            return true
        }
        return !isAny
    }
}
