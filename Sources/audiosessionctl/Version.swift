enum Version {
    /// The same as in the file VERSION; a test compares them.
    static let text = "0.1.0"
}
