// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The failure of a stream: a positive errno value. ALSA returns its negative to the program.
public struct StreamError: Error, Equatable, Sendable {
    public let number: Int32

    public init(_ number: Int32) { self.number = number }

    /// A negative result becomes an error.
    @discardableResult
    static func check(_ result: Int32) throws(StreamError) -> Int32 {
        guard result >= 0 else { throw StreamError(-result) }
        return result
    }

    /// The refusal of an activation.
    init(_ refusal: ResultCode) {
        self =
            switch refusal {
            case .notActive: .busy
            case .noHardware: .noDevice
            case .incompatibleCategory: .notPermitted
            default: .failed
            }
    }

    public static let late = StreamError(32)  // EPIPE
    /// The machine was asleep.
    public static let suspended = StreamError(86)  // ESTRPIPE
    public static let noDevice = StreamError(19)  // ENODEV
    public static let busy = StreamError(16)  // EBUSY
    public static let notPermitted = StreamError(1)  // EPERM
    public static let invalid = StreamError(22)  // EINVAL
    public static let failed = StreamError(5)  // EIO
    public static let noMemory = StreamError(12)  // ENOMEM
    public static let badState = StreamError(77)  // EBADFD
    public static let tryAgain = StreamError(11)  // EAGAIN
}
