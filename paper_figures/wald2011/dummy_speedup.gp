# SPDX-License-Identifier: MIT
# Wald 2011, section 4.2.5: speedup of compaction against how much longer dummy arithmetic makes the naive kernel take.
#
#   gnuplot -c dummy_speedup.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report dummy_speedup --format csv` writes and writes STEM.svg and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "dummy_speedup.csv"
stem = ARGC > 1 ? ARG2 : "dummy_speedup"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""

set datafile separator comma
set datafile missing ""
pick(name) = column("panel") == wanted && strlen(strcol(name)) > 0 ? column(name) : NaN

set style line 1 lc rgb "#D55E00" lw 2 pt 9 ps 1.0
set style line 2 lc rgb "#D55E00" lw 1.5 dt 3
set style line 3 lc rgb "#0072B2" lw 2 pt 4 ps 1.6
set style line 4 lc rgb "#0072B2" lw 1.5 dt 2
set border 3 lw 1 lc rgb "#444444"
set grid ytics lt 1 lc rgb "#DDDDDD" lw 1
set tics nomirror out
set xlabel "naive time, without dummy arithmetic = 1"
set ylabel "speedup of whole-frame compaction"
set yrange [0:*]
set xrange [0.9:4.1]
set offsets 0, 0, 0.1, 0
set key below center Left reverse samplen 4 spacing 1.1 maxrows 2
set bmargin 7
set title heading noenhanced

do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 720,460 dynamic font "Helvetica,13" background rgb "white" }
    if (kind eq "png") { set terminal pngcairo size 1152,736 fontscale 1.35 linewidth 1.5 pointscale 1.5 background rgb "white" }
    set output stem . "." . kind
    plot csv using "naive_multiple":(pick("speedup")):(pick("speedup_low")):(pick("speedup_high")) with yerrorlines ls 1 title "measured", \
         csv using "naive_multiple":(pick("model")) with lines ls 2 title "model: as much a warp", \
         csv using "naive_multiple":(pick("speedup_paper")) with points ls 3 title "published", \
         csv using "naive_multiple":(pick("model_paper")) with lines ls 4 title "model, from the paper's tables"
    unset output
}
