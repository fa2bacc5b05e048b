/* SPDX-License-Identifier: Apache-2.0 */
/* streams TURNS SECONDS: an MP3 stream parsed by AudioFileStream, beside its decoding by libmpg123; and played by an audio queue
   on the simulated machine, beside a program that decodes it by libmpg123 and writes it to ALSA's null device. The stream is made
   here by libavcodec. */
#include "measure.h"

#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <libavcodec/avcodec.h>
#include <mpg123.h>

#include <string.h>

enum { RATE = 44100, CHANNELS = 2, LENGTH = 30, PIECE = 4096, WARM_UP = 2, PERIOD = 1024 };

static struct {
    uint8_t *bytes;
    size_t size, room;
} stream;

static void append(const AVPacket *packet) {
    if (stream.size + (size_t)packet->size > stream.room) {
        stream.room = 2 * (stream.room + (size_t)packet->size);
        stream.bytes = realloc(stream.bytes, stream.room);
        REQUIRE(stream.bytes);
    }
    memcpy(stream.bytes + stream.size, packet->data, (size_t)packet->size);
    stream.size += (size_t)packet->size;
}

static void drain(AVCodecContext *encoder, AVPacket *packet) {
    while (avcodec_receive_packet(encoder, packet) >= 0) {
        append(packet);
        av_packet_unref(packet);
    }
}

/* False where libavcodec has no encoder. */
static bool make_stream(void) {
    const AVCodec *codec = avcodec_find_encoder_by_name("libmp3lame");
    if (!codec) return false;
    AVCodecContext *encoder = avcodec_alloc_context3(codec);
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    uint32_t state = 1;
    encoder->sample_rate = RATE;
    encoder->bit_rate = 128000;
    encoder->sample_fmt = AV_SAMPLE_FMT_S16P;
    encoder->ch_layout = (AVChannelLayout)AV_CHANNEL_LAYOUT_STEREO;
    REQUIRE(avcodec_open2(encoder, codec, NULL) >= 0);
    frame->nb_samples = encoder->frame_size;
    frame->format = encoder->sample_fmt;
    frame->ch_layout = encoder->ch_layout;
    REQUIRE(av_frame_get_buffer(frame, 0) >= 0);
    for (int start = 0; start < RATE * LENGTH; start += frame->nb_samples) {
        REQUIRE(av_frame_make_writable(frame) >= 0);
        for (int i = 0; i < frame->nb_samples; i++) {
            for (int channel = 0; channel < CHANNELS; channel++) {
                state = state * 1664525 + 1013904223;
                ((int16_t *)frame->data[channel])[i] =
                    (int16_t)((int)(state >> 20) - 2048 + (start + i) % (200 + channel) * 50 - 5000);
            }
        }
        frame->pts = start;
        REQUIRE(avcodec_send_frame(encoder, frame) >= 0);
        drain(encoder, packet);
    }
    avcodec_send_frame(encoder, NULL);
    drain(encoder, packet);
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&encoder);
    return true;
}

/* ---- Parsing ---- */

static UInt32 packets_found;
static AudioStreamBasicDescription found;

static void has_property(void *data, AudioFileStreamID parser, AudioFileStreamPropertyID property, UInt32 *flags) {
    UInt32 size = sizeof found;
    (void)data, (void)flags;
    if (property == kAudioFileStreamProperty_ReadyToProducePackets)
        REQUIRE(AudioFileStreamGetProperty(parser, kAudioFileStreamProperty_DataFormat, &size, &found) == 0);
}

static void count_packets(void *data, UInt32 bytes, UInt32 count, const void *sound, AudioStreamPacketDescription *descriptions) {
    (void)data, (void)bytes, (void)sound, (void)descriptions;
    packets_found += count;
}

static void parse(AudioFileStream_PacketsProc on_packets) {
    AudioFileStreamID parser;
    packets_found = 0;
    REQUIRE(AudioFileStreamOpen(NULL, has_property, on_packets, kAudioFileMP3Type, &parser) == 0);
    for (size_t at = 0; at < stream.size; at += PIECE) {
        size_t piece = stream.size - at < PIECE ? stream.size - at : PIECE;
        REQUIRE(AudioFileStreamParseBytes(parser, (UInt32)piece, stream.bytes + at, 0) == 0);
    }
    REQUIRE(AudioFileStreamClose(parser) == 0);
}

static mpg123_handle *open_decoder(void) {
    mpg123_handle *decoder = mpg123_new(NULL, NULL);
    REQUIRE(decoder && mpg123_param(decoder, MPG123_ADD_FLAGS, MPG123_QUIET, 0) == MPG123_OK);
    REQUIRE(mpg123_format_none(decoder) == MPG123_OK);
    REQUIRE(mpg123_format(decoder, RATE, MPG123_STEREO, MPG123_ENC_SIGNED_16) == MPG123_OK);
    REQUIRE(mpg123_open_feed(decoder) == MPG123_OK);
    return decoder;
}

static void close_decoder(mpg123_handle *decoder) {
    mpg123_close(decoder);
    mpg123_delete(decoder);
}

/* Frames until the decoder needs more. */
static size_t read_frames(mpg123_handle *decoder, int16_t *frames, size_t count) {
    size_t bytes = 0;
    int result;
    do result = mpg123_read(decoder, (unsigned char *)frames, count * CHANNELS * 2, &bytes);
    while (result == MPG123_NEW_FORMAT && bytes == 0);
    return bytes / (CHANNELS * 2);
}

static long decode(void) {
    static int16_t frames[PERIOD * CHANNELS];
    mpg123_handle *decoder = open_decoder();
    size_t count, total = 0;
    for (size_t at = 0; at < stream.size; at += PIECE) {
        REQUIRE(mpg123_feed(decoder, stream.bytes + at, stream.size - at < PIECE ? stream.size - at : PIECE) == MPG123_OK);
        while ((count = read_frames(decoder, frames, PERIOD)) > 0) total += count;
    }
    close_decoder(decoder);
    return (long)total;
}

/* Processor time: parsing is so short that another process would show. */
static double spent(uint64_t start) { return (double)(nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e3; }

static void measure_parsing(int turns) {
    for (int turn = 0; turn < WARM_UP + turns; turn++) {
        uint64_t start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
        parse(count_packets);
        double parsing = spent(start);
        REQUIRE(packets_found > LENGTH * 38);
        start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
        REQUIRE(decode() > RATE * (LENGTH - 1));
        double decoding = spent(start);
        if (turn < WARM_UP) continue;
        sample("parsing", "AudioFileStream", "us", parsing);
        sample("parsing", "decoding by libmpg123", "us", decoding);
    }
}

/* ---- Playing ---- */

enum { BUFFERS = 3, BUFFER_BYTES = 4096, DESCRIPTIONS = 64 };

/* The packets of the stream, by the parser. */
static struct {
    uint8_t *bytes;
    AudioStreamPacketDescription *all;
    size_t size, count, next;
} kept;

static void keep_packets(void *data, UInt32 bytes, UInt32 count, const void *sound, AudioStreamPacketDescription *descriptions) {
    (void)data, (void)bytes;
    for (UInt32 i = 0; i < count; i++) {
        memcpy(kept.bytes + kept.size, (const uint8_t *)sound + descriptions[i].mStartOffset, descriptions[i].mDataByteSize);
        kept.all[kept.count] = descriptions[i];
        kept.all[kept.count++].mStartOffset = (SInt64)kept.size;
        kept.size += descriptions[i].mDataByteSize;
    }
}

static void enqueue_next(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    AudioStreamPacketDescription descriptions[DESCRIPTIONS];
    UInt32 count = 0, bytes = 0;
    (void)data;
    while (count < DESCRIPTIONS && bytes + kept.all[kept.next].mDataByteSize <= BUFFER_BYTES) {
        descriptions[count] = kept.all[kept.next];
        descriptions[count].mStartOffset = bytes;
        memcpy((uint8_t *)buffer->mAudioData + bytes, kept.bytes + kept.all[kept.next].mStartOffset,
            descriptions[count].mDataByteSize);
        bytes += descriptions[count++].mDataByteSize;
        kept.next = (kept.next + 1) % kept.count;
    }
    buffer->mAudioDataByteSize = bytes;
    AudioQueueEnqueueBuffer(queue, buffer, count, descriptions);
}

static void play_by_queue(double seconds) {
    AudioQueueRef queue;
    Float32 duration = (Float32)PERIOD / RATE;
    REQUIRE(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof duration, &duration) == 0);
    REQUIRE(AudioQueueNewOutput(&found, enqueue_next, NULL, NULL, NULL, 0, &queue) == 0);
    for (int i = 0; i < BUFFERS; i++) {
        AudioQueueBufferRef buffer;
        REQUIRE(AudioQueueAllocateBuffer(queue, BUFFER_BYTES, &buffer) == 0);
        enqueue_next(NULL, queue, buffer);
    }
    REQUIRE(AudioQueueStart(queue, NULL) == 0);
    pause_for(500000000);
    uint64_t start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID), begin = now();
    pause_for((uint64_t)(seconds * 1e9));
    sample("playing", "an audio queue", "us", spent(start) / ((double)(now() - begin) / 1e9));
    REQUIRE(AudioQueueDispose(queue, true) == 0);
}

/* The null device takes all at once: the program sleeps for each period, as it would in snd_pcm_writei. */
static void play_by_alsa(double seconds) {
    static int16_t frames[PERIOD * CHANNELS];
    mpg123_handle *decoder = open_decoder();
    size_t at = 0, count = 0;
    snd_pcm_t *device;
    REQUIRE(snd_pcm_open(&device, "null", SND_PCM_STREAM_PLAYBACK, 0) == 0);
    REQUIRE(snd_pcm_set_params(device, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, CHANNELS, RATE, 0, 100000) == 0);
    uint64_t start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID), begin = now(), next = begin;
    while ((double)(now() - begin) < seconds * 1e9) {
        size_t read = read_frames(decoder, frames + count * CHANNELS, PERIOD - count);
        count += read;
        if (read == 0) {
            size_t piece = stream.size - at < PIECE ? stream.size - at : PIECE;
            REQUIRE(mpg123_feed(decoder, stream.bytes + at, piece) == MPG123_OK);
            at = at + piece < stream.size ? at + piece : 0;
        }
        if (count < PERIOD) continue;
        REQUIRE(snd_pcm_writei(device, frames, PERIOD) == PERIOD);
        count = 0;
        next += 1000000000ull * PERIOD / RATE;
        struct timespec time = {(time_t)(next / 1000000000u), (long)(next % 1000000000u)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    }
    sample("playing", "libmpg123 and ALSA", "us", spent(start) / ((double)(now() - begin) / 1e9));
    snd_pcm_close(device);
    close_decoder(decoder);
}

int main(int argc, char **argv) {
    int seconds = count_from(argc, argv, 2, 5);
    REQUIRE(mpg123_init() == MPG123_OK);
    if (!make_stream()) {
        fprintf(stderr, "streams: libavcodec has no libmp3lame\n");
        return 0;
    }
    measure_parsing(count_from(argc, argv, 1, 10));
    kept.bytes = malloc(stream.size);
    kept.all = malloc(packets_found * sizeof *kept.all);
    REQUIRE(kept.bytes && kept.all);
    parse(keep_packets);
    REQUIRE(AudioSessionInitialize(NULL, NULL, NULL, NULL) == 0);
    for (int second = 0; second < seconds; second++) {
        play_by_queue(1);
        play_by_alsa(1);
    }
}
