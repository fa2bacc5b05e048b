// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// Memory with sound: of `AVAudioPCMBuffer` or `AVAudioCompressedBuffer`.
///
/// One thread at a time changes a buffer. The class can be sent between threads because programs hand buffers over to
/// others.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    public let format: AVAudioFormat
    let memory: BufferMemory

    init(format: AVAudioFormat, memory: BufferMemory) {
        self.format = format
        self.memory = memory
        super.init()
    }

    /// The buffers, with the size of the sound that they contain. Valid as long as the object.
    public var audioBufferList: UnsafePointer<AudioBufferList> {
        memory.sizes(bytesOfSound)
        return memory.sound.unsafePointer
    }

    /// The buffers, with the size of their memory. Valid as long as the object. After a change of the sizes, set the length of
    /// the buffer as well.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { memory.resetRoom() }

    /// The bytes of sound in each buffer.
    var bytesOfSound: Int { 0 }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
