/* SPDX-License-Identifier: Apache-2.0 */
#include "direct.h"

#include <string.h>

int configuration_of_text(const char *text, snd_config_t **out) {
    snd_input_t *input = NULL;
    snd_config_t *top = NULL;
    int error = snd_config_top(&top);
    if (error >= 0) error = snd_input_buffer_open(&input, text, (ssize_t)strlen(text));
    if (error >= 0) error = snd_config_load(top, input);
    if (input) snd_input_close(input);
    if (error < 0) {
        if (top) snd_config_delete(top);
        return error;
    }
    *out = top;
    return 0;
}

int direct_configuration(snd_config_t **out) {
    return configuration_of_text("ctl.kernel { @args [ CARD ] @args.CARD { type integer } type hw card $CARD }\n"
                                 "pcm.kernel { @args [ CARD DEV ] @args.CARD { type integer } @args.DEV { type integer } type hw "
                                 "card $CARD device $DEV }\n",
        out);
}
