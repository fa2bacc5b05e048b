/* SPDX-License-Identifier: Apache-2.0 */
/* AVAudioSession: names and objects for the session of the engine, which has the rules. */
#import <AVFoundation/AVAudioSession.h>
#import <AudioToolbox/AudioSession.h>
#import <AudioToolbox/AudioSessionLinux.h>

#import "ObjectMemory.h"
#import "SessionAccess.h"

/* ---- Names and codes ---- */

struct name {
    NSString *const *text;
    uint32_t code;
};

static const struct name categories[] = {
    {&AVAudioSessionCategoryAmbient, kAudioSessionCategory_AmbientSound},
    {&AVAudioSessionCategorySoloAmbient, kAudioSessionCategory_SoloAmbientSound},
    {&AVAudioSessionCategoryPlayback, kAudioSessionCategory_MediaPlayback},
    {&AVAudioSessionCategoryRecord, kAudioSessionCategory_RecordAudio},
    {&AVAudioSessionCategoryPlayAndRecord, kAudioSessionCategory_PlayAndRecord},
    {&AVAudioSessionCategoryAudioProcessing, kAudioSessionCategory_AudioProcessing},
    {&AVAudioSessionCategoryMultiRoute, kAudioSessionLinuxCategory_MultiRoute},
};
enum { CATEGORIES = sizeof categories / sizeof *categories };

static const struct name modes[] = {
    {&AVAudioSessionModeDefault, kAudioSessionMode_Default},
    {&AVAudioSessionModeVoiceChat, kAudioSessionMode_VoiceChat},
    {&AVAudioSessionModeGameChat, kAudioSessionMode_GameChat},
    {&AVAudioSessionModeVideoRecording, kAudioSessionMode_VideoRecording},
    {&AVAudioSessionModeMeasurement, kAudioSessionMode_Measurement},
    {&AVAudioSessionModeMoviePlayback, kAudioSessionLinuxMode_MoviePlayback},
    {&AVAudioSessionModeVideoChat, kAudioSessionLinuxMode_VideoChat},
    {&AVAudioSessionModeSpokenAudio, kAudioSessionLinuxMode_SpokenAudio},
    {&AVAudioSessionModeVoicePrompt, kAudioSessionLinuxMode_VoicePrompt},
};
enum { MODES = sizeof modes / sizeof *modes };

/* A code that no category and no mode has. */
static const uint32_t unknownName = UINT32_MAX;

static uint32_t codeOf(const struct name *names, unsigned count, NSString *text) {
    if (![text isKindOfClass:[NSString class]]) return unknownName;
    for (unsigned i = 0; i < count; i++)
        if ([text isEqualToString:*names[i].text]) return names[i].code;
    return unknownName;
}

static NSString *nameOf(const struct name *names, unsigned count, uint32_t code, NSString *other) {
    for (unsigned i = 0; i < count; i++)
        if (names[i].code == code) return *names[i].text;
    return other;
}

/* ---- Reading ---- */

/* The first access of a process that has not sent sharedInstance, as a child of fork, begins the session. */
static OSStatus readAgain(AudioSessionPropertyID property, UInt32 size, void *value) {
    AVAudioBegin();
    return AudioSessionGetProperty(property, &size, value);
}

static inline OSStatus readProperty(AudioSessionPropertyID property, UInt32 size, void *value) {
    UInt32 room = size;
    OSStatus status = AudioSessionGetProperty(property, &room, value);
    return status == kAudioSessionNotInitialized ? readAgain(property, size, value) : status;
}

static UInt32 readNumber(AudioSessionPropertyID property) {
    UInt32 number = 0;
    return readProperty(property, sizeof number, &number) ? 0 : number;
}

static Float32 readFloat(AudioSessionPropertyID property) {
    Float32 number = 0;
    return readProperty(property, sizeof number, &number) ? 0 : number;
}

/* The state beyond the C API: slower than a property. */
static struct session_values readValues(void) {
    struct session_values values = {0};
    const struct audiosession_engine *engine = AVAudioEngineTable();
    if (engine) engine->session_read_values(&values);
    return values;
}

/* Settings that the C API has no property of. */
static inline struct session_choices readChoices(void) {
    struct session_choices choices;
    const struct audiosession_engine *engine = AVAudioEngineTable();
    if (engine && engine->session_read_choices(&choices)) return choices;
    struct session_values values = readValues();
    choices.options = (uint16_t)values.options;
    choices.policy = (uint8_t)values.policy;
    choices.preferred_input_channels = (uint16_t)values.preferred_input_channels;
    choices.preferred_output_channels = (uint16_t)values.preferred_output_channels;
    choices.allows_haptics_during_recording = values.allows_haptics_during_recording;
    choices.prefers_no_system_alerts = values.prefers_no_system_alerts;
    return choices;
}

/* The preference that the program has set last, because the C API has only 32 bits of it. */
static NSTimeInterval lastDuration;

static NSTimeInterval preferredDuration(Float32 rounded) {
    NSTimeInterval known;
    __atomic_load(&lastDuration, &known, __ATOMIC_RELAXED);
    return (Float32)known == rounded ? known : readValues().preferred_duration;
}

/* ---- The delegate ---- */

/* Any thread may set it. */
static AV_UNRETAINED id<AVAudioSessionDelegate> theDelegate;
static NSString *announcedCategory;

void AVAudioSessionNoticeCategory(void) {
    NSString *category = [[AVAudioSession sharedInstance] category];
    /* The names are constants. */
    NSString *before = announcedCategory;
    announcedCategory = category;
    if (!before || before == category) return;
    if ([theDelegate respondsToSelector:@selector(categoryChanged:)])
        AV_CALL_PROGRAM("categoryChanged:", [theDelegate categoryChanged:category]);
}

static void tellEndOfInterruption(id<AVAudioSessionDelegate> delegate, NSUInteger flags) {
    if ([delegate respondsToSelector:@selector(endInterruptionWithFlags:)])
        AV_CALL_PROGRAM("endInterruptionWithFlags:", [delegate endInterruptionWithFlags:flags])
    else if ([delegate respondsToSelector:@selector(endInterruption)])
        AV_CALL_PROGRAM("endInterruption", [delegate endInterruption])
}

#define TELL(message, call) \
    if ([delegate respondsToSelector:@selector(message)]) AV_CALL_PROGRAM(#message, call)

static void tellDelegate(const struct session_event *event) {
    id<AVAudioSessionDelegate> delegate = theDelegate;
    if (!delegate) return;
    double value = event->value;
    switch (event->kind) {
    case SESSION_INTERRUPTION_BEGAN: TELL(beginInterruption, [delegate beginInterruption]) break;
    case SESSION_INTERRUPTION_ENDED: tellEndOfInterruption(delegate, (NSUInteger)value); break;
    case SESSION_INPUT_AVAILABILITY: TELL(inputIsAvailableChanged:, [delegate inputIsAvailableChanged:value != 0]) break;
    case SESSION_SAMPLE_RATE: TELL(currentHardwareSampleRateChanged:, [delegate currentHardwareSampleRateChanged:value]) break;
    case SESSION_INPUT_CHANNELS:
        TELL(
            currentHardwareInputNumberOfChannelsChanged:, [delegate currentHardwareInputNumberOfChannelsChanged:(NSInteger)value])
        break;
    case SESSION_OUTPUT_CHANNELS:
        TELL(currentHardwareOutputNumberOfChannelsChanged:,
            [delegate currentHardwareOutputNumberOfChannelsChanged:(NSInteger)value])
        break;
    default: break;
    }
}

/* ---- Notifications ---- */

static void post(NSString *name, NSString *key, double value, NSString *secondKey, id secondValue) {
    NSMutableDictionary *info = nil;
    if (key) info = [NSMutableDictionary dictionaryWithObject:[NSNumber numberWithUnsignedInteger:(NSUInteger)value] forKey:key];
    if (secondKey) [info setObject:secondValue forKey:secondKey];
    AV_CALL_PROGRAM([name UTF8String],
        [[NSNotificationCenter defaultCenter] postNotificationName:name object:[AVAudioSession sharedInstance] userInfo:info]);
}

static void postNotification(const struct session_event *event, AVAudioSessionRouteDescription *previous) {
    switch (event->kind) {
    case SESSION_INTERRUPTION_BEGAN:
        post(AVAudioSessionInterruptionNotification, AVAudioSessionInterruptionTypeKey, AVAudioSessionInterruptionTypeBegan, nil,
            nil);
        break;
    case SESSION_INTERRUPTION_ENDED:
        post(AVAudioSessionInterruptionNotification, AVAudioSessionInterruptionTypeKey, AVAudioSessionInterruptionTypeEnded,
            AVAudioSessionInterruptionOptionKey, [NSNumber numberWithUnsignedInteger:(NSUInteger)event->value]);
        break;
    case SESSION_ROUTE_CHANGED:
        post(AVAudioSessionRouteChangeNotification, AVAudioSessionRouteChangeReasonKey, event->value,
            AVAudioSessionRouteChangePreviousRouteKey, previous);
        break;
    case SESSION_SERVER_DIED: post(AVAudioSessionMediaServicesWereLostNotification, nil, 0, nil, nil); break;
    case SESSION_SERVER_RESTARTED: post(AVAudioSessionMediaServicesWereResetNotification, nil, 0, nil, nil); break;
    case SESSION_SECONDARY_AUDIO_HINT:
        post(AVAudioSessionSilenceSecondaryAudioHintNotification, AVAudioSessionSilenceSecondaryAudioHintTypeKey, event->value,
            nil, nil);
        break;
    default: break;
    }
}

/* For observers of the value of a property. */
static void announceChange(NSString *property) {
    AVAudioSession *session = [AVAudioSession sharedInstance];
    AV_CALL_PROGRAM([property UTF8String], [session willChangeValueForKey:property]; [session didChangeValueForKey:property]);
}

void AVAudioSessionDeliver(const struct session_event *event, AVAudioSessionRouteDescription *previousRoute) {
    /* A player has paused when the program hears of the begin, and the session can be active when a player hears of the end. */
    if (event->kind != SESSION_INTERRUPTION_ENDED) AVAudioTellReceivers(event);
    tellDelegate(event);
    postNotification(event, previousRoute);
    if (event->kind == SESSION_INTERRUPTION_ENDED) AVAudioTellReceivers(event);
    if (event->kind == SESSION_OUTPUT_VOLUME) announceChange(@"outputVolume");
    if (event->kind == SESSION_INPUT_GAIN_CHANGED) announceChange(@"inputGain");
}

/* ---- The session ---- */

static AVAudioSession *shared;

/* A change through the engine; `operation` has the result. */
#define CHANGE(outError, operation) \
    const struct audiosession_engine *engine = AVAudioEngineTable(); \
    return AVAudioFinish(engine ? (operation) : AVAudioSessionErrorCodeUnspecified, outError)

@implementation AVAudioSession

/* The runtime sends it once, before the first message. */
+ (void)initialize {
    if (self == [AVAudioSession class] && !shared) shared = [[super allocWithZone:NULL] init];
}

+ (id)sharedInstance {
    AVAudioBegin();
    return shared;
}

/* The process has one session. */
+ (id)allocWithZone:(NSZone *)zone {
    (void)zone;
    return AV_RETAIN(shared);
}

#if !__has_feature(objc_arc)
- (id)retain {
    return self;
}

- (oneway void)release {
}

- (id)autorelease {
    return self;
}

- (NSUInteger)retainCount {
    return UINT_MAX;
}
#endif

/* ---- The delegate ---- */

- (id<AVAudioSessionDelegate>)delegate {
    return theDelegate;
}

- (void)setDelegate:(id<AVAudioSessionDelegate>)delegate {
    theDelegate = delegate;
    const struct audiosession_engine *engine = AVAudioEngineTable();
    if (!delegate || !engine) return;
    announcedCategory = [self category];
    engine->session_announce_rate();
}

/* ---- Category, mode, options ---- */

- (NSString *)category {
    UInt32 code = readNumber(kAudioSessionProperty_AudioCategory);
    NSString *name = nameOf(categories, CATEGORIES, code, nil);
    /* The older names of two categories behave as others. */
    return name ? name : nameOf(categories, CATEGORIES, readValues().category, AVAudioSessionCategorySoloAmbient);
}

- (AVAudioSessionCategoryOptions)categoryOptions {
    return (AVAudioSessionCategoryOptions)readChoices().options;
}

- (NSString *)mode {
    return nameOf(modes, MODES, readNumber(kAudioSessionProperty_Mode), AVAudioSessionModeDefault);
}

- (AVAudioSessionRouteSharingPolicy)routeSharingPolicy {
    return (AVAudioSessionRouteSharingPolicy)readChoices().policy;
}

- (NSArray *)availableCategories {
    BOOL canRecord = [self isInputAvailable];
    NSMutableArray *names = [NSMutableArray array];
    for (unsigned i = 0; i < CATEGORIES; i++) {
        BOOL records =
            categories[i].code == kAudioSessionCategory_RecordAudio || categories[i].code == kAudioSessionCategory_PlayAndRecord;
        if (canRecord || !records) [names addObject:*categories[i].text];
    }
    return names;
}

- (NSArray *)availableModes {
    NSMutableArray *names = [NSMutableArray array];
    for (unsigned i = 0; i < MODES; i++) [names addObject:*modes[i].text];
    return names;
}

/* A mode of 0 stays if it fits. */
static BOOL configure(NSString *category, uint32_t mode, NSUInteger policy, NSUInteger options, NSError **outError) {
    uint32_t code = codeOf(categories, CATEGORIES, category);
    AVAudioBegin();
    const struct audiosession_engine *engine = AVAudioEngineTable();
    int32_t result = engine ? engine->session_set_category(code, mode, policy, options) : AVAudioSessionErrorCodeUnspecified;
    /* The delegate is called for a new category. */
    if (result == 0) AVAudioSignalEvents();
    return AVAudioFinish(result, outError);
}

- (BOOL)setCategory:(NSString *)theCategory error:(NSError **)outError {
    return configure(theCategory, SESSION_SAME_MODE, 0, 0, outError);
}

- (BOOL)setCategory:(NSString *)category withOptions:(AVAudioSessionCategoryOptions)options error:(NSError **)outError {
    return configure(category, SESSION_SAME_MODE, 0, options, outError);
}

- (BOOL)setCategory:(NSString *)category
               mode:(NSString *)mode
            options:(AVAudioSessionCategoryOptions)options
              error:(NSError **)outError {
    return configure(category, codeOf(modes, MODES, mode), 0, options, outError);
}

- (BOOL)setCategory:(NSString *)category
                  mode:(NSString *)mode
    routeSharingPolicy:(AVAudioSessionRouteSharingPolicy)policy
               options:(AVAudioSessionCategoryOptions)options
                 error:(NSError **)outError {
    return configure(category, codeOf(modes, MODES, mode), policy, options, outError);
}

- (BOOL)setMode:(NSString *)theMode error:(NSError **)outError {
    CHANGE(outError, engine->session_set_mode(codeOf(modes, MODES, theMode)));
}

/* ---- Activity ---- */

- (BOOL)setActive:(BOOL)beActive error:(NSError **)outError {
    return [self setActive:beActive withOptions:0 error:outError];
}

- (BOOL)setActive:(BOOL)beActive withFlags:(NSInteger)flags error:(NSError **)outError {
    NSUInteger options = (NSUInteger)flags & AVAudioSessionSetActiveFlags_NotifyOthersOnDeactivation;
    return [self setActive:beActive withOptions:options error:outError];
}

- (BOOL)setActive:(BOOL)active withOptions:(AVAudioSessionSetActiveOptions)options error:(NSError **)outError {
    BOOL notifies = (options & AVAudioSessionSetActiveOptionNotifyOthersOnDeactivation) != 0;
    const struct audiosession_engine *engine = AVAudioEngineTable();
    int32_t code = engine ? engine->session_set_active(active, notifies) : AVAudioSessionErrorCodeUnspecified;
    /* A deactivation while sound runs is an error, and stops the sound. */
    if (!active && (code == 0 || code == AVAudioSessionErrorCodeIsBusy)) AVAudioStopReceivers();
    return AVAudioFinish(code, outError);
}

- (BOOL)isOtherAudioPlaying {
    return readNumber(kAudioSessionProperty_OtherAudioIsPlaying) != 0;
}

- (BOOL)secondaryAudioShouldBeSilencedHint {
    const struct audiosession_engine *engine = AVAudioEngineTable();
    return engine && engine->session_primary_audio_plays();
}

/* ---- Hardware ---- */

- (double)sampleRate {
    Float64 rate = 0;
    return readProperty(kAudioSessionProperty_CurrentHardwareSampleRate, sizeof rate, &rate) ? 0 : rate;
}

- (NSTimeInterval)IOBufferDuration {
    return readFloat(kAudioSessionProperty_CurrentHardwareIOBufferDuration);
}

- (NSInteger)inputNumberOfChannels {
    return (NSInteger)readNumber(kAudioSessionProperty_CurrentHardwareInputNumberChannels);
}

- (NSInteger)outputNumberOfChannels {
    return (NSInteger)readNumber(kAudioSessionProperty_CurrentHardwareOutputNumberChannels);
}

- (NSInteger)maximumInputNumberOfChannels {
    return [self inputNumberOfChannels];
}

- (NSInteger)maximumOutputNumberOfChannels {
    return [self outputNumberOfChannels];
}

- (NSTimeInterval)inputLatency {
    return readFloat(kAudioSessionProperty_CurrentHardwareInputLatency);
}

- (NSTimeInterval)outputLatency {
    return readFloat(kAudioSessionProperty_CurrentHardwareOutputLatency);
}

- (float)outputVolume {
    return readFloat(kAudioSessionProperty_CurrentHardwareOutputVolume);
}

- (float)inputGain {
    Float32 gain = 1;
    /* Without a level that can be set the C API has no gain. */
    return readProperty(kAudioSessionProperty_InputGainScalar, sizeof gain, &gain) ? 1 : gain;
}

- (BOOL)isInputGainSettable {
    return readNumber(kAudioSessionProperty_InputGainAvailable) != 0;
}

- (BOOL)isInputAvailable {
    return readNumber(kAudioSessionProperty_AudioInputAvailable) != 0;
}

- (BOOL)setInputGain:(float)gain error:(NSError **)outError {
    CHANGE(outError, engine->session_set_number(SESSION_INPUT_GAIN, gain));
}

/* ---- Preferences ---- */

- (double)preferredSampleRate {
    Float64 rate = 0;
    return readProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof rate, &rate) ? 0 : rate;
}

- (NSTimeInterval)preferredIOBufferDuration {
    return preferredDuration(readFloat(kAudioSessionProperty_PreferredHardwareIOBufferDuration));
}

- (NSInteger)preferredInputNumberOfChannels {
    return (NSInteger)readChoices().preferred_input_channels;
}

- (NSInteger)preferredOutputNumberOfChannels {
    return (NSInteger)readChoices().preferred_output_channels;
}

- (BOOL)setPreferredSampleRate:(double)sampleRate error:(NSError **)outError {
    CHANGE(outError, engine->session_set_number(SESSION_PREFERRED_RATE, sampleRate));
}

- (BOOL)setPreferredIOBufferDuration:(NSTimeInterval)duration error:(NSError **)outError {
    const struct audiosession_engine *engine = AVAudioEngineTable();
    int32_t result =
        engine ? engine->session_set_number(SESSION_PREFERRED_DURATION, duration) : AVAudioSessionErrorCodeUnspecified;
    if (result == 0) __atomic_store(&lastDuration, &duration, __ATOMIC_RELAXED);
    return AVAudioFinish(result, outError);
}

- (BOOL)setPreferredInputNumberOfChannels:(NSInteger)count error:(NSError **)outError {
    CHANGE(outError, engine->session_set_number(SESSION_PREFERRED_INPUT_CHANNELS, (double)count));
}

- (BOOL)setPreferredOutputNumberOfChannels:(NSInteger)count error:(NSError **)outError {
    CHANGE(outError, engine->session_set_number(SESSION_PREFERRED_OUTPUT_CHANNELS, (double)count));
}

- (BOOL)allowHapticsAndSystemSoundsDuringRecording {
    return readChoices().allows_haptics_during_recording;
}

- (BOOL)setAllowHapticsAndSystemSoundsDuringRecording:(BOOL)inValue error:(NSError **)outError {
    CHANGE(outError, engine->session_set_number(SESSION_ALLOWS_HAPTICS_DURING_RECORDING, inValue));
}

- (BOOL)prefersNoInterruptionsFromSystemAlerts {
    return readChoices().prefers_no_system_alerts;
}

- (BOOL)setPrefersNoInterruptionsFromSystemAlerts:(BOOL)inValue error:(NSError **)outError {
    CHANGE(outError, engine->session_set_number(SESSION_PREFERS_NO_SYSTEM_ALERTS, inValue));
}

/* ---- The names of 2009 ---- */

- (double)currentHardwareSampleRate {
    return [self sampleRate];
}

- (NSInteger)currentHardwareInputNumberOfChannels {
    return [self inputNumberOfChannels];
}

- (NSInteger)currentHardwareOutputNumberOfChannels {
    return [self outputNumberOfChannels];
}

- (BOOL)inputIsAvailable {
    return [self isInputAvailable];
}

- (double)preferredHardwareSampleRate {
    return [self preferredSampleRate];
}

- (BOOL)setPreferredHardwareSampleRate:(double)sampleRate error:(NSError **)outError {
    return [self setPreferredSampleRate:sampleRate error:outError];
}

/* ---- The route ---- */

- (AVAudioSessionRouteDescription *)currentRoute {
    return AV_AUTORELEASE(AVAudioCopyRoute());
}

- (NSArray *)availableInputs {
    return AV_AUTORELEASE(AVAudioCopyPorts(SESSION_AVAILABLE_INPUTS));
}

- (AVAudioSessionPortDescription *)preferredInput {
    return [AV_AUTORELEASE(AVAudioCopyPorts(SESSION_PREFERRED_INPUT)) lastObject];
}

- (BOOL)setPreferredInput:(AVAudioSessionPortDescription *)inPort error:(NSError **)outError {
    if (inPort && ![inPort isKindOfClass:[AVAudioSessionPortDescription class]])
        return AVAudioFinish(AVAudioSessionErrorCodeBadParam, outError);
    CHANGE(outError, engine->session_prefer_input([[inPort UID] UTF8String]));
}

- (BOOL)overrideOutputAudioPort:(AVAudioSessionPortOverride)portOverride error:(NSError **)outError {
    CHANGE(outError, engine->session_set_number(SESSION_OUTPUT_OVERRIDE, (double)portOverride));
}

/* The first port that offers a choice. */
static AVAudioSessionPortDescription *portWithSources(NSArray *ports) {
    for (NSUInteger i = 0; i < [ports count]; i++)
        if ([[ports objectAtIndex:i] dataSources]) return [ports objectAtIndex:i];
    return nil;
}

static BOOL choose(AVAudioSessionDataSourceDescription *dataSource, NSArray *ports, NSError **outError) {
    if (!dataSource) return AVAudioFinish(0, outError);
    if (![dataSource isKindOfClass:[AVAudioSessionDataSourceDescription class]])
        return AVAudioFinish(AVAudioSessionErrorCodeBadParam, outError);
    AVAudioSessionPortDescription *port = portWithSources(ports);
    if (!port) return AVAudioFinish(AVAudioSessionErrorCodeResourceNotAvailable, outError);
    return [port select:dataSource error:outError];
}

- (NSArray *)inputDataSources {
    return [portWithSources([[self currentRoute] inputs]) dataSources];
}

- (AVAudioSessionDataSourceDescription *)inputDataSource {
    return [portWithSources([[self currentRoute] inputs]) selectedDataSource];
}

- (BOOL)setInputDataSource:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError {
    return choose(dataSource, [[self currentRoute] inputs], outError);
}

- (NSArray *)outputDataSources {
    return [portWithSources([[self currentRoute] outputs]) dataSources];
}

- (AVAudioSessionDataSourceDescription *)outputDataSource {
    return [portWithSources([[self currentRoute] outputs]) selectedDataSource];
}

- (BOOL)setOutputDataSource:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError {
    return choose(dataSource, [[self currentRoute] outputs], outError);
}

/* ---- Recording ---- */

- (AVAudioSessionRecordPermission)recordPermission {
    const struct audiosession_engine *engine = AVAudioEngineTable();
    if (!engine || engine->session_begin() != 0) return AVAudioSessionRecordPermissionUndetermined;
    return engine->session_may_record() ? AVAudioSessionRecordPermissionGranted : AVAudioSessionRecordPermissionDenied;
}

#if defined(__BLOCKS__)
- (void)requestRecordPermission:(void (^)(BOOL granted))response {
    if (response) response([self recordPermission] == AVAudioSessionRecordPermissionGranted);
}
#else
/* The memory of a block, as compilers with blocks lay it out. */
struct block {
    void *class_;
    int flags, reserved;
    void (*invoke)(struct block *block, BOOL granted);
};

/* A compiler without blocks builds the method for programs that have them. */
- (void)requestRecordPermission:(struct block *)response {
    if (response) response->invoke(response, [self recordPermission] == AVAudioSessionRecordPermissionGranted);
}
#endif

@end
