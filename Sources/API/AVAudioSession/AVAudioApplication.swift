// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: TypeNamesShouldBeCapitalized

public import Foundation

/// The permission of this program to record, as `AVAudioSession` states it.
public final class AVAudioApplication: NSObject, Sendable {
    public static let shared = AVAudioApplication()

    public enum recordPermission: UInt, Sendable {
        case undetermined = 0x756E_6474  // 'undt'
        case denied = 0x6465_6E79  // 'deny'
        case granted = 0x6772_6E74  // 'grnt'
    }

    private override init() { super.init() }

    public var recordPermission: recordPermission {
        switch AVAudioSession.sharedInstance().recordPermission {
        case .granted: .granted
        case .denied: .denied
        case .undetermined: .undetermined
        }
    }

    /// Calls the handler with the permission that the program has.
    public static func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        AVAudioSession.sharedInstance().requestRecordPermission(response)
    }

    public static func requestRecordPermission() async -> Bool {
        await AVAudioSession.sharedInstance().requestRecordPermission()
    }
}
