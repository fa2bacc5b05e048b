// SPDX-License-Identifier: Apache-2.0
// The types of CoreAudioTypes.h, as the importer of Swift makes them.
@_exported public import CCoreAudioTypes
