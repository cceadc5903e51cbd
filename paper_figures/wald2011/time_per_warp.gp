# SPDX-License-Identifier: MIT
# Wald 2011, Table 3 as a picture: time per active warp at every bounce, compaction off and on, as a multiple of bounce 0: times of
# different devices are not comparable, their course is.
#
#   gnuplot -c time_per_warp.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report table3 --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png for one panel of it.
csv = ARGC > 0 ? ARG1 : "table3.csv"
stem = ARGC > 1 ? ARG2 : "time_per_warp"
wanted = ARGC > 2 ? int(ARG3) : 1
heading = ARGC > 3 ? ARG4 : ""
width = 8.5
height = 7
load ARG0[1:strlen(ARG0) - strlen("time_per_warp.gp")] . "style.gp"

# Bounce 0 of a column, NaN without one.
first(column_name) = column("bounce") == 0 && is_here(column_name) ? column(column_name) : 0
base_of(column_name) = "stats csv using (first('" . column_name . "')) nooutput; base = STATS_sum > 0 ? STATS_sum : NaN"
eval base_of("off_time"); off_base = base
eval base_of("on_time"); on_base = base
eval base_of("off_time_paper"); off_paper_base = base
eval base_of("on_time_paper"); on_paper_base = base

# Bounces that do not fill the device stand hollow beside the lines, and do not decide how far the axis goes: beyond it, their values are
# written at its end.
weak(column_name) = strstrt(strcol(column_name . "_flags"), "few_waves") > 0
full(column_name) = weak(column_name) ? NaN : pick(column_name)
thin(column_name) = weak(column_name) ? pick(column_name) : NaN
most_of(column_name, value) = "stats csv using (value_of = (" . value . "), value_of == value_of ? value_of : 0) nooutput; most = STATS_max > most ? STATS_max : most"
most = 1
eval most_of("off", "full('off_time') / off_base"); eval most_of("on", "full('on_time') / on_base")
eval most_of("off", "pick('off_time_paper') / off_paper_base"); eval most_of("on", "pick('on_time_paper') / on_paper_base")

top = 1.2 * most
inside(value) = value <= top ? value : NaN
beyond(value) = value > top ? 1 : NaN
short(value) = sprintf(value < 9.95 ? "%.1f" : "%.0f", value)
marks = 0
do for [name in "off_time on_time"] { stats csv using (thin(name) == thin(name) ? 1 : 0) nooutput; marks = marks + STATS_sum }

set xtics 1
note = marks > 0 ? "\n(hollow or a number: under 4 waves, excluded)" : ""
set xlabel "bounce (0 = camera ray)" . note
set ylabel "time per active warp relative to bounce 0"
set yrange [0:top]
set autoscale xfix
set offsets 0.3, 0.3, 0.1, 0
eval key_rows(2, 2)

do for [kind in kinds] {
    eval begin(kind)
    plot csv using (pick("bounce")):(full("off_time") / off_base) with lines ls 1 lw 3 notitle, \
         csv using (pick("bounce")):(inside(thin("off_time") / off_base)) with points ls 1 pt 4 ps 0.9 notitle, \
         csv using (pick("bounce")):(inside(thin("on_time") / on_base)) with points ls 2 pt 8 ps 1 notitle, \
         csv using (pick("bounce")):(0.97 * top * beyond(thin("on_time") / on_base)):(short(thin("on_time") / on_base)) with labels tc rgb red notitle, \
         csv using (pick("bounce")):(0.9 * top * beyond(thin("off_time") / off_base)):(short(thin("off_time") / off_base)) with labels tc rgb blue notitle, \
         csv using (pick("bounce")):(full("off_time") / off_base):(pick("off_time_low") / off_base):(pick("off_time_high") / off_base) with yerrorbars ls 1 title "compaction off", \
         csv using (pick("bounce")):(full("on_time") / on_base) with lines ls 2 notitle, \
         csv using (pick("bounce")):(full("on_time") / on_base):(pick("on_time_low") / on_base):(pick("on_time_high") / on_base) with yerrorbars ls 2 title "compaction on", \
         csv using (pick("bounce")):(pick("off_time_paper") / off_paper_base) with lines ls 11 title (off_paper_base > 0 ? "off, paper" : ""), \
         csv using (pick("bounce")):(pick("on_time_paper") / on_paper_base) with lines ls 12 title (on_paper_base > 0 ? "on, paper" : "")
    eval end
}
