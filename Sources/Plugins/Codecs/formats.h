/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of the codec modules, by the four-character codes of AudioStreamBasicDescription. */
#ifndef CODEC_FORMATS_H
#define CODEC_FORMATS_H

enum {
    FORMAT_AAC = 0x61616320,          /* 'aac ' */
    FORMAT_AAC_HE = 0x61616368,       /* 'aach' */
    FORMAT_AAC_HE_V2 = 0x61616370,    /* 'aacp' */
    FORMAT_ALAC = 0x616C6163,         /* 'alac' */
    FORMAT_FLAC = 0x666C6163,         /* 'flac' */
    FORMAT_OPUS = 0x6F707573,         /* 'opus' */
    FORMAT_MPEG_LAYER_1 = 0x2E6D7031, /* '.mp1' */
    FORMAT_MPEG_LAYER_2 = 0x2E6D7032, /* '.mp2' */
    FORMAT_MPEG_LAYER_3 = 0x2E6D7033, /* '.mp3' */
    FORMAT_AC3 = 0x61632D33,          /* 'ac-3' */
    FORMAT_MS_GSM = 0x6D730031        /* the format 0x31 of WAVE */
};

#endif
