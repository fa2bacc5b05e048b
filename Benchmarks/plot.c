/* The tables of times as bars on a logarithmic scale: to the median, with a thin line on to the 99th
   percentile. */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 860, LABEL = 300, RIGHT = 90, ROW = 22, TITLE = 40 };

static const struct panel {
    const char *table, *title;
} panels[] = {
    {"load", "Starting and ending an empty program that links the library"},
    {"initialize", "Initializing"},
    {"get-1", "Getting a scalar"},
    {"activate", "Activating, with nobody to interrupt"},
    {"interrupt", "Interrupting a program in another process"},
    {"crowd", "The same, while others have a session"},
};

static int belongs(const struct figure *figure, const struct panel *panel) { return strcmp(figure->table, panel->table) == 0; }

static void escape(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '&') fputs("&amp;", out);
        else if (*text == '<') fputs("&lt;", out);
        else fputc(*text, out);
    }
}

struct scale { double least, most; };

static double place(const struct scale *scale, double value) {
    double span = log10(scale->most) - log10(scale->least);
    return LABEL + (WIDTH - LABEL - RIGHT) * (log10(fmax(value, scale->least)) - log10(scale->least)) / span;
}

static struct scale scale_of(const struct figures *figures, const struct panel *panel) {
    double least = INFINITY, most = 0;
    for (int i = 0; i < figures->count; i++) {
        if (!belongs(&figures->all[i], panel)) continue;
        least = fmin(least, figures->all[i].median);
        most = fmax(most, figures->all[i].high);
    }
    return (struct scale){pow(10, floor(log10(least) - 0.3)), most * 1.1};
}

static int draw_panel(FILE *out, const struct figures *figures, const struct panel *panel, int top) {
    int rows = 0;
    for (int i = 0; i < figures->count; i++) rows += belongs(&figures->all[i], panel);
    if (rows == 0) return top;
    struct scale scale = scale_of(figures, panel);
    fprintf(out, "<text x='10' y='%d' class='title'>%s</text>\n", top + 24, panel->title);
    int y = top + TITLE;
    for (double at = scale.least; at <= scale.most; at *= 10)
        fprintf(out, "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='grid'/>\n", place(&scale, at), place(&scale, at), y - 4,
                y + rows * ROW);
    for (int i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->all[i];
        if (!belongs(figure, panel)) continue;
        char text[32];
        const char *ours = strstr(figure->subject, "AudioSession") || strcmp(panel->table, "crowd") == 0 ? "ours" : "peer";
        fprintf(out, "<text x='%d' y='%d' class='label'>", LABEL - 8, y + 13);
        escape(out, figure->subject);
        fprintf(out, "</text><rect x='%d' y='%d' width='%.1f' height='14' class='%s'/>", LABEL, y + 2,
                place(&scale, figure->median) - LABEL, ours);
        fprintf(out, "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='high'/>", place(&scale, figure->median),
                place(&scale, figure->high), y + 9, y + 9);
        fprintf(out, "<text x='%.1f' y='%d'>%s</text>\n", place(&scale, figure->high) + 6, y + 13,
                figure_text(figure->median, figure->unit, text, sizeof text));
        y += ROW;
    }
    return y + 6;
}

void write_plot(const struct figures *figures, const char *path) {
    char *body;
    size_t size;
    FILE *drawing = open_memstream(&body, &size), *out = fopen(path, "w");
    if (!drawing || !out) {
        perror(path);
        exit(1);
    }
    int height = 0;
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) height = draw_panel(drawing, figures, &panels[i], height);
    fclose(drawing);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12'>\n"
            "<style>.title{font-weight:bold}.label{text-anchor:end}.ours{fill:#2a6fb0}.peer{fill:#b9b9b9}"
            ".high{stroke:#444}.grid{stroke:#e4e4e4}</style>\n<rect width='100%%' height='100%%' fill='white'/>\n%s</svg>\n",
            WIDTH, height + 10, body);
    free(body);
    fclose(out);
}
