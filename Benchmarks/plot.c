/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of the page: one panel for each table of times. The axis of a panel begins at zero where the values are
   near each other; otherwise it is logarithmic, which the title says, and marks replace the bars. A thin line goes on to
   the 99th percentile. */
#include "figures.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 860, LABEL = 300, RIGHT = 100, ROW = 22, TITLE = 40, AXIS = 26, LEGEND = 34, MOST_OF_LINEAR = 25 };

static const struct panel {
    const char *table, *title;
} panels[] = {
    {"load", "Starting and ending an empty program that links the library"},
    {"initialize", "Initializing"},
    {"machine-initialize", "Initializing with three cards, in a virtual machine"},
    {"get-1", "Getting a scalar"},
    {"activate", "Activating, with no session to interrupt"},
    {"interrupt", "Interrupting a program in another process"},
    {"crowd", "The same, while other processes have sessions"},
};
enum { PANELS = sizeof panels / sizeof *panels };

/* A subject with one of these words is another library's; each other subject is ours. */
static const char *const peers[] = {"libportaudio", "libpulse", "libSDL", "libasound", "libFoundation", "PulseAudio", "D-Bus",
    "ReserveDevice", "nothing", "another library", "controls of all cards"};

static bool is_ours(const struct figure *figure) {
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
        if (strstr(figure->subject, peers[i])) return false;
    return true;
}

static bool belongs(const struct figure *figure, const struct panel *panel) { return strcmp(figure->table, panel->table) == 0; }

static void escape(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fputc(*text, out);
    }
}

/* ---- axes ---- */

struct axis {
    bool is_logarithmic;
    double least, most, step; /* step: between two labels of a linear axis */
    const char *unit;
};

static double round_step(double span) {
    double power = pow(10, floor(log10(span / 5)));
    double multiple = span / 5 / power;
    return power * (multiple <= 1 ? 1 : multiple <= 2 ? 2 : multiple <= 5 ? 5 : 10);
}

static struct axis axis_of(const struct figures *figures, const struct panel *panel) {
    double least = INFINITY, median = 0, most = 0;
    const char *unit = "";
    for (int i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->all[i];
        if (!belongs(figure, panel)) continue;
        least = fmin(least, figure->median);
        median = fmax(median, figure->median);
        most = fmax(most, figure->high);
        unit = figure->unit;
    }
    bool is_logarithmic = least > 0 && median / least > MOST_OF_LINEAR;
    if (is_logarithmic) return (struct axis){true, pow(10, floor(log10(least))), most * 1.1, 0, unit};
    return (struct axis){false, 0, most * 1.05, round_step(most * 1.05), unit};
}

static double position(const struct axis *axis, double value) {
    double part = axis->is_logarithmic ? log10(fmax(value, axis->least) / axis->least) / log10(axis->most / axis->least)
                                       : value / axis->most;
    return LABEL + (WIDTH - LABEL - RIGHT) * part;
}

static void draw_label(FILE *out, const struct axis *axis, double value, int top, int bottom) {
    char text[32];
    double x = position(axis, value);
    fprintf(out, "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='grid'/>", x, x, top, bottom);
    fprintf(out, "<text x='%.1f' y='%d' class='tick'>%s</text>\n", x, bottom + 14,
        value == 0 ? "0" : figure_text(value, axis->unit, text, sizeof text));
}

static void draw_axis(FILE *out, const struct axis *axis, int top, int bottom) {
    if (axis->is_logarithmic)
        for (double value = axis->least; value <= axis->most; value *= 10) draw_label(out, axis, value, top, bottom);
    else
        for (int i = 0; i * axis->step <= axis->most; i++) draw_label(out, axis, i * axis->step, top, bottom);
}

/* ---- panels ---- */

static void draw_row(FILE *out, const struct figure *figure, const struct axis *axis, int y) {
    char text[32];
    double median = position(axis, figure->median), high = position(axis, figure->high);
    const char *kind = is_ours(figure) ? "ours" : "peer";
    fprintf(out, "<text x='%d' y='%d' class='label'>", LABEL - 8, y + 13);
    escape(out, figure->subject);
    fprintf(out, "</text><line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='high'/>", median, high, y + 9, y + 9);
    if (axis->is_logarithmic)
        fprintf(out, "<circle cx='%.1f' cy='%d' r='6' class='%s'/>", median, y + 9, kind);
    else
        fprintf(out, "<rect x='%d' y='%d' width='%.1f' height='14' class='%s'/>", LABEL, y + 2, median - LABEL, kind);
    fprintf(
        out, "<text x='%.1f' y='%d'>%s</text>\n", high + 8, y + 13, figure_text(figure->median, figure->unit, text, sizeof text));
}

static int count_rows(const struct figures *figures, const struct panel *panel) {
    int rows = 0;
    for (int i = 0; i < figures->count; i++) rows += belongs(&figures->all[i], panel);
    return rows;
}

static int draw_panel(FILE *out, const struct figures *figures, const struct panel *panel, int top) {
    int rows = count_rows(figures, panel), y = top + TITLE;
    if (rows == 0) return top;
    struct axis axis = axis_of(figures, panel);
    fprintf(out, "<text x='10' y='%d' class='title'>%s%s</text>\n", top + 24, panel->title,
        axis.is_logarithmic ? " (logarithmic scale)" : "");
    draw_axis(out, &axis, y - 4, y + rows * ROW);
    for (int i = 0; i < figures->count; i++)
        if (belongs(&figures->all[i], panel)) {
            draw_row(out, &figures->all[i], &axis, y);
            y += ROW;
        }
    return y + AXIS;
}

static void draw_legend(FILE *out) {
    fputs("<rect x='10' y='12' width='14' height='14' class='ours'/><text x='30' y='24'>this library</text>"
          "<rect x='140' y='12' width='14' height='14' class='peer'/><text x='160' y='24'>others</text>"
          "<line x1='240' x2='270' y1='19' y2='19' class='high'/><text x='278' y='24'>to the 99th percentile; the number is the "
          "median</text>\n",
        out);
}

/* The alternative text of the picture. */
static void describe(FILE *out, const struct figures *figures) {
    fputs("<title id='title'>Measurements of libAudioSession and other libraries</title>\n<desc id='description'>", out);
    for (size_t p = 0; p < PANELS; p++) {
        const char *separator = ": ";
        if (count_rows(figures, &panels[p]) == 0) continue;
        fputs(panels[p].title, out);
        for (int i = 0; i < figures->count; i++) {
            const struct figure *figure = &figures->all[i];
            char text[32];
            if (!belongs(figure, &panels[p])) continue;
            fputs(separator, out);
            escape(out, figure->subject);
            fprintf(out, " %s", figure_text(figure->median, figure->unit, text, sizeof text));
            separator = ", ";
        }
        fputs(". ", out);
    }
    fputs("</desc>\n", out);
}

void write_plot(const struct figures *figures, const char *path) {
    char *body;
    size_t size;
    FILE *drawing = open_memstream(&body, &size), *out = fopen(path, "w");
    if (!drawing || !out) {
        perror(path);
        exit(1);
    }
    int height = LEGEND;
    draw_legend(drawing);
    for (size_t i = 0; i < PANELS; i++) height = draw_panel(drawing, figures, &panels[i], height);
    fclose(drawing);
    fprintf(out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12' role='img' "
        "aria-labelledby='title description'>\n",
        WIDTH, height + 10);
    describe(out, figures);
    fprintf(out,
        "<style>.title{font-weight:bold}.label{text-anchor:end}.tick{text-anchor:middle;fill:#666;font-size:10px}"
        ".ours{fill:#2a6fb0}.peer{fill:#b9b9b9}.high{stroke:#444}.grid{stroke:#e4e4e4}</style>\n"
        "<rect width='100%%' height='100%%' fill='white'/>\n%s</svg>\n",
        body);
    free(body);
    fclose(out);
}
