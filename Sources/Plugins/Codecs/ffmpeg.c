/* SPDX-License-Identifier: Apache-2.0 */
/* The codec module of FFmpeg's libavcodec. It is built against the installed version: the interface of libavcodec, and the
   layout of its structures, change with each major version. */
#include "codec_module.h"
#include "formats.h"
#include "samples.h"

#include <libavcodec/avcodec.h>
#include <stdlib.h>
#include <string.h>

#define HAS_CHANNEL_LAYOUTS (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100))

enum {
    AAC_FRAMES = 1024,
    LONG_AAC_FRAMES = 2048,
    MPEG_FRAMES = 1152,
    ALAC_FRAMES = 4096,
    OPUS_FRAMES = 5760,
    FLAC_FRAMES = 65535
};
/* The flags of Apple Lossless state the bits of the source: 16, 20, 24 or 32. */
enum { ALAC_16_BITS = 1, ALAC_32_BITS = 4 };

/* A format, its codec, and the largest number of frames of a packet if the description does not state it. */
static const struct row {
    uint32_t format_id;
    enum AVCodecID codec;
    uint32_t frames;
} rows[] = {
    {FORMAT_AAC, AV_CODEC_ID_AAC, AAC_FRAMES},
    {FORMAT_AAC_HE, AV_CODEC_ID_AAC, LONG_AAC_FRAMES},
    {FORMAT_AAC_HE_V2, AV_CODEC_ID_AAC, LONG_AAC_FRAMES},
    {FORMAT_ALAC, AV_CODEC_ID_ALAC, ALAC_FRAMES},
    {FORMAT_FLAC, AV_CODEC_ID_FLAC, FLAC_FRAMES},
    {FORMAT_OPUS, AV_CODEC_ID_OPUS, OPUS_FRAMES},
    {FORMAT_MPEG_LAYER_1, AV_CODEC_ID_MP1, 384},
    {FORMAT_MPEG_LAYER_2, AV_CODEC_ID_MP2, MPEG_FRAMES},
    {FORMAT_MPEG_LAYER_3, AV_CODEC_ID_MP3, MPEG_FRAMES},
    {FORMAT_AC3, AV_CODEC_ID_AC3, 1536},
    {FORMAT_MS_GSM, AV_CODEC_ID_GSM_MS, 320},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct row *row_of(uint32_t format_id) {
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].format_id == format_id) return &rows[i];
    return NULL;
}

static void set_channels(AVCodecContext *context, uint32_t channels) {
#if HAS_CHANNEL_LAYOUTS
    av_channel_layout_default(&context->ch_layout, (int)channels);
#else
    context->channels = (int)channels;
    context->channel_layout = (uint64_t)av_get_default_channel_layout((int)channels);
#endif
}

/* The encoders accept one layout for each number of channels. Some are not FFmpeg's default layouts: its default of three channels
   has a subwoofer, whose channel the encoder of AAC filters. */
static void set_encoded_channels(AVCodecContext *context, uint32_t channels, int is_lossless) {
    uint64_t layout = channels == 3    ? AV_CH_LAYOUT_SURROUND
        : is_lossless && channels == 7 ? AV_CH_LAYOUT_6POINT1_BACK
        : is_lossless && channels == 8 ? AV_CH_LAYOUT_7POINT1_WIDE_BACK
                                       : 0;
    if (!layout) return;
#if HAS_CHANNEL_LAYOUTS
    av_channel_layout_from_mask(&context->ch_layout, layout);
#else
    context->channel_layout = layout;
#endif
}

static uint32_t channels_of(const AVFrame *frame) {
#if HAS_CHANNEL_LAYOUTS
    int channels = frame->ch_layout.nb_channels;
#else
    int channels = frame->channels;
#endif
    return channels > 0 ? (uint32_t)channels : 0;
}

/* Sets the decoder's private data, which libavcodec calls extradata. */
static int set_configuration(AVCodecContext *context, const struct codec_format *format) {
    /* For Apple Lossless, libavcodec expects the header of the MPEG-4 box before the configuration. */
    uint32_t prefix = format->format_id == FORMAT_ALAC ? 12 : 0, size = format->configuration_size;
    if (!format->configuration || size == 0) return 1;
    if (size > CODEC_LARGEST_CONFIGURATION) return 0;
    if (prefix) size = 24;
    if (format->configuration_size < size) return 0;
    context->extradata = av_mallocz(prefix + size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!context->extradata) return 0;
    context->extradata_size = (int)(prefix + size);
    static const uint8_t header[12] = {0, 0, 0, 36, 'a', 'l', 'a', 'c', 0, 0, 0, 0};
    memcpy(context->extradata, header, prefix);
    memcpy(context->extradata + prefix, format->configuration, size);
    return 1;
}

static AVCodecContext *new_context(const AVCodec *codec, const struct codec_format *format) {
    if (!codec || format->channels < 1 || format->channels > CODEC_MOST_CHANNELS) return NULL;
    if (!(format->rate >= 1 && format->rate <= 768000)) return NULL;
    AVCodecContext *context = avcodec_alloc_context3(codec);
    if (!context) return NULL;
    context->sample_rate = (int)format->rate;
    context->thread_count = 1;
    /* Damaged packets are not logged: the offset makes the messages of this context less important than every level that a
       program shows. Levels have eight bits. */
    context->log_level_offset = 150;
    set_channels(context, format->channels);
    return context;
}

/* ---- Decoding ---- */

struct decoder {
    AVCodecContext *context;
    AVPacket *packet;
    AVFrame *frame;
    uint32_t channels, samples, rate;
    uint32_t is_used; /* it has decoded a packet since the last reset */
};

static void decoder_destroy(void *decoder) {
    struct decoder *self = decoder;
    av_frame_free(&self->frame);
    av_packet_free(&self->packet);
    avcodec_free_context(&self->context);
    free(self);
}

static uint32_t samples_of(enum AVSampleFormat format) {
    switch (av_get_packed_sample_fmt(format)) {
    case AV_SAMPLE_FMT_U8:
    case AV_SAMPLE_FMT_S16: return CODEC_INT16;
    case AV_SAMPLE_FMT_S32: return CODEC_INT32;
    case AV_SAMPLE_FMT_FLT: return CODEC_FLOAT32;
    default: return 0;
    }
}

static void *decoder_create(const struct codec_format *format, struct codec_facts *facts) {
    const struct row *row = row_of(format->format_id);
    struct decoder *self = row ? calloc(1, sizeof *self) : NULL;
    if (!self) return NULL;
    const AVCodec *codec = avcodec_find_decoder(row->codec);
    self->context = new_context(codec, format);
    self->packet = av_packet_alloc();
    self->frame = av_frame_alloc();
    self->channels = format->channels;
    self->rate = (uint32_t)format->rate;
    if (!self->context || !self->packet || !self->frame || !set_configuration(self->context, format) ||
        avcodec_open2(self->context, codec, NULL) < 0) {
        decoder_destroy(self);
        return NULL;
    }
    memset(facts, 0, sizeof *facts);
    /* Some decoders know the format of their samples after the first packet only. 32-bit integers can represent all of FLAC. */
    facts->samples = format->samples ? format->samples : samples_of(self->context->sample_fmt);
    if (!facts->samples) facts->samples = format->format_id == FORMAT_FLAC ? CODEC_INT32 : CODEC_FLOAT32;
    facts->frames_per_packet = row->frames;
    if (format->frames_per_packet > 0 && format->frames_per_packet <= FLAC_FRAMES)
        facts->frames_per_packet = format->frames_per_packet;
    facts->largest_packet = CODEC_LARGEST_PACKET;
    self->samples = facts->samples;
    return self;
}

/* Copies the frames that libavcodec has decoded from its format. */
static int32_t copy_frame(struct decoder *self, void *frames, uint32_t room) {
    const AVFrame *frame = self->frame;
    struct sample_source source = {.kind = samples_of(frame->format), .channels = channels_of(frame)};
    /* Frames at another rate would have the wrong duration. The first frame of MPEG audio has the rate that the context had before it. */
    if (frame->sample_rate > 0 && (uint32_t)frame->sample_rate != self->rate) return CODEC_DAMAGED;
    if ((uint32_t)self->context->sample_rate != self->rate) return CODEC_DAMAGED;
    if (!source.kind || frame->nb_samples < 0 || av_get_packed_sample_fmt(frame->format) == AV_SAMPLE_FMT_U8)
        return CODEC_DAMAGED;
    source.is_planar = (uint32_t)av_sample_fmt_is_planar(frame->format);
    source.planes = (const uint8_t *const *)frame->extended_data;
    uint32_t count = (uint32_t)frame->nb_samples < room ? (uint32_t)frame->nb_samples : room;
    return copy_samples(&source, count, frames, self->samples, self->channels) ? (int32_t)count : CODEC_DAMAGED;
}

static int32_t decode(void *decoder, const void *packet, uint32_t bytes, void *frames, uint32_t room) {
    struct decoder *self = decoder;
    uint32_t frame_bytes = self->channels * (self->samples == CODEC_INT16 ? 2 : 4), done = 0;
    if (bytes == 0 || bytes > CODEC_LARGEST_PACKET) return CODEC_DAMAGED;
    /* The packet is copied with padding, because the decoder reads beyond its end. */
    if (av_new_packet(self->packet, (int)bytes) < 0) return CODEC_NO_MEMORY;
    self->is_used = 1;
    memcpy(self->packet->data, packet, bytes);
    int result = avcodec_send_packet(self->context, self->packet);
    av_packet_unref(self->packet);
    if (result < 0) return CODEC_DAMAGED;
    while (avcodec_receive_frame(self->context, self->frame) >= 0) {
        int32_t count = copy_frame(self, (uint8_t *)frames + (size_t)done * frame_bytes, room - done);
        av_frame_unref(self->frame);
        if (count > 0) done += (uint32_t)count;
    }
    return done > 0 ? (int32_t)done : CODEC_DAMAGED;
}

/* A context like another one, before its first packet. NULL when memory is exhausted. */
static AVCodecContext *context_like(const AVCodecContext *other) {
    AVCodecContext *context = avcodec_alloc_context3(other->codec);
    AVCodecParameters *parameters = avcodec_parameters_alloc();
    int is_open = context && parameters && avcodec_parameters_from_context(parameters, other) >= 0 &&
        avcodec_parameters_to_context(context, parameters) >= 0;
    avcodec_parameters_free(&parameters);
    if (is_open) {
        context->thread_count = 1;
        context->log_level_offset = other->log_level_offset;
        is_open = avcodec_open2(context, other->codec, NULL) >= 0;
    }
    if (!is_open) avcodec_free_context(&context);
    return context;
}

/* The decoder of AAC keeps the shape of the last window and the state of its noise: the first packet after a flush would differ from
   that of a new decoder. Therefore a new one replaces it. */
static void decoder_reset(void *decoder) {
    struct decoder *self = decoder;
    if (!self->is_used) return;
    self->is_used = 0;
    AVCodecContext *next = self->context->codec_id == AV_CODEC_ID_AAC ? context_like(self->context) : NULL;
    if (!next) {
        avcodec_flush_buffers(self->context);
        return;
    }
    avcodec_free_context(&self->context);
    self->context = next;
}

/* ---- Encoding ---- */

struct encoder {
    AVCodecContext *context;
    AVPacket *packet;
    AVFrame *frame;
    struct codec_format format;
    int64_t position;
    uint32_t samples;
    uint32_t is_used; /* it has got frames, or the end, since it was opened */
};

static void encoder_destroy(void *encoder) {
    struct encoder *self = encoder;
    av_frame_free(&self->frame);
    av_packet_free(&self->packet);
    avcodec_free_context(&self->context);
    free(self);
}

/* An encoder of libavcodec cannot start again after its end. Therefore a new one replaces it. */
static int open_encoder(struct encoder *self) {
    int is_lossless = self->format.format_id == FORMAT_ALAC;
    const AVCodec *codec = avcodec_find_encoder(is_lossless ? AV_CODEC_ID_ALAC : AV_CODEC_ID_AAC);
    avcodec_free_context(&self->context);
    self->position = 0;
    self->is_used = 0;
    self->context = new_context(codec, &self->format);
    if (!self->context) return 0;
    self->context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    self->context->sample_fmt = AV_SAMPLE_FMT_FLTP;
    set_encoded_channels(self->context, self->format.channels, is_lossless);
    if (is_lossless) {
        self->context->sample_fmt = self->samples == CODEC_INT16 ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S32P;
        self->context->bits_per_raw_sample = self->samples == CODEC_INT16 ? 16 : 24;
    } else if (self->format.bit_rate) {
        self->context->bit_rate = self->format.bit_rate;
    } else {
        self->context->bit_rate = (int64_t)self->format.channels * 64000;
    }
    return avcodec_open2(self->context, codec, NULL) >= 0 && self->context->frame_size > 0;
}

static void *encoder_create(const struct codec_format *format, struct codec_facts *facts) {
    int is_lossless = format->format_id == FORMAT_ALAC;
    if (!is_lossless && format->format_id != FORMAT_AAC) return NULL;
    /* The encoder has no 32-bit samples. */
    if (is_lossless && format->flags >= ALAC_32_BITS) return NULL;
    struct encoder *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->format = *format;
    self->format.configuration = NULL;
    self->samples = !is_lossless ? CODEC_FLOAT32 : format->flags <= ALAC_16_BITS ? CODEC_INT16 : CODEC_INT32;
    self->packet = av_packet_alloc();
    self->frame = av_frame_alloc();
    if (!self->packet || !self->frame || !open_encoder(self)) {
        encoder_destroy(self);
        return NULL;
    }
    memset(facts, 0, sizeof *facts);
    facts->samples = self->samples;
    facts->frames_per_packet = (uint32_t)self->context->frame_size;
    /* A packet of Apple Lossless may contain the samples without compression, after some bytes. A packet of AAC has at most 6144
       bits for each channel, and the encoder may exceed this a little. */
    facts->largest_packet = is_lossless ? facts->frames_per_packet * format->channels * 4 + 64 : 8192 * format->channels;
    facts->priming_frames = (uint32_t)(self->context->initial_padding > 0 ? self->context->initial_padding : 0);
    facts->bit_rate = is_lossless ? 0 : (uint32_t)self->context->bit_rate;
    return self;
}

/* Passes frames, or the end, to the encoder. */
static int send_frames(struct encoder *self, const void *frames, uint32_t count) {
    self->is_used = 1;
    if (count == 0) {
        int result = avcodec_send_frame(self->context, NULL);
        return result == AVERROR_EOF ? 0 : result;
    }
    AVFrame *frame = self->frame;
    frame->nb_samples = (int)count;
    frame->format = self->context->sample_fmt;
    frame->sample_rate = self->context->sample_rate;
#if HAS_CHANNEL_LAYOUTS
    if (av_channel_layout_copy(&frame->ch_layout, &self->context->ch_layout) < 0) return -1;
#else
    frame->channels = self->context->channels;
    frame->channel_layout = self->context->channel_layout;
#endif
    frame->pts = self->position;
    self->position += count;
    int result = av_frame_get_buffer(frame, 0);
    if (result >= 0) {
        split_samples(frames, count, self->format.channels, self->samples, (void *const *)frame->extended_data);
        result = avcodec_send_frame(self->context, frame);
    }
    av_frame_unref(frame);
    return result;
}

static int32_t encode(void *encoder, const void *frames, uint32_t count, void *packet, uint32_t room) {
    struct encoder *self = encoder;
    if (!self->context || count > (uint32_t)self->context->frame_size) return CODEC_DAMAGED;
    if (send_frames(self, frames, count) < 0) return CODEC_DAMAGED;
    if (avcodec_receive_packet(self->context, self->packet) < 0) return 0;
    int32_t size = self->packet->size;
    if (size <= 0 || (uint32_t)size > room)
        size = CODEC_DAMAGED;
    else
        memcpy(packet, self->packet->data, (size_t)size);
    av_packet_unref(self->packet);
    return size;
}

static int32_t encoder_configuration(void *encoder, void *bytes, uint32_t room) {
    const AVCodecContext *context = ((struct encoder *)encoder)->context;
    int prefix = ((struct encoder *)encoder)->format.format_id == FORMAT_ALAC ? 12 : 0;
    if (!context || !context->extradata || context->extradata_size <= prefix) return 0;
    uint32_t size = (uint32_t)(context->extradata_size - prefix);
    if (size > room) return 0;
    memcpy(bytes, context->extradata + prefix, size);
    return (int32_t)size;
}

static int encoder_reset(void *encoder) {
    struct encoder *self = encoder;
    return !self->is_used || open_encoder(self);
}

/* ---- The module ---- */

__attribute__((visibility("default"))) const struct codec_module *audiotoolbox_codecs(uint32_t version) {
    static uint32_t decoders[ROWS + 1], encoders[3];
    static const struct codec_module module = {
        .version = CODEC_INTERFACE_VERSION,
        .library = LIBAVCODEC_IDENT,
        .decodes = decoders,
        .encodes = encoders,
        .decoder_create = decoder_create,
        .decode = decode,
        .decoder_reset = decoder_reset,
        .decoder_destroy = decoder_destroy,
        .encoder_create = encoder_create,
        .encode = encode,
        .encoder_configuration = encoder_configuration,
        .encoder_reset = encoder_reset,
        .encoder_destroy = encoder_destroy,
    };
    if (version != CODEC_INTERFACE_VERSION || avcodec_version() >> 16 != LIBAVCODEC_VERSION_MAJOR) return NULL;
    /* A distribution may omit codecs. */
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (avcodec_find_decoder(rows[i].codec)) decoders[count++] = rows[i].format_id;
    count = 0;
    if (avcodec_find_encoder(AV_CODEC_ID_AAC)) encoders[count++] = FORMAT_AAC;
    if (avcodec_find_encoder(AV_CODEC_ID_ALAC)) encoders[count++] = FORMAT_ALAC;
    return &module;
}
