# A device that cannot be used: its trials are skips with the reason, and everything else runs.
export CUDA_VISIBLE_DEVICES=
warpstudy run "$EXPERIMENTS/devices.yaml" --db skips.db --quiet 2>&1 | grep -vE 'no NVIDIA driver|driver sees no GPU|CUDA module|without the CUDA toolkit|NVRTC'
warpstudy query --db skips.db "SELECT t.device, a.collection, a.status, length(a.reason) > 20 AS told FROM attempt AS a
    JOIN trial AS t ON t.id = a.trial ORDER BY 1, 2"
# More paths than a variant can number are a skip, and fewer of the same build are not.
warpstudy run "$EXPERIMENTS/many_paths.yaml" --db many.db --quiet >/dev/null 2>&1
warpstudy query --db many.db "SELECT t.spp, a.status FROM attempt AS a JOIN trial AS t ON t.id = a.trial ORDER BY 1"
# More reasons than are shown.
warpstudy run "$EXPERIMENTS/too_big.yaml" --set variant=naive --set warp_width="$(seq -s, 17 31),$(seq -s, 33 63)" --db reasons.db --page many.html --quiet | grep skipped
warpstudy status --db reasons.db | tail -3
sed 's/<[^>]*>//g' many.html | grep 'more reasons'
