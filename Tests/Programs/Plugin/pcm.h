/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that play and record through the ALSA plug-in on a simulated machine, and examine its recording. */
#ifndef PCM_H
#define PCM_H

#include "conformance.h"

#include <alsa/asoundlib.h>

#define PLAYED "played.wav"

/* The longest wait for an event, in milliseconds. */
enum { LIMIT = 60000 };

/* Precedes the first open: the simulated machine records its output. */
static MAYBE_UNUSED void record_what_is_played(void) { setenv("AUDIOSESSION_SIMULATION_WAV", PLAYED, 1); }

static MAYBE_UNUSED void expect_alsa(const char *file, int line, const char *call, long found, long expected) {
    if (found != expected)
        failed(file, line, "%s gives %ld (%s), not %ld (%s)", call, found, found < 0 ? snd_strerror((int)found) : "", expected,
            expected < 0 ? snd_strerror((int)expected) : "");
}

#define EXPECT_ALSA(call, expected) expect_alsa(__FILE__, __LINE__, #call, (long)(call), (long)(expected))
/* The status of an attempt of try_in_time that was late, and whether this process is one. */
enum { LATE = 77 };
static bool is_attempt;
#define REQUIRE_ALSA(call) \
    do { \
        long result_ = (long)(call); \
        if (result_ == -EPIPE && is_attempt) exit(LATE); \
        if (result_ < 0) { \
            failed(__FILE__, __LINE__, "%s: %s", #call, snd_strerror((int)result_)); \
            exit(1); \
        } \
    } while (0)

struct setup {
    snd_pcm_access_t access;
    snd_pcm_format_t format;
    unsigned channels, rate;
    snd_pcm_uframes_t period, buffer;
};

/* A fifth of a second, for a program that waits on a busy machine. */
enum { ROOM = 9600 };
static const struct setup usual = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_FORMAT_S16_LE, 2, 48000, 480, ROOM};

static MAYBE_UNUSED void configure(snd_pcm_t *pcm, struct setup setup) {
    snd_pcm_hw_params_t *params;
    snd_pcm_hw_params_alloca(&params);
    REQUIRE_ALSA(snd_pcm_hw_params_any(pcm, params));
    REQUIRE_ALSA(snd_pcm_hw_params_set_access(pcm, params, setup.access));
    REQUIRE_ALSA(snd_pcm_hw_params_set_format(pcm, params, setup.format));
    REQUIRE_ALSA(snd_pcm_hw_params_set_channels(pcm, params, setup.channels));
    REQUIRE_ALSA(snd_pcm_hw_params_set_rate(pcm, params, setup.rate, 0));
    REQUIRE_ALSA(snd_pcm_hw_params_set_period_size(pcm, params, setup.period, 0));
    REQUIRE_ALSA(snd_pcm_hw_params_set_buffer_size(pcm, params, setup.buffer));
    REQUIRE_ALSA(snd_pcm_hw_params(pcm, params));
}

static MAYBE_UNUSED snd_pcm_t *open_pcm(snd_pcm_stream_t direction, int mode, struct setup setup) {
    snd_pcm_t *pcm = NULL;
    REQUIRE_ALSA(snd_pcm_open(&pcm, "audiosession", direction, mode));
    configure(pcm, setup);
    return pcm;
}

static MAYBE_UNUSED snd_pcm_t *open_player(struct setup setup) { return open_pcm(SND_PCM_STREAM_PLAYBACK, 0, setup); }

/* Samples that differ from each other and from silence: a missing, doubled or swapped frame is found. */
static MAYBE_UNUSED void fill(void *bytes, size_t size) {
    static uint32_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        ((unsigned char *)bytes)[i] = (unsigned char)(state >> 24) | 1;
    }
}

/* 16-bit samples, two channels, of one level. */
static MAYBE_UNUSED void fill_steadily(int16_t *samples, size_t frames, int16_t level) {
    for (size_t i = 0; i < frames * 2; i++) samples[i] = level;
}

static MAYBE_UNUSED void write_all(snd_pcm_t *pcm, const void *bytes, snd_pcm_uframes_t frames, size_t frame_size) {
    const unsigned char *at = (const unsigned char *)bytes;
    while (frames > 0) {
        snd_pcm_sframes_t count = snd_pcm_writei(pcm, at, frames);
        REQUIRE_ALSA(count);
        at += (size_t)count * frame_size;
        frames -= (snd_pcm_uframes_t)count;
    }
}

/* The recording of the machine, without the header. */
static MAYBE_UNUSED unsigned char *played(size_t *size) {
    FILE *file = fopen(PLAYED, "rb");
    REQUIRE(file != NULL);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    REQUIRE(length >= 44);
    *size = (size_t)length - 44;
    unsigned char *bytes = (unsigned char *)malloc(*size + 1);
    REQUIRE(bytes != NULL);
    fseek(file, 44, SEEK_SET);
    REQUIRE(fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static MAYBE_UNUSED bool is_silent(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

/* Removes the silent frames. */
static MAYBE_UNUSED size_t without_silence(unsigned char *bytes, size_t size, size_t frame_size) {
    size_t kept = 0;
    for (size_t i = 0; i + frame_size <= size; i += frame_size)
        if (!is_silent(bytes + i, frame_size)) {
            memmove(bytes + kept, bytes + i, frame_size);
            kept += frame_size;
        }
    return kept;
}

static MAYBE_UNUSED void wait_until_state(const char *file, int line, snd_pcm_t *pcm, snd_pcm_state_t state) {
    long long deadline = milliseconds() + LIMIT;
    while (snd_pcm_avail(pcm) > -1000000 && snd_pcm_state(pcm) != state) {
        if (milliseconds() > deadline) {
            failed(file, line, "the state stays %s", snd_pcm_state_name(snd_pcm_state(pcm)));
            exit(1);
        }
        snd_pcm_wait(pcm, 10);
    }
}

#define WAIT_UNTIL_STATE(pcm, state) wait_until_state(__FILE__, __LINE__, pcm, state)

/* On a busy machine a device may underrun for a moment, and threads may be late. The attempt is repeated in a new process then,
   until the time limit. */
static MAYBE_UNUSED void try_in_time(
    void (*attempt)(const struct setup *, snd_pcm_uframes_t), const struct setup *setup, snd_pcm_uframes_t frames) {
    int attempts = 0;
    for (long long deadline = milliseconds() + LIMIT; milliseconds() < deadline; attempts++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            is_attempt = true;
            attempt(setup, frames);
            exit(failures ? 1 : 0);
        }
        REQUIRE(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == LATE) continue;
        REQUIRE(status == 0);
        return;
    }
    failed(__FILE__, __LINE__, "each of %d attempts was late, or the device underran", attempts);
}

/* Another program with a session of its own, which performs the commands on its input. */
struct other {
    pid_t pid;
    int commands, answers;
};

static MAYBE_UNUSED void keep_last_interruption(void *last, UInt32 state) { *(UInt32 *)last = state; }

static MAYBE_UNUSED void be_other(int commands, int answers) {
    char command;
    UInt32 interruption = 99;
    if (AudioSessionInitialize(NULL, NULL, keep_last_interruption, &interruption) != 0) _exit(2);
    while (read(commands, &command, 1) == 1) {
        OSStatus status = 0;
        switch (command) {
        case 'd':
            status = set_category(kAudioSessionCategory_MediaPlayback);
            if (status == 0) status = set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1);
            break;
        case 'D': status = set_u32(kAudioSessionProperty_OtherMixableAudioShouldDuck, 0); break;
        case 'n': status = set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 0); break;
        case 'm': status = set_category(kAudioSessionCategory_MediaPlayback); break;
        case 'r': status = set_category(kAudioSessionCategory_RecordAudio); break;
        case 'a': status = AudioSessionSetActive(true); break;
        case 'x': status = AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation); break;
        case 'i': {
            /* The next interruption event: 1 for a begin, 0 for an end. */
            struct pollfd waiting;
            waiting.fd = AudioSessionLinuxEventDescriptor();
            waiting.events = POLLIN;
            interruption = 99;
            while (interruption == 99 && poll(&waiting, 1, LIMIT) == 1) AudioSessionLinuxDispatchEvents();
            status = (OSStatus)interruption;
            break;
        }
        case 'X': status = AudioSessionSetActive(false); break;
        case 'o': {
            UInt32 value = 0, size = sizeof value;
            status = AudioSessionGetProperty(kAudioSessionProperty_OtherAudioIsPlaying, &size, &value);
            if (status == 0) status = (OSStatus)value;
            break;
        }
        case 's': status = AudioSessionLinuxSimulate("server die"); break;
        case 'S': status = AudioSessionLinuxSimulate("server restart"); break;
        default:
            status = AudioSessionLinuxSimulate(command == 'c' ? "interrupt begin"
                    : command == 'e'                          ? "interrupt end"
                    : command == 'E'                          ? "interrupt end --should-not-resume"
                                                              : "");
        }
        if (write(answers, &status, sizeof status) != sizeof status) break;
    }
    _exit(0);
}

static MAYBE_UNUSED struct other start_other(void) {
    struct other other;
    int commands[2], answers[2];
    REQUIRE(pipe(commands) == 0 && pipe(answers) == 0);
    other.pid = fork();
    REQUIRE(other.pid >= 0);
    if (other.pid == 0) {
        close(commands[1]);
        close(answers[0]);
        be_other(commands[0], answers[1]);
    }
    close(commands[0]);
    close(answers[1]);
    other.commands = commands[1];
    other.answers = answers[0];
    return other;
}

static MAYBE_UNUSED void post_command(struct other other, char command) { REQUIRE(write(other.commands, &command, 1) == 1); }

static MAYBE_UNUSED OSStatus read_answer(struct other other) {
    OSStatus status = -1;
    REQUIRE(read(other.answers, &status, sizeof status) == sizeof status);
    return status;
}

static MAYBE_UNUSED OSStatus request(struct other other, char command) {
    post_command(other, command);
    return read_answer(other);
}

static MAYBE_UNUSED void end_other(struct other other) {
    close(other.commands);
    close(other.answers);
    waitpid(other.pid, NULL, 0);
}

#endif
