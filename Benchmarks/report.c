/* report SAMPLES BARS TEMPLATE PLOT: writes the template to standard output, with tables in place of the
   lines that begin with an @, and draws the plot.

       @table NAME      a row for each subject, with the ratio to the first
       @bars            what was aimed at, and what became of it
       @machine         what BENCH_MACHINE says */
#include "figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct figures figures;

static void write_notes(const char *table) {
    for (int i = 0; i < figures.note_count; i++)
        if (strcmp(figures.notes[i].table, table) == 0) printf("\n%s\n", figures.notes[i].text);
}

static void write_row(const struct figure *figure, const struct figure *first) {
    char median[32], lowest[32], highest[32], high[32];
    printf("| %s | %s | %s … %s | %s | ", figure->subject, figure_text(figure->median, figure->unit, median, sizeof median),
           figure_text(figure->lowest, "", lowest, sizeof lowest), figure_text(figure->highest, "", highest, sizeof highest),
           figure_text(figure->high, figure->unit, high, sizeof high));
    if (figure != first && first->median != 0) printf("× %.3g", figure->median / first->median);
    printf(" |\n");
}

static void write_table(const char *name) {
    const struct figure *first = NULL;
    for (int i = 0; i < figures.count; i++) {
        const struct figure *figure = &figures.all[i];
        if (strcmp(figure->table, name) != 0) continue;
        if (!first) {
            printf("| | median | of the rounds | 99th percentile | to the first |\n|---|---:|---:|---:|---:|\n");
            first = figure;
        }
        write_row(figure, first);
    }
    if (!first) printf("Not measured in this run.\n");
    write_notes(name);
}

/* A line of the bars: WHAT STATISTIC TABLE SUBJECT OPERATION TABLE SUBJECT LIMIT UNIT, by tabs. */
struct bar {
    char *what, *statistic, *table, *subject, *operation, *other_table, *other_subject, *limit, *unit;
};

/* False where something of it was not measured. */
static int measured(const struct bar *bar, double *value) {
    const struct figure *figure = figures_find(&figures, bar->table, bar->subject);
    const struct figure *other = figures_find(&figures, bar->other_table, bar->other_subject);
    if (!figure) return 0;
    *value = strcmp(bar->statistic, "p99") == 0 ? figure->high : figure->median;
    if (strcmp(bar->operation, "-") == 0) return 1;
    if (!other) return 0;
    if (strcmp(bar->operation, "minus") == 0) *value -= other->median;
    else if (other->median != 0) *value /= other->median;
    return 1;
}

static void write_bar(const struct bar *bar) {
    char limit[32], text[32] = "";
    double value = 0, most = strtod(bar->limit, NULL);
    int is_measured = measured(bar, &value);
    if (is_measured) figure_text(value, bar->unit, text, sizeof text);
    printf("| %s | %s | %s | %s |\n", bar->what, figure_text(most, bar->unit, limit, sizeof limit), text,
           !is_measured ? "not measured" : value <= most ? "met" : "**missed**");
}

static void write_bars(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    printf("| | at most | measured | |\n|---|---:|---:|---|\n");
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        char *rest = line, *words[9] = {0};
        for (int i = 0; i < 9 && rest; i++) words[i] = strsep(&rest, "\t\n");
        if (line[0] == '#' || !words[8]) continue;
        struct bar bar = {words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8]};
        write_bar(&bar);
    }
    fclose(file);
}

static void write_page(const char *bars, const char *template) {
    FILE *file = fopen(template, "r");
    if (!file) {
        perror(template);
        exit(1);
    }
    const char *machine = getenv("BENCH_MACHINE");
    char line[4096];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "@table ", 7) == 0) write_table(line + 7);
        else if (strcmp(line, "@bars") == 0) write_bars(bars);
        else if (strcmp(line, "@machine") == 0) printf("%s\n", machine ? machine : "");
        else printf("%s\n", line);
    }
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    figures_read(&figures, argv[1]);
    write_page(argv[2], argv[3]);
    write_plot(&figures, argv[4]);
}
