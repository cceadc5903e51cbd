# SPDX-License-Identifier: MIT
# One frame of each scheme from moment to moment, on one axis of time: active lanes (above) and resident warps of a multiprocessor (below), each slice a mean
# of samples. A curve ends where its frame does.
#
#   gnuplot -c timeline_schemes.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report volpt2018 timeline_schemes --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "timeline_schemes.csv"
stem = ARGC > 1 ? ARG2 : "timeline_schemes"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
height = 9.5
load ARG0[1:strlen(ARG0) - strlen("timeline_schemes.gp")] . "../wald2011/style.gp"

schemes = "naive thread warp stream"
array titles[4] = ["naive", "regeneration, thread", "regeneration, warp", "streaming"]
array colours[4] = [black, blue, red, green]
array here[4]
array ends[4]
do for [k = 1:4] {
    ends[k] = 0
    eval count_here(word(schemes, k) . "_warps"); here[k] = found
    stats csv using (is_here(word(schemes, k) . "_warps") ? column("milliseconds") : 0) nooutput
    ends[k] = STATS_max
}
stats csv using (column("panel") == wanted ? column("milliseconds") : 0) nooutput
set xrange [0:STATS_max * 1.01]
most = 0
do for [k = 1:4] {
    stats csv using (is_here(word(schemes, k) . "_warps") ? column(word(schemes, k) . "_warps") : 0) nooutput
    most = STATS_max > most ? STATS_max : most
}
warps = 8 * ceil(most / 8.0)
unset key

do for [kind in kinds] {
    eval begin(kind)
    set multiplot
    set label 1
    set tmargin at screen 0.97 - 0.055 * lines
    set bmargin at screen 0.58 - 0.02 * lines
    set lmargin at screen 0.075
    set rmargin at screen 0.985
    set format x ""
    unset xlabel
    set ylabel "active lanes, %"
    set yrange [0:100]
    plot for [k = 1:4] csv using (here[k] ? pick("milliseconds") : NaN):(percent(word(schemes, k) . "_lanes")) with lines lw 1.6 lc rgb colours[k] notitle
    unset label 1
    set tmargin at screen 0.55 - 0.02 * lines
    set bmargin at screen 0.21
    set format x "%g"
    set xlabel "time from the first launch, ms"
    set ylabel "warps a multiprocessor"
    set yrange [0:warps]
    set key at screen 0.53, screen 0.02 center bottom horizontal Left reverse samplen 2 spacing 1.1 width -1 maxrows 1
    plot for [k = 1:4] csv using (here[k] ? pick("milliseconds") : NaN):(pick(word(schemes, k) . "_warps")) with lines lw 1.6 lc rgb colours[k] \
         title (here[k] ? titles[k] : "")
    unset key
    unset multiplot
    eval end
    set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
}
