import CLinux

/// What was installed together with this tool, wherever that was moved since.
enum Installation {
    /// A file by its place below the folder that the tool's own folder lies in.
    static func file(_ place: String) -> String? {
        guard let prefix else { return nil }
        let path = "\(prefix)/\(place)"
        var status = linux_file_status()
        return linux_status_of_path(path, true, &status) >= 0 ? path : nil
    }

    private static var prefix: String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let length = linux_readlink("/proc/self/exe", &bytes, bytes.count)
        guard length > 0, Int(length) < bytes.count else { return nil }
        var parts = bytes.prefix(Int(length)).split(separator: 0x2F).map { Array($0) }
        // PREFIX/bin/audiosessionctl
        guard parts.count >= 2 else { return nil }
        parts.removeLast(2)
        var path = ""
        for part in parts { path += "/" + String(decoding: part.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
        return path
    }
}
