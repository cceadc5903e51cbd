# A sweep: a measure against what varies in it, a line for each series; bars are 95 % intervals, hollow points do not fill the device.
# The lines before this one say what is drawn: titles, ticks and series.
csv = ARGC > 0 ? ARG1 : standard_csv
stem = ARGC > 1 ? ARG2 : standard_stem
wanted = ARGC > 2 ? int(ARG3) : standard_panel
heading = ARGC > 3 ? ARG4 : standard_heading
width = 8.5
longest = 0
do for [i = 1:series] { longest = longest > strlen(series_names[i]) ? longest : strlen(series_names[i]) }
rows_of_key = longest > 22 ? series : (series + 1) / 2
height = 6 + 0.38 * rows_of_key
load ARG0[1:strlen(ARG0) - strlen("sweep.gp")] . "wald2011/style.gp"

set style line 5 lc rgb orange lw 2 pt 11 ps 0.65
set style line 6 lc rgb sky lw 2 pt 15 ps 0.6
set style line 7 lc rgb pink lw 2 pt 5 ps 0.55
set style line 8 lc rgb grey lw 2 pt 7 ps 0.55
array hollow[16] = [4, 8, 6, 12, 10, 14, 4, 6, 4, 8, 6, 12, 10, 14, 4, 6]
set style line 9 lc rgb blue lw 2 dt (6, 4) pt 9 ps 0.6
set style line 10 lc rgb red lw 2 dt (6, 4) pt 7 ps 0.6
set style line 11 lc rgb black lw 2 dt (6, 4) pt 5 ps 0.6
set style line 12 lc rgb green lw 2 dt (6, 4) pt 11 ps 0.6
set style line 13 lc rgb orange lw 2 dt (6, 4) pt 7 ps 0.6
set style line 14 lc rgb sky lw 2 dt (6, 4) pt 9 ps 0.6
set style line 15 lc rgb pink lw 2 dt (6, 4) pt 13 ps 0.6
set style line 16 lc rgb grey lw 2 dt (6, 4) pt 5 ps 0.6
of_series(i, name) = column("panel") == wanted && column("series") == i && strlen(strcol(name)) > 0 ? column(name) : NaN
filled(i) = column("underfilled") == 1 ? NaN : of_series(i, "y")
unfilled(i) = column("underfilled") == 1 ? of_series(i, "y") : NaN

set xlabel x_title noenhanced
set ylabel y_title noenhanced
eval axes_set
eval key_rows(rows_of_key, 1)

do for [kind in kinds] {
    eval begin(kind)
    plot for [i = 1:series] csv using (of_series(i, "x")):(of_series(i, "y")) with lines ls i notitle, \
         for [i = 1:series] csv using (of_series(i, "x")):(strlen(strcol("low")) ? of_series(i, "y") : NaN):(of_series(i, "low")):(of_series(i, "high")) \
             with yerrorbars ls i pt 0 notitle, \
         for [i = 1:series] csv using (of_series(i, "x")):(filled(i)) with points ls i notitle, \
         for [i = 1:series] csv using (of_series(i, "x")):(unfilled(i)) with points ls i pt hollow[i] ps 0.9 notitle, \
         for [i = 1:series] NaN with linespoints ls i title series_names[i] noenhanced
    eval end
}
