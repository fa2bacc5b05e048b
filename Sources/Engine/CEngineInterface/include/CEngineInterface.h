/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the engine, which libAudioSession alone defines: the functions are those of the Swift module EngineInterface. */
#ifndef CENGINEINTERFACE_H
#define CENGINEINTERFACE_H

#include "CEngineTable.h"

#endif
