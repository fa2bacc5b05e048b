// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Strings of the CoreFoundation that the process has, found by name: the library does not link it.
enum CoreFoundationStrings {
    private static let utf8: UInt32 = 0x0800_0100

    /// A new string, which the caller releases. Nil where the process has no CoreFoundation, or no memory.
    static func make(_ text: StaticString) -> UnsafeRawPointer? {
        guard let symbol = linux_symbol("CFStringCreateWithBytes") else { return nil }
        let create = unsafeBitCast(
            symbol,
            to: (@convention(c) (UnsafeRawPointer?, UnsafePointer<UInt8>?, Int, UInt32, UInt8) -> UnsafeRawPointer?).self)
        return create(nil, text.utf8Start, text.utf8CodeUnitCount, utf8, 0)
    }
}
