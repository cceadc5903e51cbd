-- SPDX-License-Identifier: MIT
-- Thesis 2018, image tiling: of the time that several kernels take longer than one, what goes without loading and storing paths, all extensions of a
-- sample in one launch, less what goes without launches. And by how much a frame with a train of launches beside its own takes longer, of that time:
-- launches of a kernel that does nothing, and of one that loads and stores all paths that live.
WITH train AS (
    SELECT a.place, a.choice, a.weak || '|' || p.flags AS flags, iif(p.gain - p.half > 1, NULL, 'several kernels are not known to be slower here') AS excluded,
           a.trials || ', ' || p.trials AS trials, (a.seconds - m.seconds) / (m.seconds - s.seconds) AS share,
           sqrt(pow(a.seconds * a.relative_ci, 2) + pow(m.seconds * m.relative_ci, 2)) / (m.seconds - s.seconds) AS half
    FROM scheme AS a
    JOIN scheme AS m ON m.work = a.work AND m.device_name = a.device_name AND m.variant = 'volume_steps' AND m.choice = ''
    JOIN scheme AS s ON s.work = a.work AND s.device_name = a.device_name AND s.variant = 'volume_naive' AND s.choice = ''
    JOIN scheme_pair AS p ON p.setting = s.setting AND p.over_setting = m.setting
    WHERE a.variant = 'volume_steps' AND a.choice IN (', step train empty', ', step train state') AND a.kind <> 'grid'
)
SELECT a.place, a.weak || '|' || p.flags AS flags, iif(p.gain - p.half > 1, NULL, 'several kernels are not known to be slower here') AS excluded,
       a.trials || ', ' || p.trials AS trials, (2 * a.seconds - s.seconds - m.seconds) / (m.seconds - s.seconds) AS more,
       sqrt(pow(2 * a.seconds * a.relative_ci, 2) + pow(s.seconds * s.relative_ci, 2) + pow(m.seconds * m.relative_ci, 2)) / (m.seconds - s.seconds) AS more_half,
       NULL AS empty, NULL AS empty_half, NULL AS state, NULL AS state_half
FROM scheme AS a
JOIN scheme AS m ON m.work = a.work AND m.device_name = a.device_name AND m.variant = 'volume_steps' AND m.choice = ''
JOIN scheme AS s ON s.work = a.work AND s.device_name = a.device_name AND s.variant = 'volume_naive' AND s.choice = ''
JOIN scheme_pair AS p ON p.setting = s.setting AND p.over_setting = m.setting
WHERE a.variant = 'volume_steps' AND a.choice = ', launches one' AND a.kind <> 'grid'
UNION ALL
SELECT place || choice, flags, excluded, trials, NULL, NULL, iif(choice = ', step train empty', share, NULL), half, iif(choice = ', step train state', share, NULL), half
FROM train
