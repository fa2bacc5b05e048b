// SPDX-License-Identifier: Apache-2.0
/// An error that has a result code of a C interface.
public protocol StatusError: Error {
    var status: Int32 { get }
}

extension SystemError: StatusError {
    public var status: Int32 { result }
}

/// Runs the body of a C function. Returns 0, or the result code of the thrown error.
@inlinable @inline(__always)
public func answer<Failure: StatusError>(_ body: () throws(Failure) -> Void) -> Int32 {
    do throws(Failure) {
        try body()
        return 0
    } catch { return error.status }
}
