// SPDX-License-Identifier: Apache-2.0
import CALSA
import LinuxSystem

/// The user's ALSA configuration, as libasound reads it.
struct Configuration {
    let overrides: CardOverrides
    /// The sound server that plays the device `default`; nil without one.
    let server: ServerPCM?
    /// The server that would play the device `default` if it ran.
    var absentServer: ServerPCM?
    /// The error that prevents the use of the configuration.
    var error: String?

    static let none = Configuration(overrides: CardOverrides([]), server: nil)

    /// A configuration that cannot be read counts as empty. The cards are used all the same.
    /// `slave`: the PCM that the user has named for the streams of our plug-in.
    static func read(slave: String? = Environment.value("AUDIOSESSION_SLAVE")) -> Configuration {
        do throws(SystemError) {
            let tree = try ConfigurationTree(withUsersFiles: true)
            let server = ServerPCM.behindDefault(in: tree, slave)
            return Configuration(
                overrides: CardOverrides(tree.values(below: "defaults.audiosession")), server: server,
                absentServer: server == nil && tree.followsPulse ? ServerPCM(type: "pulse", name: "default") : nil)
        } catch {
            Log.debug("ALSA's configuration can't be used: \(error.text)")
            return Configuration(overrides: CardOverrides([]), server: nil, error: error.text)
        }
    }
}

/// A PCM that a sound server plays.
struct ServerPCM: Equatable {
    /// The type of the plug-in: "pulse", "pipewire", "jack".
    let type: String
    /// The PCM that a stream opens.
    let name: String

    /// Nil when a card plays the device `default`.
    static func behindDefault(in tree: borrowing ConfigurationTree, _ slave: String?) -> ServerPCM? {
        let type = tree.type(of: "default")
        return type == "audiosession" ? behindPlugIn(in: tree, slave) : ServerPCM(type, "default")
    }

    /// Where `default` is our own plug-in, a stream on `default` would play into itself: it needs the PCM of the server. The user
    /// may have named one. Otherwise the server is the one that plays `default` without the files of the user, or, where another
    /// file makes our plug-in the default, the one that controls it.
    private static func behindPlugIn(in tree: borrowing ConfigurationTree, _ slave: String?) -> ServerPCM? {
        if let slave, let named = ServerPCM(tree.type(of: slave), slave) { return named }
        guard let type = systemDefault.map({ $0.type }) ?? ServerPCM(tree.type(of: "default", .ctl), "")?.type else { return nil }
        if tree.type(of: type) == type { return ServerPCM(type: type, name: type) }
        Log.debug("the sound server \(type) is not used: ALSA's configuration defines no PCM \(type)")
        return nil
    }

    private static var systemDefault: ServerPCM? {
        do throws(SystemError) {
            let system = try ConfigurationTree(withUsersFiles: false)
            return ServerPCM(system.type(of: "default"), "default")
        } catch { return nil }
    }

    /// Nil for a type that is not that of a server.
    private init?(_ type: String?, _ name: String) {
        guard let type, SoundServer.isKnown(type) else { return nil }
        self.init(type: type, name: name)
    }

    init(type: String, name: String) {
        self.type = type
        self.name = name
    }
}

/// The ALSA configuration of programs that choose no device.
public enum ALSAConfiguration {
    /// The file that ALSA reads first; it includes the others.
    public static var mainFile: String { "\(String(cString: alsa_data_folder()))/alsa.conf" }

    /// The sound server that plays the device `default`. Its name is also the name of its PCM. Nil without a server.
    public static func serverBehindDefault() -> String? { Configuration.read().server?.type }
}
