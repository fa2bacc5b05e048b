// SPDX-License-Identifier: Apache-2.0
import CCoreFoundation
import CLinux

/// The run-loop functions of CoreFoundation, found in the process by name: a program that gives a run loop has them.
private struct RunLoopFunctions {
    let retain: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?
    let release: @convention(c) (UnsafeRawPointer?) -> Void
    let mainRunLoop: @convention(c) () -> UnsafeRawPointer?
    let commonModes: UnsafeRawPointer
    let defaultMode: UnsafeRawPointer
    let sourceCreate: @convention(c) (UnsafeRawPointer?, Int, UnsafeMutablePointer<run_loop_source_context>?) -> UnsafeRawPointer?
    let addSource: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Void
    let signalSource: @convention(c) (UnsafeRawPointer?) -> Void
    let invalidateSource: @convention(c) (UnsafeRawPointer?) -> Void
    let wakeRunLoop: @convention(c) (UnsafeRawPointer?) -> Void

    /// Nil in a process without CoreFoundation.
    init?() {
        guard
            let retain = linux_symbol("CFRetain"), let release = linux_symbol("CFRelease"),
            let mainRunLoop = linux_symbol("CFRunLoopGetMain"),
            let commonModes = linux_symbol("kCFRunLoopCommonModes")?.load(as: UnsafeRawPointer?.self),
            let defaultMode = linux_symbol("kCFRunLoopDefaultMode")?.load(as: UnsafeRawPointer?.self),
            let sourceCreate = linux_symbol("CFRunLoopSourceCreate"), let addSource = linux_symbol("CFRunLoopAddSource"),
            let signalSource = linux_symbol("CFRunLoopSourceSignal"),
            let invalidateSource = linux_symbol("CFRunLoopSourceInvalidate"),
            let wakeRunLoop = linux_symbol("CFRunLoopWakeUp")
        else { return nil }
        self.commonModes = commonModes
        self.defaultMode = defaultMode
        self.retain = unsafeBitCast(retain, to: (@convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?).self)
        self.release = unsafeBitCast(release, to: (@convention(c) (UnsafeRawPointer?) -> Void).self)
        self.mainRunLoop = unsafeBitCast(mainRunLoop, to: (@convention(c) () -> UnsafeRawPointer?).self)
        self.sourceCreate = unsafeBitCast(
            sourceCreate,
            to: (@convention(c) (UnsafeRawPointer?, Int, UnsafeMutablePointer<run_loop_source_context>?) -> UnsafeRawPointer?)
                .self)
        self.addSource = unsafeBitCast(
            addSource, to: (@convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Void).self)
        self.signalSource = unsafeBitCast(signalSource, to: (@convention(c) (UnsafeRawPointer?) -> Void).self)
        self.invalidateSource = unsafeBitCast(invalidateSource, to: (@convention(c) (UnsafeRawPointer?) -> Void).self)
        self.wakeRunLoop = unsafeBitCast(wakeRunLoop, to: (@convention(c) (UnsafeRawPointer?) -> Void).self)
    }
}

/// A function that a run loop calls on its thread after a signal.
final class RunLoopSource: @unchecked Sendable {
    private final class Body {
        let call: () -> Void
        init(_ call: @escaping () -> Void) { self.call = call }
    }

    private let functions: RunLoopFunctions
    private let source: UnsafeRawPointer
    private let runLoop: UnsafeRawPointer

    private init(_ functions: RunLoopFunctions, _ source: UnsafeRawPointer, _ runLoop: UnsafeRawPointer) {
        self.functions = functions
        self.source = source
        self.runLoop = runLoop
    }

    deinit {
        functions.release(source)
        functions.release(runLoop)
    }

    /// A source of a run loop in a mode; nil stands for the main run loop, and for the common modes or the default one.
    /// Nil in a process without CoreFoundation.
    static func make(
        _ runLoop: UnsafeRawPointer?, _ mode: UnsafeRawPointer?, inCommonModes: Bool, _ call: @escaping () -> Void
    ) -> RunLoopSource? {
        guard let functions = RunLoopFunctions(), let runLoop = runLoop ?? functions.mainRunLoop() else { return nil }
        var context = run_loop_source_context()
        // The source keeps the body, also while it runs and after it was invalidated.
        let body = Body(call)
        context.info = Unmanaged.passUnretained(body).toOpaque()
        context.retain = {
            if let info = $0 { _ = Unmanaged<Body>.fromOpaque(info).retain() }
            return $0
        }
        context.release = { if let info = $0 { Unmanaged<Body>.fromOpaque(info).release() } }
        context.perform = { if let info = $0 { Unmanaged<Body>.fromOpaque(info).takeUnretainedValue().call() } }
        let made = withExtendedLifetime(body) { functions.sourceCreate(nil, 0, &context) }
        guard let made, let kept = functions.retain(runLoop) else { return nil }
        functions.addSource(runLoop, made, mode ?? (inCommonModes ? functions.commonModes : functions.defaultMode))
        return RunLoopSource(functions, made, kept)
    }

    /// On any thread.
    func signal() {
        functions.signalSource(source)
        functions.wakeRunLoop(runLoop)
    }

    func invalidate() { functions.invalidateSource(source) }
}
