/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls about properties and parameters of units and queues: any ids, scopes, elements, sizes and bytes. The memory of a
   value ends at a page that must not be touched. */
#include "toolbox.h"

#include <sys/mman.h>

enum { CALLS = 20000, ROOM = 65536 };

static uint64_t random_state;

static uint32_t below(uint32_t sides) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % sides);
}

static UInt32 one_of(const UInt32 *values, size_t count) { return values[below((uint32_t)count)]; }
#define ONE_OF(values) one_of(values, sizeof(values) / sizeof(values)[0])

/* ---- values ---- */

/* The memory before a forbidden page. */
static unsigned char *end_of_room(void) {
    static unsigned char *room;
    if (room) return room + ROOM;
    room = (unsigned char *)mmap(NULL, ROOM + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(room != MAP_FAILED && mprotect(room + ROOM, 4096, PROT_NONE) == 0);
    return room + ROOM;
}

static UInt32 random_size(void) {
    static const UInt32 sizes[] = {0, 1, 3, 4, 4, 4, 5, 8, 8, 12, 16, 16, 20, 24, 32, 39, 40, 40, 41, 44, 64, 72, 512, 4096};
    return below(8) ? ONE_OF(sizes) : below(8192);
}

static double random_double(void) {
    static const double values[] = {0, -0.0, 1, -1, 8000, 44100, 48000, 192000, 192001, 3999, 1e300, -1e300, 1e-300};
    switch (below(8)) {
    case 0: return NAN;
    case 1: return INFINITY;
    case 2: return (double)below(200000);
    default: return values[below(sizeof values / sizeof *values)];
    }
}

/* A format that can be done, with a random change in most cases. */
static void put_format(unsigned char *value, UInt32 size) {
    AudioStreamBasicDescription format = int16_format(8000 + below(90000), 1 + below(8));
    UInt32 *fields = (UInt32 *)(void *)&format;
    if (below(4)) fields[below(10)] = below(2) ? below(64) : (UInt32)random_state;
    if (below(8) == 0) format.mSampleRate = random_double();
    memcpy(value, &format, size < sizeof format ? size : sizeof format);
}

static void put_value(unsigned char *value, UInt32 size) {
    double number = random_double();
    Float32 narrow = (Float32)number;
    UInt32 whole = below(2) ? below(3) : below(300);
    memset(value, (int)below(256), size);
    switch (below(5)) {
    case 0: put_format(value, size); break;
    case 1: memcpy(value, &number, size < 8 ? size : 8); break;
    case 2: memcpy(value, &narrow, size < 4 ? size : 4); break;
    case 3: memcpy(value, &whole, size < 4 ? size : 4); break;
    default:
        for (UInt32 i = 0; i < size && i < 4096; i++) value[i] = (unsigned char)below(256);
    }
}

static bool is_filled(const unsigned char *value, UInt32 size, unsigned char byte) {
    for (UInt32 i = 0; i < size; i++)
        if (value[i] != byte) return false;
    return true;
}

/* ---- units ---- */

static OSStatus be_silent(void *reference, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *data) {
    (void)reference, (void)flags, (void)time, (void)bus, (void)frames;
    for (UInt32 i = 0; data && i < data->mNumberBuffers; i++) memset(data->mBuffers[i].mData, 0, data->mBuffers[i].mDataByteSize);
    return 0;
}

struct place {
    UInt32 id, scope, element;
};

static struct place random_place(void) {
    static const UInt32 ids[] = {1, 2, 3, 4, 6, 8, 8, 8, 11, 12, 13, 14, 14, 19, 20, 21, 22, 23, 26, 27, 29, 30, 37, 40, 51, 101,
        2000, 2001, 2002, 2003, 2004, 2005, 2006, 2007, 2100, 2101, 2102, 2103, 2104, 3007, 3014};
    struct place place;
    place.id = below(8) ? ONE_OF(ids) : below(2) ? below(4000) : (UInt32)random_state;
    place.scope = below(8) ? below(4) : (UInt32)random_state;
    place.element = below(8) ? below(3) : below(2) ? below(80) : (UInt32)random_state;
    return place;
}

static void expect_unit_code(const char *call, struct place place, OSStatus status) {
    if (status == 0 || status == kAudio_ParamError || (status <= -10847 && status >= -10879)) return;
    failed(
        __FILE__, __LINE__, "%s of %u, scope %u, element %u gives %d", call, place.id, place.scope, place.element, (int)status);
}

/* A procedure is called: only a real one is set. */
static bool has_procedure(UInt32 id) {
    return id == kAudioUnitProperty_SetRenderCallback || id == kAudioOutputUnitProperty_SetInputCallback;
}

static void set_unit_property(AudioUnit unit, struct place place) {
    AudioStreamBasicDescription before, after;
    UInt32 size = random_size();
    unsigned char *value = end_of_room() - size;
    put_value(value, size);
    if (has_procedure(place.id)) {
        AURenderCallbackStruct callback = {below(2) ? be_silent : NULL, NULL};
        memcpy(value, &callback, size < sizeof callback ? size : sizeof callback);
        if (size < sizeof callback.inputProc) memset(value, 0, size);
    }
    OSStatus known = get_format(unit, kAudioUnitScope_Input, 0, &before);
    OSStatus status = AudioUnitSetProperty(unit, place.id, place.scope, place.element, below(64) ? value : NULL, size);
    expect_unit_code("a set", place, status);
    if (status == 0 || known != 0) return;
    UNIT_OK(get_format(unit, kAudioUnitScope_Input, 0, &after));
    if (memcmp(&before, &after, sizeof before) != 0)
        failed(__FILE__, __LINE__, "a refused set of %u changes the format", place.id);
}

static void get_unit_property(AudioUnit unit, struct place place) {
    UInt32 announced = 0, room = random_size(), size = room;
    unsigned char *value = end_of_room() - room;
    Boolean is_writable;
    memset(value, 0x5A, room);
    OSStatus info = AudioUnitGetPropertyInfo(unit, place.id, place.scope, place.element, &announced, &is_writable);
    OSStatus status = AudioUnitGetProperty(unit, place.id, place.scope, place.element, value, &size);
    expect_unit_code("an info", place, info);
    expect_unit_code("a get", place, status);
    /* A smaller room holds the first bytes. */
    if (status == 0 && (info != 0 || size != (announced < room ? announced : room)))
        failed(__FILE__, __LINE__, "%u of %u bytes are read of %u, and %u were announced", size, room, place.id, announced);
    if (status == 0 && size < room && !is_filled(value + size, room - size, 0x5A))
        failed(__FILE__, __LINE__, "a get of %u writes behind its %u bytes", place.id, size);
    if (status != 0 && (size != room || !is_filled(value, room, 0x5A)))
        failed(__FILE__, __LINE__, "a refused get of %u writes", place.id);
}

static void change_state(AudioUnit unit, struct place place) {
    AudioUnitParameterValue value = 0;
    switch (below(8)) {
    case 0: expect_unit_code("Initialize", place, AudioUnitInitialize(unit)); break;
    case 1: expect_unit_code("Uninitialize", place, AudioUnitUninitialize(unit)); break;
    case 2: expect_unit_code("Reset", place, AudioUnitReset(unit, place.scope, place.element)); break;
    case 3:
    case 4:
        expect_unit_code("SetParameter", place,
            AudioUnitSetParameter(unit, below(20), place.scope, place.element, (Float32)random_double(), below(3)));
        break;
    default: expect_unit_code("GetParameter", place, AudioUnitGetParameter(unit, below(20), place.scope, place.element, &value));
    }
}

static void storm_unit(UInt32 type, UInt32 subtype) {
    AudioUnit unit = make_unit(type, subtype);
    random_state = 0x9E3779B97F4A7C15u * (subtype + 1u);
    for (int call = 0; call < CALLS && !failures; call++) {
        struct place place = random_place();
        switch (below(5)) {
        case 0:
        case 1: set_unit_property(unit, place); break;
        case 2:
        case 3: get_unit_property(unit, place); break;
        default: change_state(unit, place);
        }
    }
    UNIT_OK(AudioComponentInstanceDispose(unit));
}

TEST(units, "any ids, scopes, elements, sizes and bytes give a unit's error or 0, and nothing is read or written behind a size") {
    BEGIN_SESSION();
    storm_unit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
    storm_unit(kAudioUnitType_Output, kAudioUnitSubType_VoiceProcessingIO);
    storm_unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    storm_unit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter);
    storm_unit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
}

/* ---- queues ---- */

static void ignore_buffer(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) { (void)data, (void)queue, (void)buffer; }

static void ignore_recording(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start,
    UInt32 packets, const AudioStreamPacketDescription *descriptions) {
    (void)data, (void)queue, (void)buffer, (void)start, (void)packets, (void)descriptions;
}

static void expect_queue_code(const char *call, UInt32 id, OSStatus status) {
    if (status == 0 || status == kAudio_ParamError || (status <= -66626 && status >= -66687)) return;
    failed(__FILE__, __LINE__, "%s of %08X gives %d", call, id, (int)status);
}

static void get_queue_property(AudioQueueRef queue, UInt32 id) {
    UInt32 announced = 0, room = random_size(), size = room;
    unsigned char *value = end_of_room() - room;
    memset(value, 0x5A, room);
    OSStatus info = AudioQueueGetPropertySize(queue, id, &announced);
    OSStatus status = AudioQueueGetProperty(queue, id, value, &size);
    expect_queue_code("a size", id, info);
    expect_queue_code("a get", id, status);
    if (status == 0 && (size > room || info != 0)) failed(__FILE__, __LINE__, "%u of %u bytes are read of %08X", size, room, id);
    if (status != 0 && !is_filled(value, room, 0x5A)) failed(__FILE__, __LINE__, "a refused get of %08X writes", id);
}

static void set_queue_property(AudioQueueRef queue, UInt32 id) {
    UInt32 size = random_size();
    unsigned char *value = end_of_room() - size;
    put_value(value, size);
    /* The value is a pointer of the program. */
    if (id == kAudioQueueProperty_CurrentDevice) memset(value, 0, size);
    expect_queue_code("a set", id, AudioQueueSetProperty(queue, id, below(64) ? value : NULL, size));
}

static void storm_queue(AudioQueueRef queue, uint64_t seed) {
    static const UInt32 ids[] = {kAudioQueueProperty_IsRunning, kAudioQueueDeviceProperty_SampleRate,
        kAudioQueueDeviceProperty_NumberChannels, kAudioQueueProperty_CurrentDevice, kAudioQueueProperty_MagicCookie,
        kAudioQueueProperty_MaximumOutputPacketSize, kAudioQueueProperty_StreamDescription, kAudioQueueProperty_ChannelLayout,
        kAudioQueueProperty_EnableLevelMetering, kAudioQueueProperty_CurrentLevelMeter, kAudioQueueProperty_CurrentLevelMeterDB,
        kAudioQueueProperty_DecodeBufferSizeFrames, kAudioQueueProperty_ConverterError};
    REQUIRE(queue != NULL);
    random_state = seed;
    for (int call = 0; call < CALLS && !failures; call++) {
        UInt32 id = below(8) ? ONE_OF(ids) : (UInt32)random_state;
        Float32 value = 0;
        switch (below(6)) {
        case 0:
        case 1: get_queue_property(queue, id); break;
        case 2:
        case 3: set_queue_property(queue, id); break;
        case 4: expect_queue_code("SetParameter", id, AudioQueueSetParameter(queue, below(20), (Float32)random_double())); break;
        default: expect_queue_code("GetParameter", id, AudioQueueGetParameter(queue, below(20), &value));
        }
    }
    EXPECT_OK(AudioQueueDispose(queue, true));
}

TEST(queues, "any ids, sizes and bytes give a queue's error or 0, and nothing is read or written behind a size") {
    AudioStreamBasicDescription format = int16_format(44100, 2);
    AudioQueueRef player = NULL, recorder = NULL;
    BEGIN_SESSION();
    EXPECT_OK(AudioQueueNewOutput(&format, ignore_buffer, NULL, NULL, NULL, 0, &player));
    storm_queue(player, 1);
    EXPECT_OK(AudioQueueNewInput(&format, ignore_recording, NULL, NULL, NULL, 0, &recorder));
    storm_queue(recorder, 2);
}

TEST(formats, "any format makes a queue or gives an error, and a queue that was made has it") {
    random_state = 3;
    BEGIN_SESSION();
    for (int call = 0; call < 2000 && !failures; call++) {
        AudioStreamBasicDescription *format = (AudioStreamBasicDescription *)(void *)(end_of_room() - sizeof *format);
        AudioQueueRef queue = NULL;
        put_format((unsigned char *)format, sizeof *format);
        OSStatus status = AudioQueueNewOutput(format, ignore_buffer, NULL, NULL, NULL, 0, &queue);
        EXPECT((status == 0) == (queue != NULL));
        if (queue) EXPECT_OK(AudioQueueDispose(queue, true));
    }
}
