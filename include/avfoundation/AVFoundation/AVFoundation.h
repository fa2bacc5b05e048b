/* SPDX-License-Identifier: Apache-2.0 */
/* The audio classes of AVFoundation. */
#ifndef AVFOUNDATION_AVFOUNDATION_H
#define AVFOUNDATION_AVFOUNDATION_H

#import <AVFoundation/AVAudioPlayer.h>
#import <AVFoundation/AVAudioRecorder.h>
#import <AVFoundation/AVAudioSession.h>
#import <AVFoundation/AVAudioSettings.h>
#import <AVFoundation/AVGeometry.h>

#endif
