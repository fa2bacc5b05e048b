// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import SessionModel

/// The ports that a session uses, at one moment.
public final class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    public let inputs: [AVAudioSessionPortDescription]
    public let outputs: [AVAudioSessionPortDescription]

    init(_ route: Route, of session: AVAudioSession) {
        inputs = route.inputs.map { AVAudioSessionPortDescription($0, of: session) }
        outputs = route.outputs.map { AVAudioSessionPortDescription($0, of: session) }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return inputs == other.inputs && outputs == other.outputs
    }

    public override var hash: Int { (inputs + outputs).map { $0.uid }.hashValue }

    public override var description: String { "inputs: \(inputs), outputs: \(outputs)" }
}

/// An input or output of the machine.
public final class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    let port: SessionModel.Port
    private let session: AVAudioSession

    init(_ port: SessionModel.Port, of session: AVAudioSession) {
        self.port = port
        self.session = session
    }

    public var portType: AVAudioSession.Port { AVAudioSession.Port(port.kind) }
    /// A name to display.
    public var portName: String { port.name }
    /// Constant: a port that is plugged in again has the same identifier.
    public var uid: String { port.uid }
    /// The name of this port for `snd_pcm_open`. Only on Linux.
    public var alsaDevice: String { port.alsaDevice }
    /// Always false: ALSA does not report this.
    public var hasHardwareVoiceCallProcessing: Bool { false }

    public var channels: [AVAudioSessionChannelDescription]? {
        (0..<Int(port.channels)).map { AVAudioSessionChannelDescription($0, of: port) }
    }

    /// The selectable sources of the port; nil without any.
    public var dataSources: [AVAudioSessionDataSourceDescription]? {
        guard !port.selectables.isEmpty else { return nil }
        return port.selectables.map { AVAudioSessionDataSourceDescription($0, of: port.uid) }
    }

    public var selectedDataSource: AVAudioSessionDataSourceDescription? {
        dataSources?.first { $0.selectable.id == port.selected }
    }

    /// The data source of the last set; nil before.
    public var preferredDataSource: AVAudioSessionDataSourceDescription? {
        dataSources?.first { $0.selectable.id == session.preferredDataSources.id(for: uid) }
    }

    /// Selects at once, also for a port outside the route. Nil keeps the present selection.
    public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try session.select(dataSource, of: port)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return port.kind == other.port.kind && port.uid == other.port.uid
    }

    public override var hash: Int { port.uid.hashValue }

    public override var description: String { "\(portName) (\(portType.rawValue), \(uid))" }
}

/// One channel of a port.
public final class AVAudioSessionChannelDescription: NSObject, Sendable {
    public let channelName: String
    /// From 1.
    public let channelNumber: Int
    public let owningPortUID: String
    /// As an `AudioChannelLabel`: left, right, mono, or the number of a discrete channel.
    public let channelLabel: UInt32

    init(_ index: Int, of port: SessionModel.Port) {
        channelNumber = index + 1
        channelName = "\(port.name) \(index + 1)"
        owningPortUID = port.uid
        channelLabel =
            switch port.channels {
            case 1: 42
            case 2: UInt32(index + 1)
            default: 1 << 16 | UInt32(truncatingIfNeeded: index)
            }
    }
}

/// One of several selectable sources or destinations of a port.
public final class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
    let selectable: Selectable
    private let port: String

    init(_ selectable: Selectable, of port: String) {
        self.selectable = selectable
        self.port = port
    }

    public var dataSourceID: NSNumber { NSNumber(value: selectable.id) }
    public var dataSourceName: String { selectable.name }

    /// Always nil: ALSA does not report the location.
    public var location: AVAudioSession.Location? { nil }

    /// Derived from the name of the data source.
    public var orientation: AVAudioSession.Orientation? {
        let words = selectable.name.lowercased().split { !$0.isLetter }
        return orientationWords.first { words.contains($0.word) }?.orientation
    }

    /// Always nil: ALSA does not report patterns.
    public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
    public var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }
    public var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }

    /// No pattern is supported: a pattern throws `badParam`, nil has no effect.
    public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
        guard pattern == nil else { throw AVAudioSession.ErrorCode.badParam.error }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionDataSourceDescription else { return false }
        return port == other.port && selectable == other.selectable
    }

    public override var hash: Int { selectable.name.hashValue }

    public override var description: String { "\(dataSourceName) (\(selectable.id))" }
}

private let orientationWords: [(word: Substring, orientation: AVAudioSession.Orientation)] = [
    ("front", .front), ("back", .back), ("rear", .back), ("top", .top), ("bottom", .bottom), ("left", .left), ("right", .right),
]
