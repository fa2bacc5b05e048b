/* SPDX-License-Identifier: Apache-2.0 */
/* The classes load libAudioToolbox with the first player or recorder. This program calls none of its functions, and takes the place of
   dlopen: the library that the classes ask for is missing, or another one. */
/* RTLD_NEXT */
#define _GNU_SOURCE
#import "objc.h"
#include <dlfcn.h>

#define TOOLBOX "libAudioToolbox.so.0"

/* What the classes get for libAudioToolbox. NULL: the library. */
static const char *other_library;
static int loads;

static void *load(const char *file, int mode) {
    __typeof__(&dlopen) real = (__typeof__(&dlopen))(intptr_t)dlsym(RTLD_NEXT, "dlopen");
    return real(file, mode);
}

void *dlopen(const char *file, int mode) {
    bool isToolbox = file && strcmp(file, TOOLBOX) == 0;
    loads += isToolbox;
    return load(isToolbox && other_library ? other_library : file, mode);
}

static bool is_loaded(void) { return load(TOOLBOX, RTLD_LAZY | RTLD_NOLOAD) != NULL; }

static AVAudioRecorder *make_recorder(NSError **error) {
    NSURL *url = [NSURL fileURLWithPath:@"memo.wav"];
    return [[[AVAudioRecorder alloc] initWithURL:url settings:nil error:error] autorelease];
}

static AVAudioPlayer *make_player(NSError **error) {
    NSURL *url = [NSURL fileURLWithPath:@"memo.wav"];
    return [[[AVAudioPlayer alloc] initWithContentsOfURL:url error:error] autorelease];
}

OBJC_TEST(on_demand, "A session does not load libAudioToolbox, and the first player or recorder does") {
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    ACTIVATE();
    EXPECT([[session() currentRoute].outputs count] == 1);
    EXPECT(![[[[AVAudioPlayer alloc] init] autorelease] play]);
    EXPECT(!is_loaded() && loads == 0);
    AVAudioRecorder *recorder;
    EXPECT_YES((recorder = make_recorder(&error)) != nil);
    EXPECT(is_loaded());
    EXPECT([recorder prepareToRecord]);
    [recorder stop];
    AVAudioPlayer *player;
    EXPECT_YES((player = make_player(&error)) != nil);
    EXPECT(player.duration == 0);
    EXPECT_INTEGER(loads, 1);
}

/* Neither a player nor a recorder is made, and each error says so, what to install and why. */
static void expect_none(NSString *why) {
    for (int i = 0; i < 2; i++) {
        NSError *error = nil;
        EXPECT((i ? (id)make_player(&error) : (id)make_recorder(&error)) == nil);
        EXPECT([[error domain] isEqual:NSOSStatusErrorDomain] && [error code] == kAudio_UnimplementedError);
        NSString *text = [error localizedDescription];
        if (![text rangeOfString:@"install libaudiotoolbox0"].length || ![text rangeOfString:why].length)
            failed(__FILE__, __LINE__, "the error does not contain %s: %s", [why UTF8String], [text UTF8String]);
        EXPECT((i ? (id)make_player(NULL) : (id)make_recorder(NULL)) == nil);
    }
}

static void expect_both(void) {
    other_library = NULL;
    AVAudioRecorder *recorder;
    EXPECT_YES((recorder = make_recorder(&error)) != nil);
    EXPECT([recorder prepareToRecord]);
    [recorder stop];
    EXPECT_YES(make_player(&error) != nil);
}

OBJC_TEST(missing, "Without libAudioToolbox a player or recorder is nil, the error says what to install, and the session works") {
    other_library = "libAudioToolbox.so.missing";
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    expect_none(@"libAudioToolbox.so.missing");
    ACTIVATE();
    EXPECT(!is_loaded());
    expect_both();
}

OBJC_TEST(incomplete, "With a libAudioToolbox that lacks functions a player or recorder is nil, and the error names a function") {
    other_library = "libm.so.6";
    SET_CATEGORY(AVAudioSessionCategoryPlayAndRecord);
    expect_none(@"has no AudioConverterSetProperty");
    expect_both();
}
