# SPDX-License-Identifier: MIT
# Wald 2011, Figure 2, right: occupancy against shared memory, predicted for 64 registers and 64 lanes a block; beside it what the
# paper prints, and what the hardware counted where it did.
#
#   gnuplot -c figure2_right.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report figure2_right --format csv` writes and writes STEM.svg and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "figure2_right.csv"
stem = ARGC > 1 ? ARG2 : "figure2_right"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""

set datafile separator comma
set datafile missing ""
pick(name) = column("panel") == wanted && strlen(strcol(name)) > 0 ? column(name) : NaN

set style line 1 lc rgb "#000000" lw 2 pt 7 ps 0.9
set style line 2 lc rgb "#0072B2" lw 2 pt 4 ps 1.6
set style line 3 lc rgb "#D55E00" lw 2 pt 9 ps 1.1
set style line 4 lc rgb "#009E73" lw 2 pt 2 ps 1.1
set border 3 lw 1 lc rgb "#444444"
set grid ytics lt 1 lc rgb "#DDDDDD" lw 1
set tics nomirror out
set xlabel "shared memory, KB a block (tiles of 64 x M paths: 6 KB x M)"
set ylabel "occupancy, % of the most warps"
set yrange [0:*]
set autoscale xfix
set offsets 1, 1, 2, 0
set key below center Left reverse samplen 3 spacing 1.1 maxrows 2
set bmargin 7
set title heading noenhanced

# Only what the panel has is in the legend.
has(name) = column("panel") == wanted && strlen(strcol(name)) > 0 ? 1 : 0
stats csv using (has("occupancy_paper")) nooutput
printed = STATS_sum > 0
stats csv using (has("achieved")) nooutput
counted = STATS_sum > 0
stats csv using (has("kernel_occupancy")) nooutput
own = STATS_sum > 0

do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 720,460 dynamic font "Helvetica,13" background rgb "white" }
    if (kind eq "png") { set terminal pngcairo size 1152,736 fontscale 1.35 linewidth 1.5 pointscale 1.5 background rgb "white" }
    set output stem . "." . kind
    plot csv using (pick("shared")):(pick("occupancy")) with linespoints ls 1 title "predicted, 64 registers", \
         csv using (pick("shared")):(pick("occupancy_paper")) with points ls 2 title (printed ? "published" : ""), \
         csv using (pick("shared")):(pick("kernel_occupancy")) with points ls 4 title (own ? "predicted, its own registers" : ""), \
         csv using (pick("shared")):(pick("achieved")) with points ls 3 title (counted ? "counted by the hardware" : "")
    unset output
}
