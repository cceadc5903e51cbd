# What a terminal shows and a pipe does not. Each command runs in a pseudo terminal of 80 columns.
terminal() { # COMMAND
    env -u WARPSTUDY_PROGRESS -u NO_COLOR TERM=xterm script -qec "stty cols ${columns:-80}; $1" /dev/null </dev/null | tr -d '\r'
}
echo "== something moves before the first trial"
terminal "warpstudy run '$EXPERIMENTS/null.yaml' --db moves.db" | grep -c '| planning\|/ planning\|- planning\|\\ planning'
echo "== a copy that is interrupted leaves nothing of itself"
warpstudy run "$EXPERIMENTS/null.yaml" --db large.db --quiet >/dev/null
python3 -c 'import sqlite3
c = sqlite3.connect("large.db")
c.execute("CREATE TABLE filling (bytes)")
c.executemany("INSERT INTO filling VALUES (zeroblob(1000000))", [()] * 200)
c.commit()'
warpstudy copy large.db copied.db &
pid=$!
while kill -0 $pid 2>/dev/null && ! ls copied.db.partial-* >/dev/null 2>&1; do :; done
kill -TERM $pid 2>/dev/null
wait $pid 2>/dev/null
ls copied.db.* 2>/dev/null || echo nothing
rm -f large.db* copied.db*
echo "== lists fit the terminal; a pipe has one line a row"
for columns in 80 100 200; do
    terminal "warpstudy list scenes; warpstudy list parameters; warpstudy list variants" |
        sed 's/\x1b\[[0-9;]*m//g' | awk -v most=$columns 'length > most { ++wide } END { print most, wide + 0, "lines too wide" }'
done
words() { sed 's/\x1b\[[0-9;]*m//g' | tr -s ' \n' '\n' | sort; }
terminal "warpstudy list lists" >shown.txt
warpstudy list lists >piped.txt
diff <(words <shown.txt) <(words <piped.txt) && echo "every word is there"
warpstudy list parameters | wc -l
warpstudy list parameters --format csv | wc -l
echo "== colours are a terminal's, and only where they are wanted"
escape=$(printf '\033')
coloured() { grep -c "$escape\[[0-9;]*m" || true; }
terminal "warpstudy status --db moves.db" | coloured
terminal "NO_COLOR=1 warpstudy status --db moves.db" | coloured
terminal "TERM=dumb warpstudy status --db moves.db" | coloured
TERM=xterm warpstudy status --db moves.db | coloured
terminal "warpstudy nonsense" | coloured
