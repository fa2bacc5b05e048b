// SPDX-License-Identifier: Apache-2.0
// The functions of the C headers, as the importer of Swift makes them. Functions with types of CoreFoundation take those of
// Foundation here: see the other files. As on the platform, an import of this module imports Foundation.
@_exported public import CAudioToolboxFunctions
@_exported public import CoreAudio
@_exported public import Foundation
