# SPDX-License-Identifier: MIT
# Frolov and Galaktionov 2015, Figures 2 to 5: paths per second against the greatest depth, with one setting at all depths; a chart for each
# test of at least three depths; hollow: underfilled. Where nothing is timed the share of live lanes.
#
#   gnuplot -c depths.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report frolov2015 depths --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png of all of its panels.
csv = ARGC > 0 ? ARG1 : "depths.csv"
stem = ARGC > 1 ? ARG2 : "depths"
wanted = 0
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
load ARG0[1:strlen(ARG0) - strlen("depths.gp")] . "../wald2011/style.gp"

every_size = 1
least_rows = 3
eval read_charts("none")
timed = charts > 0
if (!timed) { do for [i = 1:200] { chart_rows[i] = 0 }; least_rows = 1; eval read_charts("depth") }
rate(name) = timed ? pick(name) : percent(name . "_lanes")
weak(name) = timed && strstrt(strcol(name . "_flags"), "underfilled") > 0
solid(name) = weak(name) ? NaN : rate(name)
hollow(name) = weak(name) ? rate(name) : NaN
across = charts > 2 ? 3 : charts
down = (charts + across - 1) / across
height = 3 + 4.6 * down
feet = 1.2 / height
head_room = (0.7 + 0.5 * lines) / height

# What a chart's roulette is, where it is not each path's own.
array by_block[200]
do for [k = 1:200] { by_block[k] = 0 }
note_block(k) = (by_block[k] = number_or_0(strcol("by_block")) > 0 ? 1 : by_block[k], k)
stats csv using (note_block(int(column("panel")))) nooutput
blocks = 0
do for [i = 1:charts] { blocks = blocks + by_block[shown[i]] }

unset key
do for [kind in kinds] {
    eval begin(kind)
    set multiplot
    set logscale x 2
    set xrange [3.5:72]
    set yrange [0:*]
    set ytics nomirror
    do for [i = 1:charts] {
        wanted = shown[i]
        set xtics nomirror (4, 8, 16, 32, 64)
        eval grid(i, across, down, 0.24, 0.05, 0.24, feet)
        set label 2 chart_title(wanted) . (by_block[wanted] ? ", by block" : "") at graph 0.5, graph 1.06 center noenhanced
        set xlabel (i + across > charts ? "greatest depth" : "")
        set ylabel (i % across == 1 || across == 1 ? (timed ? "million paths a second" : "live lanes, %") : "")
        plot csv using "depth":(solid("none")) with linespoints ls 3, csv using "depth":(hollow("none")) with points ls 13, \
             csv using "depth":(solid("tiles")) with linespoints ls 1, csv using "depth":(hollow("tiles")) with points ls 11, \
             csv using "depth":(solid("stream")) with linespoints ls 2, csv using "depth":(hollow("stream")) with points ls 12, csv using "depth":(timed ? pick("kernel") : NaN) with points ls 4 ps 1
        unset label 1
    }
    unset logscale x
    eval legend(2)
    plot NaN with linespoints ls 3 title "no regeneration", NaN with linespoints ls 1 title "in place, by tiles", \
         NaN with linespoints ls 2 title "streaming", NaN with points ls 4 ps 1 title (timed ? "one kernel" : ""), \
         NaN with dots lc rgb "white" title (blocks > 0 ? "by block: one roulette decision per block" : "")
    eval legend_end
    unset multiplot
    eval end
    set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
}
