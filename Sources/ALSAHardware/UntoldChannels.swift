/// PipeWire's plug-in for controls compares no more than the first channel with what it knew (`volume_equal`
/// there, up to 1.4 at least): a change of the others alone is neither told nor seen by whoever asks. Programs
/// that set one channel after the other, as `amixer` does, leave it with the new value of the first and the
/// old ones of the others. So where only the first has changed, the others are taken to follow.
struct UntoldChannels {
    private var said = ElementValues()
    private var meant = ElementValues()

    /// What an element's values mean that the plug-in says now.
    mutating func meaning(of values: [Int32], in element: UInt32) -> [Int32] {
        var meaning = values
        if let said = said[element], let meant = meant[element], said.count == values.count, let first = values.first {
            if values == said {
                meaning = meant
            } else if first != meant.first, values.dropFirst() == meant.dropFirst() {
                meaning = [Int32](repeating: first, count: values.count)
            }
        }
        said.set(element, to: values)
        meant.set(element, to: meaning)
        return meaning
    }
}
