/* The public headers, for C targets of packages that depend on this one. */
#include <AudioToolbox/AudioToolbox.h>
