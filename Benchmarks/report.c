/* SPDX-License-Identifier: Apache-2.0 */
/* report SAMPLES PLOT TEMPLATE PAGE...: draws the plot, and writes each template to its page with tables in place of the
   lines that begin with an @:

       @table NAME      a row for each subject, with the ratio to the first
       @bars FILE       the goals in the file, and whether they are met
       @ratios FILE     the comparisons in the file
       @machine         the value of BENCH_MACHINE */
#include "figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct figures figures;
static FILE *page;

static void write_notes(const char *table) {
    for (int i = 0; i < figures.note_count; i++)
        if (strcmp(figures.notes[i].table, table) == 0) fprintf(page, "\n%s\n", figures.notes[i].text);
}

static void write_row(const struct figure *figure, const struct figure *first) {
    char median[32], lowest[32], highest[32], high[32];
    fprintf(page, "| %s | %s | %s … %s | %s | ", figure->subject,
        figure_text(figure->median, figure->unit, median, sizeof median), figure_text(figure->lowest, "", lowest, sizeof lowest),
        figure_text(figure->highest, "", highest, sizeof highest), figure_text(figure->high, figure->unit, high, sizeof high));
    if (figure != first && first->median != 0) fprintf(page, "× %.3g", figure->median / first->median);
    fprintf(page, " |\n");
}

static void write_table(const char *name) {
    const struct figure *first = NULL;
    for (int i = 0; i < figures.count; i++) {
        const struct figure *figure = &figures.all[i];
        if (strcmp(figure->table, name) != 0) continue;
        if (!first) {
            fprintf(page, "| | median | of the rounds | 99th percentile | to the first |\n|---|---:|---:|---:|---:|\n");
            first = figure;
        }
        write_row(figure, first);
    }
    if (!first) fprintf(page, "Not measured in this run.\n");
    write_notes(name);
}

static FILE *open_or_exit(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (file) return file;
    perror(path);
    exit(1);
}

/* Splits a line at tabs; returns how many words it has. A line that begins with # has none. */
static int split(char *line, char *words[], int most) {
    int count = 0;
    for (char *rest = line; line[0] != '#' && count < most && rest; count++) words[count] = strsep(&rest, "\t\n");
    return count;
}

/* ---- comparisons: WHAT, TABLE, SUBJECT, TABLE, SUBJECT, by tabs; the second subject is another library's ---- */

static void write_ratio(const char *what, const struct figure *ours, const struct figure *other) {
    char text[32], other_text[32];
    if (!ours || !other) {
        fprintf(page, "| %s | not measured in this run | | |\n", what);
        return;
    }
    fprintf(page, "| %s | %s | %s: %s | ", what, figure_text(ours->median, ours->unit, text, sizeof text), other->subject,
        figure_text(other->median, other->unit, other_text, sizeof other_text));
    if (other->median != 0) fprintf(page, "× %.2g", ours->median / other->median);
    fprintf(page, " |\n");
}

static void write_ratios(const char *path) {
    FILE *file = open_or_exit(path, "r");
    fprintf(page, "| | this library | compared with | ratio |\n|---|---:|---|---:|\n");
    char line[1024], *words[6];
    while (fgets(line, sizeof line, file))
        if (split(line, words, 6) >= 5)
            write_ratio(words[0], figures_find(&figures, words[1], words[2]), figures_find(&figures, words[3], words[4]));
    fclose(file);
}

/* ---- goals ---- */

/* A line: WHAT, STATISTIC, TABLE, SUBJECT, OPERATION, TABLE, SUBJECT, LIMIT, UNIT, by tabs. */
struct bar {
    char *what, *statistic, *table, *subject, *operation, *other_table, *other_subject, *limit, *unit;
};

/* False when a figure was not measured in this run. */
static int measured(const struct bar *bar, double *value) {
    const struct figure *figure = figures_find(&figures, bar->table, bar->subject);
    const struct figure *other = figures_find(&figures, bar->other_table, bar->other_subject);
    if (!figure) return 0;
    *value = strcmp(bar->statistic, "p99") == 0 ? figure->high : figure->median;
    if (strcmp(bar->operation, "-") == 0) return 1;
    if (!other) return 0;
    if (strcmp(bar->operation, "minus") == 0)
        *value -= other->median;
    else if (other->median != 0)
        *value /= other->median;
    return 1;
}

static void write_bar(const struct bar *bar) {
    char limit[32], text[32] = "";
    double value = 0, most = strtod(bar->limit, NULL);
    int is_measured = measured(bar, &value);
    if (is_measured) figure_text(value, bar->unit, text, sizeof text);
    fprintf(page, "| %s | %s | %s | %s |\n", bar->what, figure_text(most, bar->unit, limit, sizeof limit), text,
        !is_measured        ? "not measured"
            : value <= most ? "met"
                            : "**missed**");
}

static void write_bars(const char *path) {
    FILE *file = open_or_exit(path, "r");
    fprintf(page, "| | at most | measured | |\n|---|---:|---:|---|\n");
    char line[1024], *words[10];
    while (fgets(line, sizeof line, file)) {
        if (split(line, words, 10) < 9) continue;
        struct bar bar = {words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8]};
        write_bar(&bar);
    }
    fclose(file);
}

/* ---- pages ---- */

static const char *argument(const char *line, const char *command) {
    size_t length = strlen(command);
    return strncmp(line, command, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static void write_line(const char *line) {
    const char *name, *machine = getenv("BENCH_MACHINE");
    if ((name = argument(line, "@table")))
        write_table(name);
    else if ((name = argument(line, "@bars")))
        write_bars(name);
    else if ((name = argument(line, "@ratios")))
        write_ratios(name);
    else if (strcmp(line, "@machine") == 0)
        fprintf(page, "%s\n", machine ? machine : "");
    else
        fprintf(page, "%s\n", line);
}

static void write_page(const char *template, const char *path) {
    FILE *file = open_or_exit(template, "r");
    page = open_or_exit(path, "w");
    char line[4096];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        write_line(line);
    }
    fclose(file);
    if (fclose(page) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int count, char **arguments) {
    if (count < 5 || count % 2 == 0) {
        fprintf(stderr, "usage: report SAMPLES PLOT TEMPLATE PAGE...\n");
        return 2;
    }
    figures_read(&figures, arguments[1]);
    write_plot(&figures, arguments[2]);
    for (int i = 3; i < count; i += 2) write_page(arguments[i], arguments[i + 1]);
}
