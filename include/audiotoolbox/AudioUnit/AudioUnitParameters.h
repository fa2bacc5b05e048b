/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of the units of this library, and of units that are declared only. */
#ifndef AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#define AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#define __AudioUnitParameters /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#include <AudioUnit/AudioUnitProperties.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of each input and of the output of a MultiChannelMixer. */
enum {
    kMultiChannelMixerParam_Volume = 0,             /* any finite number: 1 is the level of the source, 0 is silence */
    kMultiChannelMixerParam_Enable = 1,             /* 0 mutes */
    kMultiChannelMixerParam_Pan = 2,                /* -1 left, 1 right; inputs only */
    kMultiChannelMixerParam_PreAveragePower = 1000, /* decibels, -120 to 0, read only, with MeteringMode 1; + n is channel n */
    kMultiChannelMixerParam_PrePeakHoldLevel = 2000,
    kMultiChannelMixerParam_PostAveragePower = 3000,
    kMultiChannelMixerParam_PostPeakHoldLevel = 4000
};

/* Parameter of an I/O unit: the volume of output element 0. */
enum { kHALOutputParam_Volume = 14 };

/* Parameters of a Varispeed in the global scope: the speed, as a factor and in cents. */
enum {
    kVarispeedParam_PlaybackRate = 0, /* 0.25 to 4 */
    kVarispeedParam_PlaybackCents = 1 /* -2400 to 2400 */
};

/* Parameters of a NewTimePitch in the global scope. */
enum {
    kNewTimePitchParam_Rate = 0,             /* 1/32 to 32; the pitch stays */
    kNewTimePitchParam_Pitch = 1,            /* in cents, -2400 to 2400; the speed stays */
    kNewTimePitchParam_Overlap = 4,          /* 3 to 32, without an effect: segments overlap by half */
    kNewTimePitchParam_EnablePeakLocking = 6 /* 0 or 1, without an effect */
};

/* ---- Units that are declared only ----

   Programs that use these names compile, but no unit of this library has the parameters. A parameter of band n of an NBandEQ
   has the number of the parameter of band 0 plus n. */

/* Reverb2 */
enum {
    kReverb2Param_DryWetMix = 0,
    kReverb2Param_Gain = 1,
    kReverb2Param_MinDelayTime = 2,
    kReverb2Param_MaxDelayTime = 3,
    kReverb2Param_DecayTimeAt0Hz = 4,
    kReverb2Param_DecayTimeAtNyquist = 5,
    kReverb2Param_RandomizeReflections = 6
};

/* BandPassFilter */
enum { kBandpassParam_CenterFrequency = 0, kBandpassParam_Bandwidth = 1 };

/* HighPassFilter */
enum { kHipassParam_CutoffFrequency = 0, kHipassParam_Resonance = 1 };

/* LowPassFilter */
enum { kLowPassParam_CutoffFrequency = 0, kLowPassParam_Resonance = 1 };

/* HighShelfFilter */
enum { kHighShelfParam_CutOffFrequency = 0, kHighShelfParam_Gain = 1 };

/* LowShelfFilter */
enum { kAULowShelfParam_CutoffFrequency = 0, kAULowShelfParam_Gain = 1 };

/* ParametricEQ */
enum { kParametricEQParam_CenterFreq = 0, kParametricEQParam_Q = 1, kParametricEQParam_Gain = 2 };

/* PeakLimiter */
enum { kLimiterParam_AttackTime = 0, kLimiterParam_DecayTime = 1, kLimiterParam_PreGain = 2 };

/* DynamicsProcessor */
enum {
    kDynamicsProcessorParam_Threshold = 0,
    kDynamicsProcessorParam_HeadRoom = 1,
    kDynamicsProcessorParam_ExpansionRatio = 2,
    kDynamicsProcessorParam_ExpansionThreshold = 3,
    kDynamicsProcessorParam_AttackTime = 4,
    kDynamicsProcessorParam_ReleaseTime = 5,
    kDynamicsProcessorParam_MasterGain = 6,
    kDynamicsProcessorParam_CompressionAmount = 1000,
    kDynamicsProcessorParam_InputAmplitude = 2000,
    kDynamicsProcessorParam_OutputAmplitude = 3000
};

/* Delay */
enum { kDelayParam_WetDryMix = 0, kDelayParam_DelayTime = 1, kDelayParam_Feedback = 2, kDelayParam_LopassCutoff = 3 };

/* Distortion */
enum {
    kDistortionParam_Delay = 0,
    kDistortionParam_Decay = 1,
    kDistortionParam_DelayMix = 2,
    kDistortionParam_Decimation = 3,
    kDistortionParam_Rounding = 4,
    kDistortionParam_DecimationMix = 5,
    kDistortionParam_LinearTerm = 6,
    kDistortionParam_SquaredTerm = 7,
    kDistortionParam_CubicTerm = 8,
    kDistortionParam_PolynomialMix = 9,
    kDistortionParam_RingModFreq1 = 10,
    kDistortionParam_RingModFreq2 = 11,
    kDistortionParam_RingModBalance = 12,
    kDistortionParam_RingModMix = 13,
    kDistortionParam_SoftClipGain = 14,
    kDistortionParam_FinalMix = 15
};

/* NBandEQ */
enum {
    kAUNBandEQParam_GlobalGain = 0,
    kAUNBandEQParam_BypassBand = 1000,
    kAUNBandEQParam_FilterType = 2000,
    kAUNBandEQParam_Frequency = 3000,
    kAUNBandEQParam_Gain = 4000,
    kAUNBandEQParam_Bandwidth = 5000
};

/* kAUNBandEQParam_FilterType */
enum {
    kAUNBandEQFilterType_Parametric = 0,
    kAUNBandEQFilterType_2ndOrderButterworthLowPass = 1,
    kAUNBandEQFilterType_2ndOrderButterworthHighPass = 2,
    kAUNBandEQFilterType_ResonantLowPass = 3,
    kAUNBandEQFilterType_ResonantHighPass = 4,
    kAUNBandEQFilterType_BandPass = 5,
    kAUNBandEQFilterType_BandStop = 6,
    kAUNBandEQFilterType_LowShelf = 7,
    kAUNBandEQFilterType_HighShelf = 8,
    kAUNBandEQFilterType_ResonantLowShelf = 9,
    kAUNBandEQFilterType_ResonantHighShelf = 10,
    kNumAUNBandEQFilterTypes = 11
};

/* MatrixMixer */
enum {
    kMatrixMixerParam_Volume = 0,
    kMatrixMixerParam_Enable = 1,
    kMatrixMixerParam_PreAveragePower = 1000,
    kMatrixMixerParam_PrePeakHoldLevel = 2000,
    kMatrixMixerParam_PostAveragePower = 3000,
    kMatrixMixerParam_PostPeakHoldLevel = 4000,
    kMatrixMixerParam_PreAveragePowerLinear = 5000,
    kMatrixMixerParam_PrePeakHoldLevelLinear = 6000,
    kMatrixMixerParam_PostAveragePowerLinear = 7000,
    kMatrixMixerParam_PostPeakHoldLevelLinear = 8000
};

/* AU3DMixerEmbedded */
enum {
    k3DMixerParam_Azimuth = 0,
    k3DMixerParam_Elevation = 1,
    k3DMixerParam_Distance = 2,
    k3DMixerParam_Gain = 3,
    k3DMixerParam_PlaybackRate = 4,
    k3DMixerParam_Enable = 5,
    k3DMixerParam_MinGain = 6,
    k3DMixerParam_MaxGain = 7,
    k3DMixerParam_ReverbBlend = 8,
    k3DMixerParam_GlobalReverbGain = 9,
    k3DMixerParam_OcclusionAttenuation = 10,
    k3DMixerParam_ObstructionAttenuation = 11,

    k3DMixerParam_BusEnable = 20,
    k3DMixerParam_MinGainInDecibels = 21,
    k3DMixerParam_MaxGainInDecibels = 22,
    k3DMixerParam_DryWetReverbBlend = 23,
    k3DMixerParam_GlobalReverbGainInDecibels = 24,
    k3DMixerParam_OcclusionAttenuationInDecibels = 25,
    k3DMixerParam_ObstructionAttenuationInDecibels = 26,
    k3DMixerParam_PreAveragePower = 1000,
    k3DMixerParam_PrePeakHoldLevel = 2000,
    k3DMixerParam_PostAveragePower = 3000,
    k3DMixerParam_PostPeakHoldLevel = 4000
};

/* SpatialMixer */
enum {
    kSpatialMixerParam_Azimuth = 0,
    kSpatialMixerParam_Elevation = 1,
    kSpatialMixerParam_Distance = 2,
    kSpatialMixerParam_Gain = 3,
    kSpatialMixerParam_PlaybackRate = 4,
    kSpatialMixerParam_Enable = 5,
    kSpatialMixerParam_MinGain = 6,
    kSpatialMixerParam_MaxGain = 7,
    kSpatialMixerParam_ReverbBlend = 8,
    kSpatialMixerParam_GlobalReverbGain = 9,
    kSpatialMixerParam_OcclusionAttenuation = 10,
    kSpatialMixerParam_ObstructionAttenuation = 11
};

/* The filter of the reverberation in the two mixers above */
enum {
    kReverbParam_FilterFrequency = 14,
    kReverbParam_FilterBandwidth = 15,
    kReverbParam_FilterGain = 16,
    kReverbParam_FilterType = 17,
    kReverbParam_FilterEnable = 18
};

/* AUiPodTime */
enum { kTimePitchParam_Rate = 0 };

/* RoundTripAAC */
enum { kRoundTripAACParam_Format = 0, kRoundTripAACParam_EncodingStrategy = 1, kRoundTripAACParam_RateOrQuality = 2 };

/* The unit that plays at random times */
enum { kRandomParam_BoundA = 0, kRandomParam_BoundB = 1, kRandomParam_Curve = 2 };

/* The group scope of an instrument: the numbers of MIDI controllers, and of MIDI messages. _LSB is the lower half of a controller.
   KeyPressure of key n is KeyPressure_FirstKey plus n. */
enum {
    kAUGroupParameterID_ModWheel = 1,
    kAUGroupParameterID_Foot = 4,
    kAUGroupParameterID_DataEntry = 6,
    kAUGroupParameterID_Volume = 7,
    kAUGroupParameterID_Pan = 10,
    kAUGroupParameterID_Expression = 11,
    kAUGroupParameterID_ModWheel_LSB = 33,
    kAUGroupParameterID_Foot_LSB = 36,
    kAUGroupParameterID_DataEntry_LSB = 38,
    kAUGroupParameterID_Volume_LSB = 39,
    kAUGroupParameterID_Pan_LSB = 42,
    kAUGroupParameterID_Expression_LSB = 43,
    kAUGroupParameterID_Sustain = 64,
    kAUGroupParameterID_Sostenuto = 66,
    kAUGroupParameterID_AllSoundOff = 120,
    kAUGroupParameterID_ResetAllControllers = 121,
    kAUGroupParameterID_AllNotesOff = 123,
    kAUGroupParameterID_KeyPressure = 0xA0,
    kAUGroupParameterID_ChannelPressure = 0xD0,
    kAUGroupParameterID_PitchBend = 0xE0,
    kAUGroupParameterID_KeyPressure_FirstKey = 256,
    kAUGroupParameterID_KeyPressure_LastKey = 383
};

/* Sampler */
enum {
    kAUSamplerParam_Gain = 900,
    kAUSamplerParam_CoarseTuning = 901,
    kAUSamplerParam_FineTuning = 902,
    kAUSamplerParam_Pan = 903
};

#ifdef __cplusplus
}
#endif

#endif
