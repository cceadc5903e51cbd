-- SPDX-License-Identifier: MIT
-- Live lanes of the trips of each scheme's warps: share of trips with so many of them or fewer, and the mean. By the lockstep model; one panel per scene,
-- device and image size, a row per number of lanes.
side (variant, name) AS (
    VALUES ('volume_naive', 'naive'), ('regenerate_thread', 'thread'), ('regenerate_warp', 'warp'), ('regenerate_block', 'block'), ('stream_block', 'stream'),
           ('stream_device', 'streams')
),
cell AS (                           -- the newest of each scheme
    SELECT * FROM (SELECT s.*, o.name, a.attempt, a.warp_width AS of_warp,
                          row_number() OVER (PARTITION BY s.work, s.device_name, s.variant, a.warp_width ORDER BY s.newest DESC) AS nth
                   FROM scheme AS s
                   JOIN side AS o ON o.variant = s.variant
                   JOIN result AS a ON a.trial = s.counted AND a.collection = 'counts'
                   WHERE s.choice = '' AND s.kind <> 'grid' AND EXISTS (SELECT 1 FROM entry_lanes AS e WHERE e.attempt = a.attempt))
    WHERE nth = 1
),
ranked AS (
    SELECT work, scene, camera, device_name, width, height, spp, max_bounces, family, of_warp, min(device) AS device, group_concat(trials, ', ') AS trials,
           row_number() OVER (PARTITION BY scene, camera, device_name ORDER BY count(*) DESC, max(newest) DESC) AS place
    FROM cell
    GROUP BY work, device_name, of_warp
),
number (lanes) AS (SELECT 1 UNION ALL SELECT lanes + 1 FROM number WHERE lanes < (SELECT max(of_warp) FROM cell)),
upto AS (
    SELECT p.panel, n.lanes, c.name, c.counted,
           (SELECT 1.0 * sum(iif(e.lanes <= n.lanes, e.warps, 0)) / sum(e.warps) FROM entry_lanes AS e WHERE e.attempt = c.attempt) AS share,
           (SELECT 1.0 * sum(e.lanes * e.warps) / sum(e.warps) FROM entry_lanes AS e WHERE e.attempt = c.attempt) AS mean
    FROM panel AS p
    JOIN cell AS c USING (work, device_name, of_warp)
    JOIN number AS n ON n.lanes <= c.of_warp
)
SELECT u.panel, u.lanes,
       max(iif(u.name = 'naive', u.share, NULL)) AS naive, max(iif(u.name = 'naive', u.mean, NULL)) AS naive_mean, max(iif(u.name = 'naive', u.counted, NULL)) AS naive_trial,
       max(iif(u.name = 'thread', u.share, NULL)) AS thread, max(iif(u.name = 'thread', u.mean, NULL)) AS thread_mean, max(iif(u.name = 'thread', u.counted, NULL)) AS thread_trial,
       max(iif(u.name = 'warp', u.share, NULL)) AS warp, max(iif(u.name = 'warp', u.mean, NULL)) AS warp_mean, max(iif(u.name = 'warp', u.counted, NULL)) AS warp_trial,
       max(iif(u.name = 'block', u.share, NULL)) AS block, max(iif(u.name = 'block', u.mean, NULL)) AS block_mean, max(iif(u.name = 'block', u.counted, NULL)) AS block_trial,
       max(iif(u.name = 'stream', u.share, NULL)) AS stream, max(iif(u.name = 'stream', u.mean, NULL)) AS stream_mean, max(iif(u.name = 'stream', u.counted, NULL)) AS stream_trial,
       max(iif(u.name = 'streams', u.share, NULL)) AS streams, max(iif(u.name = 'streams', u.mean, NULL)) AS streams_mean, max(iif(u.name = 'streams', u.counted, NULL)) AS streams_trial,
       p.scene, p.camera, p.device, p.device_name, p.width, p.height, p.spp, p.max_bounces, p.family AS work, p.trials AS panel_trials, p.left_out
FROM upto AS u
JOIN panel AS p ON p.panel = u.panel
GROUP BY u.panel, u.lanes
ORDER BY u.panel, u.lanes
