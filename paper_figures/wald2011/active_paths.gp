# SPDX-License-Identifier: MIT
# Wald 2011, Table 2 as a picture: what is left of the paths, and of the warps, at every bounce; published beside measured.
#
#   gnuplot -c active_paths.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report table2 --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "table2.csv"
stem = ARGC > 1 ? ARG2 : "active_paths"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7.6
load ARG0[1:strlen(ARG0) - strlen("active_paths.gp")] . "style.gp"

eval count_here("alive_paper"); published = found
eval count_here("compacted_share"); compacted = found

set xtics 1
set xlabel "bounce (0 = camera ray)"
set ylabel "share of all paths or warps, %"
set yrange [0:105]
set autoscale xfix
set offsets 0.3, 0.3, 0, 0
eval key_rows(3, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using "bounce":(percent("naive_share")) with linespoints ls 1 title "naive warps", \
         csv using "bounce":(percent("compacted_share")) with linespoints ls 2 title (compacted ? "compacted warps" : ""), \
         csv using "bounce":(percent("alive")) with lines ls 3 title "paths", \
         csv using "bounce":(percent("naive_share_paper")) with linespoints ls 11 title (published ? "paper" : ""), \
         csv using "bounce":(percent("compacted_share_paper")) with linespoints ls 12 title (published ? "paper" : ""), \
         csv using "bounce":(percent("alive_paper")) with lines ls 13 title (published ? "paper" : "")
    eval end
}
