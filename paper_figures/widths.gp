# SPDX-License-Identifier: MIT
# Width of SIMD: how many times fuller warps are with what each document puts in place of one path a lane, against the lanes of a warp.
#
#   gnuplot -c widths.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report wald2011 widths --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "widths.csv"
stem = ARGC > 1 ? ARG2 : "widths"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("widths.gp")] . "wald2011/style.gp"

set xlabel "lanes of a warp"
set ylabel "live lanes, relative to one path a lane"
set logscale x 2
set xtics (4, 8, 16, 32, 64)
set xrange [3.5:73]
set logscale y 2
set yrange [1:16]
set ytics (1, 2, 4, 8, 16)
eval key_rows(5, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using "simd_width":(pick("wald_fuller")) with linespoints ls 1 title "Wald, whole-frame", \
         csv using "simd_width":(pick("frolov_fuller")) with linespoints ls 2 title "Frolov, streaming", \
         csv using "simd_width":(pick("thesis_fuller")) with linespoints ls 3 title "thesis, by lane", \
         csv using "simd_width":(pick("cmu_fuller")) with linespoints ls 4 title "CMU, two stages", \
         csv using "simd_width":(pick("kdtree_fuller")) with linespoints ls 5 title "kd-tree, whole-frame"
    eval end
}
