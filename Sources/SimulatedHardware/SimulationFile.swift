import CLinux
import LinuxSystem

/// The file that several processes share a simulated machine by.
final class SimulationFile: Sendable {
    let path: String
    private let name: String
    /// Watches the folder: the file itself may not exist yet, and is replaced rather than written.
    private let watch: FileDescriptor

    private static let limit = 65_536

    init(_ path: String) {
        let slash = path.utf8.lastIndex(of: 0x2F)
        let folder = slash.map { String(decoding: path.utf8[..<$0], as: UTF8.self) } ?? "."
        self.path = path
        name = slash.map { String(decoding: path.utf8[path.utf8.index(after: $0)...], as: UTF8.self) } ?? path
        let inotify = linux_inotify_create()
        let watched = inotify >= 0 ? linux_inotify_watch_names(inotify, folder.isEmpty ? "/" : folder) : inotify
        if watched < 0 { Log.line("\(path): changes by others are not noticed: \(SystemError(-watched).text)") }
        watch = FileDescriptor(owning: inotify)
    }

    var descriptor: Int32 { watch.number }

    /// Takes in the reports about the folder and the file. True when one of them is about the file.
    func hasChanged() -> Bool {
        struct Search {
            let name: String
            var isFound = false
        }
        var search = Search(name: name)
        withUnsafeMutablePointer(to: &search) { context in
            _ = linux_inotify_drain(
                descriptor,
                { changed, context in
                    guard let changed, let search = context?.assumingMemoryBound(to: Search.self) else { return }
                    // A report about the file itself has no name.
                    if changed[0] == 0 || String(cString: changed) == search.pointee.name { search.pointee.isFound = true }
                }, context)
        }
        return search.isFound
    }

    /// Without a file the default machine; nil where the file says nothing that could be understood.
    func read() -> SimulatedMachine? {
        // Watched anew each time: it may be another file by now. Other files of the folder are written
        // all the time, and their writing is nothing to wake up for.
        _ = linux_inotify_watch_content(watch.number, path)
        let text: String
        do throws(SystemError) { text = try TextFile.read(path, limit: SimulationFile.limit) } catch {
            if error == .notFound { return SimulatedMachine() }
            Log.line("\(path): \(error.text); the last good state stays")
            return nil
        }
        do throws(SimulatedMachine.Malformed) { return try SimulatedMachine(text: text) } catch {
            Log.line("\(path):\(error.line): \(error.text); the last good state stays")
            return nil
        }
    }

    /// Changes what is in the file now, so that nothing another process has done is lost. A file that
    /// cannot be understood is replaced by the last good state with the change.
    func change(
        from last: SimulatedMachine, _ body: (inout SimulatedMachine) -> Void
    ) throws(SystemError) -> SimulatedMachine {
        let guardFile = try FileDescriptor(opening: path + ".lock", how: LINUX_READ_WRITE | LINUX_CREATE)
        try lock(guardFile.number)
        defer { _ = linux_unlock(guardFile.number) }
        var machine = read() ?? last
        body(&machine)
        try TextFile.replace(path, with: machine.text)
        return machine
    }

    /// Waits while others get something done, not for one that was stopped.
    private func lock(_ file: Int32) throws(SystemError) {
        var patience = Patience()
        while true {
            let locked = linux_try_lock(file)
            if locked >= 0 { return }
            guard SystemError(-locked) == .tryAgain else { throw SystemError(-locked) }
            guard patience.wait(while: whichFile()) else { throw .busy }
        }
    }

    /// Another one with each change.
    private func whichFile() -> UInt64 {
        var status = linux_file_status()
        return linux_status_of_path(path, false, &status) >= 0 ? status.inode : 0
    }
}
