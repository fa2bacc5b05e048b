// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation
internal import Synchronization

/// The format of sound: of linear PCM or of a codec. Only the magic cookie can be set.
open class AVAudioFormat: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let memory: UnsafePointer<AudioStreamBasicDescription>
    /// The order of the channels; nil if the format does not state one, as with one or two channels.
    public let channelLayout: AVAudioChannelLayout?
    private let cookie: Mutex<Data?>
    /// The data that a decoder needs beside the packets. A program that reads packets by itself sets it before it makes a converter.
    public var magicCookie: Data? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    init(_ description: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?, cookie: Data? = nil) {
        memory = StreamDescriptions.shared.address(of: description)
        channelLayout = layout
        self.cookie = Mutex(cookie)
        super.init()
    }

    // MARK: Making a format

    /// The format of a description. Nil for more than two channels: a layout must state their order.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(streamDescription: asbd, channelLayout: nil)
    }

    /// The format of a description, with the order of the channels. Nil for more than two channels without a layout, and for a
    /// layout with another number of channels.
    public convenience init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
    ) {
        let description = asbd.pointee
        guard description.mChannelsPerFrame <= 2 || layout != nil else { return nil }
        if let layout, layout.channelCount != description.mChannelsPerFrame { return nil }
        self.init(description, layout)
    }

    /// Floats of 32 bits, a buffer for each channel. Nil for more than two channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Floats of 32 bits, a buffer for each channel of the layout.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
    }

    /// Linear PCM. Nil for more than two channels, for none, and for `otherFormat`.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        guard 1...2 ~= channels, format != .otherFormat, sampleRate > 0, sampleRate.isFinite else { return nil }
        self.init(Self.description(format, sampleRate, channels, interleaved), nil)
    }

    /// Linear PCM with the channels of a layout.
    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        self.init(Self.description(format, sampleRate, layout.channelCount, interleaved), layout)
    }

    /// The format of settings, such as those of a recorder. Nil if they state no format that exists.
    public convenience init?(settings: [String: Any]) {
        let settings = SettingsDictionary(settings)
        guard let description = settings.streamDescription, description.mSampleRate > 0, description.mChannelsPerFrame > 0 else {
            return nil
        }
        let layout = settings.channelLayout
        if let layout, layout.channelCount != description.mChannelsPerFrame { return nil }
        guard description.mChannelsPerFrame <= 2 || layout != nil else { return nil }
        self.init(description, layout)
    }

    private static func description(
        _ format: AVAudioCommonFormat, _ sampleRate: Double, _ channels: AVAudioChannelCount, _ isInterleaved: Bool
    ) -> AudioStreamBasicDescription {
        let bytes = format.bytesPerSample
        let bytesPerFrame = isInterleaved ? bytes * channels : bytes
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: (format.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                | kAudioFormatFlagIsPacked | kAudioFormatFlagsNativeEndian
                | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
            mBytesPerPacket: bytesPerFrame, mFramesPerPacket: 1, mBytesPerFrame: bytesPerFrame, mChannelsPerFrame: channels,
            mBitsPerChannel: bytes * 8, mReserved: 0)
    }

    // MARK: The values of a format

    /// The description. The address stays valid.
    public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { memory }

    public var sampleRate: Double { memory.pointee.mSampleRate }

    public var channelCount: AVAudioChannelCount { memory.pointee.mChannelsPerFrame }

    /// Whether all channels share one buffer. Of formats that are not linear PCM it has no meaning.
    public var isInterleaved: Bool { memory.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

    /// Whether the format is that of `init(standardFormatWithSampleRate:channels:)`.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// The type of the samples, if a buffer shows them as such.
    public var commonFormat: AVAudioCommonFormat {
        let description = memory.pointee
        let flags = description.mFormatFlags
        guard description.mFormatID == kAudioFormatLinearPCM, flags & kAudioFormatFlagIsPacked != 0,
            flags & kAudioFormatFlagIsBigEndian == kAudioFormatFlagsNativeEndian,
            flags & kLinearPCMFormatFlagsSampleFractionMask == 0
        else { return .otherFormat }
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        guard isFloat || flags & kAudioFormatFlagIsSignedInteger != 0 else { return .otherFormat }
        return AVAudioCommonFormat.typed.first {
            $0.isFloat == isFloat && $0.bytesPerSample * 8 == description.mBitsPerChannel
        } ?? .otherFormat
    }

    /// The format as settings, such as `AVAudioFile(forWriting:settings:)` takes them.
    public var settings: [String: Any] {
        let description = memory.pointee
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: description.mFormatID), AVSampleRateKey: NSNumber(value: description.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: description.mChannelsPerFrame),
        ]
        if description.mFormatID == kAudioFormatLinearPCM {
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: description.mBitsPerChannel)
            settings[AVLinearPCMIsBigEndianKey] = NSNumber(value: description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
            settings[AVLinearPCMIsFloatKey] = NSNumber(value: description.mFormatFlags & kAudioFormatFlagIsFloat != 0)
            settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: !isInterleaved)
        }
        if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.bytes }
        return settings
    }

    /// Whether a PCM buffer can have this format.
    var isLinear: Bool { memory.pointee.mFormatID == kAudioFormatLinearPCM }

    /// The same format with a cookie.
    func adding(cookie: Data?) -> AVAudioFormat { AVAudioFormat(memory.pointee, channelLayout, cookie: cookie) }

    // MARK: Comparison

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        if other === self { return true }
        return memory.pointee.isSameFormat(as: other.memory.pointee) && hasSameLayout(as: other)
            && magicCookie == other.magicCookie
    }

    private func hasSameLayout(as other: AVAudioFormat) -> Bool {
        guard let layout = channelLayout ?? other.channelLayout else { return true }
        if let first = channelLayout, let second = other.channelLayout { return first.isEqual(second) }
        // A format without a layout has the usual one.
        return [kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo].contains(layout.layoutTag)
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(sampleRate)
        hasher.combine(channelCount)
        hasher.combine(memory.pointee.mFormatID)
        return hasher.finalize()
    }

    open override var description: String {
        let kind =
            switch commonFormat {
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            case .otherFormat: isLinear ? "\(memory.pointee.mBitsPerChannel)-bit PCM" : memory.pointee.mFormatID.fourCharacters
            }
        let order = !isLinear || channelCount < 2 ? "" : isInterleaved ? ", interleaved" : ", deinterleaved"
        return "<AVAudioFormat: \(channelCount) ch, \(sampleRate) Hz, \(kind)\(order)>"
    }

    // MARK: Copies and archives

    /// A format with a magic cookie of its own.
    open func copy(with zone: NSZone? = nil) -> Any { adding(cookie: magicCookie) }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(Data(bytes: memory, count: MemoryLayout<AudioStreamBasicDescription>.size) as NSData, forKey: "description")
        if let channelLayout { coder.encode(channelLayout.bytes as NSData, forKey: "layout") }
        if let magicCookie { coder.encode(magicCookie as NSData, forKey: "cookie") }
    }

    public required convenience init?(coder: NSCoder) {
        guard let bytes = coder.decodeObject(of: NSData.self, forKey: "description"),
            bytes.length == MemoryLayout<AudioStreamBasicDescription>.size
        else { return nil }
        var description = AudioStreamBasicDescription()
        withUnsafeMutableBytes(of: &description) { _ = Data(referencing: bytes).copyBytes(to: $0) }
        let layout = Self.data(coder, "layout")
        let cookie = Self.data(coder, "cookie")
        self.init(description, layout.flatMap { AVAudioChannelLayout(bytes: $0) }, cookie: cookie)
    }

    /// Bytes that an archive may lack.
    private static func data(_ coder: NSCoder, _ key: String) -> Data? {
        guard coder.containsValue(forKey: key) else { return nil }
        return coder.decodeObject(of: NSData.self, forKey: key).map { Data(referencing: $0) }
    }
}

extension AVAudioCommonFormat {
    static let typed: [AVAudioCommonFormat] = [.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32]

    var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }

    var bytesPerSample: UInt32 {
        switch self {
        case .pcmFormatInt16: 2
        case .pcmFormatFloat64: 8
        case .pcmFormatFloat32, .pcmFormatInt32, .otherFormat: 4
        }
    }
}

extension AudioStreamBasicDescription {
    /// Equal up to what is ignored: the order of the only channel, and `mReserved`.
    func isSameFormat(as other: AudioStreamBasicDescription) -> Bool {
        var (first, second) = (self, other)
        if mFormatID == kAudioFormatLinearPCM, mChannelsPerFrame == 1 {
            first.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
            second.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
        }
        return first.mSampleRate == second.mSampleRate && first.mFormatID == second.mFormatID
            && first.mFormatFlags == second.mFormatFlags && first.mBytesPerPacket == second.mBytesPerPacket
            && first.mFramesPerPacket == second.mFramesPerPacket && first.mBytesPerFrame == second.mBytesPerFrame
            && first.mChannelsPerFrame == second.mChannelsPerFrame && first.mBitsPerChannel == second.mBitsPerChannel
    }
}

extension UInt32 {
    /// The four characters of a code, such as 'aac '.
    var fourCharacters: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
        return bytes.allSatisfy { 0x20..<0x7F ~= $0 } ? "'\(String(decoding: bytes, as: UTF8.self))'" : String(self)
    }
}
