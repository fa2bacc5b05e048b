// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AudioSession
internal import Foundation
internal import SessionModel

/// The delegate of the API of 2009. It receives the events of the session on the main thread. Every function is optional.
public protocol AVAudioSessionDelegate: AnyObject {
    func beginInterruption()
    /// Called unless `endInterruption(withFlags:)` is implemented.
    func endInterruption()
    /// `AVAudioSessionInterruptionFlags_ShouldResume`, or 0.
    func endInterruption(withFlags flags: Int)
    func inputIsAvailableChanged(_ isInputAvailable: Bool)
    func currentHardwareSampleRateChanged(_ sampleRate: Double)
    func currentHardwareInputNumberOfChannelsChanged(_ numberOfChannels: Int)
    func currentHardwareOutputNumberOfChannelsChanged(_ numberOfChannels: Int)
}

extension AVAudioSessionDelegate {
    public func beginInterruption() {}
    public func endInterruption() {}
    public func endInterruption(withFlags flags: Int) { endInterruption() }
    public func inputIsAvailableChanged(_ isInputAvailable: Bool) {}
    public func currentHardwareSampleRateChanged(_ sampleRate: Double) {}
    public func currentHardwareInputNumberOfChannelsChanged(_ numberOfChannels: Int) {}
    public func currentHardwareOutputNumberOfChannelsChanged(_ numberOfChannels: Int) {}
}

public let AVAudioSessionInterruptionFlags_ShouldResume = 1
public let AVAudioSessionSetActiveFlags_NotifyOthersOnDeactivation = 1

extension AVAudioSession {
    /// A weak reference: the program keeps the delegate alive.
    public var delegate: (any AVAudioSessionDelegate)? {
        get { delegation.delegate }
        set {
            delegation.delegate = newValue
            if newValue != nil { (try? session())?.announceSampleRate() }
        }
    }

    func notifyDelegate(of event: Event) {
        guard let delegate else { return }
        switch event {
        case .interruptionBegan: delegate.beginInterruption()
        case .interruptionEnded(let options): delegate.endInterruption(withFlags: Int(options.rawValue))
        case .inputAvailabilityChanged(let isAvailable): delegate.inputIsAvailableChanged(isAvailable)
        case .sampleRateChanged(let rate): delegate.currentHardwareSampleRateChanged(rate)
        case .inputChannelsChanged(let count): delegate.currentHardwareInputNumberOfChannelsChanged(count)
        case .outputChannelsChanged(let count): delegate.currentHardwareOutputNumberOfChannelsChanged(count)
        case .routeChanged, .mediaServicesLost, .mediaServicesReset, .secondaryAudioHint, .outputVolumeChanged,
            .inputGainChanged:
            break
        }
    }

    /// Stores the delegate, which any thread may set.
    final class Delegation: @unchecked Sendable {
        private let lock = NSLock()
        private weak var held: (any AVAudioSessionDelegate)?

        var delegate: (any AVAudioSessionDelegate)? {
            get { lock.withLock { held } }
            set { lock.withLock { held = newValue } }
        }
    }
}

// The names of 2009.
extension AVAudioSession {
    @available(*, deprecated, renamed: "isInputAvailable")
    public var inputIsAvailable: Bool { isInputAvailable }

    @available(*, deprecated, renamed: "sampleRate")
    public var currentHardwareSampleRate: Double { sampleRate }

    @available(*, deprecated, renamed: "inputNumberOfChannels")
    public var currentHardwareInputNumberOfChannels: Int { inputNumberOfChannels }

    @available(*, deprecated, renamed: "outputNumberOfChannels")
    public var currentHardwareOutputNumberOfChannels: Int { outputNumberOfChannels }

    @available(*, deprecated, renamed: "preferredSampleRate")
    public var preferredHardwareSampleRate: Double { preferredSampleRate }

    @available(*, deprecated, renamed: "setPreferredSampleRate(_:)")
    public func setPreferredHardwareSampleRate(_ sampleRate: Double) throws { try setPreferredSampleRate(sampleRate) }

    @available(*, deprecated, renamed: "setActive(_:options:)")
    public func setActive(_ beActive: Bool, withFlags flags: Int) throws {
        let notifies = flags & AVAudioSessionSetActiveFlags_NotifyOthersOnDeactivation != 0
        try setActive(beActive, options: notifies ? .notifyOthersOnDeactivation : [])
    }
}
