// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite("The rows of pairs")
struct PairsTests {
    static let counts = [
        [1, 1], [2, 3], [3, 3, 3], [5, 2, 4, 3], [7, 7, 7, 7, 2], [2, 2, 2, 2, 2, 2, 2, 2, 2, 2], [9, 1, 4],
    ]

    @Test("have each pair of values of each two variables", arguments: counts)
    func complete(_ counts: [Int]) {
        let rows = Pairs(counts).rows
        #expect(rows.allSatisfy { row in row.count == counts.count && zip(row, counts).allSatisfy { 0..<$1 ~= $0 } })
        for first in counts.indices {
            for second in counts.indices where first < second {
                let pairs = Set(rows.map { [$0[first], $0[second]] })
                #expect(pairs.count == counts[first] * counts[second], "variables \(first) and \(second)")
            }
        }
    }

    @Test("are few: at least the product of the two largest counts, and at most a half more", arguments: counts)
    func few(_ counts: [Int]) {
        let largest = counts.sorted(by: >)
        let least = largest[0] * largest[1]
        let rows = Pairs(counts).rows
        #expect(least...max(least * 3 / 2, least + 8) ~= rows.count)
        #expect(Set(rows).count == rows.count)
    }

    @Test("are the same for the same counts")
    func repeatable() { #expect(Pairs([5, 4, 3]).rows == Pairs([5, 4, 3]).rows) }
}
