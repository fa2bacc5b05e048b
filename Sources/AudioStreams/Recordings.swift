import CLinux
import LinuxSystem

/// The files that a simulated machine plays into: the first stream's is the one named, `%p` in the name
/// stands for the process, and later ones are numbered.
enum Recordings {
    private static let lock = Lock()
    nonisolated(unsafe) private static var count = 0

    static func next() -> String? {
        guard let pattern = Environment.value("AUDIOSESSION_SIMULATION_WAV") else { return nil }
        let number = lock.withLock {
            count += 1
            return count
        }
        var path = ""
        var isEscape = false
        for scalar in pattern.unicodeScalars {
            if isEscape {
                if scalar == "p" { path += "\(linux_process_id())" } else { path += "%\(scalar)" }
                isEscape = false
            } else if scalar == "%" {
                isEscape = true
            } else {
                path.unicodeScalars.append(scalar)
            }
        }
        return number == 1 ? path : "\(path).\(number)"
    }
}
