// SPDX-License-Identifier: Apache-2.0
public import AudioConverters
import CCodecModules
import LinuxSystem
public import MediaFormats

/// The codecs of other libraries. Each library has a module, a shared object that is loaded when a program needs its codecs.
public enum CodecModules {
    /// The decoder of a format that this library does not decode itself. Nil for a format that needs no decoder, for a cookie
    /// that contradicts the format, and if no module with the decoder is installed.
    ///
    /// `client` is the format of the program. If it has more precision than 16-bit integers, MPEG audio is decoded to floats.
    public static func decoder(
        for format: StreamDescription, cookie: [UInt8] = [], client: StreamDescription? = nil
    ) -> (any PacketDecoder)? {
        codec(
            for: format, "decoder", listed: { $0.decodedFormats }, formats: { $0.decodes },
            make: { module in
                // A decoder that cannot produce floats produces its usual samples.
                (client?.isPrecise == true && CodecFormat.mpegLayers.contains(format.formatID)
                    ? ModuleDecoder.make(module, format, cookie: cookie, samples: CODEC_FLOAT32) : nil)
                    ?? ModuleDecoder.make(module, format, cookie: cookie)
            })
    }

    /// The encoder of a format that this library does not encode itself.
    public static func encoder(for format: StreamDescription) -> (any VariablePacketEncoder)? {
        codec(
            for: format, "encoder", listed: { $0.encodedFormats }, formats: { $0.encodes },
            make: { ModuleEncoder.make($0, format) })
    }

    /// The formats that the installed modules decode and encode. Loads all modules.
    public static var decodedFormats: [UInt32] { installedFormats { $0.decodes } }
    public static var encodedFormats: [UInt32] { installedFormats { $0.encodes } }

    private static func installedFormats(_ formats: (CodecModule) -> [UInt32]) -> [UInt32] {
        var found: [UInt32] = []
        for source in CodecSource.all {
            guard let module = source.load().module else { continue }
            for id in formats(module) where !found.contains(id) { found.append(id) }
        }
        return found
    }

    /// The codec from the first module that has one.
    private static func codec<Codec>(
        for format: StreamDescription, _ kind: StaticString, listed: (CodecSource) -> [UInt32],
        formats: (CodecModule) -> [UInt32], make: (CodecModule) -> Codec?
    ) -> Codec? {
        var missing = ""
        var isRefused = false
        for source in CodecSource.all where listed(source).contains(format.formatID) {
            let (loaded, reason) = source.load()
            guard let module = loaded else {
                missing += "; install \(source.package) (\(reason))"
                continue
            }
            guard formats(module).contains(format.formatID) else { continue }
            if let codec = make(module) { return codec }
            isRefused = true
        }
        if isRefused {
            Log.debug("no \(kind) of \(format.text): the codec refuses the format or its magic cookie")
        } else if !missing.isEmpty {
            Log.debug("no \(kind) of \(FourCC.text(format.formatID, isHexadecimal: true))\(missing)")
        }
        return nil
    }
}

extension CodecSource {
    /// Loads the module, once, and returns it or the reason why it cannot be loaded.
    func load() -> (module: CodecModule?, reason: String) {
        var reason: UnsafePointer<CChar>?
        let found = name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { codec_module_load($0.baseAddress, &reason) }
        }
        guard let found, let module = CodecModule(found) else { return (nil, reason.map { String(cString: $0) } ?? "") }
        return (module, "")
    }
}

/// The functions of a loaded module.
struct CodecModule {
    let decodes: [UInt32]
    let encodes: [UInt32]
    let functions: codec_module

    /// Nil for a module without the functions of its lists.
    init?(_ module: UnsafePointer<codec_module>) {
        functions = module.pointee
        decodes = CodecModule.list(functions.decodes)
        encodes = CodecModule.list(functions.encodes)
        guard
            decodes.isEmpty
                || functions.decoder_create != nil && functions.decode != nil && functions.decoder_reset != nil
                    && functions.decoder_destroy != nil
        else { return nil }
        guard
            encodes.isEmpty
                || functions.encoder_create != nil && functions.encode != nil
                    && functions.encoder_configuration != nil && functions.encoder_reset != nil
                    && functions.encoder_destroy != nil
        else { return nil }
    }

    private static func list(_ formats: UnsafePointer<UInt32>?) -> [UInt32] {
        var list: [UInt32] = []
        guard let formats else { return list }
        while list.count < 64, formats[list.count] != 0 { list.append(formats[list.count]) }
        return list
    }
}

extension StreamDescription {
    /// True for samples that 16-bit integers cannot represent.
    fileprivate var isPrecise: Bool {
        formatID == FormatID.linearPCM && (formatFlags.contains(.float) || bitsPerChannel > 16)
    }
}

extension codec_format {
    init(_ format: StreamDescription) {
        self.init()
        format_id = format.formatID
        flags = format.formatFlags.rawValue
        frames_per_packet = format.framesPerPacket
        channels = format.channelsPerFrame
        rate = format.sampleRate.isFinite ? format.sampleRate : 0
    }
}

/// The sample format for the number that a codec states. Nil for other numbers.
func sampleFormat(_ samples: UInt32) -> SampleFormat? {
    switch Int(samples) {
    case CODEC_INT16: try? .integer(16)
    case CODEC_INT32: try? .integer(32)
    case CODEC_FLOAT32: .float32()
    default: nil
    }
}
