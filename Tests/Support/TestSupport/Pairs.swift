// SPDX-License-Identifier: Apache-2.0

/// Rows that have every pair of values of every two variables, in few rows.
///
/// The values of a variable are the numbers below its count. A seed does not matter: the same counts give the same rows.
public struct Pairs: Sendable {
    /// One value of each variable.
    public let rows: [[Int]]

    /// The greedy method: each row begins with the first pair that no row has, and each other variable receives the value that
    /// completes the most such pairs.
    public init(_ counts: [Int]) {
        precondition(counts.count >= 2 && counts.allSatisfy { $0 > 0 }, "two variables with a value at least")
        var open = OpenPairs(counts)
        var rows: [[Int]] = []
        while let (first, second) = open.first() {
            var row = [Int?](repeating: nil, count: counts.count)
            row[first.variable] = first.value
            row[second.variable] = second.value
            // The values that a tie begins with rotate, so that unconstrained variables take all their values.
            for variable in counts.indices where row[variable] == nil {
                row[variable] = (0..<counts[variable])
                    .map { ($0 + rows.count) % counts[variable] }
                    .max { open.gain(variable, $0, row) < open.gain(variable, $1, row) }
            }
            let full = row.map { $0 ?? 0 }
            open.close(full)
            rows.append(full)
        }
        self.rows = rows
    }
}

/// The pairs that no row has yet.
private struct OpenPairs {
    typealias Choice = (variable: Int, value: Int)
    private let counts: [Int]
    /// The number of the first value of each variable among the values of all.
    private let offsets: [Int]
    private let total: Int
    private var isOpen: [Bool]
    private var next = 0

    init(_ counts: [Int]) {
        self.counts = counts
        offsets = counts.indices.map { counts[..<$0].reduce(0, +) }
        total = counts.reduce(0, +)
        isOpen = Array(repeating: false, count: total * total)
        for first in counts.indices {
            for second in counts.indices where first < second {
                for value in 0..<counts[first] {
                    for other in 0..<counts[second] { isOpen[(offsets[first] + value) * total + offsets[second] + other] = true }
                }
            }
        }
    }

    mutating func first() -> (Choice, Choice)? {
        while next < isOpen.count, !isOpen[next] { next += 1 }
        return next < isOpen.count ? (choice(next / total), choice(next % total)) : nil
    }

    private func choice(_ number: Int) -> Choice {
        let variable = offsets.lastIndex { $0 <= number } ?? 0
        return (variable, number - offsets[variable])
    }

    private func index(_ first: Choice, _ second: Choice) -> Int {
        let (low, high) = first.variable < second.variable ? (first, second) : (second, first)
        return (offsets[low.variable] + low.value) * total + offsets[high.variable] + high.value
    }

    /// The open pairs that the value forms with the values of a row.
    func gain(_ variable: Int, _ value: Int, _ row: [Int?]) -> Int {
        row.indices.count { other in row[other].map { isOpen[index((variable, value), (other, $0))] } ?? false }
    }

    mutating func close(_ row: [Int]) {
        for first in row.indices {
            for second in row.indices where first < second { isOpen[index((first, row[first]), (second, row[second]))] = false }
        }
    }
}
