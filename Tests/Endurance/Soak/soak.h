/* SPDX-License-Identifier: Apache-2.0 */
/* Many programs act at random for a long time, beside a model of the events that each must get. */
#ifndef SOAK_H
#define SOAK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>

enum { PROGRAMS = 20 };

enum category { AMBIENT, SOLO, MEDIA, RECORD, PLAY_AND_RECORD, CATEGORIES };

enum action {
    ACTIVATE,
    DEACTIVATE,
    DEACTIVATE_NOTIFYING,
    SET_CATEGORY,
    SET_MIXING,
    SET_DUCKING, /* of one session */
    CALL_BEGINS,
    CALL_ENDS,
    CALL_ENDS_FOR_GOOD,
    CALL_IS_CONFIRMED, /* of the user */
    PLUG,
    UNPLUG,
    SILENT,
    LOCKED, /* of the machine and its user */
    COUNT,
    ACTIONS
};

struct order {
    enum action action;
    uint32_t value;
};

/* The events that a program has got since it began. */
struct events {
    uint32_t begins, ends, resumes, routes;
};

struct answer {
    int32_t status;
    struct events events;
    uint32_t others_play;
    bool out_of_turn; /* two begins or two ends one after the other */
    long descriptors, kilobytes;
};

/* ---- A program (program.c) ---- */
__attribute__((noreturn)) void run_program(int line);

/* ---- The model (model.c) ---- */
struct session {
    bool runs, is_active, is_interrupted, is_interrupted_by_call, must_not_resume, mixes_by_choice, ducks;
    enum category category;
    uint32_t interrupters; /* a bit for each program */
    struct events events;
};

struct model {
    struct session sessions[PROGRAMS];
    bool has_call;
    int holder;
    uint32_t plugged[8]; /* in the order of their arrival */
    int plugged_count;
};

void model_begin(struct model *model, int program);
void model_kill(struct model *model, int program);
/* True when it is granted. */
bool model_do(struct model *model, int program, struct order order);
bool model_others_play(const struct model *model, int program);
int model_count(const struct model *model, bool (*what)(const struct session *));

#endif
