/* SPDX-License-Identifier: Apache-2.0 */
/* The codec module of libmpg123: MPEG audio, layers 1 to 3. */
#include "codec_module.h"
#include "formats.h"

#include <mpg123.h>
#include <string.h>

static const uint32_t formats[] = {FORMAT_MPEG_LAYER_1, FORMAT_MPEG_LAYER_2, FORMAT_MPEG_LAYER_3, 0};
static const uint32_t none[] = {0};

/* Layer 2 at 384 kbit/s and 32 kHz has the largest packets. */
enum { LARGEST_PACKET = 1792, MOST_FRAMES = 1152 };

struct decoder {
    mpg123_handle *handle;
    size_t frame_bytes;
    uint32_t frames;
    long rate;
    int encoding;
    /* Nonzero if the packets have the rate `rate`. */
    int has_rate;
};

static void destroy(void *decoder) {
    struct decoder *self = decoder;
    mpg123_delete(self->handle);
    free(self);
}

/* Allows all rates. If a packet had a rate that is not allowed, the library would write to standard error, also with
   MPG123_QUIET. */
static int allow_rates(mpg123_handle *handle, int channels, int encoding) {
    const long *rates;
    size_t count;
    mpg123_rates(&rates, &count);
    for (size_t i = 0; i < count; i++)
        if (mpg123_format(handle, rates[i], channels, encoding) != MPG123_OK) return 0;
    return 1;
}

static int configure(struct decoder *self, const struct codec_format *format) {
    /* A packet is decoded without the next one, and tags and information frames are not read. */
    long flags = MPG123_QUIET | MPG123_IGNORE_INFOFRAME | MPG123_SKIP_ID3V2 | MPG123_NO_READAHEAD;
    return mpg123_param(self->handle, MPG123_FLAGS, flags, 0) == MPG123_OK && mpg123_format_none(self->handle) == MPG123_OK &&
        mpg123_format(self->handle, self->rate, (int)format->channels, self->encoding) == MPG123_OK &&
        allow_rates(self->handle, (int)format->channels, self->encoding) && mpg123_open_feed(self->handle) == MPG123_OK;
}

static void *create(const struct codec_format *format, struct codec_facts *facts) {
    uint32_t frames = format->frames_per_packet ? format->frames_per_packet : MOST_FRAMES;
    if (format->channels < 1 || format->channels > 2 || !(format->rate >= 1 && format->rate <= 192000)) return NULL;
    int is_float = format->samples == CODEC_FLOAT32;
    if (format->samples && format->samples != CODEC_INT16 && !is_float) return NULL;
    if (frames != 384 && frames != 576 && frames != MOST_FRAMES) return NULL;
    struct decoder *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->handle = mpg123_new(NULL, NULL);
    self->frame_bytes = (is_float ? 4 : 2) * format->channels;
    self->encoding = is_float ? MPG123_ENC_FLOAT_32 : MPG123_ENC_SIGNED_16;
    self->frames = frames;
    self->rate = (long)format->rate;
    if (!self->handle || !configure(self, format)) {
        destroy(self);
        return NULL;
    }
    memset(facts, 0, sizeof *facts);
    facts->samples = is_float ? CODEC_FLOAT32 : CODEC_INT16;
    facts->frames_per_packet = frames;
    facts->largest_packet = LARGEST_PACKET;
    return self;
}

/* The library reports each change of the rate. Frames with another rate would have the wrong length. */
static void learn_rate(struct decoder *self) {
    long rate;
    int channels, encoding;
    self->has_rate = mpg123_getformat(self->handle, &rate, &channels, &encoding) == MPG123_OK && rate == self->rate;
}

static int32_t decode(void *decoder, const void *packet, uint32_t bytes, void *frames, uint32_t room) {
    struct decoder *self = decoder;
    size_t size = self->frame_bytes * (room < self->frames ? room : self->frames), done = 0;
    /* The library reports the format of the first packet before it decodes it. */
    for (int turn = 0; turn < 4 && done < size; turn++) {
        size_t written = 0;
        int result = mpg123_decode(self->handle, packet, bytes, (unsigned char *)frames + done, size - done, &written);
        done += written < size - done ? written : size - done;
        packet = NULL;
        bytes = 0;
        if (result == MPG123_NEW_FORMAT) learn_rate(self);
        if (result != MPG123_OK && result != MPG123_NEW_FORMAT) break;
    }
    return done == 0 || !self->has_rate ? CODEC_DAMAGED : (int32_t)(done / self->frame_bytes);
}

static void reset(void *decoder) { mpg123_open_feed(((struct decoder *)decoder)->handle); }

__attribute__((visibility("default"))) const struct codec_module *audiotoolbox_codecs(uint32_t version) {
    static const struct codec_module module = {
        .version = CODEC_INTERFACE_VERSION,
        .library = "libmpg123",
        .decodes = formats,
        .encodes = none,
        .decoder_create = create,
        .decode = decode,
        .decoder_reset = reset,
        .decoder_destroy = destroy,
    };
    /* Versions before 1.26 initialize their tables here. */
    return version == CODEC_INTERFACE_VERSION && mpg123_init() == MPG123_OK ? &module : NULL;
}
