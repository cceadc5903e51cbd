# SPDX-License-Identifier: MIT
# What is no file, what is too long, names that lead elsewhere, and what killed builds leave.
try() { echo "\$ $*"; timeout 20 "$@" 2>&1; echo "-> $?"; }
export WARPSTUDY_CACHE=$PWD/cache
mkfifo pipe.scene pipe.yaml
mkdir folder.scene
: >empty.scene
printf 'include: pipe.yaml\n' >outer.yaml
camera='cameras: {main: {eye: [0, 0, 1], at: [0, 0, 0]}}'
echo "== no files"
for name in ./pipe.scene ./pipe.yaml ./folder.scene ./empty.scene ./none.scene /dev/zero; do try warpstudy scene info $name; done
for name in pipe.yaml outer.yaml /dev/zero .; do try warpstudy plan $name; done
try warpstudy bench rays --scene cornell --from pipe.yaml
for what in 'meshes: {m: {file: pipe.yaml}}
objects: [{mesh: m}]' 'objects: [{shape: box}]
environment: {file: pipe.yaml}'; do
    printf '%s\n%s\n' "$what" "$camera" >names.yaml
    try warpstudy scene info ./names.yaml
done
printf 'mtllib pipe.yaml\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >pipe.obj
printf 'meshes: {m: {file: pipe.obj}}\nobjects: [{mesh: m}]\n%s\n' "$camera" >names.yaml
try warpstudy scene info ./names.yaml
echo "== given as a pipe"
printf 'name: piped\ndevice: null\nfixed: {scene: cornell}\nsweep: {variant: null}\n' | warpstudy plan /dev/stdin >planned 2>&1
grep -c 'a pipe' planned
echo "== what comes with the program is found from anywhere, as messages name it"
try warpstudy plan experiments/quickstart.yaml | grep -c 'executions'
warpstudy doctor | grep ' scenes '
warpstudy doctor --db no/folder/x.db 2>/dev/null | sed -E -n '/ database /{N; s/, [0-9.]+ GiB free//p}'
echo "== meshes too long to be read into memory"
truncate -s 5G long.ply
truncate -s 5G long.obj
for name in ply obj; do
    printf 'meshes: {m: {file: long.%s}}\nobjects: [{mesh: m}]\n%s\n' $name "$camera" >long.yaml
    try warpstudy scene info ./long.yaml
done
rm long.*
echo "== a texture of a mesh that assimp reads is another: so is the scene"
printf 'AC3Db\nMATERIAL "a" rgb 1 1 1 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 0 trans 0\nOBJECT poly\ntexture "t.ppm"\nnumvert 3\n0 0 0\n1 0 0\n0 1 0\n' >t.ac
printf 'numsurf 1\nSURF 0x10\nmat 0\nrefs 3\n0 0 0\n1 1 0\n2 0 1\nkids 0\n' >>t.ac
printf 'meshes: {m: {file: t.ac}}\nobjects: [{mesh: m}]\n%s\n' "$camera" >t.yaml
for value in 0 1 1; do
    printf 'P5 1 1 1\n\'$value >t.ppm
    warpstudy scene info ./t.yaml | sed -n 's/.* content //p'
done | uniq -c | sed 's/ [0-9a-f]*$/ CONTENT/'
echo "== paths are never cut"
deep=$(printf 'd%.0s' {1..240})
long=$PWD/$deep/$deep/$deep/$deep/$deep
mkdir -p "$long"
(WARPSTUDY_CACHE=$long warpstudy scene info cornell >/dev/null; ls "$long" | wc -l)
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$PWD/$deep/$deep/one.obj"
printf 'meshes: {m: {file: one.obj, material: default}}\nobjects: [{mesh: m}]\n%s\n' "$camera" >data.yaml
(WARPSTUDY_DATA=$PWD/$deep/$deep try warpstudy scene info ./data.yaml | grep -c 'triangles   1')
try warpstudy scene pack cornell "$long/x.scene" | sed -E "s|(/d{2,})+|/LONG|g"
try warpstudy scene info "$long/x.scene" | sed -E "s|(/d{2,})+|/LONG|g"
try warpstudy run "$EXPERIMENTS/null.yaml" --db "$long/x.db" | sed -E "s|(/d{2,})+|/LONG|g; s/[0-9]+ characters/N characters/"
ls "$long" | grep -c '\.db'
(WARPSTUDY_PAPERS=$long try warpstudy report table2 --db none.db) | sed -E "s|(/d{2,})+|/LONG|g"
echo "== a packed scene goes where it was asked for, whatever it calls itself"
mkdir -p far/away
python3 - <<'EOF2'
import ctypes, ctypes.util, struct, subprocess
subprocess.run(["warpstudy", "scene", "pack", "cornell", "evil.scene"], check=True, capture_output=True)
image = bytearray(open("evil.scene", "rb").read())
image[72:136] = b"../../escaped".ljust(64, b"\0")  # image_header.name
class Hash(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]
xxh = ctypes.CDLL("libxxhash.so.0")
xxh.XXH3_128bits.restype, xxh.XXH3_128bits.argtypes = Hash, [ctypes.c_char_p, ctypes.c_size_t]
hash = xxh.XXH3_128bits(bytes(image[32:]), len(image) - 32)
image[16:32] = struct.pack("<QQ", hash.high, hash.low)  # image_header.checksum
open("evil.scene", "wb").write(image)
EOF2
(cd far/away && try warpstudy scene pack ../../evil.scene && ls)
ls escaped.scene 2>&1
echo kept >notes.yaml
try warpstudy scene pack cornell notes.yaml
cat notes.yaml
try warpstudy scene pack cornell pipe.scene
try warpstudy scene info cornell --set tree=wide --set width=5
[ -p pipe.scene ] && echo "the pipe is there"
echo "== files that others may read, as the umask says"
for mask in 002 077; do
    (umask $mask; warpstudy scene pack cornell mask.scene >/dev/null; stat -c %a mask.scene)
    rm -r cache
    (umask $mask; warpstudy scene info cornell >/dev/null; stat -c %a cache/*.scene | sort -u)
done
echo "== what killed builds left"
image=$(ls cache | head -1)
cp "cache/$image" "cache/$image.4242-0.part"
cp "cache/$image" "cache/$image.4343-0.part"
cp "cache/$image" cache/notes.txt
exec 9<"cache/$image.4343-0.part"
flock -n 9 # by somebody who writes it
warpstudy scene cache | sed -E 's/[0-9a-f]{32}/KEY/; s/ +[0-9.]+ MiB/ SIZE/' | sort
try warpstudy scene cache clear too
try warpstudy scene cache clear --set tree=binary
try warpstudy scene info cornell too
try warpstudy scene pack cornell to.scene too
try "$ROOT/scripts/package" one two
warpstudy scene cache clear | sed -E 's/[0-9.]+ MiB/SIZE/'
exec 9<&-
ls cache | sed -E 's/[0-9a-f]{32}/KEY/'
echo "== triangles of one unit, farther and farther from the origin"
for far in 1e4 1e6; do
    printf 'objects: [{shape: quad, corner: [%s, 0, 0], edge1: [1, 0, 0], edge2: [0, 0, 1]}]\n%s\n' $far "$camera" >far.yaml
    warpstudy scene info ./far.yaml | sed -n 's/^ *\([0-9]* are too fine.*\)/'$far': \1/p'
done
