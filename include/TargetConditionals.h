/* Legacy code asks what it is compiled for. It is compiled for the platform whose API this is. A
   program that wants its other branches says -DTARGET_OS_IPHONE=0. */
#ifndef AUDIOSESSION_TARGETCONDITIONALS_H
#define AUDIOSESSION_TARGETCONDITIONALS_H

#ifndef TARGET_OS_IPHONE
#define TARGET_OS_IPHONE 1
#endif

#ifndef TARGET_IPHONE_SIMULATOR
#define TARGET_IPHONE_SIMULATOR 0
#endif

#endif
