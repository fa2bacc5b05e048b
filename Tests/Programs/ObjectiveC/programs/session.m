/* SPDX-License-Identifier: Apache-2.0 */
/* Each member of the class reference of 2009, and of its successors. */
#import "objc.h"

OBJC_TEST(singleton, "The session is one object, which begins the session of the C API") {
    EXPECT_INTEGER(get_status(kAudioSessionProperty_AudioCategory), kAudioSessionNotInitialized);
    AVAudioSession *shared = [AVAudioSession sharedInstance];
    EXPECT(shared != nil);
    EXPECT([AVAudioSession sharedInstance] == shared);
    EXPECT([[[AVAudioSession alloc] init] autorelease] == shared);
    [shared release];
    [shared release];
    EXPECT([[shared retain] autorelease] == shared);
    EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_SoloAmbientSound);
}

OBJC_TEST(constants, "The constants have the values of the platform") {
    EXPECT_STRING(AVAudioSessionCategoryAmbient, @"AVAudioSessionCategoryAmbient");
    EXPECT_STRING(AVAudioSessionCategoryAudioProcessing, @"AVAudioSessionCategoryAudioProcessing");
    EXPECT_STRING(AVAudioSessionModeVoiceChat, @"AVAudioSessionModeVoiceChat");
    EXPECT_STRING(AVAudioSessionPortBuiltInMic, @"MicrophoneBuiltIn");
    EXPECT_STRING(AVAudioSessionPortUSBAudio, @"USBAudio");
    EXPECT_STRING(AVAudioSessionInterruptionNotification, @"AVAudioSessionInterruptionNotification");
    EXPECT_STRING(AVEncoderAudioQualityKey, @"AVEncoderQualityKey");
    EXPECT_STRING(AVAudioSessionPortThunderbolt, @"Thunderbolt");
    EXPECT_STRING(AVAudioSessionPortDisplayPort, @"DisplayPort");
    EXPECT_STRING(AVAudioSessionPolarPatternStereo, @"Stereo");
    EXPECT_STRING(AVAudioSessionInterruptionWasSuspendedKey, @"AVAudioSessionInterruptionWasSuspendedKey");
    EXPECT_STRING(AVAudioSessionInterruptionReasonKey, @"AVAudioSessionInterruptionReasonKey");
    EXPECT_INTEGER(AVAudioSessionInterruptionReasonRouteDisconnected, 4);
    EXPECT_INTEGER(AVAudioSessionErrorCodeSessionNotActive, CODE("inac"));
    EXPECT_INTEGER(AVAudioSessionErrorCodeExpiredSession, CODE("!ses"));
    EXPECT_INTEGER(AVAudioSessionErrorCodeInsufficientPriority, CODE("!pri"));
    EXPECT_INTEGER(AVAudioSessionErrorCodeResourceNotAvailable, CODE("!res"));
    EXPECT_INTEGER(AVAudioSessionPortOverrideSpeaker, CODE("spkr"));
}

OBJC_TEST(categories, "The default category is SoloAmbient; each category is read back as it was set, also by the C API") {
    struct {
        NSString *name;
        UInt32 code;
    } all[] = {
        {AVAudioSessionCategoryAmbient, kAudioSessionCategory_AmbientSound},
        {AVAudioSessionCategorySoloAmbient, kAudioSessionCategory_SoloAmbientSound},
        {AVAudioSessionCategoryPlayback, kAudioSessionCategory_MediaPlayback},
        {AVAudioSessionCategoryRecord, kAudioSessionCategory_RecordAudio},
        {AVAudioSessionCategoryPlayAndRecord, kAudioSessionCategory_PlayAndRecord},
        {AVAudioSessionCategoryAudioProcessing, kAudioSessionCategory_AudioProcessing},
        {AVAudioSessionCategoryMultiRoute, CODE("mult")},
    };
    EXPECT_STRING(session().category, AVAudioSessionCategorySoloAmbient);
    for (unsigned i = 0; i < 7; i++) {
        SET_CATEGORY(all[i].name);
        EXPECT_STRING(session().category, all[i].name);
        EXPECT_INTEGER(get_u32(kAudioSessionProperty_AudioCategory), all[i].code);
    }
    EXPECT_OK(set_category(kAudioSessionCategory_LiveAudio));
    EXPECT_STRING(session().category, AVAudioSessionCategoryPlayback);
    /* A name of the program's own memory. */
    SET_CATEGORY([NSString stringWithFormat:@"AVAudioSessionCategory%@", @"Record"]);
    EXPECT_STRING(session().category, AVAudioSessionCategoryRecord);
}

OBJC_TEST(wrong_arguments, "Wrong arguments give NO and an error of the platform, and change nothing") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    EXPECT_NO([session() setCategory:nil error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setCategory:@"" error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setCategory:@"AVAudioSessionCategoryNone" error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setCategory:(id)[NSNumber numberWithInt:3] error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setCategory:(id)[NSNull null] error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT(![session() setCategory:nil error:NULL]);
    EXPECT_NO([session() setMode:nil error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setMode:@"loud" error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredSampleRate:NAN error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredSampleRate:-1 error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredSampleRate:INFINITY error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredHardwareSampleRate:NAN error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredIOBufferDuration:NAN error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredIOBufferDuration:-0.1 error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredInputNumberOfChannels:-1 error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredOutputNumberOfChannels:100 error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setInputGain:NAN error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() overrideOutputAudioPort:7 error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setPreferredInput:(id) @"microphone" error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setCategory:AVAudioSessionCategoryPlayback
                         withOptions:AVAudioSessionCategoryOptionDefaultToSpeaker
                               error:&error],
        AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setCategory:AVAudioSessionCategoryPlayback mode:AVAudioSessionModeVoiceChat options:0 error:&error],
        AVAudioSessionErrorCodeIncompatibleCategory);
    EXPECT_NO(
        [session() setCategory:AVAudioSessionCategoryPlayback mode:nil options:0 error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_STRING(session().category, AVAudioSessionCategoryPlayAndRecord);
    EXPECT_NUMBER(session().preferredSampleRate, 0);
}

/* Names that are none: of a category, a mode. */
static NSArray *names_of_nothing(void) {
    return [NSArray arrayWithObjects:@"", @"loud", @"AVAudioSessionCategoryPlayback ", [NSNumber numberWithInt:3], [NSNull null],
                    [NSData data], [NSArray array], session(), nil];
}

OBJC_TEST(wrong_names, "A name that is nil, unknown or of another class gives BadParam in each method that takes one") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    NSMutableArray *names = [NSMutableArray arrayWithArray:names_of_nothing()];
    for (int i = 0; i <= (int)[names count]; i++) {
        id name = i == 0 ? nil : [names objectAtIndex:(NSUInteger)i - 1];
        NSString *category = AVAudioSessionCategoryPlayback, *mode = AVAudioSessionModeDefault;
        EXPECT_NO([session() setCategory:name error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setCategory:name withOptions:0 error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setCategory:name mode:mode options:0 error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setCategory:category mode:name options:0 error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO(
            [session() setCategory:name mode:mode routeSharingPolicy:0 options:0 error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setCategory:category mode:name routeSharingPolicy:0 options:0 error:&error],
            AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setMode:name error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT(![session() setCategory:name error:NULL] && ![session() setMode:name error:NULL]);
    }
    EXPECT_STRING(session().category, AVAudioSessionCategoryPlayAndRecord);
    EXPECT_STRING(session().mode, AVAudioSessionModeDefault);
}

OBJC_TEST(wrong_bits, "Unknown options and policies give BadParam, and change nothing") {
    static const NSUInteger options[] = {0x100, 0x200, 1ul << 31, (NSUInteger)1 << 63, NSUIntegerMax, 0x10000 | 0x1};
    static const NSUInteger policies[] = {2, 4, 99, 1ul << 32, NSUIntegerMax};
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    NSString *category = AVAudioSessionCategoryPlayAndRecord, *mode = AVAudioSessionModeDefault;
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        EXPECT_NO([session() setCategory:category withOptions:options[i] error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setCategory:category mode:mode options:options[i] error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setCategory:category mode:mode routeSharingPolicy:0 options:options[i] error:&error],
            AVAudioSessionErrorCodeBadParam);
    }
    for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++)
        EXPECT_NO([session() setCategory:AVAudioSessionCategoryPlayback
                                    mode:mode
                      routeSharingPolicy:policies[i]
                                 options:0
                                   error:&error],
            AVAudioSessionErrorCodeBadParam);
    EXPECT_STRING(session().category, category);
    EXPECT_INTEGER(session().categoryOptions, 0);
    EXPECT_INTEGER(session().routeSharingPolicy, 0);
    /* Other bits of an activation mean nothing, as on the platform. */
    EXPECT_YES([session() setActive:YES withFlags:-1 error:&error]);
    EXPECT_YES([session() setActive:NO withOptions:NSUIntegerMax error:&error]);
}

OBJC_TEST(wrong_numbers, "Numbers that are none, infinite, negative or too large give BadParam, and change nothing") {
    static const double rates[] = {NAN, INFINITY, -INFINITY, -1, -1e-300};
    static const double durations[] = {NAN, INFINITY, -INFINITY, -0.1, 1e300};
    static const NSInteger counts[] = {-1, 100, 65536, NSIntegerMin, NSIntegerMax};
    static const NSUInteger overrides[] = {1, 7, 0x6E6F6E65, 0x100000000ul | AVAudioSessionPortOverrideSpeaker, NSUIntegerMax};
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    EXPECT_YES([session() setPreferredSampleRate:22050 error:&error]);
    EXPECT_YES([session() setPreferredIOBufferDuration:0.01 error:&error]);
    for (unsigned i = 0; i < 5; i++) {
        EXPECT_NO([session() setPreferredSampleRate:rates[i] error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setPreferredHardwareSampleRate:rates[i] error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setPreferredIOBufferDuration:durations[i] error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setPreferredInputNumberOfChannels:counts[i] error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setPreferredOutputNumberOfChannels:counts[i] error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() overrideOutputAudioPort:overrides[i] error:&error], AVAudioSessionErrorCodeBadParam);
    }
    EXPECT_NUMBER(session().preferredSampleRate, 22050);
    EXPECT_NUMBER(session().preferredIOBufferDuration, 0.01);
    EXPECT_INTEGER(session().preferredInputNumberOfChannels, 0);
    EXPECT_INTEGER(session().preferredOutputNumberOfChannels, 0);
    SIMULATE("plug usb");
    ACTIVATE();
    EXPECT_YES([session() setInputGain:0.5f error:&error]);
    EXPECT_NO([session() setInputGain:NAN error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NUMBER(session().inputGain, 0.5);
}

OBJC_TEST(wrong_objects, "A port or a data source of another class gives an error in each method that takes one") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    SIMULATE("plug usb");
    AVAudioSessionPortDescription *port = [session().currentRoute.inputs lastObject];
    AVAudioSessionDataSourceDescription *source = [[port dataSources] lastObject];
    REQUIRE(source != nil);
    for (id object in names_of_nothing()) {
        EXPECT_NO([session() setPreferredInput:object error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setInputDataSource:object error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([session() setOutputDataSource:object error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([port setPreferredDataSource:object error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT_NO([source setPreferredPolarPattern:object error:&error], AVAudioSessionErrorCodeBadParam);
        EXPECT(![port isEqual:object] && ![source isEqual:object] && ![session().currentRoute isEqual:object]);
    }
    EXPECT(![port isEqual:nil] && ![source isEqual:nil] && ![session().currentRoute isEqual:nil]);
    EXPECT_NO([session() setPreferredInput:(id)source error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([port setPreferredDataSource:(id)port error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_YES([source setPreferredPolarPattern:nil error:&error]);
    EXPECT_YES([port setPreferredDataSource:nil error:&error]);
    EXPECT(session().preferredInput == nil);
    /* A port that has departed. */
    SIMULATE("unplug usb");
    EXPECT_NO([session() setPreferredInput:port error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setInputDataSource:source error:&error], AVAudioSessionErrorCodeResourceNotAvailable);
    EXPECT_NO([session() setOutputDataSource:(id) @"line" error:&error], AVAudioSessionErrorCodeBadParam);
}

OBJC_TEST(options, "Options are read back with those that they imply, and a category replaces them") {
    EXPECT_YES([session() setCategory:AVAudioSessionCategoryPlayAndRecord
                          withOptions:AVAudioSessionCategoryOptionDuckOthers | AVAudioSessionCategoryOptionDefaultToSpeaker
                                error:&error]);
    EXPECT_INTEGER(session().categoryOptions,
        AVAudioSessionCategoryOptionMixWithOthers | AVAudioSessionCategoryOptionDuckOthers |
            AVAudioSessionCategoryOptionDefaultToSpeaker);
    EXPECT_YES([session() setCategory:AVAudioSessionCategoryRecord
                          withOptions:AVAudioSessionCategoryOptionOverrideMutedMicrophoneInterruption
                                error:&error]);
    EXPECT_INTEGER(session().categoryOptions, AVAudioSessionCategoryOptionOverrideMutedMicrophoneInterruption);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    EXPECT_INTEGER(session().categoryOptions, 0);
    EXPECT_YES([session() setCategory:AVAudioSessionCategoryPlayback
                                 mode:AVAudioSessionModeSpokenAudio
                   routeSharingPolicy:AVAudioSessionRouteSharingPolicyLongFormAudio
                              options:0
                                error:&error]);
    EXPECT_INTEGER(session().routeSharingPolicy, AVAudioSessionRouteSharingPolicyLongFormAudio);
    EXPECT_STRING(session().mode, AVAudioSessionModeSpokenAudio);
}

OBJC_TEST(stored, "The preferences without an effect keep their value in every category, until the program changes them") {
    EXPECT(!session().allowHapticsAndSystemSoundsDuringRecording && !session().prefersNoInterruptionsFromSystemAlerts);
    EXPECT_YES([session() setAllowHapticsAndSystemSoundsDuringRecording:YES error:&error]);
    EXPECT(session().allowHapticsAndSystemSoundsDuringRecording && !session().prefersNoInterruptionsFromSystemAlerts);
    EXPECT_YES([session() setPrefersNoInterruptionsFromSystemAlerts:YES error:&error]);
    EXPECT_YES([session() setAllowHapticsAndSystemSoundsDuringRecording:NO error:&error]);
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    EXPECT(!session().allowHapticsAndSystemSoundsDuringRecording && session().prefersNoInterruptionsFromSystemAlerts);
    EXPECT_YES([session() setPrefersNoInterruptionsFromSystemAlerts:NO error:&error]);
    EXPECT(!session().prefersNoInterruptionsFromSystemAlerts);
}

OBJC_TEST(modes, "A mode is read back, also while the session is active; a mode that does not fit is an error") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    ACTIVATE();
    EXPECT_STRING(session().mode, AVAudioSessionModeDefault);
    EXPECT_YES([session() setMode:AVAudioSessionModeVideoChat error:&error]);
    EXPECT_STRING(session().mode, AVAudioSessionModeVideoChat);
    EXPECT_NO([session() setMode:AVAudioSessionModeMoviePlayback error:&error], AVAudioSessionErrorCodeIncompatibleCategory);
    EXPECT_INTEGER([session().availableModes count], 9);
    EXPECT_YES([session() setMode:AVAudioSessionModeVoicePrompt error:&error]);
    EXPECT_STRING(session().mode, AVAudioSessionModeVoicePrompt);
}

OBJC_TEST(activity, "setActive activates and deactivates, with the flags of both APIs") {
    ACTIVATE();
    ACTIVATE();
    EXPECT_YES([session() setActive:NO error:&error]);
    EXPECT_YES([session() setActive:NO error:&error]);
    EXPECT_YES([session() setActive:YES withFlags:0 error:&error]);
    EXPECT_YES([session() setActive:NO withFlags:AVAudioSessionSetActiveFlags_NotifyOthersOnDeactivation error:&error]);
    EXPECT_YES([session() setActive:YES withOptions:0 error:&error]);
    EXPECT_YES([session() setActive:NO withOptions:AVAudioSessionSetActiveOptionNotifyOthersOnDeactivation error:&error]);
    SIMULATE("interrupt begin");
    EXPECT_NO([session() setActive:YES error:&error], AVAudioSessionErrorCodeInsufficientPriority);
    SIMULATE("interrupt end");
    SIMULATE("unplug microphone");
    SET_CATEGORY(AVAudioSessionCategoryRecord);
    EXPECT_NO([session() setActive:YES error:&error], AVAudioSessionErrorCodeResourceNotAvailable);
}

OBJC_TEST(hardware, "The hardware's values are those of the C API") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    EXPECT_NUMBER(session().currentHardwareSampleRate, get_f64(kAudioSessionProperty_CurrentHardwareSampleRate));
    EXPECT_NUMBER(session().sampleRate, 44100);
    EXPECT_INTEGER(session().currentHardwareInputNumberOfChannels, 1);
    EXPECT_INTEGER(session().inputNumberOfChannels, 1);
    EXPECT_INTEGER(
        session().currentHardwareOutputNumberOfChannels, get_u32(kAudioSessionProperty_CurrentHardwareOutputNumberChannels));
    EXPECT(session().outputNumberOfChannels > 0);
    EXPECT_INTEGER(session().maximumOutputNumberOfChannels, session().outputNumberOfChannels);
    EXPECT_NUMBER(session().IOBufferDuration, get_f32(kAudioSessionProperty_CurrentHardwareIOBufferDuration));
    EXPECT_NUMBER(session().outputLatency, get_f32(kAudioSessionProperty_CurrentHardwareOutputLatency));
    EXPECT_NUMBER(session().inputLatency, get_f32(kAudioSessionProperty_CurrentHardwareInputLatency));
    EXPECT_NUMBER(session().outputVolume, get_f32(kAudioSessionProperty_CurrentHardwareOutputVolume));
    EXPECT(session().inputIsAvailable && session().isInputAvailable && session().inputAvailable);
    EXPECT(!session().otherAudioPlaying);
    EXPECT(!session().secondaryAudioShouldBeSilencedHint);
    EXPECT_INTEGER(session().recordPermission, AVAudioSessionRecordPermissionGranted);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    EXPECT_INTEGER(session().inputNumberOfChannels, 0);
    EXPECT([session().availableCategories containsObject:AVAudioSessionCategoryRecord]);
    SIMULATE("unplug microphone");
    EXPECT(!session().inputIsAvailable);
    EXPECT(![session().availableCategories containsObject:AVAudioSessionCategoryRecord]);
    EXPECT_INTEGER([session().availableCategories count], 5);
}

/* The memory of a block, as compilers with blocks lay it out: gcc has none. */
struct answer {
    void *class_;
    int flags, reserved;
    void (*invoke)(struct answer *answer, BOOL granted);
    int yes, no;
};

static void take_answer(struct answer *answer, BOOL granted) {
    if (granted)
        answer->yes++;
    else
        answer->no++;
}

OBJC_TEST(request_of_permission, "A request for the permission to record calls its block once, before the return") {
    SEL request = @selector(requestRecordPermission:);
    union {
        IMP method;
        void (*call)(id object, SEL selector, struct answer *answer);
    } typed = {.method = [session() methodForSelector:request]};
    struct answer answer = {.invoke = take_answer};
    for (int turn = 1; turn <= 2; turn++) {
        typed.call(session(), request, &answer);
        EXPECT_INTEGER(answer.yes, turn);
        EXPECT_INTEGER(answer.no, 0);
    }
    typed.call(session(), request, NULL);
    EXPECT_INTEGER(answer.yes, 2);
}

OBJC_TEST(preferences, "A preference is read back exactly as it was set; 0 removes it") {
    EXPECT_NUMBER(session().preferredHardwareSampleRate, 0);
    EXPECT_YES([session() setPreferredHardwareSampleRate:22050.5 error:&error]);
    EXPECT_NUMBER(session().preferredHardwareSampleRate, 22050.5);
    EXPECT_NUMBER(session().preferredSampleRate, 22050.5);
    EXPECT_YES([session() setPreferredSampleRate:0 error:&error]);
    EXPECT_NUMBER(session().preferredSampleRate, 0);
    EXPECT_NUMBER(session().preferredIOBufferDuration, 0);
    EXPECT_YES([session() setPreferredIOBufferDuration:0.005 error:&error]);
    EXPECT_NUMBER(session().preferredIOBufferDuration, 0.005);
    EXPECT_YES([session() setPreferredOutputNumberOfChannels:1 error:&error]);
    EXPECT_INTEGER(session().preferredOutputNumberOfChannels, 1);
    SET_CATEGORY(AVAudioSessionCategoryRecord);
    EXPECT_YES([session() setPreferredInputNumberOfChannels:1 error:&error]);
    EXPECT_INTEGER(session().preferredInputNumberOfChannels, 1);
}

OBJC_TEST(routes, "A route has the ports of the session, with names, identifiers and channels") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    AVAudioSessionRouteDescription *route = session().currentRoute;
    EXPECT_INTEGER([route.inputs count], 1);
    EXPECT_INTEGER([route.outputs count], 1);
    AVAudioSessionPortDescription *input = [route.inputs lastObject], *output = [route.outputs lastObject];
    EXPECT_STRING([input portType], AVAudioSessionPortBuiltInMic);
    EXPECT_STRING([output portType], AVAudioSessionPortBuiltInReceiver);
    EXPECT([[input portName] length] > 0 && [[input UID] length] > 0 && [[input alsaDevice] length] > 0);
    EXPECT_INTEGER([[input channels] count], 1);
    AVAudioSessionChannelDescription *channel = [[input channels] lastObject];
    EXPECT_INTEGER([channel channelNumber], 1);
    EXPECT_INTEGER([channel channelLabel], 42);
    EXPECT_STRING([channel owningPortUID], [input UID]);
    EXPECT([[channel channelName] length] > 0);
    EXPECT(![input hasHardwareVoiceCallProcessing]);
    EXPECT([route isEqual:session().currentRoute]);
    EXPECT([input isEqual:[session().availableInputs lastObject]] && ![input isEqual:output]);
    SIMULATE("plug headphones");
    EXPECT(![route isEqual:session().currentRoute]);
    EXPECT_STRING([[session().currentRoute.outputs lastObject] portType], AVAudioSessionPortHeadphones);
    SIMULATE("plug usb");
    EXPECT_STRING([[session().currentRoute.inputs lastObject] portType], AVAudioSessionPortUSBAudio);
    EXPECT_STRING([[session().currentRoute.outputs lastObject] portType], AVAudioSessionPortUSBAudio);
    EXPECT_YES([session() overrideOutputAudioPort:AVAudioSessionPortOverrideSpeaker error:&error]);
    EXPECT_STRING([[session().currentRoute.outputs lastObject] portType], AVAudioSessionPortBuiltInSpeaker);
    EXPECT_YES([session() overrideOutputAudioPort:AVAudioSessionPortOverrideNone error:&error]);
    SET_CATEGORY(AVAudioSessionCategoryPlayback);
    EXPECT_NO([session() overrideOutputAudioPort:AVAudioSessionPortOverrideSpeaker error:&error],
        AVAudioSessionErrorCodeIncompatibleCategory);
    EXPECT(session().availableInputs == nil);
}

OBJC_TEST(preferred_input, "The preferred input is in the route; nil removes the preference") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    SIMULATE("plug usb");
    EXPECT(session().preferredInput == nil);
    AVAudioSessionPortDescription *microphone = nil;
    for (AVAudioSessionPortDescription *port in session().availableInputs)
        if ([[port portType] isEqual:AVAudioSessionPortBuiltInMic]) microphone = port;
    EXPECT(microphone != nil);
    EXPECT_YES([session() setPreferredInput:microphone error:&error]);
    EXPECT([session().preferredInput isEqual:microphone]);
    EXPECT([[session().currentRoute.inputs lastObject] isEqual:microphone]);
    EXPECT_YES([session() setPreferredInput:nil error:&error]);
    EXPECT(session().preferredInput == nil);
    EXPECT_STRING([[session().currentRoute.inputs lastObject] portType], AVAudioSessionPortUSBAudio);
    EXPECT_NO(
        [session() setPreferredInput:[session().currentRoute.outputs lastObject] error:&error], AVAudioSessionErrorCodeBadParam);
}

OBJC_TEST(data_sources, "A USB device has selectable data sources; another object is an error") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    EXPECT(session().inputDataSources == nil && session().inputDataSource == nil);
    EXPECT_YES([session() setInputDataSource:nil error:&error]);
    SIMULATE("plug usb");
    NSArray *sources = session().inputDataSources;
    REQUIRE([sources count] >= 2);
    AVAudioSessionDataSourceDescription *first = [sources objectAtIndex:0], *last = [sources lastObject];
    EXPECT([[first dataSourceName] length] > 0 && ![first isEqual:last]);
    EXPECT_YES([session() setInputDataSource:last error:&error]);
    EXPECT([session().inputDataSource isEqual:last]);
    EXPECT_YES([session() setInputDataSource:first error:&error]);
    EXPECT([session().inputDataSource isEqual:first]);
    AVAudioSessionPortDescription *port = [session().currentRoute.inputs lastObject];
    EXPECT([[port preferredDataSource] isEqual:first]);
    EXPECT_YES([port setPreferredDataSource:last error:&error]);
    EXPECT([[[session().currentRoute.inputs lastObject] selectedDataSource] isEqual:last]);
    EXPECT_NO([session() setInputDataSource:(id) @"line" error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([session() setOutputDataSource:last error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT_NO([last setPreferredPolarPattern:AVAudioSessionPolarPatternCardioid error:&error], AVAudioSessionErrorCodeBadParam);
    EXPECT([last location] == nil && [last supportedPolarPatterns] == nil);
    EXPECT_YES([port setPreferredDataSource:first error:&error]);
    SIMULATE("unplug usb");
    /* What cannot be selected is not preferred. */
    EXPECT_NO([port setPreferredDataSource:last error:&error], AVAudioSessionErrorCodeResourceNotAvailable);
    EXPECT([[port preferredDataSource] isEqual:first]);
    EXPECT_YES([port setPreferredDataSource:nil error:&error]);
    EXPECT_NO([port setPreferredDataSource:last error:&error], AVAudioSessionErrorCodeResourceNotAvailable);
    EXPECT([port preferredDataSource] == nil);
}

OBJC_TEST(sources_of_several_ports, "Of several outputs the first one that has data sources offers them, wherever it stands") {
    SET_CATEGORY(AVAudioSessionCategoryMultiRoute);
    SIMULATE("plug headphones");
    for (NSUInteger place = 2; place-- > 0;) {
        /* The device that arrives last is the last one. */
        if (place == 0) SIMULATE("unplug headphones");
        SIMULATE(place == 0 ? "plug headphones" : "plug usb");
        NSArray *outputs = session().currentRoute.outputs, *sources = session().outputDataSources;
        REQUIRE([outputs count] == 2);
        EXPECT_STRING([[outputs objectAtIndex:place] portType], AVAudioSessionPortUSBAudio);
        EXPECT([[outputs objectAtIndex:1 - place] dataSources] == nil);
        REQUIRE([sources count] == 2);
        EXPECT([sources isEqual:[[outputs objectAtIndex:place] dataSources]]);
        for (AVAudioSessionDataSourceDescription *source in sources) {
            EXPECT_YES([session() setOutputDataSource:source error:&error]);
            EXPECT([session().outputDataSource isEqual:source]);
            EXPECT([[[session().currentRoute.outputs objectAtIndex:place] selectedDataSource] isEqual:source]);
        }
    }
}

OBJC_TEST(preferred_data_source, "nil removes the preferred data source of a port, and the selected one stays") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    SIMULATE("plug usb");
    AVAudioSessionPortDescription *port = [session().currentRoute.inputs lastObject];
    REQUIRE([[port dataSources] count] == 2);
    EXPECT([port preferredDataSource] == nil);
    for (int life = 0; life < 2; life++)
        for (AVAudioSessionDataSourceDescription *source in [port dataSources]) {
            EXPECT_YES([port setPreferredDataSource:source error:&error]);
            EXPECT([[port preferredDataSource] isEqual:source]);
            EXPECT([[[session().currentRoute.inputs lastObject] preferredDataSource] isEqual:source]);
            EXPECT_YES([port setPreferredDataSource:nil error:&error]);
            EXPECT([port preferredDataSource] == nil);
            EXPECT([[session().currentRoute.inputs lastObject] preferredDataSource] == nil);
            EXPECT([session().inputDataSource isEqual:source]);
        }
}

OBJC_TEST(busy, "A deactivation while sound runs stops the sound and gives IsBusy") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    NSURL *url = [NSURL fileURLWithPath:@"memo.caf"];
    AVAudioRecorder *recorder = [[AVAudioRecorder alloc] initWithURL:url settings:nil error:NULL];
    EXPECT([recorder record]);
    EXPECT_NO([session() setActive:NO error:&error], AVAudioSessionErrorCodeIsBusy);
    [recorder release];
    EXPECT_YES([session() setActive:NO error:&error]);
}

OBJC_TEST(other_thread, "Any thread may use the session first; the main thread is told of the events") {
    /* In GNUstep a class of Foundation that two threads use first at the same time gives one of them broken objects. */
    NSMutableArray *received = [NSMutableArray array];
    [[NSNotificationCenter defaultCenter] addObserver:received
                                             selector:@selector(addObject:)
                                                 name:AVAudioSessionRouteChangeNotification
                                               object:nil];
    [NSThread detachNewThreadSelector:@selector(sharedInstance) toTarget:[AVAudioSession class] withObject:nil];
    WAIT_UNTIL(get_status(kAudioSessionProperty_AudioCategory) == 0);
    SIMULATE("plug headphones");
    WAIT_UNTIL([received count] > 0);
    [[NSNotificationCenter defaultCenter] removeObserver:received];
}
