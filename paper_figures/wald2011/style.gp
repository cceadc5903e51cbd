# SPDX-License-Identifier: MIT
# What all figures share: terminals, colours, how a panel's cells are read. A figure sets csv, stem, wanted (its panel), heading, width and
# height (in cm, of a printed column) and loads this; then
#
#   do for [kind in kinds] { eval begin(kind); plot ...; eval end }
#
# writes STEM.svg, STEM.pdf and STEM.png, or those of them that `kinds` already names. Colours are Okabe and Ito's, told apart by the
# colour-blind; lines differ in dashes and points too, and parts of bars in brightness, so that black and white will do.
set datafile separator comma
set datafile missing ""

# A cell of the panel, NaN where it is empty; a text; whether any row has a number there.
is_here(column_name) = column("panel") == wanted && strlen(strcol(column_name)) > 0
pick(column_name) = is_here(column_name) ? column(column_name) : NaN
# The same where the column NAME_flags does not have underfilled, and where it does.
is_thin(column_name) = strstrt(strcol(column_name . "_flags"), "underfilled") > 0
pick_full(column_name) = is_thin(column_name) ? NaN : pick(column_name)
pick_thin(column_name) = is_thin(column_name) ? pick(column_name) : NaN
percent(column_name) = 100 * pick(column_name)
count_here(column_name) = "stats csv using (is_here('" . column_name . "') ? 1 : 0) nooutput; found = int(STATS_sum)"

black = "#000000"; orange = "#E69F00"; sky = "#56B4E9"; green = "#009E73"; yellow = "#F0E442"; blue = "#0072B2"; red = "#D55E00"
pink = "#CC79A7"; grey = "#999999"; pale = "#DDDDDD"

# measured: solid and filled; published: dashed and hollow
set style line 1 lc rgb blue  lw 2 pt 5 ps 0.55
set style line 2 lc rgb red   lw 2 pt 9 ps 0.65
set style line 3 lc rgb black lw 2 pt 7 ps 0.55
set style line 4 lc rgb green lw 2 pt 13 ps 0.65
set style line 11 lc rgb blue  lw 1.3 dt (6, 5) pt 4 ps 0.9
set style line 12 lc rgb red   lw 1.3 dt (6, 5) pt 8 ps 1.0
set style line 13 lc rgb black lw 1.3 dt (6, 5) pt 6 ps 0.9
set style line 14 lc rgb green lw 1.3 dt (6, 5) pt 12 ps 1.0

set border 3 lw 0.8 lc rgb "#444444"
set grid ytics lt 1 lc rgb pale lw 0.8
set tics nomirror out scale 0.6

# rows of the panel, and names[1] to names[rows]: what a column says there. To be evaluated. number_of: of a row, by its name.
array names[200]
read_rows(column_name) = "rows = 0; stats csv using (column('panel') == wanted ? (rows = rows + 1, names[rows] = strcol('" . column_name . \
    "'), 1) : 0) nooutput"
number_of(row_name) = sum [i = 1:rows] (names[i] eq row_name ? i : 0)

# Small multiples, where `wanted` is 0. read_charts, to be evaluated, chooses the panels that a figure draws: shown[1] to shown[charts]. These have
# least_rows rows with a value in a column, and are of each scene, or of all that stand for the same one, and device the largest image; with
# every_size all images. Before the i-th plot: wanted = shown[i]; grid(i, ...) sets its margins; chart_title(wanted) is its scene and size.
array chart_scene[200]
array chart_subject[200]
array chart_size[200]
array chart_area[200]
array chart_rows[200]
array shown[200]
charts = 0
do for [i = 1:200] { chart_area[i] = 0; chart_rows[i] = 0 }
number_or_0(text) = strlen(text) > 0 ? real(text) : 0
note_chart(k, column_name) = (chart_scene[k] = strcol("scene"), \
    chart_subject[k] = (strlen(strcol("stands_for")) > 0 ? strcol("stands_for") : strcol("scene")) . "|" . strcol("device_name"), \
    chart_size[k] = strcol("width") . "x" . strcol("height"), \
    chart_area[k] = number_or_0(strcol("width")) * number_or_0(strcol("height")), \
    chart_rows[k] = chart_rows[k] + (strlen(strcol(column_name)) > 0 ? 1 : 0), k)
chart_title(k) = chart_scene[k] . (strlen(chart_size[k]) > 1 ? ", " . chart_size[k] : "")
is_larger(i, k) = chart_subject[i] eq chart_subject[k] && chart_rows[i] >= least_rows && (chart_area[i] > chart_area[k] || chart_area[i] == chart_area[k] && i < k)
larger(k) = sum [i = 1:chart_count] (chart_area[i] > 0 && is_larger(i, k) ? 1 : 0)
is_charted(k) = chart_rows[k] >= least_rows && (every_size || larger(k) == 0)
read_charts(column_name) = "stats csv using (note_chart(int(column('panel')), '" . column_name . "')) nooutput; chart_count = int(STATS_max); \
    do for [k = 1:chart_count] { if (chart_area[k] > 0 && is_charted(k)) { charts = charts + 1; shown[charts] = k } }"
every_size = 0
least_rows = 1
# A chart of a grid of `across` columns, `down` rows: left, right and foot are room for labels, as parts of a cell; `feet` of the whole for the legend.
grid(i, across, down, left, right, foot, feet) = sprintf("set lmargin at screen %g; set rmargin at screen %g; set tmargin at screen %g; set bmargin at screen %g", \
    ((i - 1) % across + left) / across, ((i - 1) % across + 1.0 - right) / across, \
    feet + (1 - feet - head_room) * (1 - ((i - 1) / across + 0.12) / down), feet + (1 - feet - head_room) * (1 - ((i - 1) / across + 1.0 - foot) / down))
head_room = 0.03
# After the charts a plot that draws nothing but its legend, in rows of so many, and the end of it.
legend(rows_of_key) = sprintf("unset border; unset tics; unset xlabel; unset ylabel; unset grid; unset label 2; set lmargin at screen 0.06; \
    set rmargin at screen 0.96; set bmargin at screen 0.01; set tmargin at screen 0.012; set xrange [0:1]; set yrange [0:1]; \
    set key at screen 0.51, screen 0.01 center bottom horizontal Left reverse samplen 2.5 spacing 1.1 width 1 maxrows %d", rows_of_key)
legend_end = "unset key; set border 3; set tics nomirror out scale 0.6; set grid ytics lt 1 lc rgb pale lw 0.8"

# A label of a tic, where gnuplot takes % for a format.
literal(text) = strstrt(text, "%") ? text[1:strstrt(text, "%")] . "%" . literal(text[strstrt(text, "%") + 1:strlen(text)]) : text

# Legend at the foot, in columns of so many rows, under an axis title of so many lines. To be evaluated.
key_rows(n, lines) = sprintf("set key at screen 0.5, screen 0.01 center bottom vertical Left reverse samplen 2.5 spacing 1.05 width -1 maxrows %d; \
set bmargin %g", n, 2.8 + 1.1 * lines + 1.1 * n)

# The heading, broken into lines that fit, over the whole width.
fits = int(width * 6.4)
title_text = ""
line = ""
lines = 1
do for [i = 1:words(heading)] {
    if (strlen(line) + 1 + strlen(word(heading, i)) > fits) { title_text = title_text . line . "\n"; line = ""; lines = lines + 1 }
    line = line . (strlen(line) ? " " : "") . word(heading, i)
}
title_text = title_text . line
set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
set tmargin 1.5 + 1.15 * lines

# 7 points in print. An SVG unit is 1/60 cm; a PNG has 100 pixels a cm; sizes of pdfcairo's fonts are two thirds of what is asked for.
if (!exists("kinds")) kinds = "svg pdf png"
terminal(kind) = \
    kind eq "svg" ? sprintf("svg size %d,%d dynamic font 'Helvetica,14' lw 1.3 background rgb 'white'", 60 * width, 60 * height) : \
    kind eq "pdf" ? sprintf("pdfcairo size %gcm,%gcm font 'Sans,10.5' lw 0.9 pointscale 0.7 background rgb 'white'", width, height) : \
    sprintf("pngcairo size %d,%d font 'Sans,18.5' lw 2.4 pointscale 2.4 background rgb 'white'", 100 * width, 100 * height)
begin(kind) = "set terminal " . terminal(kind) . "; set output stem . '." . kind . "'"
end = "unset output"
