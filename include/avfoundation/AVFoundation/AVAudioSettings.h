/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of the settings of players and recorders. */
#ifndef AVFOUNDATION_AVAUDIOSETTINGS_H
#define AVFOUNDATION_AVAUDIOSETTINGS_H

#import <Foundation/Foundation.h>
#include <CoreAudio/CoreAudioTypes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every format. */
extern NSString *const AVFormatIDKey;         /* NSNumber: a format of CoreAudioTypes.h; kAudioFormatLinearPCM without it */
extern NSString *const AVSampleRateKey;       /* NSNumber: hertz; 44100 without it */
extern NSString *const AVNumberOfChannelsKey; /* NSNumber: 1 to 8; 2 without it */
extern NSString *const AVChannelLayoutKey;    /* NSData: an AudioChannelLayout of this number of channels */

/* Linear PCM. */
extern NSString *const AVLinearPCMBitDepthKey;      /* NSNumber: 8, 16, 24 or 32; 16 without it */
extern NSString *const AVLinearPCMIsBigEndianKey;   /* NSNumber: BOOL; that of the type of the file without it */
extern NSString *const AVLinearPCMIsFloatKey;       /* NSNumber: BOOL */
extern NSString *const AVLinearPCMIsNonInterleaved; /* NSNumber: BOOL; a file is always interleaved */

/* Encoders. A value that the encoder does not accept leaves its own. */
extern NSString *const AVEncoderAudioQualityKey;      /* NSNumber: AVAudioQuality */
extern NSString *const AVEncoderBitRateKey;           /* NSNumber: bits a second */
extern NSString *const AVEncoderBitRatePerChannelKey; /* NSNumber: bits a second */
extern NSString *const AVEncoderBitDepthHintKey;      /* NSNumber: 8 to 32 */

/* The conversion of the rate. */
extern NSString *const AVSampleRateConverterAudioQualityKey; /* NSNumber: AVAudioQuality */

enum {
    AVAudioQualityMin = 0,
    AVAudioQualityLow = 0x20,
    AVAudioQualityMedium = 0x40,
    AVAudioQualityHigh = 0x60,
    AVAudioQualityMax = 0x7F
};
typedef NSInteger AVAudioQuality;

#ifdef __cplusplus
}
#endif

#endif
