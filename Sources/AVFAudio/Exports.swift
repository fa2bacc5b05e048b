// As on the platform: who imports this has Foundation.
@_exported import Foundation
