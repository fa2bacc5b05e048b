/* SPDX-License-Identifier: Apache-2.0 */
/* A radio that parses its stream: it joins a station of AAC in the middle, is interrupted, and plays to the end. */
#include "legacy.h"
#include "radio_player.c"

#include <math.h>
#include <sys/socket.h>

enum { PACKETS = 40, FRAMES = 1024, HEADER = 7, LARGEST = 2048 };

static unsigned char station[PACKETS * (HEADER + LARGEST)];
/* Where each packet begins, and the end of the last one. */
static size_t begins[PACKETS + 1];

void RadioPlayerNote(const char *what) { note("%s", what); }

/* A tone without an end. */
static OSStatus giveTone(AudioConverterRef converter, UInt32 *ioFrames, AudioBufferList *ioData,
    AudioStreamPacketDescription **outDescriptions, void *inUserData) {
    static short samples[FRAMES];
    static int frame;
    UInt32 i;
    (void)converter, (void)outDescriptions, (void)inUserData;
    if (*ioFrames > FRAMES) *ioFrames = FRAMES;
    for (i = 0; i < *ioFrames; i++) samples[i] = (short)(16000 * sin(frame++ * 0.1));
    ioData->mBuffers[0].mData = samples;
    ioData->mBuffers[0].mDataByteSize = *ioFrames * 2;
    return noErr;
}

/* Packets of AAC, each behind a header. False where no codec module encodes. */
static int writeStation(void) {
    AudioStreamBasicDescription tone, aac;
    AudioConverterRef converter;
    int i;
    memset(&tone, 0, sizeof tone);
    memset(&aac, 0, sizeof aac);
    tone.mSampleRate = aac.mSampleRate = 44100;
    tone.mFormatID = kAudioFormatLinearPCM;
    tone.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    tone.mBytesPerPacket = tone.mBytesPerFrame = 2;
    tone.mFramesPerPacket = tone.mChannelsPerFrame = aac.mChannelsPerFrame = 1;
    tone.mBitsPerChannel = 16;
    aac.mFormatID = kAudioFormatMPEG4AAC;
    if (AudioConverterNew(&tone, &aac, &converter) != noErr) return 0;
    for (i = 0; i < PACKETS; i++) {
        static unsigned char packet[16384];
        unsigned char *place = station + begins[i];
        AudioStreamPacketDescription description;
        AudioBufferList list = {1, {{1, sizeof packet, packet}}};
        UInt32 count = 1, size;
        EXPECT_STATUS(AudioConverterFillComplexBuffer(converter, giveTone, NULL, &count, &list, &description), 0);
        EXPECT(count == 1 && description.mDataByteSize <= LARGEST);
        size = HEADER + description.mDataByteSize;
        place[0] = 0xFF, place[1] = 0xF1, place[2] = 0x50, place[3] = (unsigned char)(0x40 | size >> 11);
        place[4] = (unsigned char)(size >> 3), place[5] = (unsigned char)(size << 5 | 0x1F), place[6] = 0xFC;
        memcpy(place + HEADER, packet + description.mStartOffset, description.mDataByteSize);
        begins[i + 1] = begins[i] + size;
    }
    AudioConverterDispose(converter);
    return 1;
}

/* The station sends until it goes off the air: the queue does not run dry, however slow this machine is. A small buffer of the
   socket keeps the end of the stream near. */
static int stationSocket, isOnAir = 1;
static long sent;

static void *broadcast(void *unused) {
    /* From the middle of the second packet. */
    size_t from = begins[1] + 50;
    int i;
    for (i = 1; __atomic_load_n(&isOnAir, __ATOMIC_SEQ_CST); from = begins[i]) {
        while (from < begins[i + 1]) {
            ssize_t count = send(stationSocket, station + from, begins[i + 1] - from, MSG_NOSIGNAL);
            if (count <= 0) giveUp(__FILE__, __LINE__, "the player has closed the socket");
            from += (size_t)count;
        }
        sent++;
        i = (i + 1) % PACKETS;
    }
    EXPECT(shutdown(stationSocket, SHUT_WR) == 0);
    return unused;
}

static void awaitRunning(RadioPlayer *me, bool wanted, const char *when) {
    struct timespec deadline;
    char what[200];
    int late = 0;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 60;
    pthread_mutex_lock(&me->mutex);
    while (me->running != wanted && !late) late = pthread_cond_timedwait(&me->changed, &me->mutex, &deadline) != 0;
    late = me->running != wanted;
    snprintf(what, sizeof what, "%s: waited 60 s in vain for IsRunning %d; %d packets are parsed, the error is %d", when, wanted,
        me->packets, (int)me->error);
    pthread_mutex_unlock(&me->mutex);
    if (late) giveUp(__FILE__, __LINE__, what);
}

static void expectBetween(const char *what, long found, long least, long most) {
    char text[200];
    snprintf(text, sizeof text, "%s: %ld is not from %ld to %ld; %ld packets were sent", what, found, least, most, sent);
    if (found < least || found > most) giveUp(__FILE__, __LINE__, text);
}

int main(void) {
    RadioPlayer radio;
    pthread_t thread;
    int sockets[2], size = 4096;
    if (!writeStation()) {
        printf("# no encoder of AAC is installed\n");
        return 0;
    }
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    stationSocket = sockets[1];
    EXPECT(setsockopt(stationSocket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
    turnMainRunLoop();
    RadioPlayerStart(&radio, sockets[0]);
    EXPECT(pthread_create(&thread, NULL, broadcast, NULL) == 0);
    WAIT_FOR("ready to produce packets");
    awaitRunning(&radio, true, "after the start");

    /* The player pauses during a call: its buffers fill, and the station waits. */
    SIMULATE("interrupt begin");
    WAIT_FOR("interrupted");
    awaitRunning(&radio, false, "in the call");
    SIMULATE("interrupt end");
    WAIT_FOR("resumed");
    awaitRunning(&radio, true, "after the call");

    /* The end of the stream: the queue plays what it has. */
    __atomic_store_n(&isOnAir, 0, __ATOMIC_SEQ_CST);
    WAIT_FOR("end of the stream");
    WAIT_FOR("over");
    EXPECT(pthread_join(thread, NULL) == 0 && pthread_join(radio.thread, NULL) == 0);
    close(stationSocket);

    /* The first packet is not whole, and the parser knows the last one only by the next one. */
    expectBetween("parsed packets", radio.packets, sent - 2, sent - 1);
    expectBetween("loud samples", loudSamples(), 2L * (sent - 10) * FRAMES * 3 / 4, 3L * sent * FRAMES);
    return 0;
}
