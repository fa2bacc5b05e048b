/* Eight of ten legacy programs include AudioToolbox.h, the others this. */
#ifndef AUDIOTOOLBOX_AUDIOSERVICES_H
#define AUDIOTOOLBOX_AUDIOSERVICES_H

#include <AudioToolbox/AudioSession.h>

#endif
