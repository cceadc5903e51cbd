# SPDX-License-Identifier: MIT
# Frolov and Galaktionov 2015, Figures 2 to 5: paths per second against the greatest depth, one test a panel. Where nothing is timed the
# share of live lanes. Solid lines have one setting at all depths; dashed ones the fastest at each depth, which the heading names.
#
#   gnuplot -c depths.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report frolov2015 depths --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "depths.csv"
stem = ARGC > 1 ? ARG2 : "depths"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("depths.gp")] . "../wald2011/style.gp"

eval count_here("none")
timed = found > 0
rate(name) = timed ? pick(name) : percent(name . "_lanes")
set xlabel "greatest depth"
set ylabel timed ? "million paths a second" : "live lanes, %"
set logscale x 2
set xtics (4, 8, 16, 20, 32, 64)
set xrange [3.5:72]
set yrange [0:*]
fastest(name) = timed ? pick(name . "_best") : NaN
eval count_here("tiles_best")
tiles_title = timed && found > 0 ? "in place, fastest" : ""
eval count_here("stream_best")
stream_title = timed && found > 0 ? "streaming, fastest" : ""
eval key_rows(3, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using "depth":(rate("none")) with linespoints ls 3 title "no regeneration", \
         csv using "depth":(rate("tiles")) with linespoints ls 1 title "in place, by tiles", \
         csv using "depth":(rate("stream")) with linespoints ls 2 title "streaming", \
         csv using "depth":(fastest("tiles")) with linespoints ls 11 title tiles_title, \
         csv using "depth":(fastest("stream")) with linespoints ls 12 title stream_title, \
         csv using "depth":(timed ? pick("kernel") : NaN) with points ls 14 title timed ? "one kernel" : ""
    eval end
}
