# Rays through a scene, checked and not timed; the hashes are those of every device, traversal and tree.
try warpstudy bench rays --device emulator --size 64
try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --set traversal=speculative --set leaf_size=1 \
    --set block=100 --set warp_width=8
try warpstudy bench rays --device emulator --size 64 --rays primary --format csv
try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --count --format csv
try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --count --format csv --set warp_width=1 --set block=7
try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --set tree=wide4 --set traversal=voted --format csv
for bound in 1 6; do
    try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --set tree=wide4 --set traversal=voted --bound $bound --format csv
done
try warpstudy bench rays --device emulator --size 64 --bound 6
try warpstudy bench rays --device emulator --size 64 --bound 0
try warpstudy bench rays --device emulator --size 64 --set tree=wide4 --set traversal=voted --bound 6 --count
try warpstudy bench rounds --device emulator --variant pool_refill --bound 6
try warpstudy bench rays --mesh none.ply --device emulator
try warpstudy bench rays --mesh none.ply --set instances=two_level --device emulator
try warpstudy bench rays --mesh none.ply --scene cornell --device emulator
try warpstudy bench rays --device emulator --size 64 --rays diffuse2 --set tree=kd16 --format csv
head -c 33 /dev/zero >short.rays
head -c 64 /dev/zero >still.rays
printf '\0\0\0\0\0\0\200\77\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\277\312\362\111\161' >one.rays
ray() { printf '\0\0\0\0\0\0\200\77%b%b\0\0\0\0\0\0\0\0\0\0\200\277%b' "$@"; } # z of the origin, t_min, t_max
ray '\0\0\0\0' '\0\0\0\77' '\312\362\111\161' >late.rays
ray '\0\0\0\277' '\0\0\0\0' '\0\0\200\177' >moved.rays
ray '\0\0\0\0' '\0\0\0\277' '\312\362\111\161' >early.rays
: >empty.rays
try warpstudy bench rays --device emulator --from empty.rays
try warpstudy bench rays --device emulator --from short.rays
try warpstudy bench rays --device emulator --from still.rays
try warpstudy bench rays --device emulator --from one.rays --size 64
try warpstudy bench rays --device emulator --from one.rays --set tree=kd16 --format csv
# Two files of the same ray: it begins late, or where it was moved to, and ends nowhere.
try warpstudy bench rays --device emulator --from late.rays --format csv
try warpstudy bench rays --device emulator --from moved.rays --format csv
try warpstudy bench rays --device emulator --from early.rays
try warpstudy bench rays --device null
try warpstudy bench rounds --device null
try warpstudy bench rays --device emulator --rays diffuse
try warpstudy bench rays --device emulator --size 100
try warpstudy bench rays --device emulator --set travesal=x
try warpstudy bench rays --device emulator --set seed=5
try warpstudy bench
try warpstudy bench race
try warpstudy bench rays --device emulator --size 64 --packed
try warpstudy bench rounds --device emulator --variant pool_refill --count
# A pipeline round by round, and its rays by themselves: how many, not how fast.
rounds() {
    echo "\$ warpstudy bench rounds $*"
    warpstudy bench rounds --device emulator "$@" >said 2>&1
    code=$?
    sed -E 's/ +[0-9.]+ ms/ T ms/g; s/ +[0-9.e+-]+ Mrays/ R Mrays/g; s/[0-9.]+ (of (this|the) rate|%)/X \1/g; s/-?[0-9.]+ times as much/X times as much/' said
    echo "-> $code"
}
rounds --scene cornell --variant pool_refill --set width=32 --set height=16 --set pool=256 --set tickets=ordered --packed
rounds --scene cornell --variant thread_regenerate --set width=32 --set height=16 --set spp=2 --set pool=256 --set tickets=ordered --packed
rounds --scene cornell --variant naive --set width=32 --set height=16
