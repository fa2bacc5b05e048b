// SPDX-License-Identifier: Apache-2.0
// As on the platform: an import of this module imports Foundation.
@_exported public import Foundation
