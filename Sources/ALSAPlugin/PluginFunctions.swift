// The names are those of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioStreams
import CALSAPlugin
public import CAudioStreams

// What the plug-in's entry asks. An object goes through C as the pointer of one reference to it.

private final class Choosing {
    var choices = StreamChoices()
    /// What was wrong with the last choice, for C.
    var complaint: UnsafeMutablePointer<CChar>?

    deinit { complaint?.deallocate() }

    func complain(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        complaint?.deallocate()
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
        var end = copy
        for byte in text.utf8 {
            end.initialize(to: CChar(bitPattern: byte))
            end += 1
        }
        end.initialize(to: 0)
        complaint = copy
        return UnsafePointer(copy)
    }
}

private func handle<Object: AnyObject>(of object: Object) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(object).toOpaque()
}

private func stream(_ handle: UnsafeMutableRawPointer) -> Stream {
    Unmanaged<Stream>.fromOpaque(handle).takeUnretainedValue()
}

private func choosing(_ handle: UnsafeMutableRawPointer) -> Choosing {
    Unmanaged<Choosing>.fromOpaque(handle).takeUnretainedValue()
}

private func result(_ body: () throws(StreamError) -> Void) -> Int32 {
    do throws(StreamError) {
        try body()
        return 0
    } catch {
        return -error.number
    }
}

@c @implementation
public func audiosession_pcm_choices() -> UnsafeMutableRawPointer? { handle(of: Choosing()) }

@c @implementation
public func audiosession_pcm_choose(
    _ choices: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> UnsafePointer<CChar>? {
    guard let choices, let key, let value else { return nil }
    let choosing = choosing(choices)
    return choosing.complain(choosing.choices.set(String(cString: key), to: String(cString: value)))
}

@c @implementation
public func audiosession_pcm_choose_from_environment(_ choices: UnsafeMutableRawPointer?) -> UnsafePointer<CChar>? {
    guard let choices else { return nil }
    let choosing = choosing(choices)
    return choosing.complain(choosing.choices.setFromEnvironment())
}

@c @implementation
public func audiosession_pcm_drop_choices(_ choices: UnsafeMutableRawPointer?) {
    if let choices { Unmanaged<Choosing>.fromOpaque(choices).release() }
}

@c @implementation
public func audiosession_pcm_open(
    _ choices: UnsafeMutableRawPointer?, _ capture: Bool, _ stream: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let choices, let stream else { return -StreamError.invalid.number }
    let choosing = Unmanaged<Choosing>.fromOpaque(choices).takeRetainedValue()
    return result { () throws(StreamError) in
        stream.pointee = handle(of: try Stream.open(capture: capture, choosing.choices))
    }
}

@c @implementation
public func audiosession_pcm_ring(_ handle: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<stream_ring>? {
    handle.map { stream($0).ring }
}

@c @implementation
public func audiosession_pcm_configure(
    _ handle: UnsafeMutableRawPointer?, _ sample: Int32, _ channels: UInt32, _ rate: UInt32, _ period: UInt64, _ buffer: UInt64
) -> Int32 {
    result { () throws(StreamError) in
        guard let handle, let layout = SampleLayout(sample: sample, channels: channels, rate: rate) else { throw .invalid }
        try stream(handle).configure(StreamShape(layout: layout, period: period, buffer: buffer))
    }
}

@c @implementation
public func audiosession_pcm_prepare(_ handle: UnsafeMutableRawPointer?) -> Int32 {
    result { () throws(StreamError) in if let handle { try stream(handle).prepare() } }
}

@c @implementation
public func audiosession_pcm_start(_ handle: UnsafeMutableRawPointer?) -> Int32 {
    result { () throws(StreamError) in if let handle { try stream(handle).start() } }
}

@c @implementation
public func audiosession_pcm_pause(_ handle: UnsafeMutableRawPointer?, _ on: Bool) -> Int32 {
    result { () throws(StreamError) in if let handle { try stream(handle).pause(on) } }
}

@c @implementation
public func audiosession_pcm_drain(_ handle: UnsafeMutableRawPointer?) -> Int32 {
    result { () throws(StreamError) in if let handle { try stream(handle).drain() } }
}

@c @implementation
public func audiosession_pcm_stop(_ handle: UnsafeMutableRawPointer?) {
    if let handle { stream(handle).stop() }
}

@c @implementation
public func audiosession_pcm_release(_ handle: UnsafeMutableRawPointer?) {
    if let handle { stream(handle).release() }
}

@c @implementation
public func audiosession_pcm_close(_ handle: UnsafeMutableRawPointer?) {
    guard let handle else { return }
    Unmanaged<Stream>.fromOpaque(handle).takeRetainedValue().close()
}
