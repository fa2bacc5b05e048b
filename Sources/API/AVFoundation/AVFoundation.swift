// SPDX-License-Identifier: Apache-2.0
// The audio part of AVFoundation: AVFAudio under its older name, and the names of the types of files.
@_exported import AVFAudio
