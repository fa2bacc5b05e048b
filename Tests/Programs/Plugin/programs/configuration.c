/* SPDX-License-Identifier: Apache-2.0 */
/* An open with a wrong configuration fails with one line that names the key. */
#include "pcm.h"

static void expect_refused(const char *variable, const char *value, const char *line) {
    snd_pcm_t *pcm = NULL;
    setenv(variable, value, 1);
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    EXPECT_INTEGER(snd_pcm_open(&pcm, "audiosession", SND_PCM_STREAM_PLAYBACK, 0), -EINVAL);
    const char *log = take_log();
    if (!strstr(log, line)) failed(__FILE__, __LINE__, "\"%s\" is not in \"%s\"", line, log);
    EXPECT(strchr(log, '\n') == strrchr(log, '\n'));
}

TEST(category, "An unknown category lists the known ones") {
    expect_refused("AUDIOSESSION_CATEGORY", "loud", "AUDIOSESSION_CATEGORY is \"loud\": expected AmbientSound, ");
}
TEST(port, "An unknown port lists the known ones") {
    expect_refused("AUDIOSESSION_PORT", "kitchen", "AUDIOSESSION_PORT is \"kitchen\": expected speaker, receiver, headphones, ");
}
TEST(interruption, "An unknown value of on_interrupt lists the known ones") {
    expect_refused("AUDIOSESSION_ON_INTERRUPT", "panic", "expected hold, xrun or silence");
}

TEST(key, "The line names an unknown key of the configuration") {
    snd_config_t *configuration;
    snd_input_t *input;
    snd_pcm_t *pcm = NULL;
    const char text[] = "pcm.x { type audiosession volume 3 }";
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    REQUIRE_ALSA(snd_config_update_free_global());
    REQUIRE_ALSA(snd_config_update());
    REQUIRE_ALSA(snd_config_copy(&configuration, snd_config));
    REQUIRE_ALSA(snd_input_buffer_open(&input, text, (ssize_t)strlen(text)));
    REQUIRE_ALSA(snd_config_load(configuration, input));
    snd_input_close(input);
    EXPECT_INTEGER(snd_pcm_open_lconf(&pcm, "x", SND_PCM_STREAM_PLAYBACK, 0, configuration), -EINVAL);
    EXPECT(strstr(take_log(), "unknown key volume: expected category, mode, ") != NULL);
    snd_config_delete(configuration);
}
