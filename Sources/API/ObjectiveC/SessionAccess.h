/* SPDX-License-Identifier: Apache-2.0 */
/* The session of the process, the events that wait for the main thread, and errors. Private to the classes. */
#ifndef SESSIONACCESS_H
#define SESSIONACCESS_H

#import <AVFoundation/AVAudioSession.h>
#include <stdbool.h>

#include "CEngineTable.h"

/* The table of the engine. NULL if the libraries have different versions; the log says so. */
const struct audiosession_engine *AVAudioEngineTable(void);

/* Begins the session of this process and the delivery of its events. */
void AVAudioBegin(void);

/* Any thread: the main thread looks for events of the objects that AVAudioAddReceiver registered. */
void AVAudioSignalEvents(void);

/* An object with events of its own, which the main thread asks for them. Not retained. */
@protocol AVAudioEventReceiver <NSObject>
- (void)deliverEvents;
- (void)sessionWasInterrupted;
- (void)sessionInterruptionEndedWithOptions:(NSUInteger)options;
/* The program has deactivated the session, or the server is dead: the sound has stopped, and no delegate is called. */
- (void)sessionStoppedSound;
@end

void AVAudioAddReceiver(id<AVAudioEventReceiver> receiver);
/* After the return the object receives no message that begins later. */
void AVAudioRemoveReceiver(id<AVAudioEventReceiver> receiver);
/* Called in each release: the thread of events must not retain an object that another thread frees. */
void AVAudioRemoveReceiverAtLastRelease(id<AVAudioEventReceiver> receiver);
/* Tells each about the begin or the end of an interruption, or about the death of the server. */
void AVAudioTellReceivers(const struct session_event *event);
/* Tells each that the program has deactivated the session. */
void AVAudioStopReceivers(void);

/* Sets *outError to the error of the code, or to nil for 0. Returns whether the code is 0. */
BOOL AVAudioFinish(int32_t code, NSError **outError);
NSError *AVAudioErrorWithText(int32_t code, const char *text);

/* The text as an object of its own. */
NSString *AVAudioCopyText(struct session_text text);

/* Delivers one event of the session: to the delegate, to observers. */
void AVAudioSessionDeliver(const struct session_event *event, AVAudioSessionRouteDescription *previousRoute);
/* Tells the delegate if the category is another one than at the last call. */
void AVAudioSessionNoticeCategory(void);

/* The ports of a list; nil if the category has none. */
NSArray *AVAudioCopyPorts(enum session_ports list);
AVAudioSessionRouteDescription *AVAudioCopyRoute(void);

@interface AVAudioSessionRouteDescription (Building)
/* Appends the ports that `read` visits. */
- (void)readPortsWith:(bool (*)(void *context, const struct session_visitor *visitor))read context:(void *)context;
@end

@interface AVAudioSessionPortDescription (Selecting)
- (BOOL)select:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError;
@end

#endif
