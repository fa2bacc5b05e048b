/* SPDX-License-Identifier: Apache-2.0 */
#include <alsa/asoundlib.h>
