# SPDX-License-Identifier: MIT
# Where the time of a pipeline goes, in percent of the frame of one kernel; where nothing is timed, the share of active lanes.
#
#   gnuplot -c parts.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report frolov2015 parts --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "parts.csv"
stem = ARGC > 1 ? ARG2 : "parts"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 8
load ARG0[1:strlen(ARG0) - strlen("parts.gp")] . "wald2011/style.gp"

eval read_rows("line")
eval count_here("total"); timed = found > 0
eval count_here("trace"); divided = found > 0

# Bars lie one below the other; each part of one begins where the others end.
height_of(name) = rows + 1 - number_of(strcol(name))
at_least_0(least) = least < 0 ? 0 : least
amount(name) = at_least_0(is_here(name) ? column(name) : 0)
begins(k) = (k > 1 ? amount("kernel") : 0) + (k > 2 ? amount("trace") : 0) + (k > 3 ? amount("shadow") : 0) + (k > 4 ? amount("shading") : 0) + \
          (k > 5 ? amount("bookkeeping") : 0)
ends(k, name) = is_here(name) && amount(name) > 0 ? begins(k) + amount(name) : NaN
name_of(text) = strstrt(text, ",") ? text[1:strstrt(text, ",") - 1] : text

set ytics ()
do for [i = 1:rows] { set ytics add (name_of(names[i]) rows + 1 - i) }
set ytics noenhanced
set yrange [0.4:rows + 0.6]
set xrange [0:*]
unset grid
set grid xtics lt 1 lc rgb pale lw 0.8
set xlabel timed ? "% of the frame of one kernel" : "active lanes, %"
set style fill solid 1 border rgb "#444444"
set lmargin 17
eval key_rows(divided ? 2 : 1, 1)

# A part of every bar, from one value to another.
box(from, to, colour, name) = sprintf("csv using (%s):(height_of('line')):(%s):(%s):(height_of('line') - 0.32):(height_of('line') + 0.32) " . \
    "with boxxyerror fc rgb '%s' title '%s'", to, from, to, colour, name)
part(k, name, colour, words) = box(sprintf("begins(%d)", k), sprintf("ends(%d, '%s')", k, name), colour, words)
bars = divided ? part(1, "kernel", grey, "one kernel") . ", " . part(2, "trace", blue, "trace") . ", " . part(3, "shadow", sky, "shadow") . ", " . \
    part(4, "shading", yellow, "shading") . ", " . part(5, "bookkeeping", red, "bookkeeping") . ", " . part(6, "gaps", black, "gaps") : \
    box("0", timed ? "pick('total')" : "percent('lanes')", blue, "")
if (timed) { set arrow 1 from 100, graph 0 to 100, graph 1 nohead lc rgb "#444444" dt 2 front }

do for [kind in kinds] {
    eval begin(kind)
    eval "plot " . bars
    eval end
}
