# SPDX-License-Identifier: MIT
# Beyond the paper: what compaction over the whole frame gains over three trees, scene by scene.
#
#   gnuplot -c traversal.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report wald2011 traversal --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "traversal.csv"
stem = ARGC > 1 ? ARG2 : "traversal"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("traversal.gp")] . "style.gp"

eval read_rows("label")
place(offset) = number_of(strcol("label")) + offset
set xrange [0.5:rows + 0.5]
set yrange [1:*]
set offsets 0, 0, 0.05, 0
set ylabel "speedup of whole-frame compaction"
# Of "forest (fairy)" the first word; every second name a line lower.
set xtics ()
do for [i = 1:rows] { set xtics add (((i % 2) ? "" : "\n") . word(names[i], 1) i) }
set xlabel " \n "
eval key_rows(3, 2)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using (place(-0.15)):(pick("binary_gain")):(pick("binary_gain_low")):(pick("binary_gain_high")) with yerrorbars ls 1 title "binary tree", \
         csv using (place(0)):(pick("split_gain")):(pick("split_gain_low")):(pick("split_gain_high")) with yerrorbars ls 2 title "wide4, split triangles", \
         csv using (place(0.15)):(pick("whole_gain")):(pick("whole_gain_low")):(pick("whole_gain_high")) with yerrorbars ls 3 title "wide4, whole triangles"
    eval end
}
