# SPDX-License-Identifier: MIT
# Wald 2011, section 4.2.4: why warps wait, as samples of every bounce by reason, compaction off (left bar) and on (right bar). Reasons
# that are nowhere 3 % of a bounce are summed as other.
#
#   gnuplot -c stalls.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report table3_counters --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "table3_counters.csv"
stem = ARGC > 1 ? ARG2 : "stalls"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 9
load ARG0[1:strlen(ARG0) - strlen("stalls.gp")] . "style.gp"

# From the bottom up; what each means, and its colour: neighbours differ in brightness.
reasons = "r_long_scoreboard r_wait r_not_selected r_math_pipe_throttle r_branch_resolving r_short_scoreboard r_dispatch_stall r_no_instructions r_lg_throttle r_selected r_other"
array titles[11] = ["memory", "fixed latency", "not selected", "arithmetic pipe", "branch", "shared, special", "dispatch", "instr. cache", \
                    "memory queue", "issued", "other"]
array colours[11] = [red, sky, blue, yellow, green, orange, black, pink, "#7A3B00", grey, pale]

part(reason) = strlen(strcol(reason)) > 0 ? 100 * column(reason) : 0
upto(k) = sum [i = 1:k] part(word(reasons, i))
centre(unused) = column("bounce") + (column("compacted") > 0 ? 0.2 : -0.2)
top(k) = column("panel") == wanted && strlen(strcol("bounce")) > 0 && strlen(strcol("r_other")) > 0 ? upto(k) : NaN

# Only what the panel has is in the legend.
array here[11]
do for [k = 1:11] {
    eval count_here(word(reasons, k))
    here[k] = found
}

stats csv using (is_here("bounce") ? column("bounce") : 0) nooutput
last_bounce = STATS_max

set style fill solid 1.0 border rgb "white"
set boxwidth 0.38 absolute
set xtics 1 scale 0
set xlabel "bounce (left bar: compaction off; right: on)"
set ylabel "warp samples, %"
set yrange [0:100]
set xrange [-0.7:last_bounce + 0.7]
eval key_rows(6, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot for [k = 11:1:-1] csv using (centre(0)):(top(k)) with boxes lc rgb colours[k] title (here[k] ? titles[k] : "")
    eval end
}
