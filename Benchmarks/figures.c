/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double quantile(double *values, size_t count, double share) {
    qsort(values, count, sizeof *values, ascending);
    size_t place = (size_t)ceil(share * (double)count);
    return values[place > 0 ? place - 1 : 0];
}

static struct figure *row(struct figures *figures, const char *table, const char *subject, const char *unit) {
    for (int i = 0; i < figures->count; i++)
        if (strcmp(figures->all[i].table, table) == 0 && strcmp(figures->all[i].subject, subject) == 0) return &figures->all[i];
    if (figures->count == MOST_FIGURES) return NULL;
    struct figure *new = &figures->all[figures->count++];
    snprintf(new->table, sizeof new->table, "%s", table);
    snprintf(new->subject, sizeof new->subject, "%s", subject);
    snprintf(new->unit, sizeof new->unit, "%s", unit);
    return new;
}

static void add(struct figure *figure, int round, double value) {
    if (figure->count == figure->room) {
        figure->room = figure->room ? figure->room * 2 : 256;
        figure->values = realloc(figure->values, figure->room * sizeof *figure->values);
        figure->rounds = realloc(figure->rounds, figure->room * sizeof *figure->rounds);
        if (!figure->values || !figure->rounds) exit(1);
    }
    figure->values[figure->count] = value;
    figure->rounds[figure->count++] = round;
}

static void conclude(struct figure *figure) {
    double *some = malloc(figure->count * sizeof *some);
    if (!some) exit(1);
    figure->lowest = INFINITY;
    figure->highest = -INFINITY;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        size_t count = 0;
        for (size_t i = 0; i < figure->count; i++)
            if (figure->rounds[i] == round) some[count++] = figure->values[i];
        if (count == 0) continue;
        double median = quantile(some, count, 0.5);
        figure->lowest = fmin(figure->lowest, median);
        figure->highest = fmax(figure->highest, median);
    }
    free(some);
    figure->median = quantile(figure->values, figure->count, 0.5);
    figure->high = quantile(figure->values, figure->count, 0.99);
}

static void take(struct figures *figures, char *line) {
    char *words[5] = {0};
    for (int i = 0; i < 5 && line; i++) words[i] = strsep(&line, "\t\n");
    if (words[2] && strcmp(words[0], "note") == 0 && figures->note_count < MOST_NOTES) {
        snprintf(figures->notes[figures->note_count].table, NAME_SIZE, "%s", words[1]);
        snprintf(figures->notes[figures->note_count++].text, sizeof figures->notes[0].text, "%s", words[2]);
        return;
    }
    if (!words[4]) return;
    struct figure *figure = row(figures, words[0], words[1], words[3]);
    int round = atoi(words[2]);
    if (figure) add(figure, round >= 0 && round < MOST_ROUNDS ? round : 0, strtod(words[4], NULL));
}

void figures_read(struct figures *figures, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    char line[1024];
    while (fgets(line, sizeof line, file)) take(figures, line);
    fclose(file);
    for (int i = 0; i < figures->count; i++) conclude(&figures->all[i]);
}

const struct figure *figures_find(const struct figures *figures, const char *table, const char *subject) {
    for (int i = 0; i < figures->count; i++)
        if (strcmp(figures->all[i].table, table) == 0 && strcmp(figures->all[i].subject, subject) == 0) return &figures->all[i];
    return NULL;
}

const char *figure_text(double value, const char *unit, char *buffer, size_t size) {
    bool is_long = strcmp(unit, "us") == 0 && fabs(value) >= 10000;
    if (is_long) value /= 1000;
    if (strcmp(unit, "us") == 0) unit = is_long ? "ms" : "µs";
    double magnitude = fabs(value);
    int digits = magnitude == 0 || magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 0.1 ? 2 : 3;
    snprintf(buffer, size, "%.*f%s%s", digits, value, *unit ? " " : "", unit);
    return buffer;
}
