// SPDX-License-Identifier: Apache-2.0
/// Numbers for groups of ports in their order of arrival. A group that was removed and added again gets a new
/// number.
struct ArrivalOrder {
    private var known: [(group: String, number: UInt32)] = []
    private var last: UInt32 = 0

    /// The groups that are present now. New groups get their numbers in this order.
    mutating func update(_ groups: [String]) {
        let before = self
        known = []
        for group in groups where number(of: group) == 0 {
            var number = before.number(of: group)
            if number == 0 { number = next() }
            known.append((group, number))
        }
    }

    /// A number after those of all groups.
    mutating func next() -> UInt32 {
        last &+= 1
        return last
    }

    /// 0 for a group that is not present.
    func number(of group: String) -> UInt32 { known.first { $0.group == group }?.number ?? 0 }
}
