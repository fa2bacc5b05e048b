/* SPDX-License-Identifier: Apache-2.0 */
/* The rules between the sessions of several programs, in their simplest form. */
#include "soak.h"

#include <string.h>

static bool mixes(const struct session *session) { return session->category == AMBIENT || session->mixes_by_choice; }

static bool may_choose_to_mix(enum category category) { return category == MEDIA || category == PLAY_AND_RECORD; }

static uint32_t bit(int program) { return 1u << program; }

static void interrupt(struct session *session) {
    session->is_active = false;
    session->is_interrupted = true;
    /* An interruption resets the override MixWithOthers. */
    session->mixes_by_choice = false;
    session->events.begins++;
}

/* True when the end says not to resume. */
static bool end_if_free(struct session *session) {
    if (!session->is_interrupted || session->interrupters || session->is_interrupted_by_call) return false;
    bool must_not = session->must_not_resume;
    session->is_interrupted = session->must_not_resume = false;
    session->events.ends++;
    if (!must_not) session->events.resumes++;
    return must_not;
}

static void leave(struct model *model, int program, bool resuming) {
    for (int i = 0; i < PROGRAMS; i++) {
        struct session *other = &model->sessions[i];
        if (!other->runs || !(other->interrupters & bit(program))) continue;
        other->interrupters &= ~bit(program);
        if (!resuming) other->must_not_resume = true;
        if (end_if_free(other)) leave(model, i, false);
    }
}

static void interrupt_others(struct model *model, int program) {
    for (int i = 0; i < PROGRAMS; i++) {
        struct session *other = &model->sessions[i];
        if (i == program || !other->runs || mixes(other)) continue;
        if (other->is_active) interrupt(other);
        if (other->is_interrupted) other->interrupters |= bit(program);
    }
}

static bool activate(struct model *model, int program) {
    struct session *session = &model->sessions[program];
    if (session->is_active) return true;
    if (model->has_call && !mixes(session)) return false;
    session->is_active = true;
    session->is_interrupted = session->is_interrupted_by_call = session->must_not_resume = false;
    session->interrupters = 0;
    if (!mixes(session)) interrupt_others(model, program);
    return true;
}

static bool deactivate(struct model *model, int program, bool notifying) {
    model->sessions[program].is_active = false;
    leave(model, program, notifying);
    return true;
}

/* A session that stops mixing while it is active counts as newly activated. During a call it is refused, or the call
   interrupts it. */
static bool change_settings(struct model *model, int program, struct session next, bool yields_to_call) {
    struct session *session = &model->sessions[program];
    bool stops = session->is_active && mixes(session) && !mixes(&next);
    if (stops && model->has_call && !yields_to_call) return false;
    bool had_output = session->category != RECORD, has_output = next.category != RECORD;
    bool had_input = session->category >= RECORD, has_input = next.category >= RECORD;
    *session = next;
    if (had_output != has_output || had_input != has_input ||
        ((next.category == PLAY_AND_RECORD) != had_input && has_output && had_output))
        session->events.routes++;
    if (stops && model->has_call) {
        interrupt(session);
        session->is_interrupted_by_call = true;
    } else if (stops) {
        interrupt_others(model, program);
    }
    return true;
}

static bool set_category(struct model *model, int program, enum category category) {
    struct session next = model->sessions[program];
    if (next.category == category) return true;
    next.category = category;
    next.mixes_by_choice = false;
    return change_settings(model, program, next, false);
}

static bool set_mixing(struct model *model, int program, bool on) {
    struct session next = model->sessions[program];
    if (on && !may_choose_to_mix(next.category)) return false;
    next.mixes_by_choice = on;
    return change_settings(model, program, next, !on);
}

static bool set_ducking(struct model *model, int program, bool on) {
    struct session next = model->sessions[program];
    next.ducks = on;
    if (on && may_choose_to_mix(next.category)) next.mixes_by_choice = true;
    return change_settings(model, program, next, false);
}

/* ---- The call ---- */

static bool begin_call(struct model *model, int program) {
    if (model->has_call) return false;
    model->has_call = true;
    model->holder = program;
    for (int i = 0; i < PROGRAMS; i++) {
        struct session *session = &model->sessions[i];
        if (!session->runs) continue;
        if (session->is_active) interrupt(session);
        if (session->is_interrupted) session->is_interrupted_by_call = true;
    }
    return true;
}

static bool end_call(struct model *model, bool resuming) {
    if (!model->has_call) return false;
    model->has_call = false;
    for (int i = 0; i < PROGRAMS; i++) {
        struct session *session = &model->sessions[i];
        if (!session->runs || !session->is_interrupted_by_call) continue;
        session->is_interrupted_by_call = false;
        if (!resuming) session->must_not_resume = true;
        if (end_if_free(session)) leave(model, i, false);
    }
    return true;
}

static bool confirm_call(struct model *model) {
    if (!model->has_call) return false;
    for (int i = 0; i < PROGRAMS; i++) {
        struct session *session = &model->sessions[i];
        if (!session->runs || !session->is_interrupted_by_call) continue;
        session->is_interrupted_by_call = false;
        if (!session->interrupters) session->is_interrupted = session->must_not_resume = false;
    }
    return true;
}

/* ---- The machine: the last output that arrived is used ---- */

static void count_routes(struct model *model) {
    for (int i = 0; i < PROGRAMS; i++)
        if (model->sessions[i].runs && model->sessions[i].category != RECORD) model->sessions[i].events.routes++;
}

static bool plug(struct model *model, uint32_t port) {
    for (int i = 0; i < model->plugged_count; i++)
        if (model->plugged[i] == port) return true;
    model->plugged[model->plugged_count++] = port;
    count_routes(model);
    return true;
}

static bool unplug(struct model *model, uint32_t port) {
    for (int i = 0; i < model->plugged_count; i++) {
        if (model->plugged[i] != port) continue;
        bool was_used = i == model->plugged_count - 1;
        memmove(&model->plugged[i], &model->plugged[i + 1], (size_t)(model->plugged_count - i - 1) * sizeof model->plugged[0]);
        model->plugged_count--;
        if (was_used) count_routes(model);
        return true;
    }
    return true;
}

/* ---- All actions ---- */

void model_begin(struct model *model, int program) {
    memset(&model->sessions[program], 0, sizeof model->sessions[program]);
    model->sessions[program].runs = true;
    model->sessions[program].category = SOLO;
}

void model_kill(struct model *model, int program) {
    model->sessions[program].runs = false;
    if (model->has_call && model->holder == program) end_call(model, true);
    leave(model, program, true);
}

bool model_do(struct model *model, int program, struct order order) {
    switch (order.action) {
    case ACTIVATE: return activate(model, program);
    case DEACTIVATE: return deactivate(model, program, false);
    case DEACTIVATE_NOTIFYING: return deactivate(model, program, true);
    case SET_CATEGORY: return set_category(model, program, (enum category)order.value);
    case SET_MIXING: return set_mixing(model, program, order.value);
    case SET_DUCKING: return set_ducking(model, program, order.value);
    case CALL_BEGINS: return begin_call(model, program);
    case CALL_ENDS: return end_call(model, true);
    case CALL_ENDS_FOR_GOOD: return end_call(model, false);
    case CALL_IS_CONFIRMED: return confirm_call(model);
    case PLUG: return plug(model, order.value);
    case UNPLUG: return unplug(model, order.value);
    default: return true;
    }
}

bool model_others_play(const struct model *model, int program) {
    for (int i = 0; i < PROGRAMS; i++) {
        const struct session *other = &model->sessions[i];
        if (i != program && other->runs && other->is_active && other->category != RECORD) return true;
    }
    return false;
}

int model_count(const struct model *model, bool (*what)(const struct session *)) {
    int count = 0;
    for (int i = 0; i < PROGRAMS; i++) count += model->sessions[i].runs && what(&model->sessions[i]);
    return count;
}
