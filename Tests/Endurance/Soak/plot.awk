# SPDX-License-Identifier: Apache-2.0
# plot.awk FILE: seconds, descriptors, KB on each line; two curves, each in a field of its own, from zero.
{ time[NR] = $1; value[1, NR] = $2; value[2, NR] = $3
  for (i = 1; i <= 2; i++) if (value[i, NR] > most[i]) most[i] = value[i, NR] }

function field(i, name, top,   n, x, y) {
    printf "<text x=\"60\" y=\"%d\">%s, at most %d</text>\n", top - 6, name, most[i]
    printf "<path d=\"M60 %d V%d H780\" fill=\"none\" stroke=\"#888\"/>\n", top, top + 160
    printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", i == 1 ? "#06c" : "#c40"
    for (n = 1; n <= NR; n++) {
        x = 60 + 720 * (last > 0 ? time[n] / last : 0)
        y = top + 160 - 150 * (most[i] > 0 ? value[i, n] / most[i] : 0)
        printf "%.1f,%.1f ", x, y
    }
    print "\"/>"
}

END {
    last = time[NR]
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"460\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<rect width=\"800\" height=\"460\" fill=\"white\"/>"
    field(1, "open descriptors of the programs that live all the time", 40)
    field(2, "their anonymous memory in KB", 250)
    printf "<text x=\"60\" y=\"440\">0</text><text x=\"780\" y=\"440\" text-anchor=\"end\">%d s</text>\n</svg>\n", last
}
