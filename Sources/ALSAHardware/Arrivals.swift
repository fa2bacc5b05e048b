/// Numbers for things in their order of arrival. One that went and came again has arrived anew.
struct Arrivals {
    private var known: [(thing: String, number: UInt32)] = []
    private var last: UInt32 = 0

    /// What is there now; those that came at once arrive in this order.
    mutating func follow(_ things: [String]) {
        let before = self
        known = []
        for thing in things where number(of: thing) == 0 {
            var number = before.number(of: thing)
            if number == 0 {
                last &+= 1
                number = last
            }
            known.append((thing, number))
        }
    }

    /// 0 for what is not there.
    func number(of thing: String) -> UInt32 { known.first { $0.thing == thing }?.number ?? 0 }
}
