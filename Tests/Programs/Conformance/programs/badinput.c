/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes in every argument give a result code, change nothing, and write nothing past the size. */
#include "conformance.h"
#include "properties.h"

static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint64_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static bool is_result(OSStatus status) {
    switch (status) {
    case kAudioSessionNoError:
    case kAudioSessionUnsupportedPropertyError:
    case kAudioSessionBadPropertySizeError:
    case kAudioSessionNotActiveError:
    case kAudioServicesNoHardwareError:
    case kAudioSessionIncompatibleCategory:
    case kAudioSessionUnspecifiedError:
    case kAudio_ParamError: return true;
    default: return false;
    }
}

enum { ROOM = 64, CANARY = 32 };

/* A get with a buffer of this size writes its value and nothing else, or nothing. */
static void get_between_canaries(AudioSessionPropertyID id, UInt32 room) {
    unsigned char area[CANARY + ROOM + CANARY];
    const struct property *property = property_of(id);
    UInt32 size = room;
    memset(area, 0xC9, sizeof area);
    OSStatus status = AudioSessionGetProperty(id, &size, area + CANARY);
    EXPECT(is_result(status));
    UInt32 written = status == 0 ? size : 0;
    EXPECT_INTEGER(size, status == 0 && property ? property->size : room);
    EXPECT(written <= room);
    for (UInt32 i = 0; i < sizeof area; i++)
        if ((i < CANARY || i >= CANARY + written) && area[i] != 0xC9) {
            failed(__FILE__, __LINE__, "id %08X, room %u: byte %d written", (unsigned)id, (unsigned)room, (int)i - CANARY);
            break;
        }
}

TEST(every_size_of_a_get, "gets with every buffer size from 0 to 64 write nothing past the value") {
    BEGIN_SESSION();
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        EXPECT_OK(set_category(categories[c]));
        for (int i = 0; i < PROPERTY_COUNT; i++)
            for (UInt32 room = 0; room <= ROOM; room++)
                if (properties[i].size != 8 || c == 0 || room < 8) get_between_canaries(properties[i].id, room);
    }
}

TEST(random_ids, "random property ids give 'pty?' everywhere") {
    BEGIN_SESSION();
    for (int i = 0; i < 20000; i++) {
        AudioSessionPropertyID id = (AudioSessionPropertyID)next_random();
        UInt32 size = 8, data[2] = {0, 0};
        if (property_of(id)) continue;
        EXPECT_STATUS(AudioSessionGetProperty(id, &size, data), kAudioSessionUnsupportedPropertyError);
        EXPECT_STATUS(AudioSessionSetProperty(id, (UInt32)next_random(), data), kAudioSessionUnsupportedPropertyError);
        EXPECT_STATUS(AudioSessionGetPropertySize(id, &size), kAudioSessionUnsupportedPropertyError);
        EXPECT_STATUS(AudioSessionAddPropertyListener(id, record_event, NULL), kAudioSessionUnsupportedPropertyError);
        EXPECT_STATUS(AudioSessionRemovePropertyListener(id), kAudioSessionUnsupportedPropertyError);
        EXPECT_STATUS(
            AudioSessionRemovePropertyListenerWithUserData(id, record_event, NULL), kAudioSessionUnsupportedPropertyError);
        if (failures > 10) return;
    }
}

TEST(random_values, "random bytes as the value of every scalar property: a result code, and the state can still be read") {
    BEGIN_SESSION();
    for (int round = 0; round < 5000; round++) {
        const struct property *property = &properties[next_random() % PROPERTY_COUNT];
        uint64_t bits[8];
        for (int i = 0; i < 8; i++) bits[i] = next_random();
        /* The value of a CoreFoundation property is a pointer: the caller is responsible for a dangling one. */
        if (property->size == 8 && property->id != kAudioSessionProperty_PreferredHardwareSampleRate) bits[0] = 0;
        EXPECT(
            is_result(AudioSessionSetProperty(property->id, next_random() % 4 ? property->size : (UInt32)next_random(), bits)));
        EXPECT(is_result(AudioSessionSetActiveWithFlags((Boolean)next_random(), (UInt32)next_random())));
        if (round % 16 == 0) EXPECT_OK(set_category(categories[next_random() % CATEGORY_COUNT]));
        for (int i = 0; i < PROPERTY_COUNT; i++)
            if (properties[i].size == 4 || i == 0) get_between_canaries(properties[i].id, properties[i].size);
        if (failures > 10) return;
    }
}

TEST(null_anywhere, "NULL in any combination of pointers: -50 or 'pty?', never a crash") {
    UInt32 size = 4, data = 0;
    BEGIN_SESSION();
    for (int i = -2; i < PROPERTY_COUNT; i++) {
        AudioSessionPropertyID id = i < 0 ? (UInt32)i : properties[i].id;
        EXPECT_STATUS(AudioSessionGetProperty(id, NULL, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionGetProperty(id, &size, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionGetProperty(id, NULL, &data), kAudio_ParamError);
        for (UInt32 length = 0; length < 64; length++)
            EXPECT_STATUS(AudioSessionSetProperty(id, length, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionGetPropertySize(id, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionAddPropertyListener(id, NULL, NULL), kAudio_ParamError);
        EXPECT_STATUS(AudioSessionRemovePropertyListenerWithUserData(id, NULL, NULL), kAudio_ParamError);
    }
}

TEST(unaligned_addresses, "addresses need no alignment") {
    unsigned char area[64];
    BEGIN_SESSION();
    for (int offset = 0; offset < 8; offset++) {
        Float64 rate = 48000 + offset, back = 0;
        UInt32 size = 8;
        memcpy(area + offset, &rate, 8);
        EXPECT_OK(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, 8, area + offset));
        EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, &size, area + 32 + offset));
        memcpy(&back, area + 32 + offset, 8);
        EXPECT_NUMBER(back, rate);
    }
}

TEST(the_size_is_the_data, "the same address for the size and the data: the size is written first, then the data") {
    UInt32 both[2] = {4, 0};
    BEGIN_SESSION();
    EXPECT_OK(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, both, both));
    EXPECT_INTEGER(both[0], kAudioSessionCategory_SoloAmbientSound);
}

TEST(a_damaged_runtime_directory, "with a runtime directory that is missing, a file, or not writable the session works") {
    const char *folders[] = {"/nonexistent/folder", "/dev/null", "/proc/1", "a-file", "", "relative"};
    int done = open("a-file", O_CREAT | O_WRONLY, 0600);
    close(done);
    for (int i = 0; i < 6; i++) {
        int status = -1;
        fflush(stdout);
        if (fork() == 0) {
            setenv("AUDIOSESSION_RUNTIME_DIR", folders[i], 1);
            BEGIN_SESSION();
            EXPECT_OK(AudioSessionSetActive(1));
            EXPECT_OK(AudioSessionAddPropertyListener(kAudioSessionProperty_CurrentHardwareOutputVolume, record_event, NULL));
            EXPECT_OK(AudioSessionSetActive(0));
            exit(failures ? 1 : 0);
        }
        wait(&status);
        if (status != 0) failed(__FILE__, __LINE__, "with \"%s\"", folders[i]);
    }
}

TEST(the_reason_for_a_private_table,
    "with an unusable runtime directory the log states the reason and that the session does not see others") {
    setenv("AUDIOSESSION_RUNTIME_DIR", "/dev/null", 1);
    begin_log();
    BEGIN_SESSION();
    const char *log_ = take_log();
    EXPECT(strstr(log_, "/dev/null") != NULL);
    EXPECT(strstr(log_, "does not share its sessions") != NULL);
    if (failures) failed(__FILE__, __LINE__, "the log says: %s", log_);
    EXPECT_OK(AudioSessionSetActive(1));
}
