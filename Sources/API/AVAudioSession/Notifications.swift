// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import SessionModel

// The events of the session as notifications: posted on the main thread in the order in which they happened, with the
// session as the object.
extension AVAudioSession {
    /// Begins and ends of interruptions. The userInfo has `AVAudioSessionInterruptionTypeKey` and, for an end,
    /// `AVAudioSessionInterruptionOptionKey`.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
    /// The userInfo has `AVAudioSessionRouteChangeReasonKey` and `AVAudioSessionRouteChangePreviousRouteKey`.
    public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")
    /// The audio server died. The session is inactive; it can be activated once the server is back.
    public static let mediaServicesWereLostNotification = Notification.Name("AVAudioSessionMediaServicesWereLostNotification")
    /// The audio server is back.
    public static let mediaServicesWereResetNotification = Notification.Name("AVAudioSessionMediaServicesWereResetNotification")
    /// For an active session: another session that does not mix starts or stops playing. The userInfo has
    /// `AVAudioSessionSilenceSecondaryAudioHintTypeKey`.
    public static let silenceSecondaryAudioHintNotification = Notification.Name(
        "AVAudioSessionSilenceSecondaryAudioHintNotification")
}

/// The raw value of an `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The raw value of `AVAudioSession.InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// Later releases have these two keys. No notification has them here: Linux suspends no program, and an interruption has no reason.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// The raw value of an `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// An `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// The raw value of an `AVAudioSession.SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

extension NSNotification.Name {
    public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
    public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
    public static let AVAudioSessionMediaServicesWereLost = AVAudioSession.mediaServicesWereLostNotification
    public static let AVAudioSessionMediaServicesWereReset = AVAudioSession.mediaServicesWereResetNotification
    public static let AVAudioSessionSilenceSecondaryAudioHint = AVAudioSession.silenceSecondaryAudioHintNotification
}

extension AVAudioSession {
    /// On the main thread.
    func deliver(_ event: SessionEvent) {
        guard let event = Event(event, of: self) else { return }
        notifyDelegate(of: event)
        if let notification = event.notification {
            NotificationCenter.default.post(name: notification.name, object: self, userInfo: notification.userInfo)
        }
    }
}

extension AVAudioSession.Event {
    /// Nil for an event without a notification.
    var notification: (name: Notification.Name, userInfo: [String: Any]?)? {
        switch self {
        case .interruptionBegan:
            (
                AVAudioSession.interruptionNotification,
                [AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.began.rawValue]
            )
        case .interruptionEnded(let options):
            (
                AVAudioSession.interruptionNotification,
                [
                    AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.ended.rawValue,
                    AVAudioSessionInterruptionOptionKey: options.rawValue,
                ]
            )
        case .routeChanged(let reason, let previousRoute):
            (
                AVAudioSession.routeChangeNotification,
                [
                    AVAudioSessionRouteChangeReasonKey: reason.rawValue,
                    AVAudioSessionRouteChangePreviousRouteKey: previousRoute,
                ]
            )
        case .mediaServicesLost: (AVAudioSession.mediaServicesWereLostNotification, nil)
        case .mediaServicesReset: (AVAudioSession.mediaServicesWereResetNotification, nil)
        case .secondaryAudioHint(let type):
            (
                AVAudioSession.silenceSecondaryAudioHintNotification,
                [AVAudioSessionSilenceSecondaryAudioHintTypeKey: type.rawValue]
            )
        case .inputAvailabilityChanged, .inputChannelsChanged, .outputChannelsChanged, .sampleRateChanged,
            .outputVolumeChanged, .inputGainChanged:
            nil
        }
    }
}
