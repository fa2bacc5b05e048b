/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose libAudioSession has another version: each call has a result, and none crashes. */
#import <AVFoundation/AVFoundation.h>

#include <stdio.h>

int main(void) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    AVAudioSession *session = [AVAudioSession sharedInstance];
    NSError *error = nil;
    BOOL isActive = [session setActive:YES error:&error];
    printf("setActive: %d, %ld, %s\n", isActive, (long)[error code], [[error localizedDescription] UTF8String]);
    isActive = [session setActive:YES error:NULL];
    isActive |=
        [session setPreferredSampleRate:44100 error:&error] | [session setCategory:AVAudioSessionCategoryRecord error:&error];
    printf("the rest: %d\n", isActive);
    printf("inputs: %u, route: %u\n", (unsigned)[[session availableInputs] count],
        (unsigned)[[[session currentRoute] outputs] count]);
    printf("permission: %d\n", [session recordPermission] == AVAudioSessionRecordPermissionUndetermined);
    printf("options: %u, latency: %g\n", (unsigned)[session categoryOptions], [session outputLatency]);
    [pool release];
    return 0;
}
