// SPDX-License-Identifier: Apache-2.0
/// Seconds in a readable form: "0:07.5", "61:00.0".
public func soundTime(_ seconds: Double) -> String {
    let tenths = seconds.isFinite ? Int(min(max(seconds, 0), 1e9) * 10 + 0.5) : 0
    let rest = tenths / 10 % 60
    return "\(tenths / 600):\(rest < 10 ? "0" : "")\(rest).\(tenths % 10)"
}
