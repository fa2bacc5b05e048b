// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioToolboxFunctions
public import CCoreAudioTypes
public import CoreFoundation

// The functions that take a run loop and one of its modes. Without a run loop, callbacks come on a thread of the library.

/// Makes a queue that plays.
@discardableResult
public func AudioQueueNewOutput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inCallbackProc: @escaping AudioQueueOutputCallback,
    _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: CFRunLoop?,
    _ inCallbackRunLoopMode: CoreFoundation.CFString?, _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    withAddresses(inCallbackRunLoop, inCallbackRunLoopMode) {
        __AudioQueueNewOutput(inFormat, inCallbackProc, inUserData, $0, $1, inFlags, outAQ)
    }
}

/// Makes a queue that records.
@discardableResult
public func AudioQueueNewInput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inCallbackProc: @escaping AudioQueueInputCallback,
    _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: CFRunLoop?,
    _ inCallbackRunLoopMode: CoreFoundation.CFString?, _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    withAddresses(inCallbackRunLoop, inCallbackRunLoopMode) {
        __AudioQueueNewInput(inFormat, inCallbackProc, inUserData, $0, $1, inFlags, outAQ)
    }
}

/// Registers a procedure for the end of a system sound.
@discardableResult
public func AudioServicesAddSystemSoundCompletion(
    _ inSystemSoundID: SystemSoundID, _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CoreFoundation.CFString?,
    _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    withAddresses(inRunLoop, inRunLoopMode) {
        __AudioServicesAddSystemSoundCompletion(inSystemSoundID, $0, $1, inCompletionRoutine, inClientData)
    }
}

/// Sets up the session of the process for the functions of Audio Session Services.
@discardableResult
public func AudioSessionInitialize(
    _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CoreFoundation.CFString?,
    _ inInterruptionListener: AudioSessionInterruptionListener?, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    withAddresses(inRunLoop, inRunLoopMode) { __AudioSessionInitialize($0, $1, inInterruptionListener, inClientData) }
}

/// Makes a listener for parameters of units.
@discardableResult
public func AUListenerCreate(
    _ inProc: @escaping AUParameterListenerProc, _ inUserData: UnsafeMutableRawPointer?, _ inRunLoop: CFRunLoop?,
    _ inRunLoopMode: CoreFoundation.CFString?, _ inNotificationInterval: Float32,
    _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>
) -> OSStatus {
    withAddresses(inRunLoop, inRunLoopMode) {
        __AUListenerCreate(inProc, inUserData, $0, $1, inNotificationInterval, outListener)
    }
}

/// Makes a listener for events of units.
@discardableResult
public func AUEventListenerCreate(
    _ inProc: @escaping AUEventListenerProc, _ inUserData: UnsafeMutableRawPointer?, _ inRunLoop: CFRunLoop?,
    _ inRunLoopMode: CoreFoundation.CFString?, _ inNotificationInterval: Float32, _ inValueChangeGranularity: Float32,
    _ outListener: UnsafeMutablePointer<AUEventListenerRef?>
) -> OSStatus {
    withAddresses(inRunLoop, inRunLoopMode) {
        __AUEventListenerCreate(
            inProc, inUserData, $0, $1, inNotificationInterval, inValueChangeGranularity, outListener)
    }
}

/// The addresses of a run loop and of a mode, as C has them. The callee retains both.
private func withAddresses(
    _ runLoop: CFRunLoop?, _ mode: CoreFoundation.CFString?,
    _ body: (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> OSStatus
) -> OSStatus {
    withExtendedLifetime((runLoop, mode)) {
        body(
            runLoop.map { Unmanaged.passUnretained($0).toOpaque() },
            mode.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}
