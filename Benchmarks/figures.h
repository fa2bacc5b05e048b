/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of a run, and the figures computed from them. */
#ifndef FIGURES_H
#define FIGURES_H

#include <stddef.h>

enum { MOST_FIGURES = 512, MOST_ROUNDS = 64, MOST_NOTES = 64, NAME_SIZE = 160 };

/* One row of one table. */
struct figure {
    char table[NAME_SIZE], subject[NAME_SIZE], unit[16];
    double *values;
    int *rounds;
    size_t count, room;
    double median, high;    /* high: the 99th percentile */
    double lowest, highest; /* of the rounds' medians */
};

struct figures {
    struct figure all[MOST_FIGURES];
    int count;
    struct {
        char table[NAME_SIZE], text[512];
    } notes[MOST_NOTES];
    int note_count;
};

/* Exits when the file cannot be read. A line "note TABLE TEXT" is printed below the table. */
void figures_read(struct figures *figures, const char *path);
const struct figure *figures_find(const struct figures *figures, const char *table, const char *subject);

/* "12.3 µs" */
const char *figure_text(double value, const char *unit, char *buffer, size_t size);

void write_plot(const struct figures *figures, const char *path);

#endif
