# The list of commands, and what a wrong command line says.
try warpstudy --help
try warpstudy run --help
try warpstudy
try warpstudy rnu
try warpstudy run
try warpstudy show 1 2
try warpstudy run --lable x a.yaml
try warpstudy run --label
try warpstudy run --quiet=yes a.yaml
try warpstudy run --until 25:00 a.yaml
try warpstudy list
try warpstudy list varients
try warpstudy list devices --format xml
try warpstudy render cornell -o image.gif
try warpstudy render cornell --set tile=4
try warpstudy render cornell --set tile_m=99
try warpstudy render cornell --variant naiv
try warpstudy render cornell --device gpu
try warpstudy scene infoo cornell
try warpstudy verify --size 64
