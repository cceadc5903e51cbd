-- SPDX-License-Identifier: MIT
-- Thesis 2018, bounding register usage: regeneration with at most 32 registers against without a limit; of how many cells slower and faster. By
-- counters occupancy and waits for each instruction; bytes of spilled registers; and by how much more time is waited for memory than is saved of
-- other waits, in warps that wait for each instruction, over all instructions and the warps that are there.
WITH cell AS (
    SELECT * FROM scheme_pair
    WHERE variant IN ('regenerate_thread', 'regenerate_warp') AND over = variant AND choice = ', registers 32' AND kind IN ('constant', 'uneven')
),
waits AS (
    SELECT c.*, b.trial || ', ' || u.trial AS counters, b.occupancy / u.occupancy AS occupancy, b.stalls / u.stalls AS latency,
           b.memory_stalls * b.instructions / b.occupancy - u.memory_stalls * u.instructions / u.occupancy AS memory,
           (u.stalls - u.memory_stalls) * u.instructions / u.occupancy - (b.stalls - b.memory_stalls) * b.instructions / b.occupancy AS saved,
           u.stalls * u.instructions / u.occupancy AS all_waits
    FROM cell AS c
    JOIN scheme_counters AS b ON b.setting = c.setting
    JOIN scheme_counters AS u ON u.setting = c.over_setting
)
SELECT place || ', ' || variant AS place, flags, trials, gain, half AS gain_half, NULL AS slower, NULL AS faster, NULL AS occupancy, NULL AS latency,
       NULL AS spilled, NULL AS net
FROM cell
UNION ALL
SELECT printf('%d cells, %dx%d, %s', count(*), width, height, device_name), group_concat(flags, '|'), group_concat(trials, ', '), NULL, NULL,
       avg(gain + half < 1),
       avg(gain - half > 1), NULL, NULL, NULL, NULL
FROM cell
WHERE half NOTNULL
GROUP BY width, height, spp, seed, device_name
HAVING count(*) >= 8
UNION ALL
SELECT place || ', ' || variant || ', counters', '', counters, NULL, NULL, NULL, NULL, occupancy, latency, NULL, (memory - max(saved, 0)) / all_waits FROM waits
UNION ALL
SELECT c.place || ', ' || c.variant || ', build', '', k.trial, NULL, NULL, NULL, NULL, NULL, NULL, max(k.spill_bytes), NULL
FROM cell AS c
JOIN trial_record AS t ON t.setting = c.setting
JOIN kernels AS k ON k.trial = t.id AND k.auxiliary = 0 AND k.collection <> 'counts' AND k.registers > 0
GROUP BY c.setting
