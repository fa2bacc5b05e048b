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

/* With this value in the environment and no category. `refusing` is NULL if the open succeeds. */
static void expect_direction(snd_pcm_stream_t direction, const char *variable, const char *value, const char *refusing) {
    snd_pcm_t *pcm = NULL;
    setenv(variable, value, 1);
    (void)take_log();
    int error = snd_pcm_open(&pcm, "audiosession", direction, 0);
    const char *log = take_log();
    if (error != (refusing ? -EINVAL : 0) || (refusing && !strstr(log, refusing)))
        failed(__FILE__, __LINE__, "%s=%s, capture %d: the open gives %d, and the log says \"%s\"", variable, value,
            direction == SND_PCM_STREAM_CAPTURE, error, log);
    if (error >= 0) snd_pcm_close(pcm);
    unsetenv(variable);
}

TEST(directions, "Without a category the direction of the stream decides which modes and options it may have, each time") {
    static const struct {
        const char *variable, *value;
        bool plays, records;
    } rows[] = {
        {"AUDIOSESSION_MODE", "VoiceChat", false, true},
        {"AUDIOSESSION_MODE", "GameChat", false, true},
        {"AUDIOSESSION_MODE", "VideoChat", false, true},
        {"AUDIOSESSION_MODE", "VideoRecording", false, true},
        {"AUDIOSESSION_MODE", "Measurement", true, true},
        {"AUDIOSESSION_MODE", "MoviePlayback", true, false},
        {"AUDIOSESSION_OPTIONS", "speaker", false, true},
        {"AUDIOSESSION_OPTIONS", "mix bluetooth", false, true},
        {"AUDIOSESSION_OPTIONS", "mix duck", true, true},
    };
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    for (int life = 0; life < 2; life++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            expect_direction(SND_PCM_STREAM_PLAYBACK, rows[i].variable, rows[i].value,
                rows[i].plays ? NULL : "category MediaPlayback does not allow it");
            expect_direction(SND_PCM_STREAM_CAPTURE, rows[i].variable, rows[i].value,
                rows[i].records ? NULL : "category PlayAndRecord does not allow it");
        }
}

/* The result of an open with this configuration. */
static int open_with(const char *text) {
    snd_config_t *configuration;
    snd_input_t *input;
    snd_pcm_t *pcm = NULL;
    REQUIRE_ALSA(snd_config_update_free_global());
    REQUIRE_ALSA(snd_config_update());
    REQUIRE_ALSA(snd_config_copy(&configuration, snd_config));
    REQUIRE_ALSA(snd_input_buffer_open(&input, text, (ssize_t)strlen(text)));
    REQUIRE_ALSA(snd_config_load(configuration, input));
    snd_input_close(input);
    int error = snd_pcm_open_lconf(&pcm, "x", SND_PCM_STREAM_PLAYBACK, 0, configuration);
    if (error >= 0) snd_pcm_close(pcm);
    snd_config_delete(configuration);
    return error;
}

TEST(key, "The line names an unknown key of the configuration, each time") {
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    for (int life = 1; life <= 2; life++) {
        EXPECT_INTEGER(open_with("pcm.x { type audiosession volume 3 }"), -EINVAL);
        EXPECT(strstr(take_log(), "unknown key volume: expected category, mode, ") != NULL);
    }
}

TEST(fields_of_alsa, "The fields that ALSA gives each PCM are no keys of the stream, each time") {
    begin_log();
    unsetenv("AUDIOSESSION_DEBUG");
    for (int life = 1; life <= 2; life++) {
        EXPECT_INTEGER(open_with("pcm.x { comment \"of the user\" type audiosession }"), 0);
        EXPECT_INTEGER(open_with("pcm.x { type audiosession hint { show on description \"of the user\" } }"), 0);
        EXPECT_INTEGER(open_with("pcm.x { type audiosession hint.description \"x\" category AmbientSound comment \"x\" }"), 0);
        EXPECT_TEXT(take_log(), "");
    }
}
