# SPDX-License-Identifier: MIT
# All documents: what a scheme does to live lanes, and what that makes of the frame. A line leads from one kernel with a path per lane to
# the scheme, on one scene; a chart for each document.
#
#   gnuplot -c lanes_speed.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report findings cases --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "cases.csv"
stem = ARGC > 1 ? ARG2 : "lanes_speed"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
height = 15.5
load ARG0[1:strlen(ARG0) - strlen("lanes_speed.gp")] . "../wald2011/style.gp"

# Rows are named "document: scheme; scene".
document_of(name) = name[1:strstrt(name, ": ") - 1]
scheme_of(name) = name[strstrt(name, ": ") + 2:strstrt(name, "; ") - 1]
eval read_rows("line")
array documents[rows]

array schemes[rows]
array owners[rows]
document_count = 0
scheme_count = 0
do for [i = 1:rows] {
    if (document_count == 0 || documents[document_count > 0 ? document_count : 1] ne document_of(names[i])) {
        document_count = document_count + 1
        documents[document_count] = document_of(names[i])
    }
    if (scheme_count == 0 || schemes[scheme_count > 0 ? scheme_count : 1] ne scheme_of(names[i]) || owners[scheme_count > 0 ? scheme_count : 1] != document_count) {
        scheme_count = scheme_count + 1
        schemes[scheme_count] = scheme_of(names[i])
        owners[scheme_count] = document_count
    }
}
array ends[rows]
array starts[rows]
do for [d = 1:document_count] { starts[d] = 0 }
do for [s = 1:scheme_count] {
    if (starts[owners[s]] == 0) { starts[owners[s]] = s }
    ends[owners[s]] = s
}
is_case(s) = column("panel") == wanted && document_of(strcol("line")) eq documents[owners[s]] && scheme_of(strcol("line")) eq schemes[s]
at_x(s, name) = is_case(s) && is_here("lanes") && is_here("speed") ? percent(name) : NaN
at_y(s) = is_case(s) ? pick("speed") : NaN
array shown[rows]
do for [s = 1:scheme_count] {
    stats csv using (at_y(s) > 0 && at_x(s, "lanes") >= 0 ? 1 : 0) nooutput
    shown[s] = STATS_sum > 0
}
array colours[8] = [blue, red, green, orange, pink, sky, grey, yellow]
array marks[8] = [5, 9, 7, 13, 11, 15, 5, 9]
nth(s) = s - starts[owners[s]]   # 0: the single kernel itself

across = document_count > 1 ? 2 : 1
down = (document_count + across - 1) / across
set xrange [0:102]
set logscale y 2
set ytics (0.25, 0.5, 1, 2, 4, 8)
set offsets graph 0, graph 0, graph 0.04, graph 0.06

do for [kind in kinds] {
    eval begin(kind)
    set multiplot
    do for [d = 1:document_count] {
        if (d > 1) { unset label 1 }
        column_at = (d - 1) % across
        row_at = (d - 1) / across
        set lmargin at screen 0.085 + column_at * 0.915 / across
        set rmargin at screen 0.085 + (column_at + 1) * 0.915 / across - 0.075
        set tmargin at screen 0.90 - row_at * 0.90 / down
        set bmargin at screen 0.90 - (row_at + 1) * 0.90 / down + 0.2
        set label 2 documents[d] at graph 0.5, graph 1.05 center
        set xlabel "live lanes, %"
        set ylabel (column_at == 0 ? "speed, one kernel = 1" : "")
        set key at graph 0.5, graph -0.25 center top horizontal Left reverse samplen 1 spacing 1.0 width -1 maxcols 3 noenhanced
        plot 1 with lines lt 1 lc rgb grey lw 1 notitle, \
             for [s = starts[d] + 1:ends[d]] csv using (at_x(s, "base_lanes")):(1):(at_x(s, "lanes") - at_x(s, "base_lanes")):(at_y(s) - 1) \
                 with vectors nohead lt 1 lw 0.6 lc rgb colours[nth(s)] notitle, \
             for [s = starts[d] + 1:ends[d]] csv using (at_x(s, "lanes")):(at_y(s)) with points pt marks[nth(s)] ps 0.8 lc rgb colours[nth(s)] title (shown[s] ? schemes[s] : ""), \
             csv using (at_x(starts[d], "lanes")):(1) with points pt 6 ps 0.8 lw 1.2 lc rgb black title schemes[starts[d]]
    }
    unset multiplot
    eval end
    set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
}
