// SPDX-License-Identifier: Apache-2.0

/// The uniform type identifier of a type of files, such as `AVAudioPlayer` takes it as a hint.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let m4a = AVFileType("com.apple.m4a-audio")
    public static let mp4 = AVFileType("public.mpeg-4")
    public static let caf = AVFileType("com.apple.coreaudio-format")
    public static let wav = AVFileType("com.microsoft.waveform-audio")
    public static let aiff = AVFileType("public.aiff-audio")
    public static let aifc = AVFileType("public.aifc-audio")
    public static let au = AVFileType("public.au-audio")
    public static let mp3 = AVFileType("public.mp3")
    public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
    public static let ac3 = AVFileType("public.ac3-audio")
    public static let eac3 = AVFileType("public.enhanced-ac3-audio")
}
