/* The umbrella that legacy programs include. */
#ifndef AUDIOTOOLBOX_AUDIOTOOLBOX_H
#define AUDIOTOOLBOX_AUDIOTOOLBOX_H

#include <TargetConditionals.h>
#include <CoreFoundation/CoreFoundation.h>
#include <AudioToolbox/AudioServices.h>
#include <AudioToolbox/AudioSession.h>
#include <AudioToolbox/AudioSessionLinux.h>

#endif
