/* SPDX-License-Identifier: Apache-2.0 */
/* The private interface between libAudioToolbox and its codec modules. A module is a shared object of the same version as
   libAudioToolbox, linked with the library of another project. It exports one function, audiotoolbox_codecs.

   All data comes from files and programs: a module checks every number before it uses it as a size. One thread at a time calls
   the functions of a decoder or encoder. Different decoders and encoders are used on any threads. */
#ifndef CODEC_MODULE_H
#define CODEC_MODULE_H

#include <stddef.h>
#include <stdint.h>

/* Incremented with every change of this file. */
enum { CODEC_INTERFACE_VERSION = 1 };

/* The samples are native and interleaved. An integer with fewer bits is in the high bits. */
enum { CODEC_INT16 = 1, CODEC_INT32 = 2, CODEC_FLOAT32 = 3 };

/* Results of decode and encode that are not a size. */
enum { CODEC_DAMAGED = -1, CODEC_NO_MEMORY = -2 };

enum { CODEC_MOST_CHANNELS = 8, CODEC_LARGEST_PACKET = 1 << 20, CODEC_LARGEST_CONFIGURATION = 1 << 16 };

struct codec_format {
    uint32_t format_id; /* and the other fields of AudioStreamBasicDescription */
    uint32_t flags;
    uint32_t frames_per_packet;
    uint32_t channels;
    double rate;
    uint32_t bit_rate; /* of an encoder, in bits per second; 0: the usual one */
    uint32_t samples;  /* those that a decoder makes; 0: its usual ones */
    /* AAC: AudioSpecificConfig. Apple Lossless: its 24 bytes, possibly followed by others. FLAC: STREAMINFO. */
    uint32_t configuration_size;
    const uint8_t *configuration;
};

/* The description of a decoder or an encoder. */
struct codec_facts {
    uint32_t samples;
    uint32_t frames_per_packet; /* the most frames of a packet */
    uint32_t largest_packet;    /* its bytes */
    uint32_t priming_frames;    /* an encoder adds them before the sound */
    uint32_t bit_rate;          /* of an encoder; 0: it has none */
};

struct codec_module {
    uint32_t version;        /* CODEC_INTERFACE_VERSION */
    const char *library;     /* its name and version, for the log */
    const uint32_t *decodes; /* formats, and 0 at the end */
    const uint32_t *encodes;

    /* NULL: the format is not supported, or memory is exhausted. */
    void *(*decoder_create)(const struct codec_format *format, struct codec_facts *facts);
    /* Decodes one packet to at most `room` frames. Returns the number of frames. */
    int32_t (*decode)(void *decoder, const void *packet, uint32_t bytes, void *frames, uint32_t room);
    /* Discards the state of earlier packets. */
    void (*decoder_reset)(void *decoder);
    void (*decoder_destroy)(void *decoder);

    void *(*encoder_create)(const struct codec_format *format, struct codec_facts *facts);
    /* Encodes the frames of one packet. Fewer frames are the last ones; no frames state the end of the input. Writes at most one
       packet, and returns its bytes. 0: the encoder needs more frames; after the end, it has no more packets. */
    int32_t (*encode)(void *encoder, const void *frames, uint32_t count, void *packet, uint32_t room);
    /* Writes the configuration of the stream for a decoder. Returns the number of bytes. */
    int32_t (*encoder_configuration)(void *encoder, void *bytes, uint32_t room);
    /* Discards all frames. False: memory is exhausted, and the encoder makes no more packets. */
    int (*encoder_reset)(void *encoder);
    void (*encoder_destroy)(void *encoder);
};

/* Returns NULL for another version, and if the library of the module cannot be used. */
typedef const struct codec_module *codec_module_entry(uint32_t version);
codec_module_entry audiotoolbox_codecs;

#endif
