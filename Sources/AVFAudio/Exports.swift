// As on the platform: an import of this module imports Foundation.
@_exported import Foundation
