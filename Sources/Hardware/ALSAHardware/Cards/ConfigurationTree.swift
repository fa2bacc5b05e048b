// SPDX-License-Identifier: Apache-2.0
import CALSA
import LinuxSystem

/// A copy of ALSA's configuration.
struct ConfigurationTree: ~Copyable {
    private let configuration: OpaquePointer
    /// PulseAudio plays the device `default` while it runs.
    let followsPulse: Bool

    /// With the files of the user, as libasound reads it for a program; or without them.
    init(withUsersFiles: Bool) throws(SystemError) {
        var loaded: OpaquePointer?
        try SystemError.check(withUsersFiles ? alsa_configuration_load(&loaded) : alsa_configuration_load_system(&loaded))
        guard let loaded else { throw .noMemory }
        configuration = loaded
        var (isOfPulse, isOfOthers) = (false, false)
        for hook in ConfigurationTree.values(below: "@hooks", in: loaded) where hook.name.without(ending: ".func") != nil {
            if hook.value == PulseProbe.hook { isOfPulse = true } else { isOfOthers = true }
        }
        followsPulse = isOfPulse && PulseProbe().isLikely
        if followsPulse || isOfOthers { alsa_configuration_finish(loaded) }
    }

    deinit { alsa_configuration_free(configuration) }

    func values(below path: String) -> [Setting] { ConfigurationTree.values(below: path, in: configuration) }

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

    enum DeviceKind { case pcm, ctl }

    /// The type of the plug-in behind a device, after conversions: "hw", "dmix", "pulse"; nil without such a device.
    func type(of device: String, _ kind: DeviceKind = .pcm) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let type = buffer.baseAddress,
                alsa_configuration_type(configuration, kind == .pcm ? "pcm" : "ctl", device, type, buffer.count) >= 0
            else { return nil }
            return String(cString: type)
        }
    }
}
