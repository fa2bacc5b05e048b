/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that end by exit() or by a return from main: the input gain that they changed is restored. */
#include "conformance.h"

#include <sys/time.h>

/* The gain line of the simulated machine's file; empty when the gains are unchanged. */
static const char *gain_in_file(void) {
    static char line[128];
    char path[512];
    snprintf(path, sizeof path, "%s/simulation", getenv("AUDIOSESSION_RUNTIME_DIR"));
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "gain ", 5) == 0) {
            line[strcspn(line, "\n")] = 0;
            fclose(file);
            return line;
        }
    if (file) fclose(file);
    return "";
}

static void change_gain(float level) {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, level));
}

static void end_of(void (*what)(void)) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        what();
        exit(failures ? 1 : 0);
    }
    waitpid(child, &status, 0);
    EXPECT_INTEGER(status, 0);
}

static void change_it_active(void) {
    change_gain(0.25f);
    EXPECT_TEXT(gain_in_file(), "gain microphone 0.25");
}

TEST(active, "exit() while the session is active restores the input gain") {
    end_of(change_it_active);
    EXPECT_TEXT(gain_in_file(), "");
}

static void change_it_inactive(void) {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, 0.25f));
    EXPECT_TEXT(gain_in_file(), "");
}

TEST(inactive, "a session that was never active changes no gain") {
    end_of(change_it_inactive);
    EXPECT_TEXT(gain_in_file(), "");
}

/* Both sessions stay active: they mix. */
static void change_gain_mixing(float level) {
    BEGIN_SESSION();
    EXPECT_OK(set_category(kAudioSessionCategory_PlayAndRecord));
    EXPECT_OK(set_u32(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1));
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_OK(set_f32(kAudioSessionProperty_InputGainScalar, level));
}

static void change_it_in_a_child(void) {
    /* A child of fork has no session until it initializes one. */
    change_gain_mixing(0.25f);
}

TEST(others, "exit() keeps a gain that other sessions use; the last one restores it") {
    change_gain_mixing(0.5f);
    end_of(change_it_in_a_child);
    EXPECT_TEXT(gain_in_file(), "gain microphone 0.25");
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_TEXT(gain_in_file(), "");
}

static void interrupt_with_a_gain(void) { change_gain(0.25f); }

TEST(interrupter,
    "exit() of a session that interrupted another one restores the gain; the other one's returns with its activation") {
    change_gain(0.5f);
    end_of(interrupt_with_a_gain);
    EXPECT_TEXT(gain_in_file(), "");
    EXPECT_OK(AudioSessionSetActive(1));
    EXPECT_TEXT(gain_in_file(), "gain microphone 0.5");
    EXPECT_OK(AudioSessionSetActive(0));
    EXPECT_TEXT(gain_in_file(), "");
}

static void do_nothing(void) {}

TEST(child_of_fork, "a child of fork that ends restores nothing: its parent still uses the gain") {
    change_gain(0.25f);
    EXPECT_OK(AudioSessionSetActive(1));
    end_of(do_nothing);
    EXPECT_TEXT(gain_in_file(), "gain microphone 0.25");
}

static void leave(int number) {
    (void)number;
    exit(0);
}

/* The signal interrupts most calls while the library holds a lock. */
static void be_ended_within_a_call(void) {
    struct itimerval soon;
    memset(&soon, 0, sizeof soon);
    soon.it_value.tv_usec = 20000;
    change_gain(0.25f);
    signal(SIGALRM, leave);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (int i = 0;; i++) (void)AudioSessionSetActive((Boolean)(i % 2));
}

TEST(signal_handler, "exit() by a signal handler inside a call ends the process; the next session restores the gain") {
    for (int i = 0; i < 3; i++) end_of(be_ended_within_a_call);
    BEGIN_SESSION();
    EXPECT_TEXT(gain_in_file(), "");
}
