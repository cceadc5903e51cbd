-- SPDX-License-Identifier: MIT
-- Thesis 2018, Tables 4.1 and 4.3 to 4.6: rays per second by scheme; a ray is an extension of a path, the one that leaves included. One panel per
-- scene, device, image size and schedule; a row is a method. Put behind a file with `method`, `printed` (what the thesis has of a scene's
-- original), `build` (1: registers are bounded; 2: lanes with several paths as well) and `said` (the first sentence of a page).
cell AS (
    SELECT c.*, m.place AS method, m.title, 1e-6 * r.rays / c.spp / c.seconds AS rate FROM measured AS c JOIN method AS m ON m.variant = c.variant
    LEFT JOIN traced AS r ON r.work = c.work
    WHERE CASE (SELECT bounded FROM build) WHEN 1 THEN c.schedule LIKE '%registers 32%' ELSE c.schedule NOT LIKE '%registers %' END AND c.axes NOT LIKE '%tile%' AND
          (c.own NOT LIKE '%lane paths%' OR (SELECT bounded FROM build) = 2)
),
ranked AS (
    SELECT work, scene, camera, device_name, width, height, max_bounces, family, schedule, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY work, device_name, schedule
)
SELECT p.panel, c.title || iif(c.chosen <> '', ', ' || c.chosen, '') AS method, c.rate, c.rate / (1 + c.relative_ci) AS rate_low,
       c.rate / (1 - c.relative_ci) AS rate_high, c.flags || iif(c.rate IS NULL, '|' || c.counted_flags, '') AS rate_flags, c.trials,
       n.seconds / c.seconds AS speedup,
       q.rate AS rate_published, q.half AS rate_half, q.rate / (SELECT rate FROM printed WHERE scene = c.scene AND method = 'naiveSK') AS speedup_published,
       c.flags || '|' || coalesce(n.flags, 'not_asked') AS speedup_flags, c.trials || coalesce(', ' || n.trials, '') AS both_trials,
       c.lanes, c.counted_flags, c.counted AS counted_trial, 1.0 * c.rays / c.paths AS extensions,
       k.mixed, 1.0 * c.atomics / c.paths AS atomics, k.barriers_per_ray AS barriers, k.lines, k.lookups, e.lines AS density_lines, e.lanes AS tracking, k.mebibytes, c.launches,
       (SELECT headline FROM said WHERE device_name = p.device_name) AS headline,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.max_bounces, p.family AS work,
       p.schedule || coalesce((SELECT ', ' || max(nullif(o.axes, '')) FROM cell AS o WHERE o.work = p.work AND o.device_name = p.device_name AND
                                                                                            o.schedule = p.schedule), '') AS schedule, p.trials AS panel_trials, p.left_out
FROM cell AS c
JOIN panel AS p USING (work, device_name, schedule)
LEFT JOIN cell AS n ON n.work = c.work AND n.device_name = c.device_name AND n.schedule = c.schedule AND n.variant = 'volume_naive' AND n.own = ''
LEFT JOIN printed AS q ON q.scene = c.scene AND q.method = c.title
LEFT JOIN scheme_counts AS k ON k.trial = c.counted
LEFT JOIN lookup_steps AS e ON e.trial = c.counted
ORDER BY p.panel, c.method, c.own
