# SPDX-License-Identifier: MIT
# Two runs beside each other: time of B over that of A, a row a setting that both timed, ordered by it. Bars are 95 % intervals, the grey band
# the noise floor: a bar within it is the same, one beyond it faster or slower. Hollow: unclear.
#
#   gnuplot -c compare.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the compare.csv that `warpstudy compare A B --plot DIR` writes and writes STEM.svg, STEM.pdf and STEM.png.
csv = ARGC > 0 ? ARG1 : "compare.csv"
stem = ARGC > 1 ? ARG2 : "compare"
wanted = 0
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
set datafile separator comma
stats csv using (column("row")) nooutput
rows = int(STATS_max)
named = rows <= 60
longest = 0
array cells[60]
note_name(text, row) = (longest = strlen(text) > longest ? strlen(text) : longest, named ? (cells[row] = text, 1) : 1)
stats csv using (note_name(strcol("cell"), int(column("row")))) nooutput
height = 3.2 + (named ? 0.36 * rows : 14)
load ARG0[1:strlen(ARG0) - strlen("compare.gp")] . "wald2011/style.gp"

array verdicts[4] = ["faster", "same", "slower", "unclear"]
array colours[4] = [green, blue, red, black]
array points[4] = [7, 5, 9, 6]
of(i, name) = strcol("verdict") eq verdicts[i] ? column(name) : NaN
present = ""
do for [i = 1:4] {
    stats csv using (strcol("verdict") eq verdicts[i] ? 1 : 0) nooutput
    if (STATS_sum > 0) { present = present . sprintf(" %d", i) }
}
band(name) = strlen(strcol("noise_floor")) ? (name eq "low" ? 1 / (1 + column("noise_floor")) : 1 + column("noise_floor")) : 1

least = 1
most = 1
note_end(low, high) = (least = low < least ? low : least, most = high > most ? high : most, 1)
stats csv using (note_end(band("low"), band("high"))) nooutput
stats csv using (note_end(strlen(strcol("low")) ? column("low") : column("ratio"), strlen(strcol("high")) ? column("high") : column("ratio"))) nooutput
room = 0.05 * (most - least)
set yrange [rows + 0.5:0.5]
set xrange [least - room:most + room]
set xlabel "time of B / time of A (left of 1: B is faster)"
unset ytics
if (named) {
    set ytics () scale 0 noenhanced
    do for [i = 1:rows] { set ytics add (literal(cells[i]) i) }
}
set grid xtics lt 1 lc rgb pale lw 0.8
set style fill solid 1.0 noborder
set lmargin at screen named ? 0.02 + (longest < 70 ? 0.0088 * longest : 0.62) : 0.04
set rmargin at screen 0.97
set tmargin 1.5 + 1.3 * lines
set bmargin 6
set key at screen 0.02, screen 0.2 / height left bottom horizontal Left reverse samplen 2 spacing 1.1 width 1 maxrows 2

do for [kind in kinds] {
    eval begin(kind)
    plot csv using (1):(column("row")):(band("low")):(band("high")):(column("row") - 0.5):(column("row") + 0.5) with boxxyerror lc rgb pale notitle, \
         for [i in present] csv using (of(int(i), "ratio")):(column("row")):(strlen(strcol("low")) ? of(int(i), "low") : NaN):(of(int(i), "high")) \
             with xerrorbars lc rgb colours[int(i)] lw 1.2 pt 0 notitle, \
         for [i in present] csv using (of(int(i), "ratio")):(column("row")) with points lc rgb colours[int(i)] pt points[int(i)] ps 0.6 notitle, \
         for [i in present] NaN with points lc rgb colours[int(i)] pt points[int(i)] ps 0.6 title verdicts[int(i)], \
         NaN with boxes lc rgb pale title "noise floor"
    eval end
}
