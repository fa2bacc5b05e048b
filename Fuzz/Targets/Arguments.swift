// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    import CLinux

    // The input of a fuzzer as arguments of the library. A target returns false when a result breaks the contract.

    /// The bytes of the input. Each read consumes them from the front.
    struct Input {
        private var left: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawPointer?, _ count: Int) { left = UnsafeRawBufferPointer(start: bytes, count: count) }

        var isEmpty: Bool { left.isEmpty }
        var count: Int { left.count }

        mutating func byte() -> UInt8 {
            guard let first = left.first else { return 0 }
            left = UnsafeRawBufferPointer(rebasing: left.dropFirst())
            return first
        }

        mutating func number() -> UInt32 {
            var number: UInt32 = 0
            for _ in 0..<4 { number = number << 8 | UInt32(byte()) }
            return number
        }

        mutating func bytes(upTo most: Int) -> [UInt8] {
            let taken = Array(left.prefix(most))
            left = UnsafeRawBufferPointer(rebasing: left.dropFirst(taken.count))
            return taken
        }

        /// The text up to the next of these bytes, or to the end.
        mutating func text(upTo end: UInt8) -> String {
            var bytes: [UInt8] = []
            while !isEmpty {
                let next = byte()
                if next == end { break }
                bytes.append(next)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The words of a command line, each ended by a zero.
    @c(fuzz_arguments) public func fuzzArguments(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        var input = Input(bytes, count)
        var words: [String] = []
        while !input.isEmpty { words.append(input.text(upTo: 0)) }
        do throws(UsageError) {
            let command = try Command(words)
            return try Command(words) == command
        } catch {
            return !error.message.isEmpty
        }
    }
#endif
