// SPDX-License-Identifier: Apache-2.0
import CCoreFoundation
import CoreFoundationTable

/// A function that a run loop calls on its thread after a signal.
final class RunLoopSource: @unchecked Sendable {
    private final class Body {
        let call: () -> Void
        init(_ call: @escaping () -> Void) { self.call = call }
    }

    private let functions: CoreFoundation
    private let source: UnsafeRawPointer
    private let runLoop: UnsafeRawPointer

    private init(_ functions: CoreFoundation, _ source: UnsafeRawPointer, _ runLoop: UnsafeRawPointer) {
        self.functions = functions
        self.source = source
        self.runLoop = runLoop
    }

    deinit {
        functions.release(source)
        functions.release(runLoop)
    }

    /// A source of a run loop in a mode; nil stands for the main run loop, and for the common modes or the default one. Of several
    /// sources with a signal the run loop calls the one with the lowest order first; the session's has order 0.
    /// Nil in a process without CoreFoundation.
    static func make(
        _ runLoop: UnsafeRawPointer?, _ mode: UnsafeRawPointer?, inCommonModes: Bool, order: Int = 0,
        _ call: @escaping () -> Void
    ) -> RunLoopSource? {
        guard let functions = CoreFoundation.inProcess, let runLoop = runLoop ?? functions.mainRunLoop() else { return nil }
        var context = run_loop_source_context()
        // The source references the body, also while it runs and after it was invalidated.
        let body = Body(call)
        context.info = Unmanaged.passUnretained(body).toOpaque()
        context.retain = {
            if let info = $0 { _ = Unmanaged<Body>.fromOpaque(info).retain() }
            return $0
        }
        context.release = { if let info = $0 { Unmanaged<Body>.fromOpaque(info).release() } }
        context.perform = { if let info = $0 { Unmanaged<Body>.fromOpaque(info).takeUnretainedValue().call() } }
        let made = withExtendedLifetime(body) { functions.sourceCreate(nil, order, &context) }
        guard let made, let kept = functions.retain(runLoop) else { return nil }
        functions.addSource(runLoop, made, mode ?? (inCommonModes ? functions.commonModes : functions.defaultMode))
        return RunLoopSource(functions, made, kept)
    }

    /// May be called on any thread.
    func signal() {
        functions.signalSource(source)
        functions.wakeRunLoop(runLoop)
    }

    func invalidate() { functions.invalidateSource(source) }
}
