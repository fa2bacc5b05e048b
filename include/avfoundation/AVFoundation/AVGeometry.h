/* SPDX-License-Identifier: Apache-2.0 */
/* The geometry of CoreGraphics, which the platform's AVFoundation.h includes: sound managers have positions of it. */
#ifndef AVFOUNDATION_AVGEOMETRY_H
#define AVFOUNDATION_AVGEOMETRY_H

#import <Foundation/Foundation.h>

#if __has_include(<CoreGraphics/CGGeometry.h>)
#include <CoreGraphics/CGGeometry.h>
/* Later versions of GNUstep Base have the types themselves. */
#elif !__has_include(<CoreFoundation/CFCGTypes.h>)
typedef NSPoint CGPoint;
typedef NSSize CGSize;
typedef NSRect CGRect;
#define CGPointMake NSMakePoint
#define CGSizeMake NSMakeSize
#define CGRectMake NSMakeRect
#define CGPointZero NSZeroPoint
#define CGSizeZero NSZeroSize
#define CGRectZero NSZeroRect
#endif

#endif
