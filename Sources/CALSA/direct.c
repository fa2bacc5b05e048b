#include "direct.h"

static const char definitions[] =
    "ctl.kernel { @args [ CARD ] @args.CARD { type integer } type hw card $CARD }\n"
    "pcm.kernel { @args [ CARD DEV ] @args.CARD { type integer } @args.DEV { type integer } type hw card $CARD device $DEV }\n";

int direct_configuration(snd_config_t **out) {
    snd_input_t *input = NULL;
    snd_config_t *top = NULL;
    int error = snd_config_top(&top);
    if (error >= 0) error = snd_input_buffer_open(&input, definitions, (ssize_t)sizeof definitions - 1);
    if (error >= 0) error = snd_config_load(top, input);
    if (input) snd_input_close(input);
    if (error < 0) {
        if (top) snd_config_delete(top);
        return error;
    }
    *out = top;
    return 0;
}
