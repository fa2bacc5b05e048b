// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CLinux
import LinuxSystem

/// CoreFoundation values that files and formats take and give. The functions are found in the process by name: the library
/// does not link CoreFoundation.
enum FoundationValues {
    typealias Object = UnsafeRawPointer

    private typealias TypeOf = @convention(c) (Object?) -> UInt
    private typealias TypeID = @convention(c) () -> UInt
    private typealias URLPath = @convention(c) (Object?, UInt8, UnsafeMutablePointer<UInt8>?, Int) -> UInt8
    private typealias StringBytes = @convention(c) (Object?, UnsafeMutablePointer<CChar>?, Int, UInt32) -> UInt8
    private typealias StringCreate = @convention(c) (Object?, UnsafePointer<UInt8>?, Int, UInt32, UInt8) -> Object?
    private typealias ArrayCreate = @convention(c) (Object?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?) -> Object?
    private typealias DictionaryCreate =
        @convention(c) (
            Object?, UnsafePointer<Object?>?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?, UnsafeRawPointer?
        ) -> Object?
    private typealias Release = @convention(c) (Object?) -> Void

    /// `kCFStringEncodingUTF8`
    private static let utf8: UInt32 = 0x0800_0100
    private static let longestPath = 4_096

    /// The path of a file's CFURL, with its terminator. Nil for another object, and for a URL without a path.
    static func path(ofURL url: Object?) -> [UInt8]? {
        guard let url, isOfType(url, "CFURLGetTypeID"), let symbol = linux_symbol("CFURLGetFileSystemRepresentation") else {
            return nil
        }
        var path = [UInt8](repeating: 0, count: longestPath)
        let hasPath = path.withUnsafeMutableBufferPointer {
            unsafeBitCast(symbol, to: URLPath.self)(url, 1, $0.baseAddress, longestPath)
        }
        return hasPath != 0 ? path : nil
    }

    /// The text of a CFString of at most 255 bytes. Nil for another object.
    static func text(ofString string: Object?) -> String? {
        guard let string, isOfType(string, "CFStringGetTypeID"), let symbol = linux_symbol("CFStringGetCString") else {
            return nil
        }
        var text = [CChar](repeating: 0, count: 256)
        return text.withUnsafeMutableBufferPointer { buffer -> String? in
            guard unsafeBitCast(symbol, to: StringBytes.self)(string, buffer.baseAddress, 256, utf8) != 0,
                let start = buffer.baseAddress
            else { return nil }
            return String(cString: start)
        }
    }

    private static func isOfType(_ object: Object, _ typeID: StaticString) -> Bool {
        guard let typeOf = linux_symbol("CFGetTypeID"), let type = symbol(typeID) else { return false }
        return unsafeBitCast(typeOf, to: TypeOf.self)(object) == unsafeBitCast(type, to: TypeID.self)()
    }

    private static func symbol(_ name: StaticString) -> UnsafeMutableRawPointer? {
        name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) { linux_symbol($0) }
    }

    // MARK: Objects that belong to the caller

    /// Nil when CoreFoundation is not installed.
    static func string(_ text: String) -> Object? {
        guard isLoaded(), let symbol = linux_symbol("CFStringCreateWithBytes") else { return nil }
        var text = text
        return text.withUTF8 { unsafeBitCast(symbol, to: StringCreate.self)(nil, $0.baseAddress, $0.count, utf8, 0) }
    }

    static func array(_ texts: [String]) -> Object? {
        let elements = texts.map { string($0) }
        defer { for element in elements { release(element) } }
        guard elements.allSatisfy({ $0 != nil }), isLoaded(), let symbol = linux_symbol("CFArrayCreate"),
            let callBacks = linux_symbol("kCFTypeArrayCallBacks")
        else { return nil }
        return elements.withUnsafeBufferPointer {
            unsafeBitCast(symbol, to: ArrayCreate.self)(nil, $0.baseAddress, $0.count, callBacks)
        }
    }

    static func dictionary(_ entries: [(key: String, value: String)]) -> Object? {
        let keys = entries.map { string($0.key) }
        let values = entries.map { string($0.value) }
        defer { for object in keys + values { release(object) } }
        guard (keys + values).allSatisfy({ $0 != nil }), isLoaded(), let symbol = linux_symbol("CFDictionaryCreate"),
            let keyCallBacks = linux_symbol("kCFTypeDictionaryKeyCallBacks"),
            let valueCallBacks = linux_symbol("kCFTypeDictionaryValueCallBacks")
        else { return nil }
        return keys.withUnsafeBufferPointer { keys in
            values.withUnsafeBufferPointer { values in
                unsafeBitCast(symbol, to: DictionaryCreate.self)(
                    nil, keys.baseAddress, values.baseAddress, keys.count, keyCallBacks, valueCallBacks)
            }
        }
    }

    private static func release(_ object: Object?) {
        guard let object, let symbol = linux_symbol("CFRelease") else { return }
        unsafeBitCast(symbol, to: Release.self)(object)
    }

    /// CoreFoundation is in the process, loaded if necessary.
    private static func isLoaded() -> Bool {
        if linux_symbol("CFStringCreateWithBytes") != nil { return true }
        guard linux_load_library("libFoundation.so") else {
            Log.debug("CoreFoundation is not installed: libFoundation.so was not found")
            return false
        }
        linux_correct_main_thread("_CFMainPThread")
        return true
    }
}
