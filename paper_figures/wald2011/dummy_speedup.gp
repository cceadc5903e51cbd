# SPDX-License-Identifier: MIT
# Wald 2011, section 4.2.5: speedup of compaction against how much longer dummy arithmetic makes the naive kernel take.
# Model: dummy work costs as much a warp, of which the compacted kernel has fewer.
#
#   gnuplot -c dummy_speedup.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report dummy_speedup --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "dummy_speedup.csv"
stem = ARGC > 1 ? ARG2 : "dummy_speedup"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("dummy_speedup.gp")] . "style.gp"

set xlabel "naive time relative to no dummy arithmetic\n(hollow triangle: underfilled, excluded from claims)"
set ylabel "speedup of whole-frame compaction"
set yrange [0:*]
set xrange [0.9:4.1]
set offsets 0, 0, 0.1, 0
eval key_rows(2, 2)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using "naive_multiple":(pick("speedup")) with lines ls 2 notitle, \
         csv using "naive_multiple":(pick_full("speedup")):(pick("speedup_low")):(pick("speedup_high")) with yerrorbars ls 2 title "measured", \
         csv using "naive_multiple":(pick_thin("speedup")) with points ls 2 pt 8 ps 1 notitle, \
         csv using "naive_multiple":(pick("model")) with lines ls 12 title "model", \
         csv using "naive_multiple":(pick("speedup_paper")) with points ls 11 title "paper", \
         csv using "naive_multiple":(pick("model_paper")) with lines ls 11 title "model, paper's tables"
    eval end
}
