// SPDX-License-Identifier: Apache-2.0
// The names are those of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioEngine
import AudioStreams
public import CAudioStreams
import CEngineTable
import LinuxSystem

// The functions of the engine's table for streams. C code has an object as a pointer that holds one reference to it.

private final class Options {
    var values = StreamOptions()
    /// The text of the last refusal, for C.
    private var errorText: UnsafeMutablePointer<CChar>?

    deinit { errorText?.deallocate() }

    func keep(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        errorText?.deallocate()
        let copy = CString.copy(text)
        errorText = copy
        return UnsafePointer(copy)
    }
}

private func handle<Object: AnyObject>(of object: Object) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(object).toOpaque()
}

private func stream(_ handle: UnsafeMutableRawPointer) -> PushedStream {
    Unmanaged<PushedStream>.fromOpaque(handle).takeUnretainedValue()
}

private func options(_ handle: UnsafeMutableRawPointer) -> Options {
    Unmanaged<Options>.fromOpaque(handle).takeUnretainedValue()
}

@c @implementation
public func audiosession_options_create() -> UnsafeMutableRawPointer? { handle(of: Options()) }

@c @implementation
public func audiosession_options_set(
    _ handle: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> UnsafePointer<CChar>? {
    guard let handle, let key, let value else { return nil }
    let options = options(handle)
    return options.keep(options.values.set(String(cString: key), to: String(cString: value)))
}

@c @implementation
public func audiosession_options_set_from_environment(_ handle: UnsafeMutableRawPointer?) -> UnsafePointer<CChar>? {
    guard let handle else { return nil }
    let options = options(handle)
    return options.keep(options.values.setFromEnvironment())
}

@c @implementation
public func audiosession_options_check(_ handle: UnsafeMutableRawPointer?, _ capture: Bool) -> UnsafePointer<CChar>? {
    guard let handle else { return nil }
    let options = options(handle)
    return options.keep(options.values.conflict(capture: capture))
}

@c @implementation
public func audiosession_options_destroy(_ handle: UnsafeMutableRawPointer?) {
    if let handle { Unmanaged<Options>.fromOpaque(handle).release() }
}

@c @implementation
public func audiosession_stream_open(
    _ handle: UnsafeMutableRawPointer?, _ capture: Bool, _ stream: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let handle, let stream else { return SystemError.invalid.result }
    let options = Unmanaged<Options>.fromOpaque(handle).takeRetainedValue()
    return answer { () throws(SystemError) in
        stream.pointee = EngineInterface.handle(of: try ProcessEngine.open(capture: capture, options.values))
    }
}

@c @implementation
public func audiosession_stream_ring(_ handle: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<stream_ring>? {
    handle.map { stream($0).ring }
}

@c @implementation
public func audiosession_stream_configure(
    _ handle: UnsafeMutableRawPointer?, _ sample: Int32, _ channels: UInt32, _ rate: UInt32, _ period: UInt64, _ buffer: UInt64
) -> Int32 {
    answer { () throws(SystemError) in
        guard let handle, let layout = SampleLayout(sample: sample, channels: channels, rate: rate) else { throw .invalid }
        try stream(handle).configure(StreamShape(layout: layout, period: period, buffer: buffer))
    }
}

@c @implementation
public func audiosession_stream_prepare(_ handle: UnsafeMutableRawPointer?) -> Int32 {
    answer { () throws(SystemError) in if let handle { try stream(handle).prepare() } }
}

@c @implementation
public func audiosession_stream_start(_ handle: UnsafeMutableRawPointer?) -> Int32 {
    answer { () throws(SystemError) in if let handle { try stream(handle).start() } }
}

@c @implementation
public func audiosession_stream_pause(_ handle: UnsafeMutableRawPointer?, _ on: Bool) -> Int32 {
    answer { () throws(SystemError) in if let handle { try stream(handle).pause(on) } }
}

@c @implementation
public func audiosession_stream_drain(_ handle: UnsafeMutableRawPointer?) -> Int32 {
    answer { () throws(SystemError) in if let handle { try stream(handle).drain() } }
}

@c @implementation
public func audiosession_stream_stop(_ handle: UnsafeMutableRawPointer?) {
    if let handle { stream(handle).stop() }
}

@c @implementation
public func audiosession_stream_release(_ handle: UnsafeMutableRawPointer?) {
    if let handle { stream(handle).release() }
}

@c @implementation
public func audiosession_stream_close(_ handle: UnsafeMutableRawPointer?) {
    guard let handle else { return }
    ProcessEngine.close(Unmanaged<PushedStream>.fromOpaque(handle).takeRetainedValue())
}
