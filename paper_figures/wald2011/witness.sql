-- SPDX-License-Identifier: MIT
-- Two witnesses of the same counts, per launch: instructions that the hardware counted at the extension's entry in the clean kernels,
-- and ballots of the instrumented ones.
WITH launch_of AS (
    SELECT s.device, s.device_name, s.variant, w.trial, w.launch, w.sass_paths, w.ballot_paths, w.sass_warps, w.ballot_warps, w.agree, c.outdated
    FROM witness AS w
    JOIN trial_record AS t ON t.id = w.trial
    JOIN setup AS s ON s.setting = t.setting
    JOIN state AS c ON c.setting = s.setting AND c.collection = 'counters'
),
summary AS (
    SELECT device_name, variant, min(device) AS device, count(DISTINCT iif(agree IS NOT NULL, trial, NULL)) AS compared_trials,
           count(agree) AS launches, sum(agree) AS equal, sum(NOT agree) AS different, sum(agree IS NULL) AS without,
           sum(iif(agree IS NOT NULL, sass_paths, NULL)) AS sass_paths, sum(iif(agree IS NOT NULL, ballot_paths, NULL)) AS ballot_paths,
           sum(iif(agree IS NOT NULL, sass_warps, NULL)) AS sass_warps, sum(iif(agree IS NOT NULL, ballot_warps, NULL)) AS ballot_warps,
           group_concat(DISTINCT trial) AS row_trials, group_concat(DISTINCT iif(agree = 0, trial, NULL)) AS different_trials
    FROM launch_of
    WHERE NOT outdated
    GROUP BY device_name, variant
)
SELECT dense_rank() OVER (ORDER BY device_name) AS panel, variant, compared_trials, launches, equal, different,
       iif(different > 0, 'they differ in trials ' || different_trials || ': SELECT * FROM witness WHERE agree = 0', '') ||
           iif(without > 0, '|' || without || ' launches have no counts to compare with', '') AS flags,
       sass_paths, ballot_paths, sass_warps, ballot_warps, replace(row_trials, ',', ', ') AS row_trials,
       iif(sum(different) OVER (PARTITION BY device_name) = 0,
           printf('all of %d launches are equal', sum(launches) OVER (PARTITION BY device_name)),
           printf('%d of %d launches differ', sum(different) OVER (PARTITION BY device_name), sum(launches) OVER (PARTITION BY device_name))) ||
           coalesce((SELECT printf('; %d launches of %d trials are left out, because a newer trial repeated the measurement', count(*), count(DISTINCT trial))
                     FROM launch_of AS o WHERE o.outdated AND o.device_name = summary.device_name HAVING count(*) > 0), '') AS finding, device, device_name
FROM summary
ORDER BY panel, variant
