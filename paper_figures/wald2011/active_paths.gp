# SPDX-License-Identifier: MIT
# Wald 2011, Table 2 as a picture: what is left of the paths, and of the warps, at every bounce; published beside measured.
#
#   gnuplot -c active_paths.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report table2 --format csv` writes (default table2.csv) and writes STEM.svg and STEM.png
# (default active_paths) for one panel of it (default 1).
csv = ARGC > 0 ? ARG1 : "table2.csv"
stem = ARGC > 1 ? ARG2 : "active_paths"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""

set datafile separator comma
set datafile missing ""
blue = "#0072B2"; orange = "#D55E00"; grey = "#000000"
pick(name) = column("panel") == wanted && strlen(strcol(name)) > 0 ? 100 * column(name) : NaN

set style line 1 lc rgb grey   lw 2 pt 7 ps 0.8
set style line 2 lc rgb blue   lw 2 pt 5 ps 0.8
set style line 3 lc rgb orange lw 2 pt 9 ps 0.9
set style line 4 lc rgb grey   lw 1.5 dt 2 pt 6 ps 1.5
set style line 5 lc rgb blue   lw 1.5 dt 2 pt 4 ps 1.4
set style line 6 lc rgb orange lw 1.5 dt 2 pt 8 ps 1.6
set border 3 lw 1 lc rgb "#444444"
set grid ytics lt 1 lc rgb "#DDDDDD" lw 1
set tics nomirror out
set xtics 1
set xlabel "bounce (0 = camera ray)"
set yrange [0:105]
set autoscale xfix
set offsets 0.3, 0.3, 0, 0
set key below center Left reverse samplen 4 spacing 1.1 maxrows 2
set bmargin 6.5

do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 1000,460 dynamic font "Helvetica,13" background rgb "white" }
    if (kind eq "png") { set terminal pngcairo size 1600,736 fontscale 1.35 linewidth 1.5 pointscale 1.5 background rgb "white" }
    set output stem . "." . kind
    set multiplot layout 1,2 title heading noenhanced
    set title "Active paths"
    set ylabel "active paths, % of all paths"
    plot csv using "bounce":(pick("alive")) with linespoints ls 1 title "measured", \
         csv using "bounce":(pick("alive_paper")) with linespoints ls 4 title "published"
    set title "Active warps"
    set ylabel "active warps, % of all warps"
    plot csv using "bounce":(pick("naive_share")) with linespoints ls 2 title "naive, measured", \
         csv using "bounce":(pick("naive_share_paper")) with linespoints ls 5 title "naive, published", \
         csv using "bounce":(pick("compacted_share")) with linespoints ls 3 title "compacted, measured", \
         csv using "bounce":(pick("compacted_share_paper")) with linespoints ls 6 title "compacted, published"
    unset multiplot
    unset output
}
