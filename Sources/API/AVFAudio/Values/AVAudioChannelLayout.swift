// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// The order of the channels of a format.
open class AVAudioChannelLayout: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The layout as the C functions have it. Valid as long as the object.
    public var layout: UnsafePointer<AudioChannelLayout> { UnsafePointer(memory) }

    private let memory: UnsafeMutablePointer<AudioChannelLayout>
    private let size: Int

    /// The layout with a tag; nil for a tag without a number of channels.
    public convenience init?(layoutTag: AudioChannelLayoutTag) {
        guard AudioChannelLayoutTag_GetNumberOfChannels(layoutTag) > 0 else { return nil }
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = layoutTag
        self.init(layout: &layout)
    }

    /// A copy of a layout.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        let count = Int(layout.pointee.mNumberChannelDescriptions)
        size = AudioChannelLayout.sizeInBytes(maximumDescriptions: max(count, 1))
        let raw = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<AudioChannelLayout>.alignment)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        // A layout without descriptions may end before the first one.
        let header = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
        raw.copyMemory(from: layout, byteCount: count == 0 ? header : size)
        memory = raw.bindMemory(to: AudioChannelLayout.self, capacity: 1)
        super.init()
    }

    /// The layout in these bytes; nil if they are none.
    convenience init?(bytes: Data) {
        let header = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
        guard bytes.count >= header, bytes.count <= 1 << 20 else { return nil }
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(bytes.count, MemoryLayout<AudioChannelLayout>.size), alignment: 8)
        defer { copy.deallocate() }
        copy.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.copyBytes(to: copy)
        guard let layout = copy.baseAddress?.assumingMemoryBound(to: AudioChannelLayout.self) else { return nil }
        let count = Int(layout.pointee.mNumberChannelDescriptions)
        guard count <= (bytes.count - header) / MemoryLayout<AudioChannelDescription>.stride else { return nil }
        self.init(layout: layout)
    }

    deinit { UnsafeMutableRawPointer(memory).deallocate() }

    /// The tag. `kAudioChannelLayoutTag_UseChannelDescriptions` and `…UseChannelBitmap` stand for what the layout lists.
    public var layoutTag: AudioChannelLayoutTag { memory.pointee.mChannelLayoutTag }

    /// The number of channels.
    public var channelCount: AVAudioChannelCount {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: memory.pointee.mNumberChannelDescriptions
        case kAudioChannelLayoutTag_UseChannelBitmap: UInt32(memory.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
        default: AudioChannelLayoutTag_GetNumberOfChannels(layoutTag)
        }
    }

    var bytes: Data { Data(bytes: memory, count: size) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        guard layoutTag == other.layoutTag else { return false }
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: return bytes == other.bytes
        case kAudioChannelLayoutTag_UseChannelBitmap: return memory.pointee.mChannelBitmap == other.memory.pointee.mChannelBitmap
        default: return true
        }
    }

    open override var hash: Int { Int(layoutTag) }

    // MARK: Copies and archives

    /// The layout itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encode(bytes as NSData, forKey: "layout") }

    public required convenience init?(coder: NSCoder) {
        guard let bytes = coder.decodeObject(of: NSData.self, forKey: "layout") else { return nil }
        self.init(bytes: Data(referencing: bytes))
    }
}
