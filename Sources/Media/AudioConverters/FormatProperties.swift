// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// The value of a fact: bytes, or a text.
public enum FormatValue: Equatable, Sendable {
    case bytes([UInt8])
    case text(String)
}

// At file scope: Embedded Swift can mix up constant arrays of functions (see tools/check-objects).
private let channelCountsOfModules: [UInt32] = [1, 2, 3, 4, 5, 6, 8]

/// The formats of codec modules.
public struct InstalledCodecs: Sendable {
    public let decoded: [UInt32]
    public let encoded: [UInt32]

    public init(decoded: [UInt32] = [], encoded: [UInt32] = []) {
        self.decoded = decoded
        self.encoded = encoded
    }

    fileprivate static let simple = [FormatID.linearPCM] + PacketCodecs.formatIDs
    fileprivate var allDecoded: [UInt32] { [FormatID.linearPCM] + PacketCodecs.decodedFormatIDs + decoded }
    fileprivate var allEncoded: [UInt32] { InstalledCodecs.simple + encoded }
}

/// The facts about formats and channel layouts, by property. A property that has no row is not supported.
private struct FormatProperty {
    /// The arguments are the specifier and the content of the caller's buffer.
    typealias Get = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(FormatError) -> FormatValue
    /// The arguments are the specifier and the codecs of modules.
    typealias GetOfCodecs = @Sendable (UnsafeRawBufferPointer, InstalledCodecs) throws(FormatError) -> FormatValue

    let id: UInt32
    /// The size of a value that completes the content of the caller's buffer; 0 for other values.
    let completedSize: Int
    let get: Get
    /// Replaces `get` where the modules matter. Only these properties load them.
    let getOfCodecs: GetOfCodecs?

    init(_ id: UInt32, completedSize: Int = 0, _ get: @escaping Get) {
        self.id = id
        self.completedSize = completedSize
        self.get = get
        getOfCodecs = nil
    }

    /// A label of the identifier, because a trailing closure that ignores its second argument would fit both initializers.
    init(ofCodecs id: UInt32, _ get: @escaping GetOfCodecs) {
        self.id = id
        completedSize = 0
        self.get = { _, _ throws(FormatError) in throw .unsupportedProperty }
        getOfCodecs = get
    }

    func value(
        _ specifier: UnsafeRawBufferPointer, _ buffer: UnsafeRawBufferPointer, _ codecs: () -> InstalledCodecs
    ) throws(FormatError) -> FormatValue {
        if let getOfCodecs { return try getOfCodecs(specifier, codecs()) }
        return try get(specifier, buffer)
    }

    static let all = formats + codecs + layouts + names

    private static let formats: [FormatProperty] = [
        // 'fmti': the specifier is empty or a magic cookie.
        FormatProperty(FourCC.code("fmti"), completedSize: StreamDescription.byteCount) { specifier, value throws(FormatError) in
            var format = try description(value, else: .badPropertySize)
            guard specifier.count <= largestCookie else { throw .badSpecifierSize }
            if !specifier.isEmpty {
                guard let stated = format.completed(fromCookie: Array(specifier)) else { throw .unsupportedDataFormat }
                format = stated
            }
            return .bytes(try FormatFacts.completed(format).bytes)
        },
        // 'fnam'
        FormatProperty(FourCC.code("fnam")) { specifier, _ throws(FormatError) in .text(try description(specifier).name) },
        // 'flst', 'ofls': the specifier is a description, or a description with the address and size of a magic cookie.
        FormatProperty(FourCC.code("flst")) { specifier, _ throws(FormatError) in try formatList(specifier) },
        FormatProperty(FourCC.code("ofls")) { specifier, _ throws(FormatError) in try formatList(specifier) },
        // 'essd'
        FormatProperty(FourCC.code("essd")) { specifier, _ throws(FormatError) in
            guard 1...largestCookie ~= specifier.count else { throw .badSpecifierSize }
            guard let format = StreamDescription.ofStreamDescriptor(Array(specifier)) else { throw .unsupportedDataFormat }
            return .bytes(format.bytes)
        },
        // 'fpfl'
        FormatProperty(ofCodecs: FourCC.code("fpfl")) { specifier, codecs throws(FormatError) in
            guard specifier.count > 0, specifier.count % listItemSize == 0 else { throw .badSpecifierSize }
            for index in 0..<specifier.count / listItemSize {
                let item = UnsafeRawBufferPointer(rebasing: specifier[(index * listItemSize)...])
                if codecs.allDecoded.contains(try description(item).formatID) { return number(UInt32(clamping: index)) }
            }
            throw .unsupportedDataFormat
        },
        // 'fvbr', 'fexf', 'cryp'
        FormatProperty(FourCC.code("fvbr")) { specifier, _ throws(FormatError) in
            number(try FormatFacts.of(try description(specifier).formatID).isVariable ? 1 : 0)
        },
        FormatProperty(FourCC.code("fexf")) { specifier, _ throws(FormatError) in
            number(try FormatFacts.of(try description(specifier).formatID).isExternallyFramed ? 1 : 0)
        },
        FormatProperty(FourCC.code("cryp")) { specifier, _ throws(FormatError) in
            _ = try FormatFacts.of(try uint32(specifier))
            return number(0)
        },
    ]

    private static let codecs: [FormatProperty] = [
        // 'acof', 'acif'
        FormatProperty(ofCodecs: FourCC.code("acof")) { _, codecs in numbers(codecs.allEncoded) },
        FormatProperty(ofCodecs: FourCC.code("acif")) { _, codecs in numbers(codecs.allDecoded) },
        // 'aven', 'avde'
        FormatProperty(ofCodecs: FourCC.code("aven")) { specifier, codecs throws(FormatError) in
            try codec(FourCC.code("aenc"), specifier, codecs.allEncoded)
        },
        FormatProperty(ofCodecs: FourCC.code("avde")) { specifier, codecs throws(FormatError) in
            try codec(FourCC.code("adec"), specifier, codecs.allDecoded)
        },
        // 'avnc': the specifier begins with a description. Encoders of modules have no layout of 7 channels.
        FormatProperty(ofCodecs: FourCC.code("avnc")) { specifier, codecs throws(FormatError) in
            let id = try description(specifier).formatID
            guard codecs.allEncoded.contains(id) else { throw .unsupportedDataFormat }
            return numbers(InstalledCodecs.simple.contains(id) ? Array(1...8) : channelCountsOfModules)
        },
        // 'hwcc'
        FormatProperty(FourCC.code("hwcc")) { _, _ in number(0) },
        // 'id3s': the first 10 bytes of a tag.
        FormatProperty(FourCC.code("id3s")) { tag, _ throws(FormatError) in
            guard tag.count >= 10 else { throw .badSpecifierSize }
            guard tag[0] == 0x49, tag[1] == 0x44, tag[2] == 0x33 else { throw .unsupportedDataFormat }
            var size: UInt32 = 0
            for index in 6..<10 { size = size << 7 | UInt32(tag[index] & 0x7F) }
            return number(size + (tag[5] & 0x10 == 0 ? 10 : 20))
        },
    ]

    private static let layouts: [FormatProperty] = [
        // 'bmtg'
        FormatProperty(FourCC.code("bmtg")) { specifier, _ throws(FormatError) in
            guard let labels = ChannelLayout.labels(ofTag: try uint32(specifier)),
                let bitmap = ChannelLayout.bitmap(ofLabels: labels)
            else { throw .unsupportedDataFormat }
            return number(bitmap)
        },
        // 'nchm'
        FormatProperty(FourCC.code("nchm")) { specifier, _ throws(FormatError) in
            number(UInt32(clamping: try layout(specifier).labels.count))
        },
        // 'vacl'
        FormatProperty(FourCC.code("vacl")) { specifier, _ throws(FormatError) in
            _ = try layout(specifier)
            return .bytes([])
        },
        // 'cmpl'
        FormatProperty(FourCC.code("cmpl")) { specifier, _ throws(FormatError) in
            guard let labels = ChannelLayout.labels(ofTag: try uint32(specifier)) else { throw .unsupportedDataFormat }
            return .bytes(ChannelLayout.bytes(tag: ChannelLayout.useDescriptions, bitmap: 0, labels: labels))
        },
        // 'cmpb'
        FormatProperty(FourCC.code("cmpb")) { specifier, _ throws(FormatError) in
            let labels = ChannelLayout.labels(ofBitmap: try uint32(specifier))
            return .bytes(ChannelLayout.bytes(tag: ChannelLayout.useDescriptions, bitmap: 0, labels: labels))
        },
        // 'cmpt'
        FormatProperty(FourCC.code("cmpt")) { specifier, _ throws(FormatError) in
            let layout = try layout(specifier)
            guard layout.tag == ChannelLayout.useDescriptions || layout.tag == ChannelLayout.useBitmap else {
                return number(layout.tag)
            }
            guard let tag = ChannelLayout.tag(ofLabels: layout.labels) else { throw .unsupportedDataFormat }
            return number(tag)
        },
        // 'tagc'
        FormatProperty(FourCC.code("tagc")) { specifier, _ throws(FormatError) in
            numbers(ChannelLayout.tags(ofCount: try uint32(specifier)))
        },
        // 'cheq', 'chmp': the specifier consists of the addresses of two layouts.
        FormatProperty(FourCC.code("cheq")) { specifier, _ throws(FormatError) in
            let (first, second) = try layoutPair(specifier)
            return number(first.labels == second.labels ? 1 : 0)
        },
        FormatProperty(FourCC.code("chmp")) { specifier, _ throws(FormatError) in
            let (from, to) = try layoutPair(specifier)
            let map = to.labels.map { label in from.labels.firstIndex(of: label).map { Int32(clamping: $0) } ?? -1 }
            return .bytes(map.flatMap { [UInt8](nativeBytesOf: $0) })
        },
    ]

    private static let names: [FormatProperty] = [
        // 'lonm', 'lsnm'
        FormatProperty(FourCC.code("lonm")) { specifier, _ throws(FormatError) in try layoutName(specifier) },
        FormatProperty(FourCC.code("lsnm")) { specifier, _ throws(FormatError) in try layoutName(specifier) },
        // 'cnam', 'csnm': the specifier is the description of a channel.
        FormatProperty(FourCC.code("cnam")) { specifier, _ throws(FormatError) in
            .text(ChannelNames.name(try label(specifier)))
        },
        FormatProperty(FourCC.code("csnm")) { specifier, _ throws(FormatError) in
            .text(ChannelNames.shortName(try label(specifier)))
        },
    ]

    // MARK: Specifiers and values

    /// The size of `AudioFormatListItem`.
    private static let listItemSize = 48

    private static func number(_ value: UInt32) -> FormatValue { .bytes([UInt8](nativeBytesOf: value)) }
    private static func numbers(_ values: [UInt32]) -> FormatValue { .bytes(values.flatMap { [UInt8](nativeBytesOf: $0) }) }

    private static func uint32(_ specifier: UnsafeRawBufferPointer) throws(FormatError) -> UInt32 {
        guard specifier.count == 4 else { throw .badSpecifierSize }
        return specifier.loadUnaligned(as: UInt32.self)
    }

    private static func label(_ specifier: UnsafeRawBufferPointer) throws(FormatError) -> UInt32 {
        guard specifier.count == 20 else { throw .badSpecifierSize }
        return specifier.loadUnaligned(as: UInt32.self)
    }

    private static func description(
        _ bytes: UnsafeRawBufferPointer, else error: FormatError = .badSpecifierSize
    ) throws(FormatError) -> StreamDescription {
        guard bytes.count >= StreamDescription.byteCount, let address = bytes.baseAddress else { throw error }
        return StreamDescription(at: address)
    }

    private static func layout(_ specifier: UnsafeRawBufferPointer) throws(FormatError) -> ChannelLayout {
        guard specifier.count >= 12 else { throw .badSpecifierSize }
        guard let layout = ChannelLayout(specifier) else { throw .unsupportedDataFormat }
        return layout
    }

    private static func layoutPair(_ specifier: UnsafeRawBufferPointer) throws(FormatError) -> (ChannelLayout, ChannelLayout) {
        let size = MemoryLayout<UInt>.size
        guard specifier.count == 2 * size else { throw .badSpecifierSize }
        func layout(_ index: Int) throws(FormatError) -> ChannelLayout {
            let address = specifier.loadUnaligned(fromByteOffset: index * size, as: UInt.self)
            guard let start = UnsafeRawPointer(bitPattern: address) else { throw .unspecified }
            // The layout states its own size.
            let count = Int(min(start.loadUnaligned(fromByteOffset: 8, as: UInt32.self), 1_024))
            guard let layout = ChannelLayout(UnsafeRawBufferPointer(start: start, count: 12 + count * 20)) else {
                throw .unsupportedDataFormat
            }
            return layout
        }
        return (try layout(0), try layout(1))
    }

    private static func formatList(_ specifier: UnsafeRawBufferPointer) throws(FormatError) -> FormatValue {
        let (format, cookie) = (try description(specifier), try magicCookie(specifier))
        // Programs may set the identifier of the format alone.
        let stated = cookie.isEmpty ? nil : format.completed(fromCookie: cookie)
        return .bytes(try FormatFacts.completed(stated ?? format).listItems(cookie: cookie))
    }

    private static let largestCookie = 1 << 16

    /// The magic cookie of an `AudioFormatInfo`. Empty for a description alone.
    private static func magicCookie(_ specifier: UnsafeRawBufferPointer) throws(FormatError) -> [UInt8] {
        let start = StreamDescription.byteCount
        let size = start + MemoryLayout<UInt>.size
        guard specifier.count >= size + 4 else { return [] }
        let count = Int(specifier.loadUnaligned(fromByteOffset: size, as: UInt32.self))
        guard let address = UnsafeRawPointer(bitPattern: specifier.loadUnaligned(fromByteOffset: start, as: UInt.self)) else {
            return []
        }
        guard count <= largestCookie else { throw .badSpecifierSize }
        return Array(UnsafeRawBufferPointer(start: address, count: count))
    }

    /// The only codec of a format, as an `AudioClassDescription`.
    private static func codec(
        _ type: UInt32, _ specifier: UnsafeRawBufferPointer, _ formats: [UInt32]
    ) throws(FormatError) -> FormatValue {
        let id = try uint32(specifier)
        _ = try FormatFacts.of(id)
        return numbers(id != FormatID.linearPCM && formats.contains(id) ? [type, id, FourCC.code("appl")] : [])
    }

    private static func layoutName(_ specifier: UnsafeRawBufferPointer) throws(FormatError) -> FormatValue {
        let labels = try layout(specifier).labels
        if labels == [42] { return .text("Mono") }
        if labels == [1, 2] { return .text("Stereo (L R)") }
        var text = "\(labels.count) channels ("
        for (index, label) in labels.enumerated() { text += (index > 0 ? " " : "") + ChannelNames.shortName(label) }
        return .text(text + ")")
    }
}

/// The facts about formats.
public enum Formats {
    /// `value` is the content of the caller's buffer. `codecs` is called for the properties that state codecs.
    public static func property(
        _ id: UInt32, _ specifier: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
        codecs: () -> InstalledCodecs = { InstalledCodecs() }
    ) throws(FormatError) -> FormatValue {
        try row(id).value(specifier, value, codecs)
    }

    /// The size of a value. A text is an object, with the size of an address.
    public static func size(
        _ id: UInt32, _ specifier: UnsafeRawBufferPointer, codecs: () -> InstalledCodecs = { InstalledCodecs() }
    ) throws(FormatError) -> Int {
        let row = try row(id)
        if row.completedSize > 0 { return row.completedSize }
        switch try row.value(specifier, UnsafeRawBufferPointer(start: nil, count: 0), codecs) {
        case .bytes(let bytes): return bytes.count
        case .text: return MemoryLayout<UInt>.size
        }
    }

    private static func row(_ id: UInt32) throws(FormatError) -> FormatProperty {
        guard let row = FormatProperty.all.first(where: { $0.id == id }) else { throw .unsupportedProperty }
        return row
    }
}
