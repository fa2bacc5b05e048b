/* SPDX-License-Identifier: Apache-2.0 */
/* soundfiles TURNS FOLDER: files by ExtAudioFile and by the libraries that it is compared with: a WAVE file by libsndfile, AAC and
   Apple Lossless by libavformat and libavcodec. The files are made here. */
#include "measure.h"

#include <AudioToolbox/AudioToolboxLinux.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <sndfile.h>

#include <string.h>
#include <sys/stat.h>

enum { RATE = 44100, CHANNELS = 2, SECONDS = 10, BLOCK = 4096, WARM_UP = 2 };

static float samples[BLOCK * CHANNELS];

static AudioStreamBasicDescription linear(UInt32 bits, UInt32 flags) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    format.mSampleRate = RATE;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = flags | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = format.mBytesPerFrame = bits / 8 * CHANNELS;
    format.mFramesPerPacket = 1;
    format.mChannelsPerFrame = CHANNELS;
    format.mBitsPerChannel = bits;
    return format;
}

static void set_client(ExtAudioFileRef file) {
    AudioStreamBasicDescription client = linear(32, kAudioFormatFlagIsFloat);
    REQUIRE(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client) == 0);
}

/* False where no module has the encoder. */
static bool make_file(const char *path, UInt32 type, UInt32 format, int seconds) {
    AudioStreamBasicDescription written = linear(16, kAudioFormatFlagIsSignedInteger);
    AudioStreamBasicDescription client = linear(32, kAudioFormatFlagIsFloat);
    ExtAudioFileRef file;
    uint32_t state = 1;
    if (format != kAudioFormatLinearPCM) {
        memset(&written, 0, sizeof written);
        written.mSampleRate = RATE;
        written.mFormatID = format;
        written.mChannelsPerFrame = CHANNELS;
    }
    REQUIRE(ExtAudioFileLinuxCreateWithPath(path, type, &written, NULL, kAudioFileFlags_EraseFile, &file) == 0);
    bool is_there = ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client) == 0;
    for (int frame = 0; is_there && frame < RATE * seconds; frame += BLOCK) {
        AudioBufferList list = {1, {{CHANNELS, sizeof samples, samples}}};
        for (int i = 0; i < BLOCK * CHANNELS; i++) {
            state = state * 1664525 + 1013904223;
            samples[i] = ((float)(state >> 8) / 8388608 - 1) * 0.1f + (float)((frame * 3 + i) % 400 - 200) / 500;
        }
        REQUIRE(ExtAudioFileWrite(file, BLOCK, &list) == 0);
    }
    REQUIRE(ExtAudioFileDispose(file) == 0);
    return is_there;
}

/* ---- Contenders: each opens a file, reads all of it as floats, and returns the frames ---- */

static long by_extended_file(const char *path) {
    ExtAudioFileRef file;
    long total = 0;
    REQUIRE(ExtAudioFileLinuxOpenPath(path, &file) == 0);
    set_client(file);
    for (;;) {
        AudioBufferList list = {1, {{CHANNELS, sizeof samples, samples}}};
        UInt32 frames = BLOCK;
        REQUIRE(ExtAudioFileRead(file, &frames, &list) == 0);
        if (frames == 0) break;
        total += frames;
    }
    ExtAudioFileDispose(file);
    return total;
}

static long by_sndfile(const char *path) {
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    long total = 0, frames;
    REQUIRE(file);
    while ((frames = sf_readf_float(file, samples, BLOCK)) > 0) total += frames;
    sf_close(file);
    return total;
}

static long by_avcodec(const char *path) {
    AVFormatContext *container = NULL;
    long total = 0;
    REQUIRE(avformat_open_input(&container, path, NULL, NULL) == 0);
    const AVCodec *codec = avcodec_find_decoder(container->streams[0]->codecpar->codec_id);
    AVCodecContext *context = avcodec_alloc_context3(codec);
    REQUIRE(avcodec_parameters_to_context(context, container->streams[0]->codecpar) >= 0);
    context->thread_count = 1;
    REQUIRE(avcodec_open2(context, codec, NULL) == 0);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    while (av_read_frame(container, packet) >= 0) {
        REQUIRE(avcodec_send_packet(context, packet) >= 0);
        while (avcodec_receive_frame(context, frame) >= 0) {
            /* Interleaved floats, as the others give them. */
            const float *planes[2] = {(float *)frame->data[0], (float *)frame->data[1]};
            const int16_t *integers[2] = {(int16_t *)frame->data[0], (int16_t *)frame->data[1]};
            for (int i = 0; i < frame->nb_samples; i++)
                for (int c = 0; c < 2; c++)
                    samples[2 * i + c] =
                        frame->format == AV_SAMPLE_FMT_FLTP ? planes[c][i] : (float)integers[c][i] * (1 / 32768.0f);
            total += frame->nb_samples;
        }
        av_packet_unref(packet);
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&context);
    avformat_close_input(&container);
    return total;
}

static void compare(
    const char *what, const char *path, const char *library, long (*theirs)(const char *path), const char *only, int turns) {
    char names[2][128];
    long (*const ways[2])(const char *path) = {by_extended_file, theirs};
    snprintf(names[0], sizeof names[0], "ExtAudioFile, %s", what);
    snprintf(names[1], sizeof names[1], "%s, %s", library, what);
    for (int turn = 0; turn < WARM_UP + turns; turn++) {
        for (int way = 1; way >= 0; way--) {
            if (only && strcmp(only, names[way]) != 0) continue;
            uint64_t start = now();
            REQUIRE(ways[way](path) >= RATE * SECONDS);
            if (turn >= WARM_UP) sample("soundfiles", names[way], "ms", (double)(now() - start) / 1e6);
        }
    }
}

/* ---- Opening and seeking ---- */

static FILE *counted;
static int reads;

static OSStatus read_counted(void *data, SInt64 position, UInt32 wanted, void *buffer, UInt32 *count) {
    (void)data;
    reads++;
    fseek(counted, (long)position, SEEK_SET);
    *count = (UInt32)fread(buffer, 1, wanted, counted);
    return 0;
}

static SInt64 size_of_counted(void *data) {
    struct stat status;
    (void)data;
    return fstat(fileno(counted), &status) == 0 ? status.st_size : 0;
}

static void count_reads(const char *what, const char *path) {
    AudioFileID file;
    reads = 0;
    counted = fopen(path, "rb");
    REQUIRE(counted);
    REQUIRE(AudioFileOpenWithCallbacks(NULL, read_counted, NULL, size_of_counted, NULL, 0, &file) == 0);
    sample("opening", what, "reads", reads);
    REQUIRE(AudioFileClose(file) == 0);
    fclose(counted);
}

/* From every place of a file to another place takes as long. */
static void seek(const char *what, const char *path, int turns) {
    ExtAudioFileRef file;
    SInt64 length = 0;
    UInt32 size = sizeof length;
    char subject[128];
    REQUIRE(ExtAudioFileLinuxOpenPath(path, &file) == 0);
    set_client(file);
    REQUIRE(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length) == 0);
    for (int turn = 0; turn < WARM_UP + turns * 10; turn++) {
        for (int end = 0; end < 2; end++) {
            AudioBufferList list = {1, {{CHANNELS, sizeof samples, samples}}};
            UInt32 frames = 16;
            uint64_t start = now();
            REQUIRE(ExtAudioFileSeek(file, end ? length - 1000 : 1000) == 0);
            REQUIRE(ExtAudioFileRead(file, &frames, &list) == 0 && frames == 16);
            snprintf(subject, sizeof subject, "%s, to the %s", what, end ? "end" : "start");
            if (turn >= WARM_UP) sample("seeking", subject, "us", (double)(now() - start) / 1e3);
        }
    }
    ExtAudioFileDispose(file);
}

int main(int argc, char **argv) {
    int turns = count_from(argc, argv, 1, 10);
    const char *only = argc > 3 ? argv[3] : NULL;
    char wave[4096], aac[4096], lossless[4096];
    REQUIRE(argc > 2);
    snprintf(wave, sizeof wave, "%s/bench.wav", argv[2]);
    snprintf(aac, sizeof aac, "%s/bench-aac.m4a", argv[2]);
    snprintf(lossless, sizeof lossless, "%s/bench-alac.m4a", argv[2]);
    REQUIRE(make_file(wave, kAudioFileWAVEType, kAudioFormatLinearPCM, SECONDS));
    compare("WAVE", wave, "libsndfile", by_sndfile, only, turns);
    count_reads("WAVE", wave);
    seek("WAVE", wave, turns);
    if (!make_file(aac, kAudioFileM4AType, kAudioFormatMPEG4AAC, SECONDS)) return 0;
    if (!make_file(lossless, kAudioFileM4AType, kAudioFormatAppleLossless, SECONDS)) return 0;
    compare("AAC", aac, "libavcodec", by_avcodec, only, turns);
    compare("Apple Lossless", lossless, "libavcodec", by_avcodec, only, turns);
    count_reads("MPEG-4 with AAC", aac);
    seek("Apple Lossless", lossless, turns);
}
