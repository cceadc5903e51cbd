# SPDX-License-Identifier: MIT
# Wald 2011, section 4.2.4: why warps wait, as samples of every bounce by reason, compaction off (left bar) and on (right bar). Reasons
# that are nowhere 3 % of a bounce are summed as other.
#
#   gnuplot -c stalls.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report table3_counters --format csv` writes and writes STEM.svg and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "table3_counters.csv"
stem = ARGC > 1 ? ARG2 : "stalls"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""

set datafile separator comma
set datafile missing ""

# From the bottom up; what each means, and its colour.
columns = "r_long_scoreboard r_wait r_not_selected r_math_pipe_throttle r_branch_resolving r_short_scoreboard r_dispatch_stall r_no_instructions r_lg_throttle r_selected r_other"
array titles[11] = ["memory (long scoreboard)", "fixed latency (wait)", "not selected", "arithmetic pipe busy", "branch", \
                    "shared memory, special functions", "dispatch", "instruction cache", "memory queue full", "issued", "other"]
array colours[11] = ["#D55E00", "#0072B2", "#56B4E9", "#CC79A7", "#009E73", "#E69F00", "#F0E442", "#7F5FA8", "#7A3B00", "#444444", "#DDDDDD"]

mine(name) = column("panel") == wanted && strlen(strcol("bounce")) > 0
part(name) = strlen(strcol(name)) > 0 ? 100 * column(name) : 0
upto(k) = sum [i = 1:k] part(word(columns, i))
centre(unused) = column("bounce") + (column("compacted") > 0 ? 0.2 : -0.2)
height(k) = mine(0) && strlen(strcol("r_other")) > 0 ? upto(k) : NaN

# Only what the panel has is in the legend.
array here[11]
do for [k = 1:11] {
    stats csv using (mine(0) ? part(word(columns, k)) : 0) nooutput
    here[k] = STATS_sum > 0
}

set style fill solid 1.0 border rgb "white"
set boxwidth 0.36 absolute
set border 3 lw 1 lc rgb "#444444"
set grid ytics lt 1 lc rgb "#DDDDDD" lw 1
set tics nomirror out
set xtics 1
set xlabel "bounce (0 = camera ray)"
set ylabel "samples of warps, %"
set yrange [0:108]
set ytics 0, 20, 100
set autoscale xfix
set offsets 0.5, 0.5, 0, 0
set key outside right center vertical Left reverse samplen 1.5 spacing 1.15
set title heading noenhanced

do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 1000,480 dynamic font "Helvetica,13" background rgb "white" }
    if (kind eq "png") { set terminal pngcairo size 1600,768 fontscale 1.35 linewidth 1.5 pointscale 1.5 background rgb "white" }
    set output stem . "." . kind
    plot for [k = 11:1:-1] csv using (centre(0)):(height(k)) with boxes lc rgb colours[k] title (here[k] ? titles[k] : ""), \
         csv using (centre(0)):(height(11) + 3):(column("compacted") > 0 ? "on" : "off") with labels font ",10" notitle
    unset output
}
