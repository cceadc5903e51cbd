# SPDX-License-Identifier: MIT
# A picture that stays in the database.
warpstudy render closed_box --store --db p.db --device emulator --set width=24 --set height=16 --set spp=2
warpstudy query --db p.db "SELECT scene, camera, width, height, spp, length(image), length(scene_content), hex(substr(png, 1, 8)) AS head FROM picture"
echo "-- again, brighter: it takes the place of the other; another size stands beside it"
warpstudy render closed_box --store --db p.db --device emulator --set width=24 --set height=16 --set spp=2 --exposure 1 >/dev/null
warpstudy render closed_box --store --db p.db --device emulator --set width=12 --set height=8 --set spp=2 -o closed.png >/dev/null
warpstudy query --db p.db "SELECT width, count(*) AS pictures FROM picture GROUP BY width ORDER BY width"
ls
echo "-- nowhere to store it"
warpstudy render closed_box --store --db nowhere/p.db --device emulator
echo "exit code $?"
