# SPDX-License-Identifier: MIT
# Wald 2011, Figure 2, left: speed of the tiled kernels against the rows M of a tile, the naive kernel's being 1.
#
#   gnuplot -c figure2_left.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report figure2_left --format csv` writes and writes STEM.svg and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "figure2_left.csv"
stem = ARGC > 1 ? ARG2 : "figure2_left"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""

set datafile separator comma
set datafile missing ""
pick(name) = column("panel") == wanted && strlen(strcol(name)) > 0 ? column(name) : NaN

set style line 1 lc rgb "#D55E00" lw 2 pt 9 ps 1.0
set style line 2 lc rgb "#0072B2" lw 2 pt 5 ps 0.9
set style line 3 lc rgb "#000000" lw 1.5 dt 2
set border 3 lw 1 lc rgb "#444444"
set grid ytics lt 1 lc rgb "#DDDDDD" lw 1
set tics nomirror out
set xlabel "M, rows of a tile (64 x M paths)"
set ylabel "speed, naive kernel = 1"
set logscale x 2
set xtics (1, 2, 4, 8, 16, 32)
set yrange [0:*]
set autoscale xfix
set offsets 0, 0, 0.05, 0
set key below center Left reverse samplen 4 spacing 1.1 maxrows 1
set bmargin 7
set title heading noenhanced

do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 720,460 dynamic font "Helvetica,13" background rgb "white" }
    if (kind eq "png") { set terminal pngcairo size 1152,736 fontscale 1.35 linewidth 1.5 pointscale 1.5 background rgb "white" }
    set output stem . "." . kind
    plot 1 with lines ls 3 title "naive", \
         csv using "tile_m":(pick("tiled_global")) with lines ls 2 notitle, \
         csv using "tile_m":(pick("tiled_global")):(pick("tiled_global_low")):(pick("tiled_global_high")) with yerrorbars ls 2 title "tiled, global memory", \
         csv using "tile_m":(pick("tiled_shared")) with lines ls 1 notitle, \
         csv using "tile_m":(pick("tiled_shared")):(pick("tiled_shared_low")):(pick("tiled_shared_high")) with yerrorbars ls 1 title "tiled, shared memory"
    unset output
}
