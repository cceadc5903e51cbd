# Every pipeline and persistent kernel on what is small, empty or too large: it renders what its reference does, or says why not.
run() { warpstudy run "$EXPERIMENTS/pipelines.yaml" --db input.db --quiet "$@" 2>&1 | grep -E '^ +[0-9]+ x|FAILED' | sort; }
echo "== an image of one pixel, and one that no tile divides; depth 0; without light; a volume of one path"
run --set scene=cornell,fog --set width=1 --set height=1 --set max_bounces=0,8
run --set scene=cornell,"$EXPERIMENTS/dark.yaml" --set width=7 --set height=5 --set spp=3 --set max_bounces=0,8
run --set variant=naive,tile_regenerate --set width=37 --set height=5 --set tile_slots=1,16,64,256,1024
warpstudy query --db input.db "SELECT estimator, replace(scene, rtrim(scene, replace(scene, '/', '')), '') AS scene, width, height, spp, max_bounces,
    variants, trials, agree FROM verification ORDER BY 1, 2, 3, 6"
warpstudy query --db input.db "SELECT sum(b.radiance) AS light FROM trial AS t JOIN result AS a ON a.trial = t.id JOIN bounce_counts AS b
    ON b.attempt = a.attempt WHERE t.scene LIKE '%dark%'"
echo "== pools of one slot, and of no whole number of tiles"
run --set scene=cornell --set width=7 --set height=5 --set pool=1
echo "== roulette for a warp and a block"
run --set scene=cornell --set width=1 --set height=1 --set roulette=warp,block
