/* SPDX-License-Identifier: Apache-2.0 */
/* System sounds. */
#include "queues.h"
#include <AudioToolbox/AudioToolboxLinux.h>
#include <AudioToolbox/ExtendedAudioFile.h>

enum { SOUND_FRAMES = 4000 };

/* A WAVE file that counts from 1, mono, 44.1 kHz. */
static void write_sound(const char *path) {
    static int16_t samples[SOUND_FRAMES];
    static const unsigned char header[44] = {'R', 'I', 'F', 'F', 36 + 64, 31, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0,
        0, 0, 1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0, 'd', 'a', 't', 'a', (SOUND_FRAMES * 2) & 255,
        (SOUND_FRAMES * 2) >> 8, 0, 0};
    for (int i = 0; i < SOUND_FRAMES; i++) samples[i] = (int16_t)(i + 1);
    FILE *file = fopen(path, "wb");
    REQUIRE(file && fwrite(header, sizeof header, 1, file) == 1 && fwrite(samples, sizeof samples, 1, file) == 1);
    REQUIRE(fclose(file) == 0);
}

static volatile int completions;
static pthread_t completion_thread;

static void complete(SystemSoundID sound, void *data) {
    *(SystemSoundID *)data = sound;
    completion_thread = pthread_self();
    add_one(&completions);
}

/* The samples that were played count from 1 to SOUND_FRAMES. */
static void expect_counting(void) {
    size_t frames, sounds = 0;
    float *samples = played(&frames);
    for (size_t i = 0; i < frames; i++) {
        int left = (int)lrintf(samples[2 * i] * 32768);
        if (left && left != (int)++sounds) {
            failed(__FILE__, __LINE__, "frame %zu is %d, not %zu", i, left, sounds);
            break;
        }
    }
    EXPECT_INTEGER(sounds, SOUND_FRAMES);
    free(samples);
}

TEST(sound, "A sound is played from its first frame to its last, and its completion comes on the main run loop") {
    SystemSoundID sound = 0, completed = 0;
    UInt32 value = 9, size = sizeof value;
    record_what_is_played();
    write_sound("sound.wav");
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)"sound.wav", 9, false);
    EXPECT_OK(AudioServicesCreateSystemSoundID(url, &sound));
    CFRelease(url);
    EXPECT(sound > kSystemSoundID_UserPreferredAlert);
    EXPECT_OK(AudioServicesAddSystemSoundCompletion(sound, NULL, NULL, complete, &completed));
    AudioServicesPlaySystemSound(sound);
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (count_of(&completions) < 1 && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
    EXPECT_INTEGER(completions, 1);
    EXPECT_INTEGER(completed, sound);
    EXPECT(pthread_equal(completion_thread, pthread_self()));
    EXPECT_OK(AudioServicesGetProperty(kAudioServicesPropertyIsUISound, sizeof sound, &sound, &size, &value));
    EXPECT_INTEGER(value, 1);
    EXPECT_STATUS(AudioServicesGetProperty(1, sizeof sound, &sound, &size, &value), kAudioServicesUnsupportedPropertyError);
    EXPECT_OK(AudioServicesDisposeSystemSoundID(sound));
    EXPECT_STATUS(AudioServicesDisposeSystemSoundID(sound), kAudioServicesSystemSoundUnspecifiedError);
    expect_counting();
}

/* The same as write_sound, by ExtAudioFile. False where no module has the encoder. */
static int write_lossless(const char *path) {
    static int16_t samples[SOUND_FRAMES];
    AudioStreamBasicDescription client = integers(44100, 1), written;
    AudioBufferList list;
    ExtAudioFileRef file;
    memset(&written, 0, sizeof written);
    written.mSampleRate = 44100;
    written.mFormatID = kAudioFormatAppleLossless;
    written.mChannelsPerFrame = 1;
    REQUIRE(ExtAudioFileLinuxCreateWithPath(path, kAudioFileM4AType, &written, NULL, kAudioFileFlags_EraseFile, &file) == 0);
    int is_there = ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client) == 0;
    for (int i = 0; i < SOUND_FRAMES; i++) samples[i] = (int16_t)(i + 1);
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = 1;
    list.mBuffers[0].mDataByteSize = sizeof samples;
    list.mBuffers[0].mData = samples;
    if (is_there) EXPECT_OK(ExtAudioFileWrite(file, SOUND_FRAMES, &list));
    EXPECT_OK(ExtAudioFileDispose(file));
    return is_there;
}

TEST(compressed, "A sound in a file of Apple Lossless is decoded, and is played from its first frame to its last") {
    SystemSoundID sound = 0, completed = 0;
    record_what_is_played();
    if (!write_lossless("sound.m4a")) {
        printf("# no module encodes Apple Lossless\n");
        return;
    }
    EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.m4a", &sound));
    EXPECT_OK(AudioServicesAddSystemSoundCompletion(sound, NULL, NULL, complete, &completed));
    AudioServicesPlaySystemSound(sound);
    long long deadline = milliseconds() + TIME_LIMIT_MS;
    while (count_of(&completions) < 1 && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
    EXPECT_INTEGER(completions, 1);
    EXPECT_OK(AudioServicesDisposeSystemSoundID(sound));
    expect_counting();
}

static volatile int other_completions;

static void complete_other(SystemSoundID sound, void *data) {
    (void)sound, (void)data;
    add_one(&other_completions);
}

TEST(run_loops, "A completion comes on the run loop and in the mode that it was added for, in each life of the completion") {
    SystemSoundID sound = 0, completed = 0;
    const CFStringRef mode = CFSTR("a mode of the program");
    write_sound("sound.wav");
    EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.wav", &sound));
    for (int life = 1; life <= 2; life++) {
        SystemSoundID other = 0;
        EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.wav", &other));
        EXPECT_OK(AudioServicesAddSystemSoundCompletion(sound, CFRunLoopGetCurrent(), mode, complete, &completed));
        EXPECT_OK(AudioServicesAddSystemSoundCompletion(other, CFRunLoopGetMain(), NULL, complete_other, NULL));
        AudioServicesPlaySystemSound(sound);
        AudioServicesPlaySystemSound(other);
        /* The other sound ends later: the first completion waits for its mode. */
        long long deadline = milliseconds() + TIME_LIMIT_MS;
        while (count_of(&other_completions) < life && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
        EXPECT_INTEGER(other_completions, life);
        EXPECT_INTEGER(completions, life - 1);
        while (count_of(&completions) < life && milliseconds() < deadline) CFRunLoopRunInMode(mode, 1, 1);
        EXPECT_INTEGER(completions, life);
        EXPECT_INTEGER(completed, sound);
        EXPECT(pthread_equal(completion_thread, pthread_self()));
        AudioServicesRemoveSystemSoundCompletion(sound);
        EXPECT_OK(AudioServicesDisposeSystemSoundID(other));
    }
    EXPECT_OK(AudioServicesDisposeSystemSoundID(sound));
}

TEST(several_times, "The completion of a sound is called once for each time that it was played, in each life of the completion") {
    SystemSoundID sound = 0, other = 0, completed = 0;
    const CFStringRef mode = CFSTR("a mode of the program");
    write_sound("sound.wav");
    EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.wav", &sound));
    EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.wav", &other));
    for (int life = 1; life <= 2; life++) {
        EXPECT_OK(AudioServicesAddSystemSoundCompletion(sound, CFRunLoopGetCurrent(), mode, complete, &completed));
        EXPECT_OK(AudioServicesAddSystemSoundCompletion(other, CFRunLoopGetMain(), NULL, complete_other, NULL));
        for (int i = 0; i < 3; i++) AudioServicesPlaySystemSound(sound);
        AudioServicesPlaySystemSound(other);
        long long deadline = milliseconds() + TIME_LIMIT_MS;
        while (count_of(&other_completions) < life && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
        EXPECT_INTEGER(completions, 3 * (life - 1));
        while (count_of(&completions) < 3 * life && milliseconds() < deadline) CFRunLoopRunInMode(mode, 1, 1);
        EXPECT_INTEGER(completions, 3 * life);
        AudioServicesRemoveSystemSoundCompletion(sound);
        AudioServicesRemoveSystemSoundCompletion(other);
    }
    EXPECT_OK(AudioServicesDisposeSystemSoundID(sound));
    EXPECT_OK(AudioServicesDisposeSystemSoundID(other));
}

TEST(disposed, "The completion of a disposed sound is not called when its former number is played") {
    SystemSoundID completed = 0;
    write_sound("sound.wav");
    for (int life = 1; life <= 2; life++) {
        SystemSoundID sound = 0, other = 0;
        EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.wav", &sound));
        EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.wav", &other));
        EXPECT_OK(AudioServicesAddSystemSoundCompletion(sound, CFRunLoopGetMain(), NULL, complete, &completed));
        EXPECT_OK(AudioServicesAddSystemSoundCompletion(other, CFRunLoopGetMain(), NULL, complete_other, NULL));
        EXPECT_OK(AudioServicesDisposeSystemSoundID(sound));
        AudioServicesPlaySystemSound(sound);
        AudioServicesPlaySystemSound(other);
        /* The completion of the other sound comes on the same run loop, and later. */
        long long deadline = milliseconds() + TIME_LIMIT_MS;
        while (count_of(&other_completions) < life && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
        EXPECT_INTEGER(other_completions, life);
        EXPECT_INTEGER(completions, 0);
        EXPECT_OK(AudioServicesDisposeSystemSoundID(other));
    }
}

TEST(apart, "A sound is no part of the session: it neither activates nor keeps it, nothing stops it, and a switch silences it") {
    SystemSoundID sound = 0, completed = 0;
    size_t frames;
    record_what_is_played();
    write_sound("sound.wav");
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_MediaPlayback));
    EXPECT_OK(AudioServicesLinuxCreateSystemSoundIDWithPath("sound.wav", &sound));
    EXPECT_OK(AudioServicesAddSystemSoundCompletion(sound, NULL, NULL, complete, &completed));
    SIMULATE("silent on");
    for (int life = 1; life <= 2; life++) {
        AudioServicesPlaySystemSound(sound);
        /* The session was not active: the call interrupts nothing. */
        SIMULATE("interrupt begin");
        SIMULATE("interrupt end");
        EXPECT_INTEGER(events_of(0), 0);
        EXPECT_OK(AudioSessionSetActive(true));
        EXPECT_OK(AudioSessionSetActive(false));
        long long deadline = milliseconds() + TIME_LIMIT_MS;
        while (count_of(&completions) < life && milliseconds() < deadline) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, 1);
        EXPECT_INTEGER(completions, life);
    }
    EXPECT_OK(AudioServicesDisposeSystemSoundID(sound));
    float *samples = played(&frames);
    EXPECT(frames >= 2 * SOUND_FRAMES);
    for (size_t i = 0; i < frames; i++)
        if (samples[2 * i] != 0) {
            failed(__FILE__, __LINE__, "frame %zu is heard", i);
            break;
        }
    free(samples);
}

TEST(refusals, "What is no sound is refused; playing what does not exist, and vibrating, do no harm") {
    SystemSoundID sound = 77;
    EXPECT_STATUS(AudioServicesCreateSystemSoundID(NULL, &sound), kAudio_ParamError);
    EXPECT_STATUS(AudioServicesLinuxCreateSystemSoundIDWithPath("absent.wav", &sound), kAudioServicesSystemSoundUnspecifiedError);
    EXPECT_INTEGER(sound, 0);
    AudioServicesPlaySystemSound(4711);
    AudioServicesPlayAlertSound(kSystemSoundID_Vibrate);
    AudioServicesRemoveSystemSoundCompletion(4711);
}
