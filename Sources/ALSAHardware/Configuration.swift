import CALSA
import LinuxSystem

/// The user's ALSA configuration, read by libasound itself.
struct Configuration {
    let wishes: Wishes
    /// What gives the device `default` its sound in the end: "hw", "dmix", "pulse"; nil where it has none.
    let defaultDevice: String?
    /// Why it can't be used.
    var trouble: String?

    static let none = Configuration(wishes: Wishes([]), defaultDevice: nil)

    /// A configuration that can't be read is as none: the cards are there all the same.
    static func read() -> Configuration {
        var configuration: UnsafeMutableRawPointer?
        let result = alsa_configuration_load(&configuration)
        guard result >= 0, let configuration else {
            let trouble = ALSAError(number: 0 &- result).text
            Log.line("ALSA's configuration can't be used: \(trouble)")
            return Configuration(wishes: Wishes([]), defaultDevice: nil, trouble: trouble)
        }
        defer { alsa_configuration_free(configuration) }
        let isWorthAsking = values(below: "@hooks", in: configuration).contains { hook in
            hook.name.without(ending: ".func") != nil && !(hook.value == PulseSigns.hook && !PulseSigns().mayAnswer)
        }
        if isWorthAsking { alsa_configuration_finish(configuration) }
        let wishes = Wishes(values(below: "defaults.audiosession", in: configuration))
        return Configuration(wishes: wishes, defaultDevice: defaultDevice(in: configuration))
    }

    /// Where the default is our own plug-in, what stands behind that.
    private static func defaultDevice(in configuration: UnsafeMutableRawPointer) -> String? {
        let device = type(of: "default", in: configuration)
        guard device == "audiosession" else { return device }
        return Environment.value("AUDIOSESSION_SLAVE").flatMap { type(of: $0, in: configuration) }
    }

    private static func values(below path: String, in configuration: UnsafeMutableRawPointer) -> [Setting] {
        var found: [Setting] = []
        withUnsafeMutablePointer(to: &found) { found in
            _ = alsa_configuration_walk(
                configuration, path,
                { name, value, context in
                    guard let name, let value, let found = context?.assumingMemoryBound(to: [Setting].self) else { return }
                    found.pointee.append(Setting(name: String(cString: name), value: String(cString: value)))
                }, found)
        }
        return found
    }

    private static func type(of device: String, in configuration: UnsafeMutableRawPointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let type = buffer.baseAddress,
                alsa_configuration_pcm_type(configuration, device, type, buffer.count) >= 0
            else { return nil }
            return String(cString: type)
        }
    }
}

/// What programs find without doing anything.
public enum ALSAConfiguration {
    /// The file that ALSA reads first, from which the others are read.
    public static var mainFile: String { "\(String(cString: alsa_data_folder()))/alsa.conf" }

    /// The kind of sound server that gives `default` its sound, which is also the name of its PCM; nil: none does.
    public static func serverBehindDefault() -> String? {
        SoundServer.behind(Configuration.read().defaultDevice)?.name
    }
}
