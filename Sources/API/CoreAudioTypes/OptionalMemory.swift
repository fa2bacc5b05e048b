// SPDX-License-Identifier: Apache-2.0
internal import Glibc

// Programs pass `mData` of buffers, which is optional, to the functions of libc for memory. On the platform these take optional
// pointers; those of this platform do not. Without a pointer, nothing is copied.

/// Copies bytes between two places that do not overlap.
@discardableResult
@_disfavoredOverload
public func memcpy(_ dst: UnsafeMutableRawPointer?, _ src: UnsafeRawPointer?, _ n: Int) -> UnsafeMutableRawPointer? {
    guard let dst, let src else { return dst }
    return Glibc.memcpy(dst, src, n)
}

/// Copies bytes between two places that may overlap.
@discardableResult
@_disfavoredOverload
public func memmove(_ dst: UnsafeMutableRawPointer?, _ src: UnsafeRawPointer?, _ len: Int) -> UnsafeMutableRawPointer? {
    guard let dst, let src else { return dst }
    return Glibc.memmove(dst, src, len)
}

/// Sets bytes.
@discardableResult
@_disfavoredOverload
public func memset(_ b: UnsafeMutableRawPointer?, _ c: Int32, _ len: Int) -> UnsafeMutableRawPointer? {
    guard let b else { return b }
    return Glibc.memset(b, c, len)
}

/// Sets bytes to zero.
@_disfavoredOverload
public func bzero(_ s: UnsafeMutableRawPointer?, _ n: Int) {
    if let s { Glibc.memset(s, 0, n) }
}
