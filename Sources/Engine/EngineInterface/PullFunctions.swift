// SPDX-License-Identifier: Apache-2.0
// The names are those of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioEngine
import AudioSession
import AudioStreams
public import CAudioStreams
import CEngineTable
public import CStatusPage
import LinuxSystem
import SessionModel

// The functions of the engine's table for streams that call the program. C code has a stream as a pointer that holds one
// reference to it.

private func stream(_ handle: UnsafeMutableRawPointer) -> PulledStream {
    Unmanaged<PulledStream>.fromOpaque(handle).takeUnretainedValue()
}

@c @implementation
public func audiosession_pull_create(
    _ callbacks: UnsafePointer<pull_callbacks>?, _ context: UnsafeMutableRawPointer?, _ directions: UInt32,
    _ stream: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    stream?.pointee = nil
    let directions = StreamDirections(rawValue: directions)
    guard let callbacks, let stream, !directions.isEmpty, directions.isSubset(of: [.output, .input]) else {
        return ResultCode.parameter.rawValue
    }
    let made = PulledStream(callbacks.pointee, context, directions)
    ProcessEngine.open(made)
    stream.pointee = Unmanaged.passRetained(made).toOpaque()
    return ResultCode.noError.rawValue
}

@c @implementation
public func audiosession_pull_create_system_sounds(
    _ callbacks: UnsafePointer<pull_callbacks>?, _ context: UnsafeMutableRawPointer?,
    _ stream: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    stream?.pointee = nil
    guard let callbacks, let stream else { return ResultCode.parameter.rawValue }
    let made = PulledStream(callbacks.pointee, context, .output)
    ProcessEngine.open(made, playingSystemSounds: true)
    stream.pointee = Unmanaged.passRetained(made).toOpaque()
    return ResultCode.noError.rawValue
}

@c @implementation
public func audiosession_pull_format(_ handle: UnsafeMutableRawPointer?, _ format: UnsafeMutablePointer<pull_format>?) -> Bool {
    guard let handle, let format, let granted = stream(handle).format else { return false }
    format.pointee = granted
    return true
}

@c @implementation
public func audiosession_pull_start(_ handle: UnsafeMutableRawPointer?, _ frames: Double, _ rate: Double) -> Int32 {
    guard let handle, let length = SliceLength(frames: frames, rate: rate) else { return ResultCode.parameter.rawValue }
    return answer { () throws(ResultCode) in try stream(handle).start(length) }
}

@c @implementation
public func audiosession_pull_stop(_ handle: UnsafeMutableRawPointer?) { if let handle { stream(handle).stop() } }

@c @implementation
public func audiosession_pull_suspend(_ handle: UnsafeMutableRawPointer?) { if let handle { stream(handle).suspend() } }

@c @implementation
public func audiosession_pull_is_running(_ handle: UnsafeMutableRawPointer?) -> Bool {
    handle.map { stream($0).isStarted } ?? false
}

@c @implementation
public func audiosession_pull_read_counters(_ handle: UnsafeMutableRawPointer?, _ counters: UnsafeMutablePointer<pull_counters>?)
{
    if let handle, let counters { counters.pointee = stream(handle).counts }
}

@c @implementation
public func audiosession_pull_count_in(_ handle: UnsafeMutableRawPointer?, _ counters: UnsafeMutablePointer<status_counters>?) {
    if let handle, let counters { stream(handle).count(in: counters) }
}

@c @implementation
public func audiosession_pull_duck_others(_ handle: UnsafeMutableRawPointer?, _ on: Bool) {
    if let handle { stream(handle).setDucksOthers(on) }
}

@c @implementation
public func audiosession_pull_end(_ handle: UnsafeMutableRawPointer?) {
    if let handle, stream(handle).isMember { ProcessEngine.close(stream(handle)) }
}

@c @implementation
public func audiosession_pull_destroy(_ handle: UnsafeMutableRawPointer?) {
    guard let handle else { return }
    audiosession_pull_end(handle)
    Unmanaged<PulledStream>.fromOpaque(handle).release()
}

@c @implementation
public func audiosession_session_preferred_slice() -> Double {
    ProcessEngine.session?.known.settings.preferredBufferDuration ?? 0
}

@c @implementation
public func audiosession_session_set_io_slice(_ seconds: Double) { ProcessEngine.setIOSlice(Float(seconds)) }

@c @implementation
public func audiosession_session_hardware_format(_ directions: UInt32, _ format: UnsafeMutablePointer<pull_format>?) -> Bool {
    guard let format, let granted = ProcessEngine.hardwareFormat(StreamDirections(rawValue: directions)) else { return false }
    format.pointee = granted
    return true
}

@c @implementation
public func audiosession_session_hardware_rate(_ input: Bool) -> Double { ProcessEngine.hardwareRate(input: input) }
