/// Numbers for things in their order of arrival. One that went and came again has arrived anew.
struct Arrivals {
    private var numbers: [String: UInt32] = [:]
    private var last: UInt32 = 0

    /// What is there now; those that came at once arrive in this order.
    mutating func follow(_ things: [String]) {
        var following: [String: UInt32] = [:]
        for thing in things where following[thing] == nil {
            if let known = numbers[thing] {
                following[thing] = known
            } else {
                last &+= 1
                following[thing] = last
            }
        }
        numbers = following
    }

    func number(of thing: String) -> UInt32 { numbers[thing] ?? 0 }
}
