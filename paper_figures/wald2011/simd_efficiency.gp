# SPDX-License-Identifier: MIT
# Lanes of active warps per bounce: alive at the entry of the extension, and at work inside the traversal by the lockstep model and by
# the hardware's counts; compaction off (the naive kernel's warps) and on.
#
#   gnuplot -c simd_efficiency.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report simd_efficiency --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "simd_efficiency.csv"
stem = ARGC > 1 ? ARG2 : "simd_efficiency"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7.6
load ARG0[1:strlen(ARG0) - strlen("simd_efficiency.gp")] . "style.gp"

eval count_here("naive_model"); modelled = found
eval count_here("off_hardware"); counted = found

set xtics 1
set xlabel "bounce (0 = camera ray)"
set ylabel "lanes of active warps, %"
set yrange [0:105]
set autoscale xfix
set offsets 0.3, 0.3, 0, 0
eval key_rows(3, 1)
set key width -3

do for [kind in kinds] {
    eval begin(kind)
    plot csv using "bounce":(percent("naive_alive")) with linespoints ls 1 title "off: live", \
         csv using "bounce":(percent("naive_model")) with lines ls 11 title (modelled ? "off: executing, model" : ""), \
         csv using "bounce":(percent("off_hardware")) with points ls 11 title (counted ? "off: executing, hardware" : ""), \
         csv using "bounce":(percent("on_alive")) with linespoints ls 2 title "on: live", \
         csv using "bounce":(percent("on_model")) with lines ls 12 title (modelled ? "on: executing, model" : ""), \
         csv using "bounce":(percent("on_hardware")) with points ls 12 title (counted ? "on: executing, hardware" : "")
    eval end
}
