# SPDX-License-Identifier: MIT
# Wald 2011, section 4.2.4: why warps wait, as samples of every bounce by reason, compaction off (left bar) and on (right bar). A chart for
# each scene, at its largest image.
#
#   gnuplot -c stalls.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report table3_counters --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png of all of its panels.
csv = ARGC > 0 ? ARG1 : "table3_counters.csv"
stem = ARGC > 1 ? ARG2 : "stalls"
wanted = 0
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
load ARG0[1:strlen(ARG0) - strlen("stalls.gp")] . "style.gp"

eval read_charts("r_other")
if (charts == 0) { do for [i = 1:200] { chart_rows[i] = 0 }; eval read_charts("bounce") }
across = charts > 2 ? 3 : charts
down = (charts + across - 1) / across
height = 3 + 4.6 * down
feet = 1.6 / height
head_room = (0.7 + 0.5 * lines) / height

# From the bottom up; neighbours differ in brightness.
reasons = "r_long_scoreboard r_wait r_branch_resolving r_short_scoreboard r_not_selected r_selected"
array titles[7] = ["memory", "fixed latency", "branch", "shared, special", "not selected", "issued", "other"]
array colours[7] = [red, sky, green, orange, blue, grey, pale]
part(reason) = strlen(strcol(reason)) > 0 ? 100 * column(reason) : 0
upto(k) = k > 6 ? 100 : sum [i = 1:k] part(word(reasons, i))
centre(unused) = column("bounce") + (column("compacted") > 0 ? 0.2 : -0.2)
top(k) = column("panel") == wanted && strlen(strcol("bounce")) > 0 && strlen(strcol("r_other")) > 0 ? upto(k) : NaN

set style fill solid 1.0 border rgb "white"
set boxwidth 0.38 absolute
unset key

do for [kind in kinds] {
    eval begin(kind)
    set multiplot
    set xtics nomirror 1
    set ytics nomirror
    set yrange [0:100]
    do for [i = 1:charts] {
        wanted = shown[i]
        stats csv using (is_here("bounce") ? column("bounce") : 0) nooutput
        set xrange [-0.7:STATS_max + 0.7]
        eval grid(i, across, down, 0.25, 0.02, 0.24, feet)
        set label 2 chart_title(wanted) at graph 0.5, graph 1.06 center noenhanced
        set xlabel (i + across > charts ? "bounce (left: compaction off; right: on)" : "")
        set ylabel (i % across == 1 || across == 1 ? "warp samples, %" : "")
        plot for [k = 7:1:-1] csv using (centre(0)):(top(k)) with boxes lc rgb colours[k]
        unset label 1
    }
    eval legend(2)
    plot for [k = 1:7] NaN with boxes lc rgb colours[k] title titles[k]
    eval legend_end
    unset multiplot
    eval end
    set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
}
