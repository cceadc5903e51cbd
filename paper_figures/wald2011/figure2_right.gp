# SPDX-License-Identifier: MIT
# Wald 2011, Figure 2, right: occupancy against shared memory, predicted for 64 registers and 64 lanes a block; beside it what the
# paper prints, and what the hardware counted where it did.
#
#   gnuplot -c figure2_right.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report figure2_right --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "figure2_right.csv"
stem = ARGC > 1 ? ARG2 : "figure2_right"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("figure2_right.gp")] . "style.gp"

eval count_here("occupancy_paper"); printed = found
eval count_here("achieved"); counted = found
eval count_here("kernel_occupancy"); own = found

set xlabel "shared memory per block of 64 x M paths, KB (6 x M)"
set ylabel "occupancy, % of maximum warps"
set yrange [0:*]
set autoscale xfix
set offsets 1, 1, 2, 0
eval key_rows(2, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using (pick("shared")):(pick("occupancy")) with linespoints ls 3 title "predicted, 64 registers", \
         csv using (pick("shared")):(pick("occupancy_paper")) with points ls 11 title (printed ? "paper" : ""), \
         csv using (pick("shared")):(pick("kernel_occupancy")) with points ls 14 title (own ? "kernels as compiled" : ""), \
         csv using (pick("shared")):(pick("achieved")) with points ls 2 title (counted ? "counted by hardware" : "")
    eval end
}
