# SPDX-License-Identifier: MIT
# Thesis 2018, Tables 4.1 and 4.3 to 4.6: rays per second of each scheme on each volume, in terms of the naive kernel's on the same GPU: measured (filled)
# and published (hollow). Where nothing is timed the share of live lanes.
#
#   gnuplot -c scheme_rates.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report volpt2018 schemes --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "schemes.csv"
stem = ARGC > 1 ? ARG2 : "scheme_rates"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
height = 10
load ARG0[1:strlen(ARG0) - strlen("scheme_rates.gp")] . "../wald2011/style.gp"

eval read_rows("method")
volumes = "cube slab knees phantom ct mri"
array titles[6] = ["cube", "slab", "phantom_knees", "phantom_head", "head (CT)", "brain (MRI)"]
array colours[6] = [blue, sky, red, orange, green, black]
array filled[6] = [5, 5, 9, 9, 7, 7]
array hollow[6] = [4, 4, 8, 8, 6, 6]
array here[6]
timed = 0
do for [k = 1:6] {
    eval count_here(word(volumes, k)); here[k] = found
    timed = timed + found
}
do for [k = 1:6] { if (!timed) { eval count_here(word(volumes, k) . "_lanes"); here[k] = found } }
# The naive kernel's rates; 0: none, and nothing of the volume is drawn.
array base[6]
array base_printed[6]
do for [k = 1:6] { base[k] = 0; base_printed[k] = 0 }
is_base(unused) = column("panel") == wanted && strcol("method") eq "naiveSK"
note_base(k) = is_base(0) ? (base[k] = number_or_0(strcol(word(volumes, k))), k < 5 ? (base_printed[k] = number_or_0(strcol(word(volumes, k) . "_paper"))) : 0, 1) : 0
do for [k = 1:6] { stats csv using (note_base(k)) nooutput }
over(value, of) = of > 0 ? value / of : NaN
amount(k) = timed ? over(pick(word(volumes, k)), base[k]) : percent(word(volumes, k) . "_lanes")
printed(k) = timed && k < 5 ? over(pick(word(volumes, k) . "_paper"), base_printed[k]) : NaN
place(k) = number_of(strcol("method")) + 0.11 * (k - 3.5)

# Two lines where a name has an addition.
broken(text) = strstrt(text, " (") ? text[1:strstrt(text, " (") - 1] . "\n" . text[strstrt(text, " (") + 1:strlen(text)] : text
set xtics ()
do for [i = 1:rows] { set xtics add (broken(names[i]) i) }
set xtics noenhanced rotate by -30 left
set xrange [0.5:rows + 0.5]
set ylabel timed ? "rays a second, naiveSK = 1" : "live lanes, %"
if (timed) { set logscale y; set yrange [0.25:*]; set ytics (0.25, 0.5, 1, 2, 4, 8, 16, 32); set format y "%g"; set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lt 1 lc rgb grey } else { set yrange [0:100] }
set rmargin 7
eval key_rows(2, 5)
set key noenhanced

do for [kind in kinds] {
    eval begin(kind)
    plot for [k = 1:6] csv using (here[k] ? place(k) : NaN):(amount(k)) with points pt filled[k] ps 0.7 lc rgb colours[k] title (here[k] ? titles[k] : ""), \
         for [k = 1:4] csv using (place(k)):(printed(k)) with points pt hollow[k] ps 0.8 lc rgb colours[k] notitle, \
         NaN with points pt 4 ps 0.8 lc rgb black title timed ? "published" : ""
    eval end
}
