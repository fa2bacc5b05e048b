// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The file that a command writes, and its format.
struct OutputOptions: Equatable {
    private(set) var file = ""
    private(set) var container = Container.wave
    /// Nil for the encoding of the source.
    private(set) var encoding: TargetEncoding?
    private(set) var rate: Double?
    private(set) var channels: UInt32?
    /// Only for `record`.
    private(set) var seconds: Double?
    /// Replaces an existing file.
    private(set) var replaces = false

    /// In Hz. A queue plays these rates, and a conversion starts from no other one and makes no other one.
    static let rates = 4_000.0...192_000.0
    static let words = ["--format", "--rate", "--channels", "--force", "--"]
    static let recordWords = words + ["--seconds"]

    /// Parses the options and the files. The last file is the file to write.
    static func parse(
        _ arguments: inout Arguments, files missing: [StaticString], mayEnd: Bool
    ) throws(UsageError) -> (files: [String], options: OutputOptions) {
        var options = OutputOptions()
        var files: [String] = []
        let words = mayEnd ? recordWords : words
        while !arguments.isEmpty {
            let isQuoted = arguments.accept("--")
            if !isQuoted {
                if try options.accept(&arguments, mayEnd: mayEnd) { continue }
                if arguments.startsWithOption {
                    throw UsageError(unknown: arguments.next() ?? "", as: "option", among: words)
                }
            }
            repeat {
                guard let file = arguments.next() else { throw UsageError("the file after -- is missing") }
                guard files.count < missing.count else { throw UsageError(unknown: file, among: words) }
                files.append(file)
            } while isQuoted && !arguments.isEmpty
        }
        guard files.count == missing.count, let file = files.last else { throw UsageError("\(missing[files.count])") }
        try options.write(to: file)
        return (files, options)
    }

    private mutating func accept(_ arguments: inout Arguments, mayEnd: Bool) throws(UsageError) -> Bool {
        if arguments.accept("--force") {
            replaces = true
        } else if arguments.accept("--format") {
            let word = try arguments.nextValue(of: "--format")
            guard let encoding = TargetEncoding(word) else {
                throw UsageError(unknown: word, as: "format", among: TargetEncoding.words)
            }
            self.encoding = encoding
        } else if arguments.accept("--rate") {
            rate = try number(arguments.nextValue(of: "--rate"), "the rate", in: OutputOptions.rates)
        } else if arguments.accept("--channels") {
            let count = try number(arguments.nextValue(of: "--channels"), "the number of channels", in: 1...8)
            guard count == count.rounded() else { throw UsageError("the number of channels is not whole") }
            channels = UInt32(count)
        } else if mayEnd, arguments.accept("--seconds") {
            seconds = try number(arguments.nextValue(of: "--seconds"), "the number of seconds", in: 0.001...1e6)
        } else {
            return false
        }
        return true
    }

    private func number(_ word: String, _ name: StaticString, in range: ClosedRange<Double>) throws(UsageError) -> Double {
        var value = 0.0
        guard linux_parse_double(word, &value), range.contains(value) else {
            let (least, most) = (Number.text(range.lowerBound), Number.text(range.upperBound))
            throw UsageError("\(name) \"\(word)\" is not in \(least) to \(most)")
        }
        return value
    }

    private mutating func write(to file: String) throws(UsageError) {
        self.file = file
        container = try Container(file)
        guard let encoding, !container.holds(encoding) else { return }
        throw UsageError("the type of \"\(file)\" does not hold \(encoding.word), only \(container.encodings)")
    }
}

extension Arguments {
    mutating func nextValue(of option: StaticString) throws(UsageError) -> String {
        guard let value = next() else { throw UsageError("the value of \(option) is missing") }
        return value
    }

    /// At least one file. All words after "--" are files.
    mutating func files() throws(UsageError) -> [String] {
        guard startsWithOption else {
            var files = [try nextFile("the file is missing", isRead: true)]
            while !isEmpty { files.append(try nextFile("the file is missing", isRead: true)) }
            return files
        }
        var files = [try nextFile("the file is missing")]
        while let file = next() { files.append(file) }
        return files
    }
}
