public import SessionModel

/// A machine without any sound hardware.
public final class AbsentHardware: AudioHardware {
    public init() {}

    public var descriptor: Int32 { -1 }
    public func heed() -> Bool { false }
    public func snapshot() -> HardwareSnapshot { HardwareSnapshot() }
    public func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat? { nil }
    public func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode) { throw .noHardware }
    public func isOtherProcessPlaying() -> Bool { false }
    public func simulate(_ change: SimulatedChange) throws(ResultCode) { throw .unsupportedProperty }
}
