import CLinux

let words = (1..<max(1, Int(linux_argument_count()))).map { String(cString: linux_argument(Int32($0))) }
do throws(Command.Mistake) {
    linux_exit(perform(try Command(words)))
} catch {
    Output.complain("\(error.text)\n\(Help.usage)")
    linux_exit(ExitCode.usage)
}
