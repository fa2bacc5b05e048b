// SPDX-License-Identifier: Apache-2.0
// The types of CoreAudio, and its host clock. The functions for devices are absent: the audio session selects devices.
@_exported public import CoreAudioTypes
