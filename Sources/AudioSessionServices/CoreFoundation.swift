// SPDX-License-Identifier: Apache-2.0
import CAudioSessionConstants
import CCoreFoundation
import CLinux
import LinuxSystem
import Synchronization

/// The functions of CoreFoundation that the library calls, found in the process by name. The library does not link
/// CoreFoundation: a program that reads no CoreFoundation value never loads it.
struct CoreFoundation: @unchecked Sendable {
    typealias Object = UnsafeRawPointer

    let retain: @convention(c) (Object?) -> Object?
    let release: @convention(c) (Object?) -> Void
    let typeOf: @convention(c) (Object?) -> UInt
    let numberType: @convention(c) () -> UInt
    let numberCreate: @convention(c) (Object?, Int, UnsafeRawPointer?) -> Object?
    let numberGet: @convention(c) (Object?, Int, UnsafeMutableRawPointer?) -> UInt8
    let stringCreate: @convention(c) (Object?, UnsafePointer<UInt8>?, Int, UInt32, UInt8) -> Object?
    let arrayCreate: @convention(c) (Object?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?) -> Object?
    let dictionaryCreate:
        @convention(c) (
            Object?, UnsafePointer<Object?>?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?,
            UnsafeRawPointer?
        ) -> Object?
    let arrayCallBacks: UnsafeRawPointer
    let keyCallBacks: UnsafeRawPointer
    let valueCallBacks: UnsafeRawPointer

    let mainRunLoop: @convention(c) () -> Object?
    let defaultMode: Object
    let sourceCreate: @convention(c) (Object?, Int, UnsafeMutablePointer<run_loop_source_context>?) -> Object?
    let addSource: @convention(c) (Object?, Object?, Object?) -> Void
    let signalSource: @convention(c) (Object?) -> Void
    let invalidateSource: @convention(c) (Object?) -> Void
    let wakeRunLoop: @convention(c) (Object?) -> Void

    /// Nil when the process has no CoreFoundation, or one that lacks any of these functions.
    private init?() {
        guard
            let retain = linux_symbol("CFRetain"), let release = linux_symbol("CFRelease"),
            let typeOf = linux_symbol("CFGetTypeID"), let numberType = linux_symbol("CFNumberGetTypeID"),
            let numberCreate = linux_symbol("CFNumberCreate"),
            let numberGet = linux_symbol("CFNumberGetValue"),
            let stringCreate = linux_symbol("CFStringCreateWithBytes"),
            let arrayCreate = linux_symbol("CFArrayCreate"),
            let dictionaryCreate = linux_symbol("CFDictionaryCreate"),
            let arrayCallBacks = linux_symbol("kCFTypeArrayCallBacks"),
            let keyCallBacks = linux_symbol("kCFTypeDictionaryKeyCallBacks"),
            let valueCallBacks = linux_symbol("kCFTypeDictionaryValueCallBacks"),
            let mainRunLoop = linux_symbol("CFRunLoopGetMain"),
            let defaultMode = linux_symbol("kCFRunLoopDefaultMode"),
            let mode = defaultMode.load(as: Object?.self),
            let sourceCreate = linux_symbol("CFRunLoopSourceCreate"),
            let addSource = linux_symbol("CFRunLoopAddSource"),
            let signalSource = linux_symbol("CFRunLoopSourceSignal"),
            let invalidateSource = linux_symbol("CFRunLoopSourceInvalidate"),
            let wakeRunLoop = linux_symbol("CFRunLoopWakeUp")
        else { return nil }
        self.retain = unsafeBitCast(retain, to: (@convention(c) (Object?) -> Object?).self)
        self.release = unsafeBitCast(release, to: (@convention(c) (Object?) -> Void).self)
        self.typeOf = unsafeBitCast(typeOf, to: (@convention(c) (Object?) -> UInt).self)
        self.numberType = unsafeBitCast(numberType, to: (@convention(c) () -> UInt).self)
        self.numberCreate = unsafeBitCast(
            numberCreate, to: (@convention(c) (Object?, Int, UnsafeRawPointer?) -> Object?).self)
        self.numberGet = unsafeBitCast(
            numberGet, to: (@convention(c) (Object?, Int, UnsafeMutableRawPointer?) -> UInt8).self)
        self.stringCreate = unsafeBitCast(
            stringCreate,
            to: (@convention(c) (Object?, UnsafePointer<UInt8>?, Int, UInt32, UInt8) -> Object?).self)
        self.arrayCreate = unsafeBitCast(
            arrayCreate,
            to: (@convention(c) (Object?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?) -> Object?)
                .self)
        self.dictionaryCreate = unsafeBitCast(
            dictionaryCreate,
            to: (@convention(c) (
                Object?, UnsafePointer<Object?>?, UnsafePointer<Object?>?, Int, UnsafeRawPointer?,
                UnsafeRawPointer?
            ) -> Object?).self)
        self.arrayCallBacks = UnsafeRawPointer(arrayCallBacks)
        self.keyCallBacks = UnsafeRawPointer(keyCallBacks)
        self.valueCallBacks = UnsafeRawPointer(valueCallBacks)
        self.mainRunLoop = unsafeBitCast(mainRunLoop, to: (@convention(c) () -> Object?).self)
        self.defaultMode = mode
        self.sourceCreate = unsafeBitCast(
            sourceCreate,
            to: (@convention(c) (Object?, Int, UnsafeMutablePointer<run_loop_source_context>?) -> Object?)
                .self)
        self.addSource = unsafeBitCast(
            addSource, to: (@convention(c) (Object?, Object?, Object?) -> Void).self)
        self.signalSource = unsafeBitCast(signalSource, to: (@convention(c) (Object?) -> Void).self)
        self.invalidateSource = unsafeBitCast(
            invalidateSource, to: (@convention(c) (Object?) -> Void).self)
        self.wakeRunLoop = unsafeBitCast(wakeRunLoop, to: (@convention(c) (Object?) -> Void).self)
    }

    // MARK: Finding it

    // Without a lock: a child of fork() would inherit it held. Two threads that search at once find the same.
    private static let found = Atomic<UInt>(0)
    /// The number of loaded libraries at the last search that found nothing.
    private static let librariesThen = Atomic<UInt64>(0)
    /// The library has loaded it: a run loop of the program is not CoreFoundation's.
    private static let wasLoadedByUs = Atomic<Bool>(false)

    /// CoreFoundation if the process has loaded it.
    static var present: CoreFoundation? {
        if let there = UnsafePointer<CoreFoundation>(bitPattern: found.load(ordering: .acquiring)) {
            return there.pointee
        }
        let libraries = linux_libraries_added()
        guard libraries != librariesThen.load(ordering: .relaxed) else { return nil }
        guard let new = CoreFoundation(),
            audio_session_complete_constants(linux_symbol("$s10Foundation19_NSCFConstantStringCN"))
        else {
            librariesThen.store(libraries, ordering: .relaxed)
            return nil
        }
        // Never freed: any thread may read it from now on.
        let kept = UnsafeMutablePointer<CoreFoundation>.allocate(capacity: 1)
        kept.initialize(to: new)
        found.store(UInt(bitPattern: kept), ordering: .releasing)
        return new
    }

    /// CoreFoundation if the program itself has loaded it and so may run its run loops.
    static var ofProgram: CoreFoundation? {
        guard !wasLoadedByUs.load(ordering: .acquiring) else { return nil }
        return present
    }

    /// CoreFoundation, loaded if necessary. Only on a thread of the program that reads a value.
    static func loaded() -> CoreFoundation? {
        if let there = present { return there }
        wasLoadedByUs.store(true, ordering: .releasing)
        guard linux_load_library("libFoundation.so") else {
            wasLoadedByUs.store(false, ordering: .releasing)
            Log.debug("CoreFoundation is not installed: libFoundation.so was not found")
            return nil
        }
        linux_correct_main_thread("_CFMainPThread")
        librariesThen.store(0, ordering: .relaxed)
        return present
    }
}
