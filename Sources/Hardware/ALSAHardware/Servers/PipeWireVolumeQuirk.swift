// SPDX-License-Identifier: Apache-2.0
/// PipeWire's control plug-in compares only the first channel of a volume with its last value (`volume_equal`,
/// up to version 1.4 at least). It neither reports a change of the other channels nor reads their new values.
/// Programs such as `amixer` set one channel after the other: the plug-in then has the new value of the first
/// channel and the old values of the others. When only the first channel has changed, this corrects the others.
struct PipeWireVolumeQuirk {
    private var reported = ElementValues()
    private var corrected = ElementValues()

    /// The values of an element for the values that the plug-in reports now.
    mutating func correct(_ values: [Int32], of element: UInt32) -> [Int32] {
        var result = values
        if let last = reported[element], let lastResult = corrected[element], last.count == values.count,
            let first = values.first
        {
            if values == last {
                result = lastResult
            } else if first != lastResult.first, values.dropFirst() == lastResult.dropFirst() {
                result = [Int32](repeating: first, count: values.count)
            }
        }
        reported.set(element, to: values)
        corrected.set(element, to: result)
        return result
    }
}
