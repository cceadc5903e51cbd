# SPDX-License-Identifier: MIT
# Live lanes of the trips of a scheme's warps: how many trips have so many of them or fewer. The lower and the further to the right, the fuller.
#
#   gnuplot -c live_lanes.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report volpt2018 live_lanes --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "live_lanes.csv"
stem = ARGC > 1 ? ARG2 : "live_lanes"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 9.6
load ARG0[1:strlen(ARG0) - strlen("live_lanes.gp")] . "../wald2011/style.gp"

schemes = "naive block warp thread stream streams"
array titles[6] = ["naive", "regeneration, block", "regeneration, warp", "regeneration, thread", "streaming, one kernel", "streaming, two kernels"]
array colours[6] = [black, orange, red, blue, green, sky]
array widths[6] = [4, 2.6, 1.2, 2, 2, 1.2]
array dashes[6] = [1, 1, 2, 1, 1, 1]
array means[6]
do for [k = 1:6] {
    means[k] = 0
    stats csv using (is_here(word(schemes, k) . "_mean") ? (means[k] = column(word(schemes, k) . "_mean"), 1) : 0) nooutput
}
stats csv using (column("panel") == wanted ? column("lanes") : 0) nooutput
most = int(STATS_max)
set xlabel "live lanes"
set ylabel "trips with so many or fewer, %"
set xrange [0.5:most + 0.5]
set yrange [0:100]
set xtics (1, 4, 8, 16, 24, 32, 48, 64)
eval key_rows(6, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot for [k = 1:6] csv using (pick("lanes")):(percent(word(schemes, k))) with steps lw widths[k] dt dashes[k] lc rgb colours[k] \
         title (means[k] > 0 ? sprintf("%s: %.1f on average", titles[k], means[k]) : "")
    eval end
}
