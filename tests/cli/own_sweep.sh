# SPDX-License-Identifier: MIT
# A sweep of one's own: its table, its figure, what the experiment file says of both, and values beside raw rows.

try() { echo "\$ warpstudy $*"; warpstudy "$@"; echo "-> $?"; }
cat > mine.yaml <<'YAML'
device: emulator
fixed: {scene: cornell, width: 64, height: 48, seed: 1}
sweep:
  variant: [naive, whole_frame, tiled_shared]
  tile_m: [1, 2, 4]
  max_bounces: [2, 4, 8]
collect: [counts]
report: {x: max_bounces, rows: [variant, tile_m], columns: max_bounces}
YAML
warpstudy run mine.yaml --db own.db --quiet | grep next
try table --db own.db
try table mine --db own.db --columns variant,tile_m --value saved_warps --format md
try table --db own.db --rows tile_m --value nodes --format latex | grep -c naive
try table mine.yaml --db own.db --value atomics --format json | head -4
try query sweep --db own.db | head -3

# The same numbers from raw rows.
warpstudy table --db own.db --format csv | cut -d , -f 1-4 > table.csv
warpstudy query --db own.db --format csv "SELECT t.variant, t.tile_m, t.max_bounces, 100.0 * sum(c.active_paths) /
    (32 * sum(c.active_warps)) AS live_lanes FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id
    JOIN bounce_counts AS c ON c.attempt = a.id AND c.bounce >= 0 GROUP BY t.id" > raw.csv
diff <(sort table.csv) <(sort raw.csv) && echo "live lanes are those of $(($(wc -l < raw.csv) - 1)) trials"

# A device that counts no warps leaves a 0 behind: nothing is said of them then, nor of others' warps relative to them.
cp own.db uncounted.db
sqlite3 uncounted.db "UPDATE bounce_counts SET active_warps = 0 WHERE attempt IN (SELECT a.id FROM attempt AS a
    JOIN trial_record AS t ON t.id = a.trial WHERE t.variant = 'naive')"
for measure in live_lanes saved_warps active_warps; do try table --db uncounted.db --value $measure; done
warpstudy query --db uncounted.db "SELECT variant, live_lanes, saved_warps FROM sweep WHERE max_bounces = 2 AND coalesce(tile_m, 1) = 1"

# What only the lockstep model counts is not 0 where it did not run; nor is a naive frame of another scene content compared with.
cp own.db others.db
sqlite3 others.db "DELETE FROM lockstep WHERE attempt IN (SELECT a.id FROM attempt AS a JOIN trial_record AS t ON t.id = a.trial
    WHERE t.variant = 'whole_frame'); UPDATE bounce_counts SET node_lines = 0; UPDATE trial_record SET work = 'x' || work WHERE variant = 'naive'"
warpstudy query --db others.db "SELECT variant, saved_warps FROM sweep WHERE max_bounces = 2 AND coalesce(tile_m, 1) = 1"
try table --db others.db --value node_lines | grep -E 'naive|whole'

try plot --db own.db
cut -d , -f 2-4 plot/mine.csv | sed -n 2,4p
cut -d , -f 4 plot/mine.csv | sed 1d | sort > drawn; cut -d , -f 4 raw.csv | sed 1d | sort > counted
diff <(tr -d '\r' < drawn) counted && echo "the figure has these values"
mkdir none; for tool in sh bash; do ln -s "$(command -v $tool)" none/$tool; done
program=$(command -v warpstudy)
echo "\$ warpstudy plot, without gnuplot"
PATH=none "$program" plot --db own.db --x tile_m --series max_bounces --panels variant --output bare; echo "-> $?"
for measure in frame_ms instructions live_lane; do try table --db own.db --value $measure; done
for wrong in "--columns tile" "--rows variant,variant" "--rows nope --format csv" "--format xml" "owl"; do try table --db own.db $wrong; done
try plot --db own.db --x tile
try plot --db own.db --x max_bounces --series max_bounces
try plot --db own.db --log z

wrong() {
    echo "# report: $1"
    sed "s/^report: .*/report: $1/" mine.yaml > wrong.yaml
    warpstudy plan wrong.yaml
}
wrong '{x: max_bounce}'
wrong '{x: [max_bounces, variant]}'
wrong '{columns: registers}'
wrong '{value: saved_warp}'
wrong '{value: nodes, y: nodes}'
wrong '{colour: red}'
wrong '{log: z}'
wrong 'tile_m'

# In a report it stands first, and of the papers only those follow that it measures.
try report --db own.db --output page
grep -o 'naive</th><td data-v="[0-9.]*"' page/index.html
ls page page/sweeps

# Of two sweeps each has its table, the latest first.
sed -e 's/^  tile_m: .*/  tile_m: [1, 8]/; /^report/d' mine.yaml > second.yaml
warpstudy run second.yaml --db own.db --quiet | grep next
warpstudy report --db own.db --output page > /dev/null
grep -o '<h2[^>]*>[^<]*' page/index.html
grep -c 'No table' page/index.html

# What was redone, and has no result since, is not 0. What the file names for its report, and a run has one value of, is left out.
cp own.db redone.db
warpstudy redo "variant = 'naive'" --db redone.db > /dev/null
try table mine --db redone.db --rows variant --value active_paths | head -6
warpstudy run mine.yaml --db four.db --set max_bounces=4 --quiet --page four.html | grep next
grep -o 'No table[^<]*\|max_bounces: [^<]*' four.html
try table --db four.db
try plot --db four.db --output four | grep svg

# Two models of one device are two settings, and no naive frame of the one is compared with the other's.
cp four.db models.db
sqlite3 models.db "UPDATE trial_record SET device_name = iif(variant = 'whole_frame', 'second', 'first')"
try table --db models.db --value saved_warps

# Words that two parameters have are told apart, and files of panels whose names differ in a blank.
cp own.db words.db
sqlite3 words.db "UPDATE trial_record SET ray_sort = iif(max_bounces = 2, 'none', 'more') WHERE variant = 'whole_frame';
    UPDATE trial_record SET queues = iif(max_bounces = 2, 'none', 'less') WHERE variant = 'naive';
    UPDATE trial_record SET scene = iif(max_bounces = 2, 'a b', 'a_b'), max_bounces = iif(max_bounces = 2, 0, max_bounces)"
try table mine --db words.db --value active_paths --format csv | grep -c none
try table mine --db words.db --columns variant --value active_paths | grep -o 'ray_sort none\|queues none\|, none' | sort | uniq -c
try plot mine --db words.db --panels scene --output words | grep svg
try plot mine --db words.db --log x
try plot mine --db words.db --x ''
try plot mine --db words.db --x max_bounces,variant
try plot mine --db words.db --x tile_m --series variant,ray_sort,queues --panels max_bounces,scene,tile_m
warpstudy report --db words.db --output words_page > /dev/null 2>&1; echo "report: $?"

# Settings beyond the thousandth have their rows.
cp four.db many.db
sqlite3 many.db "CREATE TEMP TABLE more AS SELECT n.value AS n, t.* FROM generate_series(1, 1100) AS n, trial_record AS t WHERE t.id = 1;
    UPDATE more SET id = 1000 + n, key = key || n, setting = setting || n, spec = spec || n, seed = 1 + n;
    ALTER TABLE more DROP COLUMN n; INSERT INTO trial_record SELECT * FROM more;
    INSERT INTO run_trial SELECT r.run, m.id, r.point, r.ordinal, r.collections FROM run_trial AS r, more AS m WHERE r.trial = 1"
warpstudy table --db many.db --rows variant,tile_m,seed | grep -c 'not measured'

# One setting has nothing to draw, but a value.
sed -e '/tile_m: \[/d; s/^  variant: .*/  variant: naive/; s/^  max_bounces: .*/  max_bounces: 4/; /^report/d' mine.yaml > one.yaml
warpstudy run one.yaml --db one.db --quiet | grep next
try table --db one.db
try plot --db one.db

# A scene is one scene however its file is named.
mkdir -p scenes folder
printf 'cameras: {front: {eye: [0, 1, 6], at: [0, 1, 0]}}\nobjects: [{shape: box, size: [1, 1, 1]}]\nenvironment: {constant: 1}\n' | tee mine_box.yaml > scenes/boxed.yaml
for name in ./mine_box.yaml mine_box.yaml folder/../mine_box.yaml "$PWD/mine_box.yaml" boxed scenes/boxed.yaml "$PWD/folder/../scenes/boxed.yaml"; do
    warpstudy run one.yaml --set scene="$name" --db scenes.db --quiet | grep done
done
try query --db scenes.db "SELECT scene, count(*) AS trials FROM trial_record GROUP BY scene"
try plan one.yaml --set scene=boxed,./scenes/boxed.yaml | head -3

# A name, a scene and the beginning of a key are texts, though they look like numbers.
cp scenes/boxed.yaml scenes/123.yaml
for name in 1.5 1.50; do
    { echo "name: '$name'"; cat one.yaml; } > number.yaml
    warpstudy run number.yaml --set scene=123 --set variant=naive,whole_frame --set max_bounces=${name#1.} --db numbers.db --quiet | grep done
done
sqlite3 numbers.db "UPDATE trial_record SET key = '0752e7' || substr(key, 7) WHERE id = 1"
try table 1.50 --db numbers.db | grep '^1'
try report table2 --scene 123 --db numbers.db | grep -E '^here|->'
try show 0752e7 --db numbers.db | grep -o 'key *0752e7'

# Times with their intervals, of a database of a study.
results=$PWD/volpt2018.db
xz -dc "$ROOT/results/h100/volpt2018.db.xz" >"$results"
warpstudy table volpt2018-bounded --db "$results" --format csv | cut -d , -f 1-5 > times.csv
warpstudy query --db "$results" --format csv "SELECT t.scene, t.variant, coalesce(t.registers, 'auto'), t.lane_paths, 1e3 * f.seconds
    FROM frame_time AS f JOIN trial_record AS t ON t.id = f.trial
    WHERE t.spec IN (SELECT o.spec FROM experiment_trial AS l JOIN trial_record AS o ON o.id = l.trial
                     WHERE l.experiment = 'volpt2018-bounded') GROUP BY t.spec HAVING t.last_run = max(t.last_run)" > seconds.csv
diff <(sed 1d times.csv | sort) <(sed 1d seconds.csv | sort) && echo "times are those of $(sed 1d times.csv | wc -l) frames"

# Speeds are relative to the naive kernel with the same register cap, `auto` among them.
warpstudy table volpt2018-bounded --db "$results" --value speedup --format csv | cut -d , -f 1-5 > speeds.csv
sed 1d times.csv | awk -F , '{ if ($2 == "volume_naive") naive[$1, $3] = $5; row[NR] = $0 }
    END { for (i = 1; i <= NR; ++i) { split(row[i], c, ","); printf "%s,%s,%s,%s,%.9g\n", c[1], c[2], c[3], c[4], naive[c[1], c[3]] / c[5] } }' > divided.csv
diff <(sed 1d speeds.csv | awk -F , '{ printf "%s,%s,%s,%s,%.9g\n", $1, $2, $3, $4, $5 }') divided.csv && echo "$(wc -l < divided.csv) speeds"
