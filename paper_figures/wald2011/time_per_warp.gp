# SPDX-License-Identifier: MIT
# Wald 2011, Table 3 as a picture: time per active warp at every bounce, compaction off and on, as a multiple of bounce 0: times of
# different devices are not comparable, their course is.
#
#   gnuplot -c time_per_warp.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report table3 --format csv` writes and writes STEM.svg and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "table3.csv"
stem = ARGC > 1 ? ARG2 : "time_per_warp"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""

set datafile separator comma
set datafile missing ""
pick(name) = column("panel") == wanted && strlen(strcol(name)) > 0 ? column(name) : NaN
first(name) = column("bounce") == 0 && column("panel") == wanted && strlen(strcol(name)) > 0 ? column(name) : 0
base(sum) = sum > 0 ? sum : NaN

stats csv using (first("off_time")) nooutput
off_base = base(STATS_sum)
stats csv using (first("on_time")) nooutput
on_base = base(STATS_sum)
stats csv using (first("off_time_paper")) nooutput
off_paper_base = base(STATS_sum)
stats csv using (first("on_time_paper")) nooutput
on_paper_base = base(STATS_sum)

set style line 1 lc rgb "#0072B2" lw 2 pt 5 ps 0.9
set style line 2 lc rgb "#D55E00" lw 2 pt 9 ps 1.0
set style line 3 lc rgb "#0072B2" lw 1.5 dt 2 pt 4 ps 1.4
set style line 4 lc rgb "#D55E00" lw 1.5 dt 2 pt 8 ps 1.6
set border 3 lw 1 lc rgb "#444444"
set grid ytics lt 1 lc rgb "#DDDDDD" lw 1
set tics nomirror out
set xtics 1
set xlabel "bounce (0 = camera ray)"
set ylabel "time per active warp, bounce 0 = 1"
set yrange [0:*]
set autoscale xfix
set offsets 0.3, 0.3, 0.1, 0
set key below center Left reverse samplen 4 spacing 1.1 maxrows 2
set bmargin 7
set title heading noenhanced

do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 720,460 dynamic font "Helvetica,13" background rgb "white" }
    if (kind eq "png") { set terminal pngcairo size 1152,736 fontscale 1.35 linewidth 1.5 pointscale 1.5 background rgb "white" }
    set output stem . "." . kind
    plot csv using "bounce":(pick("off_time") / off_base) with linespoints ls 1 title "off, measured", \
         csv using "bounce":(pick("off_time_paper") / off_paper_base) with linespoints ls 3 title "off, published", \
         csv using "bounce":(pick("on_time") / on_base) with linespoints ls 2 title "on, measured", \
         csv using "bounce":(pick("on_time_paper") / on_paper_base) with linespoints ls 4 title "on, published"
    unset output
}
