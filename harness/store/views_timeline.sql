-- SPDX-License-Identifier: MIT
-- Timelines: samples of the whole device at equal intervals. See views.sql. Times are seconds from the frame's first launch; a
-- frame longer than a window is joined out of several, at launches.

-- Samples with the launches that they are of. inside: the launch that ran all the time; launch: the only one that ran, all the
-- time or not. NULL: none, or several.
CREATE TEMP VIEW timeline_part AS
WITH placed AS MATERIALIZED (
    SELECT a.trial, a.warp_width, a.multiprocessors, s.*, s.start + s.nanoseconds AS finish,
           (SELECT iif(l.start + l.nanoseconds > s.start, l.number, NULL) FROM timeline_launch AS l
            WHERE l.attempt = s.attempt AND l.window = s.window AND l.nanoseconds > 0 AND l.start <= s.start
            ORDER BY l.start DESC LIMIT 1) AS earlier,
           (SELECT l.start + l.nanoseconds FROM timeline_launch AS l
            WHERE l.attempt = s.attempt AND l.window = s.window AND l.nanoseconds > 0 AND l.start <= s.start
            ORDER BY l.start DESC LIMIT 1) AS earlier_finish,
           (SELECT l.number FROM timeline_launch AS l
            WHERE l.attempt = s.attempt AND l.window = s.window AND l.nanoseconds > 0 AND l.start < s.start + s.nanoseconds
            ORDER BY l.start DESC LIMIT 1) AS latest,
           (SELECT count(*) FROM timeline_launch AS l
            WHERE l.attempt = s.attempt AND l.window = s.window AND l.nanoseconds > 0 AND
                  l.start > s.start AND l.start < s.start + s.nanoseconds) AS later
    FROM done_attempt AS a CROSS JOIN timeline_sample AS s ON s.attempt = a.id
    WHERE a.collection = 'timeline'
)
SELECT p.*, iif(later + (earlier IS NOT NULL) = 1, latest, NULL) AS launch,
       iif(later = 0 AND earlier_finish >= finish, earlier, NULL) AS inside
FROM placed AS p;

-- From moment to moment. launch, kernel, stage, round NULL: several launches, or none, or a part of one.
CREATE TEMP VIEW timeline AS
SELECT p.trial, p.number, p.window, p.start / 1e9 AS start, p.nanoseconds / 1e9 AS seconds, p.inside AS launch,
       k.name AS kernel, nullif(l.stage, '') AS stage, l.iteration AS round,
       1.0 * p.thread_instructions / nullif(p.instructions, 0) AS lanes,
       1.0 * p.thread_instructions / nullif(p.warp_width * p.instructions, 0) AS lane_util,
       1.0 * p.instructions / nullif(p.cycles, 0) AS ipc, 1.0 * p.warp_cycles / nullif(p.cycles, 0) AS mean_warps,
       1.0 * p.multiprocessors * p.least_warp_cycles / nullif(p.cycles, 0) AS least_warps,
       1.0 * p.multiprocessors * p.most_warp_cycles / nullif(p.cycles, 0) AS most_warps,
       1.0 * p.multiprocessors * p.active_cycles / nullif(p.cycles, 0) AS active_multiprocessors,
       1 - 1.0 * p.active_cycles / nullif(p.cycles, 0) AS idle_multiprocessors, p.dram_bytes
FROM timeline_part AS p
LEFT JOIN launch AS l ON l.attempt = p.attempt AND l.repetition = 0 AND l.number = p.inside
LEFT JOIN kernel AS k ON k.id = l.kernel;

-- The same of each launch. samples: that lie wholly inside; where there are fewer than three, means are NULL. instructions: of
-- all samples of no other launch; complete = 1: these are all that have a part in it.
CREATE TEMP VIEW timeline_kernel AS
WITH part AS MATERIALIZED (
    SELECT attempt, CAST(inside AS INTEGER) AS inside, CAST(launch AS INTEGER) AS launch, start, finish, thread_instructions, instructions,
           cycles, warp_cycles, active_cycles, dram_bytes, nanoseconds -- typed, so that SQLite can index the join with launches
    FROM timeline_part
), inside AS (
    SELECT attempt, inside AS number, count(*) AS samples, sum(thread_instructions) AS thread_instructions,
           sum(instructions) AS instructions, sum(cycles) AS cycles, sum(warp_cycles) AS warp_cycles,
           sum(active_cycles) AS active_cycles, sum(dram_bytes) AS dram_bytes, sum(nanoseconds) AS nanoseconds
    FROM part WHERE inside IS NOT NULL GROUP BY attempt, inside
), alone AS (
    SELECT attempt, launch AS number, sum(instructions) AS instructions, sum(thread_instructions) AS thread_instructions,
           min(start) AS start, max(finish) AS finish
    FROM part WHERE launch IS NOT NULL GROUP BY attempt, launch
)
SELECT a.trial, t.number AS launch, k.name AS kernel, nullif(l.stage, '') AS stage, l.iteration AS round,
       nullif(l.bounce, -1) AS bounce, l.auxiliary, t.window, t.start / 1e9 AS start, t.nanoseconds / 1e9 AS seconds,
       coalesce(i.samples, 0) AS samples,
       iif(i.samples >= 3, 1.0 * i.thread_instructions / nullif(i.instructions, 0), NULL) AS lanes,
       iif(i.samples >= 3, 1.0 * i.thread_instructions / nullif(a.warp_width * i.instructions, 0), NULL) AS lane_util,
       iif(i.samples >= 3, 1.0 * i.instructions / i.cycles, NULL) AS ipc,
       iif(i.samples >= 3, 1.0 * i.warp_cycles / i.cycles, NULL) AS mean_warps,
       iif(i.samples >= 3, 1.0 * a.multiprocessors * i.active_cycles / i.cycles, NULL) AS active_multiprocessors,
       iif(i.samples >= 3, 1 - 1.0 * i.active_cycles / i.cycles, NULL) AS idle_multiprocessors,
       iif(i.samples >= 3, 1e9 * i.dram_bytes / i.nanoseconds, NULL) AS dram_bytes_per_second,
       iif(i.samples >= 3, o.instructions, NULL) AS instructions,
       iif(i.samples >= 3, o.thread_instructions, NULL) AS thread_instructions,
       coalesce(o.start <= t.start AND o.finish >= t.start + t.nanoseconds, 0) AS complete
FROM done_attempt AS a
CROSS JOIN timeline_launch AS t ON t.attempt = a.id
CROSS JOIN launch AS l ON l.attempt = a.id AND l.repetition = 0 AND l.number = t.number
JOIN kernel AS k ON k.id = l.kernel
LEFT JOIN inside AS i ON i.attempt = a.id AND i.number = t.number
LEFT JOIN alone AS o ON o.attempt = a.id AND o.number = t.number
WHERE a.collection = 'timeline';

-- What sampling does to a frame's time. Of host_seconds: the median without anything, with kernels traced, and with samples taken
-- too, window by window; of the device, from the first launch's start to the last one's end, traced and sampled.
CREATE TEMP VIEW timeline_frame AS
SELECT a.trial, (SELECT avg(nanoseconds) / 1e9 FROM timeline_sample WHERE attempt = a.id) AS interval,
       (SELECT count(*) FROM timeline_sample WHERE attempt = a.id) AS samples,
       (SELECT max(window) + 1 FROM timeline_launch WHERE attempt = a.id) AS windows,
       (SELECT max(host_seconds)
        FROM (SELECT host_seconds, ntile(2) OVER (ORDER BY host_seconds) AS half FROM repetition
              WHERE attempt = a.id AND device_seconds IS NULL)
        WHERE half = 1) AS plain_seconds,
       t.host_seconds AS traced_seconds, s.host_seconds AS sampled_seconds, t.device_seconds AS traced_device_seconds,
       s.device_seconds AS sampled_device_seconds, s.device_seconds / nullif(t.device_seconds, 0) - 1 AS slowdown
FROM done_attempt AS a
JOIN repetition AS t ON t.attempt = a.id AND t.number = (SELECT min(number) FROM repetition WHERE attempt = a.id AND device_seconds IS NOT NULL)
JOIN repetition AS s ON s.attempt = a.id AND s.number = t.number + 1
WHERE a.collection = 'timeline';
