# Completion and the manual page: what the shell offers, and that the page has every option of every command.
warpstudy run "$EXPERIMENTS/null.yaml" --db labels.db --label night-1 --quiet >/dev/null
mkdir folder
source <(warpstudy completion bash)
complete -p warpstudy
try() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _warpstudy
    echo "$* | ${COMPREPLY[*]}"
}
try warpstudy re
try warpstudy help co
try warpstudy nonsense ''
try warpstudy compare ''
try warpstudy compare --db labels.db ni
try warpstudy compare --
try warpstudy query tabl
try warpstudy query --format ''
try warpstudy query --format = c
try warpstudy query --db ''
try warpstudy export --output ''
try warpstudy report wald2011 --format ''
try warpstudy report table3_
try warpstudy list ''
try warpstudy render cor
try warpstudy render --variant tiled
try warpstudy run --set path_by
try warpstudy run --set path_bytes = 1
try warpstudy run --set repl
try warpstudy run --set variant = tiled
try warpstudy plan --set collect = ''
try warpstudy verify --set repl
try warpstudy run --page fol
try warpstudy export --verify lab
try warpstudy scene ''
try warpstudy scene pack cor
try warpstudy scene cache ''
try warpstudy run fol
try warpstudy bench rays --rays diffuse1
echo "== each command and each list of choices is offered"
diff <(warpstudy list commands --format csv | tail -n +2 | cut -d, -f1) \
    <(warpstudy completion words -- '' | grep -vE '^(help|--help|--version)$') && echo yes
warpstudy completion tcsh
warpstudy completion bash zsh
echo "-> $?"
echo "== the manual page"
warpstudy man >page.1
groff -man -Tutf8 -ww page.1 2>&1 >page.txt | head -5
man -l page.1 >/dev/null 2>man.txt || cat man.txt
groff -man -Tascii -P-cbou page.1 >plain.txt
missing=0
for command in $(warpstudy list commands --format csv | tail -n +2 | cut -d, -f1); do
    # From the command's own heading to the next one.
    sed -n "/^   $command\$/,/^   [a-z]*\$/p" plain.txt | sed 1d >section.txt
    [ -s section.txt ] || { echo "no section of $command"; missing=1; }
    for option in $(warpstudy "$command" --help | sed -nE 's/^  .*(--[a-z-]+).*/\1/p' | grep -v -- '--help'); do
        grep -qE -- "$option( |\$)" section.txt || { echo "$command: $option is missing"; missing=1; }
    done
done
[ $missing = 0 ] && echo "every option of every command"
echo "== zsh and fish, where they are installed, and else that they have a script"
mkdir -p shells
warpstudy completion zsh >shells/_warpstudy
warpstudy completion fish >shells/warpstudy.fish
grep -c 'completion words' shells/*
if command -v fish >/dev/null; then
    fish -c 'source shells/warpstudy.fish; complete -C "warpstudy query tabl"; complete -C "warpstudy run --set path_bytes=1"; complete -C "warpstudy rep"' >shells/fish.out
    words() { warpstudy completion words -- "$@"; }
    for word in $(words query tabl | grep '^tabl') $(words run --set path_bytes = 1 | grep '^1' | sed 's/^/path_bytes=/') report; do
        grep -qx "$word" shells/fish.out || echo "fish does not offer $word"
    done
fi
if command -v zsh >/dev/null; then zsh -n shells/_warpstudy || echo "zsh cannot read it"; fi
