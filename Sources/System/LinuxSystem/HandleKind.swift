// SPDX-License-Identifier: Apache-2.0

/// The kind of object that a handle identifies: the lower four bits of the handle. An address from malloc has zeros there.
public enum HandleKind: UInt64 {
    case converter = 0x1
    case file = 0x2
    case extendedFile = 0x3
    case graph = 0x4
    case unit = 0x5
    case fileStream = 0x6
    case queue = 0xA
    case unitListener = 0xB
    case timeline = 0xC
}
