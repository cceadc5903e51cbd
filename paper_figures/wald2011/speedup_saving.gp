# SPDX-License-Identifier: MIT
# Wald 2011: what warps saved promise and what frames gain: speedup against the saving, a point per scene; on the diagonal, a frame's time
# would go with its active warps.
#
#   gnuplot -c speedup_saving.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report speedup_saving --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "speedup_saving.csv"
stem = ARGC > 1 ? ARG2 : "speedup_saving"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 8.5
load ARG0[1:strlen(ARG0) - strlen("speedup_saving.gp")] . "style.gp"

array filled[6] = [5, 9, 7, 13, 11, 15]
array hollow[6] = [4, 8, 6, 12, 10, 14]
array colours[7] = [blue, red, black, green, orange, pink, sky]
eval read_rows("label")
eval count_here("saved_paper"); published = found
weak(column_name) = strstrt(strcol(column_name), "underfilled") || strstrt(strcol(column_name), "fitted")
row_is(i) = column("panel") == wanted && strcol("label") eq names[i]
strong_at(i) = row_is(i) && !weak("speedup_flags") ? pick("speedup") : NaN
weak_at(i) = row_is(i) && weak("speedup_flags") ? pick("speedup") : NaN
# A scene has the same colour and mark in every panel: those of Wald's table in this order, others behind them.
known = "forest moto armadillo dragon villa refinery"
scene_of(label) = strstrt(label, " (") ? label[1:strstrt(label, " (") - 1] : label
place_of(i) = (sum [k = 1:words(known)] (word(known, k) eq scene_of(names[i]) ? k : 0))
number(i) = place_of(i) > 0 ? place_of(i) : words(known) + i
nth(i) = 1 + (number(i) - 1) % 6
array here[200]
do for [i = 1:rows] {
    stats csv using (row_is(i) && is_here("saved") && is_here("speedup") ? 1 : 0) nooutput
    here[i] = STATS_sum > 0
}
colour(i) = colours[1 + (number(i) - 1) % 7]

set xlabel "active warps saved, naive / compacted\n(hollow: underfilled or fitted, excluded from claims)"
set ylabel "speedup, naive / compacted frame"
set xrange [1:*]
set yrange [0:*]
set offsets 0, 0.15, 0.15, 0
eval key_rows(5, 2)
set key samplen 1 width -5

do for [kind in kinds] {
    eval begin(kind)
    plot x with lines ls 13 title "time proportional to warps", 1 with lines lt 1 lc rgb grey lw 1 notitle, \
         for [i = 1:rows] csv using (pick("saved")):(strong_at(i)):(pick("speedup_low")):(pick("speedup_high")) \
             with yerrorbars pt filled[nth(i)] ps 0.9 lw 1.5 lc rgb colour(i) title (here[i] ? names[i] : "") noenhanced, \
         for [i = 1:rows] csv using (pick("saved")):(weak_at(i)):(pick("speedup_low")):(pick("speedup_high")) \
             with yerrorbars pt hollow[nth(i)] ps 0.9 lw 1.5 lc rgb colour(i) notitle, \
         csv using (pick("saved_paper")):(pick("speedup_paper")) with points ls 13 pt 3 title (published ? "fairy, paper" : "")
    eval end
}
