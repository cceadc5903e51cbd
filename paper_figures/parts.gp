# SPDX-License-Identifier: MIT
# Where the time of a pipeline goes, in percent of the frame of one kernel; where nothing is timed, the share of active lanes. A chart for
# each scene, at its largest image.
#
#   gnuplot -c parts.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report frolov2015 parts --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png of all of its panels.
csv = ARGC > 0 ? ARG1 : "parts.csv"
stem = ARGC > 1 ? ARG2 : "parts"
wanted = 0
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
load ARG0[1:strlen(ARG0) - strlen("parts.gp")] . "wald2011/style.gp"

# Charts of the parts of at least two pipelines; else of their frames; else of their lanes.
least_rows = 2
eval read_charts("trace")
divided = charts > 0
if (!divided) { do for [i = 1:200] { chart_rows[i] = 0 }; eval read_charts("total") }
timed = charts > 0
if (!timed) { do for [i = 1:200] { chart_rows[i] = 0 }; least_rows = 1; eval read_charts("line"); title_text = "Active lanes of each pipeline" }
value = divided ? "trace" : timed ? "total" : "lanes"
across = charts > 2 ? 3 : charts
down = (charts + across - 1) / across
bars_of(k) = chart_rows[shown[k]]
most = 1
do for [i = 1:charts] { most = bars_of(i) > most ? bars_of(i) : most }
height = 3 + (1.6 + 0.62 * (most + 1)) * down
feet = 1.6 / height
head_room = (0.7 + 0.5 * lines) / height

# Bars lie one below the other; each part of one begins where the others end.
array bars[40]
array marks[40]
starred = 0
name_of(text) = strstrt(text, ",") ? text[1:strstrt(text, ",") - 1] : text
is_whole(unused) = timed && name_of(strcol("line")) eq "naive" && is_here("total")
is_bar(unused) = is_here(value) || is_here("kernel") || is_whole(0)
weak(unused) = strstrt(strcol("total_flags"), "underfilled") ? "*" : ""
note_bar(unused) = is_bar(0) ? (count = count + 1, bars[count] = strcol("line"), marks[count] = weak(0), starred = starred + strlen(marks[count]), count) : 0
height_of(unused) = count + 1 - (sum [i = 1:count] (bars[i] eq strcol("line") ? i : 0))
at_least_0(least) = least < 0 ? 0 : least
amount(name) = at_least_0(is_here(name) ? column(name) : name eq "kernel" && is_whole(0) ? column("total") : 0)
parts = "kernel trace shadow shading bookkeeping gaps"
array titles[6] = ["one kernel", "trace", "shadow", "shading", "bookkeeping", "gaps"]
array colours[6] = [grey, blue, sky, yellow, red, black]
begins(k) = k > 1 ? sum [i = 1:k - 1] amount(word(parts, i)) : 0
from(k) = is_bar(0) && amount(word(parts, k)) > 0 ? begins(k) : NaN
whole(unused) = is_bar(0) ? (timed ? pick("total") : percent("lanes")) : NaN

array here[6]
is_drawn(unused) = sum [i = 1:charts] (shown[i] == column("panel") ? 1 : 0)
do for [k = 1:6] {
    stats csv using (is_drawn(0) && strlen(strcol(word(parts, k))) > 0 ? column(word(parts, k)) : 0) nooutput
    here[k] = k == 1 || STATS_max > 0
}

set style fill solid 1 border rgb "#444444"
unset key

do for [kind in kinds] {
    eval begin(kind)
    set multiplot
    do for [i = 1:charts] {
        wanted = shown[i]
        count = 0
        stats csv using (note_bar(0)) nooutput
        set ytics () noenhanced nomirror
        do for [k = 1:count] { set ytics add (name_of(bars[k]) . marks[k] count + 1 - k) }
        set yrange [0.4:count + 0.6]
        set xrange [0:*]
        set xtics nomirror 50
        unset grid
        set grid xtics lt 1 lc rgb pale lw 0.8
        eval grid(i, across, down, 0.47, 0.08, 0.26, feet)
        set label 2 chart_title(wanted) at graph 0.5, graph 1.08 center noenhanced
        set xlabel (i + across > charts ? (timed ? (starred ? "% of one kernel (*: underfilled)" : "% of one kernel") : "active lanes, %") : "")
        if (timed) { set arrow 1 from 100, graph 0 to 100, graph 1 nohead lc rgb "#444444" dt 2 front }
        if (divided) {
            plot for [k = 1:6] csv using (from(k)):(height_of(0)):(from(k)):(from(k) + amount(word(parts, k))):(height_of(0) - 0.34):(height_of(0) + 0.34) \
                 with boxxyerror fc rgb colours[k]
        } else {
            plot csv using (whole(0)):(height_of(0)):(0):(whole(0)):(height_of(0) - 0.34):(height_of(0) + 0.34) with boxxyerror fc rgb (timed ? blue : green)
        }
        unset label 1
        unset arrow 1
    }
    eval legend(1)
    if (divided) { plot for [k = 1:6] NaN with boxes fc rgb colours[k] title (here[k] ? titles[k] : "") }
    eval legend_end
    unset multiplot
    eval end
    set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
}
