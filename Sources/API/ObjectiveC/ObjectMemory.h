/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts by hand or by the compiler: the same sources build for both. */
#ifndef OBJECTMEMORY_H
#define OBJECTMEMORY_H

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

#if __has_feature(objc_arc)
#define AV_RETAIN(object) (object)
#define AV_RELEASE(object) ((void)0)
#define AV_AUTORELEASE(object) (object)
#define AV_SUPER_DEALLOC ((void)0)
#define AV_POOL_BEGIN @autoreleasepool {
#define AV_POOL_END }
#define AV_UNRETAINED __unsafe_unretained
#define AV_WEAK __weak
#else
#define AV_RETAIN(object) [(object) retain]
#define AV_RELEASE(object) [(object) release]
#define AV_AUTORELEASE(object) [(object) autorelease]
#define AV_SUPER_DEALLOC [super dealloc]
/* gcc has no @autoreleasepool. */
#define AV_POOL_BEGIN \
    { \
        NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
#define AV_POOL_END \
    [pool release]; \
    }
#define AV_UNRETAINED
#define AV_WEAK
#endif

/* Calls code of the program. What it throws is logged and goes no further: the next delegate or observer is called. */
#define AV_CALL_PROGRAM(name, call) \
    @try { \
        call; \
    } @catch (id thrown) { \
        NSLog(@"AVFoundation: %s threw %@; catch it there", name, thrown); \
    }

#endif
