# SPDX-License-Identifier: MIT
# Wald 2011: a frame with compaction in terms of the naive one, from what the warps saved promise to what is measured, part by part
# (docs/metrics.md 10). Parts below zero are hatched and lead back. Under a scene of the paper the paper's own frame, in the parts that its
# tables give: compaction stands for compaction and gaps.
#
#   gnuplot -c speedup_parts.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report speedup_saving --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "speedup_saving.csv"
stem = ARGC > 1 ? ARG2 : "speedup_parts"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 10
load ARG0[1:strlen(ARG0) - strlen("speedup_parts.gp")] . "style.gp"

parts = "ideal divergence store_load compaction gaps rest unsplit"
paper_parts = "ideal_paper store_load_paper overhead_paper inside_paper"
array titles[7] = ["ideal", "divergence", "store and load", "compaction", "gaps", "memory, rest", "not broken down"]
array colours[7] = [pale, red, blue, yellow, black, sky, grey]
array paper_colours[4] = [pale, blue, yellow, grey]
eval read_rows("label")
height = 4.6 + 0.8 * rows

amount(column_name) = strlen(strcol(column_name)) > 0 ? column(column_name) : 0
upto(list, k) = k > 0 ? sum [i = 1:k] amount(word(list, i)) : 0
# A box of part k; one above zero is full, one below zero is half as high.
place(unused) = -number_of(strcol("label"))
left(list, k) = is_here(word(list, k)) ? upto(list, k - 1) : NaN
right(list, k) = upto(list, k)
half(list, k, size) = amount(word(list, k)) < 0 ? size / 2 : size
weak(column_name) = strstrt(strcol(column_name), "underfilled") || strstrt(strcol(column_name), "fitted")
gain(unused) = sprintf("%.2f%s", column("speedup"), weak("speedup_flags") ? "*" : "")
paper_gain(unused) = sprintf("%.2f, paper", column("speedup_paper"))

# Room for what stands at the bars' ends.
stats csv using (is_here("measured") ? column("measured") : 0) nooutput
farthest = STATS_max
stats csv using (is_here("inside_paper") ? column("measured_paper") : 0) nooutput
farthest_paper = STATS_max
stats csv using (is_here("ideal") ? upto(parts, 7) : 0) nooutput
larger(a, b) = a > b ? a : b
set xrange [0:larger(larger(1.05 * STATS_max, larger(1.25 * farthest, 1.5 * farthest_paper)), 105)]  # the naive frame, where nothing is measured

unset ytics
set grid noytics xtics lt 1 lc rgb pale lw 0.8
do for [i = 1:rows] { set ytics add (literal(names[i]) -i) }
set xtics 50
set mxtics 2
set arrow 1 from 100, graph 0 to 100, graph 1 nohead lt 1 lc rgb grey lw 1 back
set ytics scale 0 noenhanced
set yrange [-rows - 0.6:-0.5]
set xlabel "% of the naive frame (number: speedup)\n*: underfilled or fitted, excluded"
eval key_rows(4, 2)

do for [kind in kinds] {
    eval begin(kind)
    plot for [k = 1:7] csv using (left(parts, k)):(place(0)):(left(parts, k)):(right(parts, k)):(place(0) - half(parts, k, 0.26)):(place(0) + half(parts, k, 0.26)) \
             with boxxyerror fs solid 1.0 noborder lc rgb colours[k] notitle, \
         for [k = 1:7] NaN with boxes fs solid 1.0 lc rgb colours[k] title titles[k], \
         for [k = 1:4] csv using (left(paper_parts, k)):(place(0)):(left(paper_parts, k)):(right(paper_parts, k)):(place(0) - 0.44):(place(0) - 0.29) \
             with boxxyerror fs solid 1.0 noborder lc rgb paper_colours[k] notitle, \
         csv using (pick("measured")):(place(0)):(pick("measured_low")):(pick("measured_high")) with xerrorbars lt 1 lc rgb black lw 1.5 pt 0 notitle, \
         csv using (pick("measured")):(place(0)):(gain(0)) with labels left offset 0.6, 0 notitle, \
         csv using (pick("inside_paper") > 0 ? pick("measured_paper") : NaN):(place(0) - 0.37):(paper_gain(0)) with labels left offset 0.6, 0 notitle
    eval end
}
