// SPDX-License-Identifier: Apache-2.0
// As on the platform: an import of this module imports the session, the C API and Foundation.
@_exported public import AVAudioSession
@_exported public import AudioToolbox
@_exported public import Foundation
