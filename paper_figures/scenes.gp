# SPDX-License-Identifier: MIT
# The scenes of a document, or those that stand in for them, as a contact sheet.
#
#   gnuplot -c scenes.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report FIGURE --output DIR` writes, and the pictures that it names, in the CSV's folder; writes STEM.svg,
# STEM.pdf and STEM.png.
csv = ARGC > 0 ? ARG1 : "scenes.csv"
stem = ARGC > 1 ? ARG2 : "scenes"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 8.5
load ARG0[1:strlen(ARG0) - strlen("scenes.gp")] . "wald2011/style.gp"

folder = csv
do for [i = strlen(csv):1:-1] { if (folder eq csv && csv[i:i] eq "/") { folder = csv[1:i] } }
if (folder eq csv) { folder = "" }
array files[200]
array labels[200]
array wide[200]
array high[200]
eval read_rows("file")
do for [i = 1:rows] { files[i] = folder . names[i] }
eval read_rows("label")
# What a scene stands for is a line of its own.
do for [i = 1:rows] {
    at = strstrt(names[i], " for ")
    labels[i] = at ? names[i][1:at - 1] . "\n" . names[i][at + 1:*] : names[i]
}
eval read_rows("width")
do for [i = 1:rows] { wide[i] = real(names[i]) }
eval read_rows("height")
do for [i = 1:rows] { high[i] = real(names[i]) }

# In widths of a picture: room between two, and under each for its name.
across = rows < 3 ? rows : rows == 4 ? 2 : 3
down = (rows + across - 1) / across
tall = 0
do for [i = 1:rows] { tall = tall > high[i] / wide[i] ? tall : high[i] / wide[i] }
gap = 0.05
foot = 0.1 * across
left(i) = ((i - 1) % across) * (1 + gap)
bottom(i) = -((i - 1) / across) * (tall + foot) - tall
total_width = across * (1 + gap) - gap
total_height = down * (tall + foot)
unit = 0.97 * width / total_width
top_room = 0.3 + 0.32 * lines
height = unit * total_height + top_room + 0.1

unset border
unset tics
unset key
set xrange [0:total_width]
set yrange [-total_height:0]
set lmargin at screen 0.015
set rmargin at screen 0.985
set bmargin at screen 0.1 / height
set tmargin at screen 1 - top_room / height
set label 1 title_text at screen 0.5, screen 1 - 0.25 / height center noenhanced
do for [i = 1:rows] { set label (i + 1) labels[i] at left(i) + 0.5, bottom(i) - 0.28 * foot center noenhanced }

# The SVG holds the pictures' files as they are: what gnuplot writes has them as PNG, five times as large.
svg_text(across_at, down_at, said) = sprintf("<text x='%.2f' y='%.2f' text-anchor='middle' font-family='Helvetica' font-size='14' ", across_at, down_at) . \
                                     "fill='black' stroke='none'>" . said . "</text>"
if (strstrt(kinds, "svg")) {
    kinds = kinds eq "svg" ? "" : kinds[1:strstrt(kinds, "svg") - 1] . kinds[strstrt(kinds, "svg") + 3:*]
    set print stem . ".svg"
    print sprintf("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 %d %d'>", 60 * width, 60 * height)
    print "<rect width='100%' height='100%' fill='#ffffff'/>"
    scale = 60 * 0.97 * width / total_width
    do for [i = 0:rows] {
        said_whole = i ? labels[i] : title_text
        text_x = i ? 60 * 0.015 * width + scale * (left(i) + 0.5) : 30 * width
        text_y = i ? 60 * top_room - scale * (bottom(i) - 0.28 * foot) + 5 : 20
        escaped = ""
        do for [at = 1:strlen(said_whole) + 1] {
            letter = said_whole[at:at]
            if (letter eq "\n" || at > strlen(said_whole)) { print svg_text(text_x, text_y, escaped); text_y = text_y + 21; escaped = "" } else {
                escaped = escaped . (letter eq "&" ? "&amp;" : letter eq "<" ? "&lt;" : letter)
            }
        }
    }
    do for [i = 1:rows] {
        quoted = ""
        do for [at = 1:strlen(files[i])] { quoted = quoted . (files[i][at:at] eq "'" ? "'\\''" : files[i][at:at]) }
        print sprintf("<image x='%.2f' y='%.2f' width='%.2f' height='%.2f' preserveAspectRatio='none' xlink:href='data:image/jpeg;base64,", \
                      60 * 0.015 * width + scale * left(i), 60 * top_room - scale * (bottom(i) + high[i] / wide[i]), scale, scale * high[i] / wide[i]) . \
            system("base64 <'" . quoted . "' | tr -d '\\n'") . "'/>"
    }
    print "</svg>"
    unset print
}
do for [kind in kinds] {
    eval begin(kind)
    plot for [i = 1:rows] files[i] binary filetype=jpg origin=(left(i) + 0.5 / wide[i], bottom(i) + 0.5 / wide[i]) dx=1 / wide[i] dy=1 / wide[i] \
        with rgbimage
    eval end
}
