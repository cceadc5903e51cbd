# What verify says at its end, and when it has compared nothing.
try warpstudy verify cornell --size 16x12 --bounces 2 --quick --variant whole_frame | tail -4
try warpstudy verify cornell --size 16x12 --bounces 2 --variant whole_frame --variant skeleton | grep -E 'FAILED,|never|->'
try warpstudy verify cornell --size 16x12 --bounces 2 --quick --variant null | tail -2
try warpstudy verify cornell --size 16x12 --time-limit long
try warpstudy verify cornell --size 4294967304x8
try warpstudy verify cornell --device null
try warpstudy verify cornell --against null
