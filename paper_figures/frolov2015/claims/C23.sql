-- SPDX-License-Identifier: MIT
-- Frolov and Galaktionov 2015, related work: how much more whole_frame gains over naive with the scene's own materials than with Lambertian 0.7,
-- at a limit of 8 bounces; and, Lambertian, at 32 bounces than at 8. Of scenes where under 1 % of the paths live past bounce 8, longer ones tell nothing.
WITH gain AS (
    SELECT n.scene, n.label, n.width, n.height, n.family, n.schedule, n.lighting, n.device_name, n.materials, n.max_bounces, n.counted,
           n.trials || ', ' || w.trials AS trials, n.flags || '|' || w.flags AS flags, n.seconds / w.seconds AS gain,
           n.seconds / w.seconds * max(sqrt(pow(n.relative_ci, 2) + pow(w.relative_ci, 2)), coalesce(n.noise_floor, 0), coalesce(w.noise_floor, 0)) AS noise
    FROM measured AS n
    JOIN measured AS w ON w.work = n.work AND w.schedule = n.schedule AND w.device_name = n.device_name AND w.variant = 'whole_frame' AND w.own = ''
    JOIN trial_record AS t ON t.id = n.trial
    WHERE n.variant = 'naive' AND n.own = '' AND n.first_camera AND coalesce(t.dummy_flops, 0) = 0
),
lived AS (  -- share of the paths that live past bounce 8
    SELECT r.trial, 1.0 * sum(iif(b.bounce = 9, b.active_paths, 0)) / sum(iif(b.bounce = 0, b.active_paths, 0)) AS share
    FROM result AS r JOIN bounce_counts AS b ON b.attempt = r.attempt
    WHERE r.collection = 'counts' AND r.trial IN (SELECT counted FROM gain WHERE max_bounces = 32)
    GROUP BY r.trial
),
rise AS (
    SELECT a.label, a.width, a.height, a.device_name, a.materials, a.max_bounces, a.flags || '|' || b.flags AS flags, a.trials || ', ' || b.trials AS trials,
           a.gain - b.gain AS rise, sqrt(a.noise * a.noise + b.noise * b.noise) AS noise, l.share
    FROM gain AS a
    JOIN gain AS b ON b.scene = a.scene AND b.width = a.width AND b.height = a.height AND b.family = a.family AND b.schedule = a.schedule AND
                      b.lighting = a.lighting AND b.device_name = a.device_name AND b.materials = 'lambert07' AND b.max_bounces = 8
    LEFT JOIN lived AS l ON l.trial = a.counted
    WHERE a.max_bounces = 8 AND a.materials <> 'lambert07' OR a.max_bounces = 32 AND a.materials = 'lambert07'
)
SELECT printf('%s, %dx%d, %s, ', label, width, height, device_name) || iif(max_bounces = 8, 'materials: ' || materials, '32 bounces') AS place, flags, trials,
       iif(max_bounces = 32 AND coalesce(share, 0) < 0.01, iif(share IS NULL, 'nothing was counted there', 'under 1 % of its paths live past bounce 8'), NULL) AS excluded,
       iif(max_bounces = 8, rise, NULL) AS richer, iif(max_bounces = 8, noise, NULL) AS richer_half, iif(max_bounces = 8, rise - noise, NULL) AS richer_beyond,
       iif(max_bounces = 32, rise, NULL) AS longer, iif(max_bounces = 32, noise, NULL) AS longer_half, iif(max_bounces = 32, rise - noise, NULL) AS longer_beyond
FROM rise
