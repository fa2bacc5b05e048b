public import AudioHardware
public import SessionModel
public enum SimulationCommand: Equatable, Sendable {
    case hardware(SimulatedChange), silent(Bool), lock(Bool), beginInterruption(name: String), endInterruption(shouldResume: Bool), confirmInterruption
    public struct Malformed: Error { public let text: String }
    public init(_ line: String) throws(Malformed) { throw Malformed(text: "") }
}
