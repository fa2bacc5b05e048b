// SPDX-License-Identifier: Apache-2.0

/// The address of a C function, for comparisons: Swift cannot compare functions.
public func functionAddress<Function>(_ function: Function) -> UInt { unsafeBitCast(function, to: UInt.self) }
