// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CoreAudioTypes

// Host time is in nanoseconds: both conversions are identities.

/// The host time now.
public func AudioGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// The units of host time in a second.
public func AudioGetHostClockFrequency() -> Float64 { 1_000_000_000 }

/// The smallest difference of two host times.
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

public func AudioConvertHostTimeToNanos(_ inHostTime: UInt64) -> UInt64 { inHostTime }

public func AudioConvertNanosToHostTime(_ inNanos: UInt64) -> UInt64 { inNanos }
