// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The keys of the settings of formats, files, recorders and players.

/// The `kAudioFormat…` of the sound: a number.
public let AVFormatIDKey = "AVFormatIDKey"
/// The rate in Hz: a floating-point number.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels: an integer.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The bytes of an `AudioChannelLayout`: `Data`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// The `kAudioFile…Type` of a new file, instead of the type that its name states.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

/// The bits of a sample of linear PCM: 8, 16, 24 or 32; for floats 32 or 64.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether the first byte of a sample is its highest: a Boolean.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floats: a Boolean.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has a buffer of its own: a Boolean. Samples of a file are always interleaved.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
public let AVLinearPCMIsNonInterleavedKey = AVLinearPCMIsNonInterleaved

/// An `AVAudioQuality` of an encoder. It has no effect: no codec here has a quality.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// An `AVAudioQuality` of an encoder with a variable rate of bits. It has no effect.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"
/// The bits of a second of sound: an integer.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// The bits of a second of one channel: an integer.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// An `AVAudioBitRateStrategy_…`. It has no effect: encoders choose by themselves.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// The bits of a sample before an encoder without loss: 16, 20, 24 or 32.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// An `AVSampleRateConverterAlgorithm_…`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// An `AVAudioQuality` of a conversion of the rate.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"

public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// Is refused: there is no such converter here.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"
