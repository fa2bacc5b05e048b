/* SPDX-License-Identifier: Apache-2.0 */
/* A voice chat in both directions: it sends packets of 20 ms from the microphone, and plays the packets that it
   receives. It starts at the receiver, like a telephone, or at a Bluetooth headset; a line of standard input
   switches. Without a peer it receives its own packets.

       cc voicechat.c $(pkg-config --cflags --libs audiosession alsa) -o voicechat
       ./voicechat [-d DEVICE] [-p LOCAL-PORT] [PEER-ADDRESS PEER-PORT]
       speaker | receiver | bluetooth on | bluetooth off | quit */
#include <AudioToolbox/AudioToolbox.h>
#include <alsa/asoundlib.h>
#include <arpa/inet.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { RATE = 16000, PACKET = RATE / 50 /* frames: 20 ms */, LATENCY = 100000 /* microseconds */ };

static const char *chosenDevice;
static snd_pcm_t *microphone, *earpiece;
static int wire, ticking;
static struct sockaddr_in peer;
static unsigned long sent, received;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "voicechat: %s: %s\n", what, why);
    exit(1);
}

static void check(OSStatus status, const char *what) {
    if (status != kAudioSessionNoError) fail(what, AudioSessionLinuxStatusName(status));
}

static OSStatus set(AudioSessionPropertyID property, UInt32 value) {
    return AudioSessionSetProperty(property, sizeof value, &value);
}

/* ---- Sound ---- */

static snd_pcm_t *openDevice(Boolean input) {
    char name[256], plugged[300];
    UInt32 size = sizeof name;
    snd_pcm_t *device = NULL;
    int error;
    if (chosenDevice)
        snprintf(name, sizeof name, "%s", chosenDevice);
    else if (AudioSessionLinuxCopyDeviceName(input, name, &size) != kAudioSessionNoError)
        return NULL;
    snprintf(plugged, sizeof plugged, "plug:'%s'", name);
    error = snd_pcm_open(&device, plugged, input ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (error == 0) error = snd_pcm_set_params(device, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, RATE, 1, LATENCY);
    if (error == 0 && input) error = snd_pcm_start(device);
    if (error < 0) fail(name, snd_strerror(error));
    return device;
}

static void hangUp(void) {
    if (microphone) snd_pcm_close(microphone);
    if (earpiece) snd_pcm_close(earpiece);
    microphone = earpiece = NULL;
}

static void talk(void) {
    OSStatus status = AudioSessionSetActive(true);
    if (status != kAudioSessionNoError) {
        printf("voicechat: on hold: %s\n", AudioSessionLinuxStatusName(status));
        return;
    }
    hangUp();
    microphone = openDevice(true);
    earpiece = openDevice(false);
}

static void sendPacket(void) {
    int16_t packet[PACKET];
    uint64_t ticks;
    if (read(ticking, &ticks, sizeof ticks) < 0 || !microphone) return;
    /* As many packets as the time allows: a lost packet is better than a late one. */
    while (ticks-- > 0) {
        snd_pcm_sframes_t frames = snd_pcm_readi(microphone, packet, PACKET);
        if (frames < 0 && frames != -EAGAIN && snd_pcm_recover(microphone, (int)frames, 1) == 0) snd_pcm_start(microphone);
        if (frames <= 0) break;
        sent += sendto(wire, packet, (size_t)frames * sizeof *packet, 0, (struct sockaddr *)&peer, sizeof peer) > 0;
    }
}

static void hearPacket(void) {
    int16_t packet[PACKET];
    ssize_t bytes = recv(wire, packet, sizeof packet, MSG_DONTWAIT);
    snd_pcm_sframes_t written;
    if (bytes <= 0 || !earpiece) return;
    written = snd_pcm_writei(earpiece, packet, (size_t)bytes / sizeof *packet);
    if (written < 0) snd_pcm_recover(earpiece, (int)written, 1);
    if (received++ == 0) printf("voicechat: receives packets\n");
}

/* ---- The session ---- */

static void showRoute(void) {
    CFStringRef route = NULL;
    UInt32 size = sizeof route;
    char text[64] = "";
    check(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route), "route");
    CFStringGetCString(route, text, sizeof text, kCFStringEncodingUTF8);
    CFRelease(route);
    printf("voicechat: on %s\n", text);
}

static void routeChanged(void *unused, AudioSessionPropertyID property, UInt32 size, const void *data) {
    (void)unused, (void)property, (void)size, (void)data;
    if (earpiece) talk();
    showRoute();
}

static void interrupted(void *unused, UInt32 state) {
    (void)unused;
    hangUp();
    printf("voicechat: %s\n", state == kAudioSessionBeginInterruption ? "interrupted by a call" : "the call has ended");
    if (state == kAudioSessionEndInterruption) talk();
}

/* False at the end. */
static bool obey(void) {
    char line[64];
    OSStatus status;
    if (!fgets(line, sizeof line, stdin)) return false;
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "quit") == 0) return false;
    if (strcmp(line, "speaker") == 0)
        status = set(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker);
    else if (strcmp(line, "receiver") == 0)
        status = set(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_None);
    else if (strncmp(line, "bluetooth ", 10) == 0)
        status = set(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, strcmp(line + 10, "on") == 0);
    else
        status = kAudio_ParamError;
    if (status != kAudioSessionNoError) printf("voicechat: \"%s\": %s\n", line, AudioSessionLinuxStatusName(status));
    return true;
}

int main(int count, char **arguments) {
    const struct itimerspec every20ms = {{0, 20000000}, {0, 20000000}};
    struct sockaddr_in local = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_ANY)}};
    socklen_t length = sizeof peer;
    int option;
    setlinebuf(stdout);
    setvbuf(stdin, NULL, _IONBF, 0); /* poll does not see lines in the buffer of stdio */
    while ((option = getopt(count, arguments, "d:p:")) != -1) {
        if (option == 'd')
            chosenDevice = optarg;
        else if (option == 'p')
            local.sin_port = htons((uint16_t)atoi(optarg));
        else
            return 2;
    }
    if (count == optind) local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    wire = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (wire < 0 || bind(wire, (struct sockaddr *)&local, sizeof local) != 0) fail("socket", strerror(errno));
    if (count == optind)
        getsockname(wire, (struct sockaddr *)&peer, &length);
    else if (count != optind + 2 || inet_pton(AF_INET, arguments[optind], &peer.sin_addr) != 1)
        fail("peer", "an address and a port");
    else
        peer.sin_family = AF_INET, peer.sin_port = htons((uint16_t)atoi(arguments[optind + 1]));
    ticking = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    timerfd_settime(ticking, 0, &every20ms, NULL);

    check(AudioSessionInitialize(NULL, NULL, interrupted, NULL), "initializing");
    check(AudioSessionLinuxSetDisplayName("Voice chat"), "naming");
    check(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord), "category");
    check(set(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat), "mode"); /* allows hands-free devices */
    check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeChanged, NULL), "listening");
    talk();
    showRoute();

    struct pollfd waiting[] = {
        {STDIN_FILENO, POLLIN, 0}, {AudioSessionLinuxEventDescriptor(), POLLIN, 0}, {wire, POLLIN, 0}, {ticking, POLLIN, 0}};
    while (poll(waiting, 4, -1) > 0) {
        if (waiting[0].revents && !obey()) break;
        if (waiting[1].revents) AudioSessionLinuxDispatchEvents();
        if (waiting[2].revents) hearPacket();
        if (waiting[3].revents) sendPacket();
    }
    hangUp();
    check(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation), "hanging up");
    printf("voicechat: %lu packets sent, %lu received\n", sent, received);
    return 0;
}
