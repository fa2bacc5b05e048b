// SPDX-License-Identifier: Apache-2.0
// Of AVFoundation this is AVFAudio, under the name by which older programs import it, and the names of types of files.
@_exported import AVFAudio
