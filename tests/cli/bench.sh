# Rays through a scene, checked and not timed; the hashes are those of every device, traversal and tree.
try() { echo "\$ $*"; "$@"; echo "-> $?"; }
try warpstudy bench rays --device emulator --size 64
try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --set traversal=speculative --set leaf_size=1 \
    --set block=100 --set warp_width=8
try warpstudy bench rays --device emulator --size 64 --rays primary --format csv
try warpstudy bench rays --mesh none.ply --device emulator
try warpstudy bench rays --mesh none.ply --set instances=two_level --device emulator
try warpstudy bench rays --mesh none.ply --scene cornell --device emulator
try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --set tree=kd16 --format csv
head -c 33 /dev/zero >short.rays
head -c 64 /dev/zero >still.rays
printf '\0\0\0\0\0\0\200\77\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\277\312\362\111\161' >one.rays
try warpstudy bench rays --device emulator --from short.rays
try warpstudy bench rays --device emulator --from still.rays
try warpstudy bench rays --device emulator --from one.rays --size 64
try warpstudy bench rays --device emulator --from one.rays --set tree=kd16 --format csv
try warpstudy bench rays --device null
try warpstudy bench rays --device emulator --rays diffuse
try warpstudy bench rays --device emulator --size 100
try warpstudy bench rays --device emulator --set travesal=x
try warpstudy bench
try warpstudy bench race
