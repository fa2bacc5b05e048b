// SPDX-License-Identifier: Apache-2.0
internal import AudioEngine
internal import AudioSession
public import Foundation
internal import SessionModel

/// The audio session of this process. The functions of the C API use the same session.
///
/// Any thread may call any function. Notifications are posted on the main thread.
public final class AVAudioSession: NSObject, @unchecked Sendable {
    private static let shared = AVAudioSession { () throws(ResultCode) in try ProcessEngine.beginSession() }

    /// The session of this process. The first call creates it: the functions of the C API work from then on.
    public static func sharedInstance() -> AVAudioSession { shared }

    private let begin: @Sendable () throws(ResultCode) -> ProcessSession
    let delivery = MainThreadDelivery()
    let delegation = Delegation()
    let preferredDataSources = PreferredDataSources()

    /// `begin` returns the same session at each call.
    init(_ begin: @escaping @Sendable () throws(ResultCode) -> ProcessSession) {
        self.begin = begin
        super.init()
        if let session = try? begin() { delivery.start(for: self, session) }
    }

    // MARK: The session of the engine

    func session() throws(ResultCode) -> ProcessSession {
        let session = try begin()
        delivery.start(for: self, session)
        return session
    }

    /// The state of the session; the initial state when the session could not be created.
    var state: SessionState { (try? session())?.known ?? SessionState() }

    /// The value of a property; nil when the session refuses the get.
    func value(of property: SessionProperty) -> PropertyValue? {
        do throws(ResultCode) { return try session().value(of: property) } catch { return nil }
    }

    /// Turns a refusal into an error.
    func perform(
        _ operation: OperationError.Operation = .setting, _ body: (ProcessSession) throws(ResultCode) -> Void
    ) throws {
        do throws(ResultCode) { try body(try session()) } catch {
            throw ErrorCode(OperationError(error, when: operation, of: try? session())).error
        }
    }

    // MARK: Category, mode and options

    /// The category; `soloAmbient` until one is set.
    public var category: Category { Category(state.settings.category) }

    /// The options in effect, with those that the category, the mode or another option implies.
    public var categoryOptions: CategoryOptions { CategoryOptions(state.settings.options) }

    /// The mode; `default` until one is set.
    public var mode: Mode { Mode(state.settings.mode) }

    /// The policy by which the session shares its route.
    public var routeSharingPolicy: RouteSharingPolicy { RouteSharingPolicy(state.settings.sharingPolicy) }

    /// The categories that this machine supports. Categories that record need an input.
    public var availableCategories: [Category] {
        let canRecord = state.hasInput
        return Category.known.filter { canRecord || ($0.name != .record && $0.name != .playAndRecord) }.map { $0.name }
    }

    /// All modes: no mode needs special hardware.
    public var availableModes: [Mode] { Mode.known.map { $0.name } }

    /// Sets the category, without options. The mode stays if it fits.
    public func setCategory(_ category: Category) throws { try configure(category, nil, .default, []) }

    /// Sets the category and replaces all options. The mode stays if it fits.
    public func setCategory(_ category: Category, options: CategoryOptions) throws {
        try configure(category, nil, .default, options)
    }

    /// Sets the category and the mode, and replaces all options.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try configure(category, mode, .default, options)
    }

    /// Sets the category, the mode and the policy, and replaces all options.
    public func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        try configure(category, mode, policy, options)
    }

    private func configure(
        _ category: Category, _ mode: Mode?, _ policy: RouteSharingPolicy, _ options: CategoryOptions
    ) throws {
        try perform { session throws(ResultCode) in
            let category = try category.meaning()
            let mode = try mode?.meaning()
            try session.change(because: .categoryChange) { settings, _ throws(ResultCode) in
                try settings.configure(category, mode: mode, policy: policy.meaning, options: options.meaning)
            }
        }
    }

    /// Sets the mode, at any time.
    public func setMode(_ mode: Mode) throws {
        try perform { session throws(ResultCode) in
            let mode = try mode.meaning()
            try session.change(because: .categoryChange) { settings, _ throws(ResultCode) in try settings.changeMode(mode) }
        }
    }

    // MARK: Activity

    /// Activates or deactivates the session.
    ///
    /// During a phone call the activation of a session that does not mix throws `insufficientPriority`. A deactivation
    /// while audio runs stops the audio and throws `isBusy`.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        try perform(active ? .activating : .deactivating) { session throws(ResultCode) in
            try session.setActive(active, notifyingOthers: options.contains(.notifyOthersOnDeactivation))
        }
    }

    /// Whether another process plays.
    public var isOtherAudioPlaying: Bool { value(of: .otherAudioIsPlaying) == .flag(true) }

    /// Whether another session that does not mix plays: the program should silence its secondary audio.
    public var secondaryAudioShouldBeSilencedHint: Bool { (try? session())?.primaryAudioPlays ?? false }
}
