// SPDX-License-Identifier: Apache-2.0
// The types of CoreAudioTypes.h, as the importer of Swift makes them. As on the platform, an import of this module imports the
// functions of libc.
@_exported public import CCoreAudioTypes
@_exported public import Glibc
