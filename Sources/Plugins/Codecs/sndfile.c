/* SPDX-License-Identifier: Apache-2.0 */
/* The codec module of libsndfile: Apple Lossless and FLAC. libsndfile reads files and not packets. Each packet of these
   formats is independent of the others. Therefore the module makes a file of one packet, in memory, and reads it. */
#include "codec_module.h"
#include "formats.h"

#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

enum { ALAC_CONFIGURATION = 24, FLAC_CONFIGURATION = 34, MOST_FRAMES = 65535, LARGEST_HEADER = 192 };

static const uint32_t formats[] = {FORMAT_ALAC, FORMAT_FLAC, 0};
static const uint32_t none[] = {0};

struct decoder {
    uint8_t header[LARGEST_HEADER];
    uint32_t header_size, size_place, packet_place; /* where the header states the size of the packet; 0: nowhere */
    uint32_t channels, samples, frames;
    /* The file of the packet that is being decoded. */
    const uint8_t *packet;
    uint32_t packet_size;
    sf_count_t position;
};

/* ---- The file ---- */

static sf_count_t file_length(void *context) {
    const struct decoder *self = context;
    return (sf_count_t)self->header_size + self->packet_size;
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *context) {
    struct decoder *self = context;
    sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? self->position : file_length(self);
    if (offset < -base || offset > file_length(self) - base) return -1;
    return self->position = base + offset;
}

static sf_count_t file_read(void *bytes, sf_count_t count, void *context) {
    struct decoder *self = context;
    sf_count_t done = 0;
    while (done < count && self->position < file_length(self)) {
        int in_header = self->position < self->header_size;
        const uint8_t *from = in_header ? self->header + self->position : self->packet + (self->position - self->header_size);
        sf_count_t there = (in_header ? (sf_count_t)self->header_size : file_length(self)) - self->position;
        if (there > count - done) there = count - done;
        memcpy((uint8_t *)bytes + done, from, (size_t)there);
        self->position += there;
        done += there;
    }
    return done;
}

static sf_count_t file_write(const void *bytes, sf_count_t count, void *context) {
    (void)bytes, (void)count, (void)context;
    return 0;
}

static sf_count_t file_tell(void *context) { return ((const struct decoder *)context)->position; }

static SF_VIRTUAL_IO file = {
    .get_filelen = file_length, .seek = file_seek, .read = file_read, .write = file_write, .tell = file_tell};

/* ---- Headers ---- */

static void put(struct decoder *self, const void *bytes, uint32_t count) {
    if (count > LARGEST_HEADER - self->header_size) return;
    memcpy(self->header + self->header_size, bytes, count);
    self->header_size += count;
}

static void put_number(struct decoder *self, uint64_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) put(self, &(uint8_t){(uint8_t)(value >> shift)}, 1);
}

static void put_chunk(struct decoder *self, const char *id, uint64_t size) {
    put(self, id, 4);
    put_number(self, size, 8);
}

/* Makes the header of a CAF file. The size of the packet has four groups of 7 bits. */
static void make_alac_header(struct decoder *self, const uint8_t *configuration, double rate) {
    static const uint8_t kinds[] = {16, 20, 24, 32};
    uint32_t kind = 0;
    uint64_t rate_bits;
    while (kind < 3 && kinds[kind] != configuration[5]) kind++;
    memcpy(&rate_bits, &rate, sizeof rate_bits);
    put(self, "caff\0\1\0\0", 8);
    put_chunk(self, "desc", 32);
    put_number(self, rate_bits, 8);
    put_number(self, FORMAT_ALAC, 4);
    put_number(self, kind + 1, 4);
    put_number(self, 0, 4);
    put_number(self, self->frames, 4);
    put_number(self, self->channels, 4);
    put_number(self, 0, 4);
    put_chunk(self, "kuki", ALAC_CONFIGURATION);
    put(self, configuration, ALAC_CONFIGURATION);
    put_chunk(self, "pakt", 28);
    put_number(self, 1, 8);
    put_number(self, self->frames, 8);
    put_number(self, 0, 8);
    self->size_place = self->header_size;
    put_number(self, 0, 4);
    put(self, "data", 4);
    self->packet_place = self->header_size;
    put_number(self, 0, 8);
    put_number(self, 0, 4);
}

static void make_flac_header(struct decoder *self, const uint8_t *configuration) {
    put(self, "fLaC\x80\0\0\x22", 8);
    put(self, configuration, FLAC_CONFIGURATION);
    /* The number of frames, in 36 bits: more frames than a packet has. There is no checksum of the sound. */
    uint8_t *fields = self->header + 8;
    fields[13] &= 0xF0;
    memset(fields + 14, 0, 20);
    fields[15] = 1;
}

static void state_size(struct decoder *self) {
    uint32_t size = self->packet_size;
    if (!self->size_place) return;
    for (int i = 0; i < 4; i++)
        self->header[self->size_place + (uint32_t)i] = (uint8_t)((size >> (7 * (3 - i)) & 0x7F) | (i < 3 ? 0x80 : 0));
    for (int i = 0; i < 8; i++) self->header[self->packet_place + (uint32_t)i] = (uint8_t)((uint64_t)(size + 4) >> 8 * (7 - i));
}

/* ---- The decoder ---- */

static uint32_t number(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
    return value;
}

static int configure(struct decoder *self, const struct codec_format *format) {
    const uint8_t *bytes = format->configuration;
    uint32_t channels, bits;
    if (format->format_id == FORMAT_ALAC) {
        if (!bytes || format->configuration_size < ALAC_CONFIGURATION) return 0;
        self->frames = number(bytes, 4);
        bits = bytes[5];
        channels = bytes[9];
        if (bits != 16 && bits != 20 && bits != 24 && bits != 32) return 0;
    } else {
        if (!bytes || format->configuration_size < FLAC_CONFIGURATION) return 0;
        self->frames = number(bytes + 2, 2);
        channels = (uint32_t)(bytes[12] >> 1 & 7) + 1;
        bits = ((uint32_t)(bytes[12] & 1) << 4 | bytes[13] >> 4) + 1;
    }
    if (channels != format->channels || channels > CODEC_MOST_CHANNELS) return 0;
    if (self->frames < 1 || self->frames > MOST_FRAMES) return 0;
    self->channels = channels;
    self->samples = format->samples ? format->samples : bits <= 16 ? CODEC_INT16 : CODEC_INT32;
    if (format->format_id == FORMAT_ALAC)
        make_alac_header(self, bytes, format->rate);
    else
        make_flac_header(self, bytes);
    return 1;
}

static void *create(const struct codec_format *format, struct codec_facts *facts) {
    if (format->format_id != FORMAT_ALAC && format->format_id != FORMAT_FLAC) return NULL;
    struct decoder *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    if (!configure(self, format)) {
        free(self);
        return NULL;
    }
    memset(facts, 0, sizeof *facts);
    facts->samples = self->samples;
    facts->frames_per_packet = self->frames;
    facts->largest_packet = CODEC_LARGEST_PACKET;
    return self;
}

static sf_count_t read_samples(const struct decoder *self, SNDFILE *opened, void *frames, sf_count_t room) {
    switch (self->samples) {
    case CODEC_INT16: return sf_readf_short(opened, frames, room);
    case CODEC_INT32: return sf_readf_int(opened, frames, room);
    default: return sf_readf_float(opened, frames, room);
    }
}

static int32_t decode(void *decoder, const void *packet, uint32_t bytes, void *frames, uint32_t room) {
    struct decoder *self = decoder;
    SF_INFO info = {0};
    if (bytes == 0 || bytes > CODEC_LARGEST_PACKET) return CODEC_DAMAGED;
    self->packet = packet;
    self->packet_size = bytes;
    self->position = 0;
    state_size(self);
    SNDFILE *opened = sf_open_virtual(&file, SFM_READ, &info, self);
    sf_count_t count = 0;
    /* The packet may have another number of channels than the configuration. */
    if (opened && info.channels == (int)self->channels)
        count = read_samples(self, opened, frames, room < self->frames ? room : self->frames);
    if (opened) sf_close(opened);
    return count > 0 ? (int32_t)count : CODEC_DAMAGED;
}

static void reset(void *decoder) { (void)decoder; }

__attribute__((visibility("default"))) const struct codec_module *audiotoolbox_codecs(uint32_t version) {
    static const struct codec_module module = {
        .version = CODEC_INTERFACE_VERSION,
        .library = "libsndfile",
        .decodes = formats,
        .encodes = none,
        .decoder_create = create,
        .decode = decode,
        .decoder_reset = reset,
        .decoder_destroy = free,
    };
    return version == CODEC_INTERFACE_VERSION ? &module : NULL;
}
