// SPDX-License-Identifier: Apache-2.0
import CLinux

Installation.findModules()
let words = (1..<max(1, Int(linux_argument_count()))).map { String(argument: linux_argument(Int32($0))) }
do throws(UsageError) {
    linux_exit(execute(try Command(words)))
} catch {
    Output.error(error.message)
    linux_exit(ExitCode.usage)
}

/// Returns the exit status.
func execute(_ command: Command) -> Int32 {
    switch command {
    case .help(let name): return Output.print(Usage.help(name)) ? ExitCode.success : ExitCode.failure
    case .version: return Output.print("audiosessionctl \(Version.text)\n") ? ExitCode.success : ExitCode.failure
    case .status(let json): return printStatus(json: json)
    case .routes(let json): return printRoutes(json: json)
    case .monitor(let format): return monitor(format)
    case .trace(let file, let picture): return recordTrace(to: file, picture: picture)
    case .beginInterruption(let name, let detached): return beginCall(name, detached: detached)
    case .change(let change): return apply(change)
    case .doctor: return doctor()
    case .run(let options): return run(options)
    case .play(let files): return play(files)
    case .record(let options): return record(options)
    case .convert(let file, let options): return convert(file, options)
    case .info(let files, let json): return printInfo(files, json: json)
    }
}
