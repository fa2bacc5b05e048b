// SPDX-License-Identifier: Apache-2.0
internal import AudioSession
internal import Foundation
internal import LinuxSystem
internal import SessionModel

// The route of the session, and the preferences of the program.
extension AVAudioSession {
    /// The ports in use; for an inactive session the ports that it would use.
    public var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription(state.route, of: self) }

    /// Overrides the output with the speaker; only with `playAndRecord`. A device that arrives or departs and an
    /// interruption revert the override.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        try perform { session throws(ResultCode) in
            try session.set(.overrideAudioRoute, to: .uint32(UInt32(truncatingIfNeeded: portOverride.rawValue)))
        }
    }

    // MARK: Inputs

    /// The inputs that the category and mode can use; nil in a category without input.
    public var availableInputs: [AVAudioSessionPortDescription]? {
        let state = state
        guard state.settings.category.traits.hasInput else { return nil }
        return state.availableInputs.map { AVAudioSessionPortDescription($0, of: self) }
    }

    /// The input of the last set, while it is present and usable in the category.
    public var preferredInput: AVAudioSessionPortDescription? {
        state.preferredInput.map { AVAudioSessionPortDescription($0, of: self) }
    }

    /// One of `availableInputs`, else `badParam`. Nil removes the preference. With a hands-free device as the input its
    /// output is in the route as well.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .override) { settings, state throws(ResultCode) in
                try settings.setPreferredInput(inPort?.uid, among: state.availableInputs)
            }
        }
    }

    // MARK: Data sources

    /// The sources of the route's input; nil without any.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? { inputWithSources?.dataSources }
    public var inputDataSource: AVAudioSessionDataSourceDescription? { inputWithSources?.selectedDataSource }

    /// The destinations of the route's output; nil without any.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { outputWithDestinations?.dataSources }
    public var outputDataSource: AVAudioSessionDataSourceDescription? { outputWithDestinations?.selectedDataSource }

    /// One of `inputDataSources`, else `badParam`. Nil keeps the present selection.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try choose(dataSource, of: inputWithSources)
    }

    /// One of `outputDataSources`, else `badParam`. Nil keeps the present selection.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try choose(dataSource, of: outputWithDestinations)
    }

    private var inputWithSources: AVAudioSessionPortDescription? { currentRoute.inputs.first { $0.dataSources != nil } }
    private var outputWithDestinations: AVAudioSessionPortDescription? {
        currentRoute.outputs.first { $0.dataSources != nil }
    }

    private func choose(
        _ dataSource: AVAudioSessionDataSourceDescription?, of port: AVAudioSessionPortDescription?
    ) throws {
        guard let dataSource else { return }
        guard let port else { throw ErrorCode.resourceNotAvailable.error }
        try select(dataSource, of: port.port)
    }

    func select(_ dataSource: AVAudioSessionDataSourceDescription?, of port: SessionModel.Port) throws {
        guard let dataSource else {
            preferredDataSources.forget(port.uid)
            return
        }
        let offered = AVAudioSessionPortDescription(port, of: self).dataSources ?? []
        guard offered.contains(dataSource) else { throw ErrorCode.badParam.error }
        let id = dataSource.selectable.id
        try perform { session throws(ResultCode) in
            try session.perform(port.kind.isInput ? .inputSource(id) : .outputDestination(id), onPort: port.uid)
        }
        preferredDataSources.remember(id, for: port.uid)
    }
}

/// The data source that the program selected at each port.
final class PreferredDataSources: @unchecked Sendable {
    private let lock = Lock()
    private var chosen: [String: Int32] = [:]

    func id(for port: String) -> Int32? { lock.withLock { chosen[port] } }
    func remember(_ id: Int32, for port: String) { lock.withLock { chosen[port] = id } }
    func forget(_ port: String) { lock.withLock { chosen[port] = nil } }
}
