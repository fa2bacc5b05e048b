// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import LinuxSystem

/// A render procedure of the program, and its reference.
public struct RenderCallback: Equatable, @unchecked Sendable {
    public let procedure: AURenderCallback
    public let reference: UnsafeMutableRawPointer?

    public init(_ procedure: @escaping AURenderCallback, _ reference: UnsafeMutableRawPointer?) {
        self.procedure = procedure
        self.reference = reference
    }

    /// Nil for a NULL procedure.
    public init?(_ structure: AURenderCallbackStruct) {
        guard let procedure = structure.inputProc else { return nil }
        self.init(procedure, structure.inputProcRefCon)
    }

    public var structure: AURenderCallbackStruct { AURenderCallbackStruct(inputProc: procedure, inputProcRefCon: reference) }

    func call(
        _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>?
    ) -> OSStatus { procedure(reference, &flags, time, bus, UInt32(truncatingIfNeeded: frames), list) }

    public static func == (left: RenderCallback, right: RenderCallback) -> Bool {
        left.reference == right.reference && functionAddress(left.procedure) == functionAddress(right.procedure)
    }
}
