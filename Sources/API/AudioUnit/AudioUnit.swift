// SPDX-License-Identifier: Apache-2.0
// Older programs import the functions of units by this name.
@_exported public import AudioToolbox
