internal import AudioSession
internal import AudioEngine
public import Foundation
internal import SessionModel

/// What a program tells the system about its audio, and what it hears from it: the one session of this
/// process, which the functions of the C API see as well.
///
/// Any thread may call any of this. Notifications are posted on the main thread.
public final class AVAudioSession: NSObject, @unchecked Sendable {
    private static let shared = AVAudioSession { () throws(ResultCode) in try CommonSession.begin() }

    /// The session of this process. Asked for first, it is begun: the C API's functions work from
    /// then on.
    public static func sharedInstance() -> AVAudioSession { shared }

    private let begin: @Sendable () throws(ResultCode) -> Session
    let announcing = Announcing()
    let delegation = Delegation()
    let preferredDataSources = PreferredDataSources()

    /// `begin` is asked whenever the session is needed, and answers with the same one each time.
    init(_ begin: @escaping @Sendable () throws(ResultCode) -> Session) {
        self.begin = begin
        super.init()
        if let session = try? begin() { announcing.start(for: self, session) }
    }

    // MARK: The session below

    func session() throws(ResultCode) -> Session {
        let session = try begin()
        announcing.start(for: self, session)
        return session
    }

    /// What is known; of a session that could not be begun, what any session begins with.
    var state: SessionState { (try? session())?.known ?? SessionState() }

    /// A value that is asked for; nil where the session refuses it.
    func value(of property: Property) -> PropertyValue? {
        do throws(ResultCode) { return try session().value(of: property) } catch { return nil }
    }

    /// Where refusals become errors.
    func perform(_ occasion: Occasion = .setting, _ body: (Session) throws(ResultCode) -> Void) throws {
        do throws(ResultCode) { try body(try session()) } catch {
            let session = try? session()
            throw ErrorCode(
                error, when: occasion, serverIsAlive: session?.known.hardware.serverIsAlive ?? false,
                isCallOngoing: session?.isCallOngoing ?? false
            ).error
        }
    }

    // MARK: Category, mode and options

    /// The category; `soloAmbient` until one is set.
    public var category: Category { Category(state.settings.category) }

    /// The options as they stand, with those that the category, the mode or another option brings.
    public var categoryOptions: CategoryOptions { CategoryOptions(state.settings.options) }

    /// The mode; `default` until one is set.
    public var mode: Mode { Mode(state.settings.mode) }

    /// With whom the session shares where its sound goes.
    public var routeSharingPolicy: RouteSharingPolicy { RouteSharingPolicy(state.settings.sharingPolicy) }

    /// The categories that this machine is equipped for: those that record need an input.
    public var availableCategories: [Category] {
        let canRecord = state.hasInput
        return Category.known.filter { canRecord || ($0.name != .record && $0.name != .playAndRecord) }.map { $0.name }
    }

    /// All modes: none needs hardware of its own.
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
    /// Activation is refused with `insufficientPriority` while a phone call lasts, unless the session
    /// mixes. Deactivation while audio runs stops it, and says `isBusy`.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        try perform(active ? .activating : .deactivating) { session throws(ResultCode) in
            try session.setActive(active, notifyingOthers: options.contains(.notifyOthersOnDeactivation))
        }
    }

    /// Whether another process plays.
    public var isOtherAudioPlaying: Bool { value(of: .otherAudioIsPlaying) == .flag(true) }

    /// Whether another session plays that does not mix: what is not essential had better be silent.
    public var secondaryAudioShouldBeSilencedHint: Bool { (try? session())?.primaryAudioPlays ?? false }
}
