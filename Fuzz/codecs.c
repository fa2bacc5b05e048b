/* SPDX-License-Identifier: Apache-2.0 */
/* The decoders of the codec modules, with any configuration and any packets. An input is: the decoder, the channels, the rate,
   the size of the configuration and its bytes, and packets behind their sizes of two bytes. */
#include "codec_module.h"

#include <stdlib.h>
#include <string.h>

/* Each module is compiled with a name of its own for its function. */
codec_module_entry codecs_mpg123, codecs_sndfile, codecs_ffmpeg;

static const struct {
    codec_module_entry *entry;
    uint32_t format_id;
} decoders[] = {
    {codecs_mpg123, 0x2E6D7033},
    {codecs_mpg123, 0x2E6D7032},
    {codecs_sndfile, 0x616C6163},
    {codecs_sndfile, 0x666C6163},
    {codecs_ffmpeg, 0x61616320},
    {codecs_ffmpeg, 0x61616368},
    {codecs_ffmpeg, 0x616C6163},
    {codecs_ffmpeg, 0x666C6163},
    {codecs_ffmpeg, 0x6F707573},
    {codecs_ffmpeg, 0x2E6D7033},
    {codecs_ffmpeg, 0x61632D33},
    {codecs_ffmpeg, 0x6D730031},
};

static void check(int holds) {
    if (!holds) abort();
}

static void decode_all(const struct codec_module *module, const struct codec_format *format, const uint8_t *data, size_t size) {
    struct codec_facts facts;
    void *decoder = module->decoder_create(format, &facts);
    if (!decoder) return;
    check(facts.samples >= CODEC_INT16 && facts.samples <= CODEC_FLOAT32 && facts.frames_per_packet >= 1);
    /* No byte more than the frames need: the sanitizer sees a longer write. */
    size_t frame_bytes = format->channels * (facts.samples == CODEC_INT16 ? 2 : 4);
    uint8_t *frames = malloc(facts.frames_per_packet * frame_bytes);
    check(frames != NULL);
    for (int packets = 0; size >= 2 && packets < 16; packets++) {
        size_t bytes = data[0] | (size_t)data[1] << 8;
        data += 2, size -= 2;
        if (bytes > size) bytes = size;
        /* The decoder gets a copy: it must not read behind it. */
        uint8_t *packet = malloc(bytes ? bytes : 1);
        check(packet != NULL);
        memcpy(packet, data, bytes);
        int32_t count = module->decode(decoder, packet, (uint32_t)bytes, frames, facts.frames_per_packet);
        check(count < 0 || (uint32_t)count <= facts.frames_per_packet);
        free(packet);
        data += bytes, size -= bytes;
        if (packets == 5) module->decoder_reset(decoder);
    }
    free(frames);
    module->decoder_destroy(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const double rates[] = {44100, 48000, 8000, 22050, 96000, 192000, 1, 0};
    if (size < 4) return 0;
    size_t which = data[0] % (sizeof decoders / sizeof decoders[0]), configuration = data[3];
    const struct codec_module *module = decoders[which].entry(CODEC_INTERFACE_VERSION);
    check(module != NULL);
    if (configuration > size - 4) configuration = size - 4;
    struct codec_format format = {
        .format_id = decoders[which].format_id,
        .channels = (uint32_t)data[1] % 10,
        .rate = rates[data[2] % 8],
        .samples = data[2] / 8 % 4,
        .configuration = configuration ? data + 4 : NULL,
        .configuration_size = (uint32_t)configuration,
    };
    if (!module->decoder_create) return 0;
    decode_all(module, &format, data + 4 + configuration, size - 4 - configuration);
    return 0;
}
