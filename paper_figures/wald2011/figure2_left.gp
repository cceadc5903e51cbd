# SPDX-License-Identifier: MIT
# Wald 2011, Figure 2, left: speed of the tiled kernels against the rows M of a tile, the naive kernel's being 1.
#
#   gnuplot -c figure2_left.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report figure2_left --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "figure2_left.csv"
stem = ARGC > 1 ? ARG2 : "figure2_left"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("figure2_left.gp")] . "style.gp"

marks = 0
do for [name in "tiled_shared tiled_global"] { stats csv using (pick_thin(name) == pick_thin(name) ? 1 : 0) nooutput; marks = marks + STATS_sum }
stats csv using (pick("tile_m") == pick("tile_m") ? pick("tile_m") : 0) nooutput
note = marks > 0 ? "\n(hollow: underfilled, excluded from claims)" : ""
set xlabel "tile height M (64 x M paths)" . note
set ylabel "speed relative to naive"
set logscale x 2
set xtics (1, 2, 4, 8, 16, 32)
set yrange [0:*]
set xrange [0.9:1.1 * STATS_max]
set offsets 0, 0, 0.05, 0
eval key_rows(2, 2)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using "tile_m":(pick("tiled_shared")) with lines ls 2 notitle, \
         csv using "tile_m":(pick_full("tiled_shared")):(pick("tiled_shared_low")):(pick("tiled_shared_high")) with yerrorbars ls 2 title "tiled, shared memory", \
         csv using "tile_m":(pick("tiled_global")) with lines ls 1 notitle, \
         csv using "tile_m":(pick_full("tiled_global")):(pick("tiled_global_low")):(pick("tiled_global_high")) with yerrorbars ls 1 title "tiled, global memory", \
         csv using "tile_m":(pick_thin("tiled_shared")) with points ls 2 pt 8 ps 1 notitle, \
         csv using "tile_m":(pick_thin("tiled_global")) with points ls 1 pt 4 ps 0.9 notitle, \
         1 with lines ls 13 title "naive"
    eval end
}
