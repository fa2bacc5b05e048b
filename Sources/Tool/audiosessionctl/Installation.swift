// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The prefix under which this tool is installed. The prefix may be moved.
enum Installation {
    /// The path of an installed file, relative to the prefix; nil if it does not exist.
    static func file(_ name: String) -> String? {
        guard let prefix else { return nil }
        let path = "\(prefix)/\(name)"
        var status = linux_file_status()
        return linux_status_of_path(path, true, &status) >= 0 ? path : nil
    }

    /// The tool contains the library. The modules are beside the installed one: where packages of Debian and others put it.
    static func findModules() {
        #if arch(arm64)
            let ofDebian = "lib/aarch64-linux-gnu"
        #else
            let ofDebian = "lib/x86_64-linux-gnu"
        #endif
        for folder in ["lib", ofDebian, "lib64"] where file(folder + "/audiosession/servers") != nil {
            if let path = file(folder) { return linux_set_module_folder(path) }
        }
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
