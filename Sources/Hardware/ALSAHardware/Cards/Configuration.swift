// SPDX-License-Identifier: Apache-2.0
import CALSA
import LinuxSystem

/// The user's ALSA configuration, as libasound reads it.
struct Configuration {
    let overrides: CardOverrides
    /// The type of the plug-in that plays the device `default`: "hw", "dmix", "pulse"; nil without such a device.
    let defaultDevice: String?
    /// The error that prevents the use of the configuration.
    var error: String?

    static let none = Configuration(overrides: CardOverrides([]), defaultDevice: nil)

    /// A configuration that cannot be read counts as empty. The cards are used all the same.
    static func read() -> Configuration {
        var configuration: OpaquePointer?
        let result = alsa_configuration_load(&configuration)
        guard result >= 0, let configuration else {
            let error = SystemError(result: result).text
            Log.debug("ALSA's configuration can't be used: \(error)")
            return Configuration(overrides: CardOverrides([]), defaultDevice: nil, error: error)
        }
        defer { alsa_configuration_free(configuration) }
        let hasUsefulHook = values(below: "@hooks", in: configuration).contains { hook in
            hook.name.without(ending: ".func") != nil && !(hook.value == PulseProbe.hook && !PulseProbe().isLikely)
        }
        if hasUsefulHook { alsa_configuration_finish(configuration) }
        let overrides = CardOverrides(values(below: "defaults.audiosession", in: configuration))
        return Configuration(overrides: overrides, defaultDevice: defaultDevice(in: configuration))
    }

    /// If the default device is our own plug-in, the type of its slave.
    private static func defaultDevice(in configuration: OpaquePointer) -> String? {
        let device = type(of: "default", in: configuration)
        guard device == "audiosession" else { return device }
        return Environment.value("AUDIOSESSION_SLAVE").flatMap { type(of: $0, in: configuration) }
    }

    private static func values(below path: String, in configuration: OpaquePointer) -> [Setting] {
        var found: [Setting] = []
        var iterator: OpaquePointer?
        guard alsa_configuration_settings(configuration, path, &iterator) >= 0 else { return [] }
        defer { alsa_settings_close(iterator) }
        var name: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        while alsa_settings_next(iterator, &name, &value) > 0, let name, let value {
            found.append(Setting(name: String(cString: name), value: String(cString: value)))
        }
        return found
    }

    private static func type(of device: String, in configuration: OpaquePointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let type = buffer.baseAddress,
                alsa_configuration_pcm_type(configuration, device, type, buffer.count) >= 0
            else { return nil }
            return String(cString: type)
        }
    }
}

/// The ALSA configuration of programs that choose no device.
public enum ALSAConfiguration {
    /// The file that ALSA reads first; it includes the others.
    public static var mainFile: String { "\(String(cString: alsa_data_folder()))/alsa.conf" }

    /// The sound server that plays the device `default`. Its name is also the name of its PCM. Nil without a server.
    public static func serverBehindDefault() -> String? {
        SoundServer.behind(Configuration.read().defaultDevice)?.name
    }
}
