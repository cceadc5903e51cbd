# SPDX-License-Identifier: MIT
# One frame from moment to moment: active lanes and idle multiprocessors (above) and resident warps of a multiprocessor (below) against
# time, each slice a mean of samples; behind them, as bands, what the device runs in each slice. Dashed: a window of samples ends and the
# next begins, in another repeat of the frame.
#
#   gnuplot -c timeline.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report PAPER timeline --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "timeline.csv"
stem = ARGC > 1 ? ARG2 : "timeline"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
height = 9.5
load ARG0[1:strlen(ARG0) - strlen("timeline.gp")] . "wald2011/style.gp"

parts = "trace shadow shade regenerate lists kernel"
array titles[6] = ["trace", "shadow rays", "shading and other stages", "regenerate", "lists", "one kernel"]
array colours[6] = ["#BFDDF2", "#FBE0A6", "#BFE6D6", "#F0C3DC", "#C9C9C9", "#E4E4F2"]
part(name) = strlen(strcol("part_" . name)) > 0 ? column("part_" . name) : 0
upto(k) = sum [i = 1:k] part(word(parts, i))
band(k, top) = is_here("milliseconds") && upto(k) > 0 ? top * upto(k) : NaN

# A file has all panels: from the first row of this one to its last.
set macros
set datafile columnheaders
at = -1
first = 1e9
final = 0
stats csv using (at = at + 1, column("panel") == wanted ? (first = at < first ? at : first, final = at) : 0, 1) nooutput
rows = sprintf("every ::%d::%d", first, final)

array here[6]
do for [k = 1:6] {
    stats csv @rows using (is_here("milliseconds") ? part(word(parts, k)) : 0) nooutput
    here[k] = STATS_max > 0
}
stats csv @rows using (is_here("milliseconds") ? column("milliseconds") : 0) nooutput
last = STATS_max
stats csv @rows using (is_here("most_warps") ? column("most_warps") : 0) nooutput
warps = 8 * ceil(STATS_max / 8.0)
rows_here = 0
stats csv @rows using (column("panel") == wanted ? (rows_here = rows_here + 1, 1) : 0) nooutput
slice = last * 2 / (2 * rows_here - 1.0)

set style fill solid 1.0 noborder
set boxwidth slice absolute
set xrange [0:last + slice / 2]
unset grid   # its lines are drawn between the bands and the curves
unset key

do for [kind in kinds] {
    eval begin(kind)
    set multiplot
    set label 1
    set tmargin at screen 0.97 - 0.055 * lines
    set bmargin at screen 0.60 - 0.02 * lines
    set lmargin at screen 0.075
    set rmargin at screen 0.985
    set format x ""
    unset xlabel
    set ylabel "lanes, multiprocessors, %"
    set yrange [0:100]
    set ytics 20
    plot for [k = 6:1:-1] csv @rows using (pick("milliseconds")):(band(k, 100)) with boxes lc rgb colours[k] notitle, \
         for [y = 20:80:20] y with lines lt 1 lc rgb "white" lw 0.8 notitle, \
         csv @rows using (pick("milliseconds")):(is_here("joined") && column("joined") > 0 ? 100 : NaN) with impulses lc rgb black lw 1 dt (4, 4) notitle, \
         csv @rows using (pick("milliseconds")):(percent("lane_util")) with lines lc rgb blue lw 1.4 notitle, \
         csv @rows using (pick("milliseconds")):(percent("idle_multiprocessors")) with lines lc rgb green lw 1.1 notitle
    unset label 1
    set tmargin at screen 0.57 - 0.02 * lines
    set bmargin at screen 0.23
    set format x "%g"
    set xlabel "time from the first launch, ms (bands: share of each slice of time, all of it at full height)"
    set ylabel "warps per multiprocessor"
    set yrange [0:warps]
    set key at screen 0.53, screen 0.01 center bottom horizontal Left reverse samplen 2 spacing 1.1 width -1 maxrows 2
    set ytics warps / 4
    plot for [k = 6:1:-1] csv @rows using (pick("milliseconds")):(band(k, warps)) with boxes lc rgb colours[k] notitle, \
         for [y = 1:3] y * warps / 4 with lines lt 1 lc rgb "white" lw 0.8 notitle, \
         for [k = 1:6] NaN with boxes lc rgb colours[k] title (here[k] ? titles[k] : ""), \
         csv @rows using (pick("milliseconds")):(is_here("joined") && column("joined") > 0 ? warps : NaN) with impulses lc rgb black lw 1 dt (4, 4) notitle, \
         NaN with lines lc rgb blue lw 1.4 title "active lanes", \
         NaN with lines lc rgb green lw 1.1 title "idle multiprocessors", \
         csv @rows using (pick("milliseconds")):(pick("mean_warps")) with lines lc rgb red lw 1.4 title "warps: mean", \
         csv @rows using (pick("milliseconds")):(pick("least_warps")) with lines lc rgb red lw 1.1 dt (3, 3) title "fewest", \
         csv @rows using (pick("milliseconds")):(pick("most_warps")) with lines lc rgb black lw 1.1 dt (3, 3) title "most"
    unset key
    unset multiplot
    eval end
    set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
}
