// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// A buffer of linear PCM.
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
    /// The number of frames for which there is memory.
    public let frameCapacity: AVAudioFrameCount
    private var length: AVAudioFrameCount = 0
    /// The first sample of each channel.
    private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>

    /// A buffer with memory of its own, which contains no frame. Nil if the format is not linear PCM, and when memory is exhausted.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let description = format.streamDescription.pointee
        let isInterleaved = format.isInterleaved
        guard format.isLinear, description.mChannelsPerFrame > 0, description.mBytesPerFrame > 0,
            let memory = BufferMemory(
                buffers: isInterleaved ? 1 : Int(description.mChannelsPerFrame),
                channelsPerBuffer: isInterleaved ? description.mChannelsPerFrame : 1,
                capacity: Int(clamping: UInt64(frameCapacity) * UInt64(description.mBytesPerFrame))),
            let channels = Self.channels(of: memory, format)
        else { return nil }
        self.frameCapacity = frameCapacity
        self.channels = channels
        super.init(format: format, memory: memory)
    }

    /// A buffer in memory of the program. The deallocator is called with the list when the buffer is freed. Nil if the list does
    /// not have the buffers of the format.
    public init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let description = format.streamDescription.pointee
        let count = format.isInterleaved ? 1 : description.mChannelsPerFrame
        guard format.isLinear, description.mChannelsPerFrame > 0, description.mBytesPerFrame > 0,
            bufferList.pointee.mNumberBuffers == count,
            let memory = BufferMemory(borrowed: bufferList, release: { deallocator?(bufferList) }),
            let channels = Self.channels(of: memory, format)
        else { return nil }
        frameCapacity = UInt32(clamping: memory.capacity / Int(description.mBytesPerFrame))
        length = frameCapacity
        self.channels = channels
        super.init(format: format, memory: memory)
    }

    private static func channels(
        of memory: BufferMemory, _ format: AVAudioFormat
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer>? {
        let description = format.streamDescription.pointee
        let sample = Int(description.mBytesPerFrame) / (format.isInterleaved ? Int(description.mChannelsPerFrame) : 1)
        let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: Int(description.mChannelsPerFrame))
        for channel in 0..<Int(description.mChannelsPerFrame) {
            let first = format.isInterleaved ? memory.data(0).map { $0 + channel * sample } : memory.data(channel)
            guard let first else {
                channels.deallocate()
                return nil
            }
            (channels + channel).initialize(to: first)
        }
        return channels
    }

    deinit { channels.deallocate() }

    /// The number of frames in the buffer, at most its capacity. A larger number is refused with a line in the log.
    public var frameLength: AVAudioFrameCount {
        get { length }
        set {
            guard newValue <= frameCapacity else {
                return AudioCallError.refuse(
                    "AVAudioPCMBuffer: a length of \(newValue) frames is refused: the buffer has a capacity of \(frameCapacity)")
            }
            length = newValue
        }
    }

    /// The distance between two samples of a channel, in samples: 1, or the number of interleaved channels.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// The samples of each channel; nil if they are not 32-bit floats.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { samples(.pcmFormatFloat32) }

    /// The samples of each channel; nil if they are not 16-bit integers.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { samples(.pcmFormatInt16) }

    /// The samples of each channel; nil if they are not 32-bit integers.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { samples(.pcmFormatInt32) }

    private func samples<Sample>(_ type: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == type else { return nil }
        return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    var bytesPerFrame: Int { Int(format.streamDescription.pointee.mBytesPerFrame) }

    override var bytesOfSound: Int { Int(length) * bytesPerFrame }

    /// A buffer of the same capacity and contents.
    open override func copy(with zone: NSZone? = nil) -> Any {
        guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
            AudioCallError.refuse("AVAudioPCMBuffer: no memory for a copy of \(frameCapacity) frames")
            return self
        }
        copy.memory.copyContents(of: memory, bytes: bytesOfSound)
        copy.length = length
        return copy
    }
}
