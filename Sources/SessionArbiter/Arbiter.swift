import SessionModel

extension SessionTable {
    /// Decides a request: changes the table and tells whom it concerns. Total: any request on any
    /// table has an outcome.
    public mutating func decide(_ request: Request) -> Outcome {
        Outcome(refusal: .unspecified)
    }

    /// What the audio of the session in `slot` is to do.
    public func effect(of slot: Slot) -> Effect { Effect(gain: 1, isSilenced: false) }

    /// Whether a session other than those of `process` is playing.
    public func othersArePlaying(than process: ProcessIdentity) -> Bool { false }
}
