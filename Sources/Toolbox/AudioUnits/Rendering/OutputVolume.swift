// SPDX-License-Identifier: Apache-2.0

/// The volume of the output of an I/O unit, and its changes, which the stream's thread applies.
final class OutputVolume: Sendable {
    let parameter = UnitParameter(1)
    let events = ParameterEvents()
}
