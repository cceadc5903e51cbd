# SPDX-License-Identifier: MIT
# All documents: frame time on one GPU / on another of more bandwidth, by the bytes of state that a ray moves; a point is a frame.
#
#   gnuplot -c gpus.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report findings gpu_cases --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "gpu_cases.csv"
stem = ARGC > 1 ? ARG2 : "gpus"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 12.5
height = 8.5
load ARG0[1:strlen(ARG0) - strlen("gpus.gp")] . "../wald2011/style.gp"

titles = "'Wald 2011' 'Frolov 2015' 'thesis 2018' 'CMU 2023'"
array colours[4] = [blue, red, green, orange]
array marks[4] = [4, 8, 12, 6]
is_of(d) = column("panel") == wanted && strstrt(strcol("line"), word(titles, d) . ":") == 1
# Schemes without state stand left of zero, a column for each document.
state(d) = !is_of(d) ? NaN : is_here("moved") ? column("moved") : -25 * (5 - d)
at_y(d) = is_of(d) ? pick("ratio") : NaN
array shown[4]
do for [d = 1:4] {
    stats csv using (at_y(d) > 0 ? 1 : 0) nooutput
    shown[d] = STATS_sum > 0
}
set xlabel "state that pools and streams move, bytes a ray"
set ylabel "frame time, first GPU / second GPU"
set offsets graph 0, graph 0.03, graph 0.05, graph 0.05
set xrange [-125:]
set xtics 100, 100
set xtics add ("none" -62.5)
set key top center Left reverse samplen 1

do for [kind in kinds] {
    eval begin(kind)
    plot 1 with lines lt 1 lc rgb grey lw 1 notitle, \
         for [d = 1:4] csv using (state(d)):(at_y(d)) with points pt marks[d] ps 0.6 lw 1.2 lc rgb colours[d] title (shown[d] ? word(titles, d) : "")
    eval end
}
