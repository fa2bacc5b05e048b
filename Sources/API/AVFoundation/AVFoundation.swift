// SPDX-License-Identifier: Apache-2.0
// Of AVFoundation this is the audio session, under the name by which older programs import it.
@_exported import AVFAudio
