# SPDX-License-Identifier: MIT
# A picture that stays in the database.
warpstudy render closed_box --store --db p.db --device emulator --set width=24 --set height=16 --set spp=2
warpstudy query --db p.db "SELECT scene, camera, width, height, spp, length(image), length(scene_content), hex(substr(jpeg, 1, 3)) AS head FROM picture"
echo "-- again, brighter: it takes the place of the other; another size stands beside it"
warpstudy render closed_box --store --db p.db --device emulator --set width=24 --set height=16 --set spp=2 --exposure 1 >/dev/null
warpstudy render closed_box --store --db p.db --device emulator --set width=12 --set height=8 --set spp=2 -o closed.png >/dev/null
warpstudy query --db p.db "SELECT width, count(*) AS pictures FROM picture GROUP BY width ORDER BY width"
ls
echo "-- nowhere to store it"
warpstudy render closed_box --store --db nowhere/p.db --device emulator
echo "exit code $?"
echo "-- a run keeps one of each scene and its materials, by the first camera, and a report shows that"
cat >two.yaml <<END
fixed: {scene: open, device: emulator, width: 642, height: 11}
sweep: {materials: [lambert07, scene], variant: [naive, whole_frame]}
collect: [counts]
END
warpstudy run two.yaml --db r.db --quiet >/dev/null
warpstudy run two.yaml --db r.db --quiet --set seed=3 >/dev/null
warpstudy run two.yaml --db r.db --quiet --set seed=3 --set spp=2 --set materials=scene >/dev/null # takes the place of one of fewer
warpstudy query --db r.db "SELECT f.width, f.height, t.variant, t.materials, t.seed, t.spp, hex(substr(jpeg, 1, 3)) AS head
    FROM film AS f JOIN attempt AS a ON a.id = f.attempt JOIN trial AS t ON t.id = a.trial ORDER BY t.materials"
warpstudy report figure1 --db r.db --output sheet 2>/dev/null
cat sheet/figures/figure1.txt | sed 's/image .*/image HASH/'
cmp <(warpstudy query --db r.db "SELECT a.image FROM attempt AS a JOIN film AS f ON a.id = f.attempt JOIN trial AS t ON t.id = a.trial
    WHERE t.materials = 'lambert07'" | tail -1) <(grep -o 'image .*' sheet/figures/figure1.txt | cut -d ' ' -f 2) && echo "of the run's own image"
echo "-- its own materials, on a sheet of their own"
warpstudy report figure1_materials --db r.db --output sheet 2>/dev/null
cat sheet/figures/figure1_materials.txt | sed 's/image .*/image HASH/'
cmp <(sqlite3 r.db "SELECT writefile('stored.jpg', f.jpeg) FROM film AS f JOIN attempt AS a ON a.id = f.attempt JOIN trial_record AS t ON t.id = a.trial
    WHERE t.materials = 'scene'" >/dev/null; cat stored.jpg) sheet/figures/open_scene.jpg && echo "as stored"
echo "-- a volume has one set of materials, its own: one picture"
cat >fog.yaml <<END
fixed: {scene: fog, device: emulator, width: 16, height: 8}
sweep: {variant: [volume_naive, regenerate_thread]}
collect: [counts]
END
warpstudy run fog.yaml --db v.db --quiet >/dev/null
warpstudy query --db v.db "SELECT count(*) AS pictures, (SELECT count(*) FROM attempt) AS attempts FROM film"
