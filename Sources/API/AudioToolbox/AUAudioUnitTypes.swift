// SPDX-License-Identifier: Apache-2.0

// The numbers of AUAudioUnit.h.

public typealias AUAudioFrameCount = UInt32
public typealias AUAudioChannelCount = UInt32
public typealias AUEventSampleTime = Int64
public typealias AUParameterAddress = UInt64
public typealias AUValue = Float
