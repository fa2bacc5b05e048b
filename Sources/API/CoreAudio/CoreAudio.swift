// SPDX-License-Identifier: Apache-2.0
// Of CoreAudio these are the types and the host clock. Devices are those of the audio session.
@_exported public import CoreAudioTypes
