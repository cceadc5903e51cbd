# SPDX-License-Identifier: MIT
# Lanes of active warps per bounce: alive at the entry of the extension, and at work inside the traversal by the lockstep model and by
# the hardware's counts; compaction off (the naive kernel's warps) and on. A chart for each scene, at its largest image.
#
#   gnuplot -c simd_efficiency.gp [CSV [STEM [PANEL [HEADING]]]]
#
# reads the CSV that `warpstudy report simd_efficiency --format csv` writes and writes STEM.svg, STEM.pdf and STEM.png of all of its panels.
csv = ARGC > 0 ? ARG1 : "simd_efficiency.csv"
stem = ARGC > 1 ? ARG2 : "simd_efficiency"
wanted = 0
heading = ARGC > 3 ? ARG4 : ""
width = 17.5
load ARG0[1:strlen(ARG0) - strlen("simd_efficiency.gp")] . "style.gp"

eval read_charts("on_alive")
if (charts == 0) { do for [i = 1:200] { chart_rows[i] = 0 }; eval read_charts("bounce") }
across = charts > 2 ? 3 : charts
down = (charts + across - 1) / across
height = 3 + 4.6 * down
feet = 1.6 / height
head_room = (0.7 + 0.5 * lines) / height
is_shown(unused) = sum [i = 1:charts] (shown[i] == column('panel') ? 1 : 0)
any(column_name) = sprintf("stats csv using (is_shown(0) && strlen(strcol('%s')) > 0 ? 1 : 0) nooutput; found = int(STATS_sum)", column_name)
eval any("naive_model"); modelled = found
eval any("off_hardware"); counted = found

unset key

do for [kind in kinds] {
    eval begin(kind)
    set multiplot
    set xtics nomirror 1
    set ytics nomirror
    set yrange [0:105]
    set autoscale x
    set autoscale xfix
    set offsets 0.3, 0.3, 0, 0
    do for [i = 1:charts] {
        wanted = shown[i]
        eval grid(i, across, down, 0.25, 0.02, 0.24, feet)
        set label 2 chart_title(wanted) at graph 0.5, graph 1.06 center noenhanced
        set xlabel (i + across > charts ? "bounce (0 = camera ray)" : "")
        set ylabel (i % across == 1 || across == 1 ? "lanes of active warps, %" : "")
        plot csv using "bounce":(percent("naive_alive")) with linespoints ls 1, \
             csv using "bounce":(percent("naive_model")) with lines ls 11, \
             csv using "bounce":(percent("off_hardware")) with points ls 11, \
             csv using "bounce":(percent("on_alive")) with linespoints ls 2, \
             csv using "bounce":(percent("on_model")) with lines ls 12, \
             csv using "bounce":(percent("on_hardware")) with points ls 12
        unset label 1
    }
    eval legend(2)
    plot NaN with linespoints ls 1 title "compaction off: live", NaN with points ls 11 title (counted ? "off: executing, hardware" : ""), \
         NaN with lines ls 11 title (modelled ? "off: executing, model" : ""), NaN with linespoints ls 2 title "compaction on: live", \
         NaN with points ls 12 title (counted ? "on: executing, hardware" : ""), NaN with lines ls 12 title (modelled ? "on: executing, model" : "")
    eval legend_end
    unset multiplot
    eval end
    set label 1 title_text at screen 0.5, screen 0.97 center noenhanced
}
