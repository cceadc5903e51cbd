# SPDX-License-Identifier: MIT
# What a lane at work reads at each bounce, beside the same rays assigned to lanes at random; and how often lanes part.
#
#   gnuplot -c bounces.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report kdtree2015 bounces --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "bounces.csv"
stem = ARGC > 1 ? ARG2 : "bounces"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("bounces.gp")] . "../wald2011/style.gp"

set xtics 1
set xlabel "bounce (0 = camera ray)"
set ylabel "cache lines per lane and step"
set y2label "steps at which lanes diverge, %"
set yrange [0:*]
set y2range [0:*]
set ytics nomirror
set y2tics
set border 11
set rmargin 8
eval key_rows(2, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using "bounce":(pick("share")) with linespoints ls 1 title "lines", \
         csv using "bounce":(pick("random_share")) with linespoints ls 11 title "lines, at random", \
         csv using "bounce":(pick("parted")) axes x1y2 with linespoints ls 2 title "divergence", \
         csv using "bounce":(pick("random_parted")) axes x1y2 with linespoints ls 12 title "divergence, at random"
    eval end
}
