// SPDX-License-Identifier: Apache-2.0
public import CCoreFoundation
import CLinux

/// The functions of CoreFoundation that the libraries call, found in the process by name. No library links
/// CoreFoundation: a program that reads no CoreFoundation value never loads it.
public struct CoreFoundation: @unchecked Sendable {
    public typealias Object = UnsafeRawPointer
    public typealias TypeID = @convention(c) () -> UInt

    public let retain: @convention(c) (Object?) -> Object?
    public let release: @convention(c) (Object?) -> Void
    public let typeOf: @convention(c) (Object?) -> UInt
    public let numberType: TypeID
    public let numberCreate: @convention(c) (Object?, Int, UnsafeRawPointer?) -> Object?
    public let numberGet: @convention(c) (Object?, Int, UnsafeMutableRawPointer?) -> UInt8
    let stringType: TypeID
    let stringCreate: @convention(c) (Object?, UnsafePointer<UInt8>?, Int, UInt32, UInt8) -> Object?
    let stringGet: @convention(c) (Object?, UnsafeMutablePointer<UInt8>?, Int, UInt32) -> UInt8
    let urlType: TypeID
    let urlPath: @convention(c) (Object?, UInt8, UnsafeMutablePointer<UInt8>?, Int) -> UInt8
    let urlAbsolute: @convention(c) (Object?) -> Object?
    let urlBytes: @convention(c) (Object?, UnsafeMutablePointer<UInt8>?, Int) -> Int
    let arrayCreate: @convention(c) (Object?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?) -> Object?
    let dictionaryCreate:
        @convention(c) (
            Object?, UnsafePointer<Object?>?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?, UnsafeRawPointer?
        ) -> Object?
    let arrayCallBacks: UnsafeRawPointer
    let keyCallBacks: UnsafeRawPointer
    let valueCallBacks: UnsafeRawPointer

    public let mainRunLoop: @convention(c) () -> Object?
    public let currentRunLoop: @convention(c) () -> Object?
    public let defaultMode: Object
    public let commonModes: Object
    public let sourceCreate: @convention(c) (Object?, Int, UnsafeMutablePointer<run_loop_source_context>?) -> Object?
    public let addSource: @convention(c) (Object?, Object?, Object?) -> Void
    public let signalSource: @convention(c) (Object?) -> Void
    public let invalidateSource: @convention(c) (Object?) -> Void
    public let wakeRunLoop: @convention(c) (Object?) -> Void

    /// Throws when the process has no CoreFoundation, or a CoreFoundation that lacks one of these functions.
    init() throws(MissingSymbol) {
        retain = try function("CFRetain")
        release = try function("CFRelease")
        typeOf = try function("CFGetTypeID")
        numberType = try function("CFNumberGetTypeID")
        numberCreate = try function("CFNumberCreate")
        numberGet = try function("CFNumberGetValue")
        stringType = try function("CFStringGetTypeID")
        stringCreate = try function("CFStringCreateWithBytes")
        stringGet = try function("CFStringGetCString")
        urlType = try function("CFURLGetTypeID")
        urlPath = try function("CFURLGetFileSystemRepresentation")
        urlAbsolute = try function("CFURLCopyAbsoluteURL")
        urlBytes = try function("CFURLGetBytes")
        arrayCreate = try function("CFArrayCreate")
        dictionaryCreate = try function("CFDictionaryCreate")
        arrayCallBacks = try address("kCFTypeArrayCallBacks")
        keyCallBacks = try address("kCFTypeDictionaryKeyCallBacks")
        valueCallBacks = try address("kCFTypeDictionaryValueCallBacks")
        mainRunLoop = try function("CFRunLoopGetMain")
        currentRunLoop = try function("CFRunLoopGetCurrent")
        defaultMode = try constant("kCFRunLoopDefaultMode")
        commonModes = try constant("kCFRunLoopCommonModes")
        sourceCreate = try function("CFRunLoopSourceCreate")
        addSource = try function("CFRunLoopAddSource")
        signalSource = try function("CFRunLoopSourceSignal")
        invalidateSource = try function("CFRunLoopSourceInvalidate")
        wakeRunLoop = try function("CFRunLoopWakeUp")
    }
}

struct MissingSymbol: Error {}

private func address(_ name: UnsafePointer<CChar>) throws(MissingSymbol) -> UnsafeRawPointer {
    guard let symbol = linux_symbol(name) else { throw MissingSymbol() }
    return UnsafeRawPointer(symbol)
}

/// `Function` is the type of the C function.
private func function<Function>(_ name: UnsafePointer<CChar>) throws(MissingSymbol) -> Function {
    unsafeBitCast(try address(name), to: Function.self)
}

private func constant(_ name: UnsafePointer<CChar>) throws(MissingSymbol) -> CoreFoundation.Object {
    guard let object = try address(name).load(as: CoreFoundation.Object?.self) else { throw MissingSymbol() }
    return object
}
