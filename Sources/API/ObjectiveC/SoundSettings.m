/* SPDX-License-Identifier: Apache-2.0 */
#import "SoundSettings.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "LoadedToolbox.h"
#import "ObjectMemory.h"
#import "SessionAccess.h"

NSString *const AVFormatIDKey = @"AVFormatIDKey";
NSString *const AVSampleRateKey = @"AVSampleRateKey";
NSString *const AVNumberOfChannelsKey = @"AVNumberOfChannelsKey";
NSString *const AVLinearPCMBitDepthKey = @"AVLinearPCMBitDepthKey";
NSString *const AVLinearPCMIsBigEndianKey = @"AVLinearPCMIsBigEndianKey";
NSString *const AVLinearPCMIsFloatKey = @"AVLinearPCMIsFloatKey";
NSString *const AVLinearPCMIsNonInterleaved = @"AVLinearPCMIsNonInterleaved";
NSString *const AVEncoderAudioQualityKey = @"AVEncoderQualityKey";
NSString *const AVEncoderBitRateKey = @"AVEncoderBitRateKey";
NSString *const AVEncoderBitRatePerChannelKey = @"AVEncoderBitRatePerChannelKey";
NSString *const AVChannelLayoutKey = @"AVChannelLayoutKey";
NSString *const AVEncoderBitDepthHintKey = @"AVEncoderBitDepthHintKey";
NSString *const AVSampleRateConverterAudioQualityKey = @"AVSampleRateConverterQualityKey";

const char *AVAudioPathOfURL(NSURL *url) {
    if (![url isKindOfClass:[NSURL class]] || ![url isFileURL]) return NULL;
    NSString *path = [url path];
    return [path length] > 0 ? [path fileSystemRepresentation] : NULL;
}

static NSNumber *number(double value) { return [NSNumber numberWithDouble:value]; }

static NSNumber *flag(UInt32 flags, UInt32 mask) { return [NSNumber numberWithBool:(flags & mask) != 0]; }

NSDictionary *AVAudioSettingsOfFormat(const AudioStreamBasicDescription *format) {
    NSMutableDictionary *settings = [NSMutableDictionary dictionary];
    [settings setObject:[NSNumber numberWithUnsignedInt:format->mFormatID] forKey:AVFormatIDKey];
    [settings setObject:number(format->mSampleRate) forKey:AVSampleRateKey];
    [settings setObject:[NSNumber numberWithUnsignedInt:format->mChannelsPerFrame] forKey:AVNumberOfChannelsKey];
    if (format->mFormatID != kAudioFormatLinearPCM) return settings;
    UInt32 flags = format->mFormatFlags;
    [settings setObject:[NSNumber numberWithUnsignedInt:format->mBitsPerChannel] forKey:AVLinearPCMBitDepthKey];
    [settings setObject:flag(flags, kAudioFormatFlagIsBigEndian) forKey:AVLinearPCMIsBigEndianKey];
    [settings setObject:flag(flags, kAudioFormatFlagIsFloat) forKey:AVLinearPCMIsFloatKey];
    [settings setObject:flag(flags, kAudioFormatFlagIsNonInterleaved) forKey:AVLinearPCMIsNonInterleaved];
    return settings;
}

/* ---- Settings of a recorder ---- */

struct settings_reading {
    AV_UNRETAINED NSDictionary *settings;
    bool isWrong; /* a value of another class, or outside its range */
};

static bool hasKey(struct settings_reading *reading, NSString *key) { return [reading->settings objectForKey:key] != nil; }

static double value(struct settings_reading *reading, NSString *key, double least, double most, double other) {
    id found = [reading->settings objectForKey:key];
    if (!found) return other;
    double value = [found isKindOfClass:[NSNumber class]] ? [found doubleValue] : NAN;
    if (value >= least && value <= most) return value;
    reading->isWrong = true;
    return other;
}

/* The bytes of integers that a type of files has, unless the program says. */
static bool isBigEndian(AudioFileTypeID type) {
    return type == kAudioFileAIFFType || type == kAudioFileAIFCType || type == kAudioFileNextType;
}

/* The size of a layout with this number of descriptions. */
static size_t sizeOfLayout(UInt32 descriptions) {
    return offsetof(AudioChannelLayout, mChannelDescriptions) + descriptions * sizeof(AudioChannelDescription);
}

/* A layout of another number of channels is wrong. */
static void readLayout(struct settings_reading *reading, struct recording_settings *recording) {
    id found = [reading->settings objectForKey:AVChannelLayoutKey];
    if (!found) return;
    AudioChannelLayout *layout = &recording->layout;
    size_t size = [found isKindOfClass:[NSData class]] ? [(NSData *)found length] : 0;
    UInt32 channels = 0, sizeOfChannels = sizeof channels;
    reading->isWrong = true;
    if (size < sizeOfLayout(0)) return;
    memcpy(layout, [(NSData *)found bytes], sizeOfLayout(0));
    UInt32 descriptions = layout->mNumberChannelDescriptions;
    if (descriptions > RECORDING_MOST_CHANNELS || size < sizeOfLayout(descriptions)) return;
    memcpy(layout, [(NSData *)found bytes], sizeOfLayout(descriptions));
    if (toolbox.AudioFormatGetProperty(kAudioFormatProperty_NumberOfChannelsForLayout, (UInt32)sizeOfLayout(descriptions), layout,
            &sizeOfChannels, &channels))
        return;
    reading->isWrong = channels != recording->format.mChannelsPerFrame;
    recording->hasLayout = true;
}

static void readLinearPCM(struct settings_reading *reading, AudioFileTypeID type, AudioStreamBasicDescription *format) {
    bool isFloat = value(reading, AVLinearPCMIsFloatKey, 0, 1, 0) != 0;
    UInt32 bits = (UInt32)value(reading, AVLinearPCMBitDepthKey, 8, 32, isFloat ? 32 : 16);
    if (bits % 8 || (isFloat && bits != 32)) reading->isWrong = true;
    format->mFormatFlags = kAudioFormatFlagIsPacked;
    if (value(reading, AVLinearPCMIsBigEndianKey, 0, 1, isBigEndian(type)) != 0)
        format->mFormatFlags |= kAudioFormatFlagIsBigEndian;
    /* Only WAVE has unsigned samples, of 8 bits. */
    if (isFloat)
        format->mFormatFlags |= kAudioFormatFlagIsFloat;
    else if (bits != 8 || type != kAudioFileWAVEType)
        format->mFormatFlags |= kAudioFormatFlagIsSignedInteger;
    format->mBitsPerChannel = bits;
    format->mFramesPerPacket = 1;
    format->mBytesPerFrame = format->mBytesPerPacket = bits / 8 * format->mChannelsPerFrame;
    value(reading, AVLinearPCMIsNonInterleaved, 0, 1, 0);
}

static void readEncoder(struct settings_reading *reading, struct recording_settings *recording) {
    UInt32 channels = recording->format.mChannelsPerFrame;
    recording->bitRate = (UInt32)value(reading, AVEncoderBitRateKey, 0, 10e6, 0);
    UInt32 perChannel = (UInt32)value(reading, AVEncoderBitRatePerChannelKey, 0, 10e6, 0);
    if (!recording->bitRate) recording->bitRate = perChannel * channels;
    recording->bitDepth = (UInt32)value(reading, AVEncoderBitDepthHintKey, 0, 32, 0);
    if (hasKey(reading, AVEncoderAudioQualityKey))
        recording->quality = (UInt32)value(reading, AVEncoderAudioQualityKey, AVAudioQualityMin, AVAudioQualityMax, 0) + 1;
    if (hasKey(reading, AVSampleRateConverterAudioQualityKey))
        recording->rateQuality =
            (UInt32)value(reading, AVSampleRateConverterAudioQualityKey, AVAudioQualityMin, AVAudioQualityMax, 0) + 1;
}

/* Reads the fields that the settings determine. The type of the file determines the others. */
static OSStatus readFormat(struct settings_reading *reading, struct recording_settings *recording) {
    AudioStreamBasicDescription *format = &recording->format;
    format->mFormatID = (UInt32)value(reading, AVFormatIDKey, 0, UINT32_MAX, kAudioFormatLinearPCM);
    format->mSampleRate = value(reading, AVSampleRateKey, 4000, 192000, 44100);
    format->mChannelsPerFrame = (UInt32)value(reading, AVNumberOfChannelsKey, 1, 8, 2);
    if (format->mFormatID == kAudioFormatLinearPCM) {
        readLinearPCM(reading, recording->type, format);
        return noErr;
    }
    UInt32 size = sizeof *format;
    return toolbox.AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, format);
}

OSStatus AVAudioReadSettings(NSDictionary *settings, const char *path, struct recording_settings *recording) {
    struct settings_reading reading = {settings, false};
    struct recording_settings none = {0};
    *recording = none;
    if (settings && ![settings isKindOfClass:[NSDictionary class]]) return kAudio_ParamError;
    const char *extension = strrchr(path, '.');
    bool hasExtension = extension && !strchr(extension, '/');
    /* CAF has each format. Programs that measure the level only record to /dev/null. */
    recording->type = hasExtension ? recording_type(extension + 1) : kAudioFileCAFType;
    if (!recording->type) return kAudioFileUnsupportedFileTypeError;
    OSStatus status = readFormat(&reading, recording);
    readEncoder(&reading, recording);
    if (!reading.isWrong) readLayout(&reading, recording);
    return reading.isWrong ? kAudio_ParamError : status;
}

/* ---- Times and errors ---- */

bool AVAudioHostTime(double seconds, AudioTimeStamp *time) {
    AudioTimeStamp none = {0};
    *time = none;
    if (!(seconds >= 0 && seconds < 1e9)) return false;
    time->mHostTime = (UInt64)(seconds * 1e9);
    time->mFlags = kAudioTimeStampHostTimeValid;
    return true;
}

BOOL AVAudioLoadToolbox(NSError **outError) {
    char reason[512];
    if (load_toolbox(reason, sizeof reason)) return YES;
    if (outError) *outError = AVAudioErrorWithText(kAudio_UnimplementedError, reason);
    return NO;
}

BOOL AVAudioFinishOpening(OSStatus status, NSError **outError) {
    if (outError) *outError = status ? AVAudioErrorWithText(status, toolbox.AudioToolboxLinuxStatusName(status)) : nil;
    return status == noErr;
}
