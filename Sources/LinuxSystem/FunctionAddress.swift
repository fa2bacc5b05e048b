// SPDX-License-Identifier: Apache-2.0

/// The address of a C function, by which two are compared: Swift does not compare functions.
public func functionAddress<Function>(_ function: Function) -> UInt { unsafeBitCast(function, to: UInt.self) }
