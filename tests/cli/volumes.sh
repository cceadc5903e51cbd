# Volumes of files: what is known of them, and what is said of those that are not what their scenes say.
scene() {
    echo "== $2"
    printf 'volume: {file: %s, %s}\ncameras: {main: {eye: [0, 0, 2], at: [0, 0, 0]}}\nenvironment: {constant: 1}\n' \
        "$1" "$2" >scan.yaml
    try warpstudy scene info ./scan.yaml 2>&1 | sed 's/content .*/content .../; s/[0-9.]* MiB/SIZE/'
}
printf '\0\1\2\3\4\5\6\7' >eight.raw
printf '\0\0\300\177' >nan.raw
gzip -k eight.raw
scene eight.raw 'type: uint8, size: 2, density: 5, asymmetry: 0.5, boundary: {ior: 1.5, roughness: 0.5}'
scene eight.raw.gz 'type: int16, size: [1, 2, 2], spacing: [1, 1, 2], store: float'
scene eight.raw 'type: uint8, size: [2, 2, 3]'
scene eight.raw 'type: uint8, size: [2, 2, 1]'
scene eight.raw 'type: uint8, size: 2, window: [100, 200]'
scene eight.raw 'type: uint8, size: 2, spacing: 0'
scene nan.raw 'type: float32, size: 1'
scene eight.tar.gz 'member: scan/eight.raw, type: uint8, size: 2'
scene missing.raw 'type: uint8, size: 2'
echo "== paths that never end are cut, and counted"
printf 'volume: {size: 4, density: 1000}\ncameras: {main: {eye: [0, 0, 2], at: [0, 0, 0]}}\nenvironment: {constant: 1}\n' >thick.yaml
cat >thick.exp.yaml <<'END'
name: thick
device: emulator
fixed: {scene: ./thick.yaml, variant: volume_naive, width: 8, height: 8, path_cap: 20}
collect: [counts]
END
warpstudy run thick.exp.yaml --db thick.db --quiet
warpstudy query --db thick.db --format csv "SELECT sum(deaths_depth) > 0 AS cut, sum(deaths_depth + deaths_miss) AS paths FROM bounce"
warpstudy render ./thick.yaml --device emulator --set width=8 --set height=8 --set path_cap=20 -o thick.png 2>&1 >/dev/null
echo "-- a boundary that the scene does not have"
try warpstudy render fog --device emulator --set boundary=dielectric -o none.png 2>&1
echo "-- without a variant, one that suits the scene renders it; what the user names stays"
warpstudy render fog --device emulator --set width=16 --set height=8 -o one.png | grep -o "volume_naive\|hash .*"
warpstudy render fog --variant regenerate_thread --device emulator --set width=16 --set height=8 -o two.png | grep -o "hash .*"
cmp one.png two.png && echo "the same image"
warpstudy render fog --variant naive --device emulator
echo "exit code $?"
