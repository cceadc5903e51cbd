# SPDX-License-Identifier: MIT
# What all figures share: terminals, colours, how a panel's cells are read. A figure sets csv, stem, wanted (its panel), heading, width and
# height (in cm, of a printed column) and loads this; then
#
#   do for [kind in kinds] { eval begin(kind); plot ...; eval end }
#
# writes STEM.svg, STEM.pdf and STEM.png. Colours are Okabe and Ito's, told apart by the colour-blind; lines differ in dashes and points
# too, and parts of bars in brightness, so that black and white will do.
set datafile separator comma
set datafile missing ""

# A cell of the panel, NaN where it is empty; a text; whether any row has a number there.
is_here(column_name) = column("panel") == wanted && strlen(strcol(column_name)) > 0
pick(column_name) = is_here(column_name) ? column(column_name) : NaN
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
kinds = "svg pdf png"
terminal(kind) = \
    kind eq "svg" ? sprintf("svg size %d,%d dynamic font 'Helvetica,14' lw 1.3 background rgb 'white'", 60 * width, 60 * height) : \
    kind eq "pdf" ? sprintf("pdfcairo size %gcm,%gcm font 'Sans,10.5' lw 0.9 pointscale 0.7 background rgb 'white'", width, height) : \
    sprintf("pngcairo size %d,%d font 'Sans,18.5' lw 2.4 pointscale 2.4 background rgb 'white'", 100 * width, 100 * height)
begin(kind) = "set terminal " . terminal(kind) . "; set output stem . '." . kind . "'"
end = "unset output"
