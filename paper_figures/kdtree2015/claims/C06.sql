-- SPDX-License-Identifier: MIT
-- A model, no measurement: one thread reads a attributes of 4 bytes of each of n consecutive elements of s bytes, a below n; lines of 128 bytes, no cache
-- before. Arrays begin at lines; as structures the attributes stand together. The case is the whole sweep.
WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 64),
size AS (SELECT column1 AS s FROM (VALUES (16), (32), (48), (64), (96), (128), (256))),
point AS (
    SELECT a.i AS a, n.i AS n, s,
           CASE WHEN s <= 128 THEN ((n.i - 1) * s + 4 * a.i - 1) / 128 + 1 ELSE n.i * ((4 * a.i + 127) / 128) END AS structures,
           a.i * ((4 * n.i + 127) / 128) AS arrays
    FROM number AS a JOIN number AS n JOIN size
    WHERE a.i < n.i AND 4 * a.i <= s
)
SELECT count(*) || ' points: elements of 16 to 256 bytes, up to 64' AS place, '' AS flags, '' AS trials, 1.0 * sum(arrays < structures) / count(*) AS fewer FROM point
