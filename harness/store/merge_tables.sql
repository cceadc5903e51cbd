-- SPDX-License-Identifier: MIT
-- What is done with each table when another database is merged; it follows from what the table refers to, so that none is
-- lost. In the order of filling:
--   0  an id, and nothing referred to: rows known by what is unique besides the id; others refer to that
--   1  runs, trials, attempts: as merge.sql says
--   2  rows that belong to a run: those that are not there yet
--   3  rows that belong to an attempt: those of attempts that were added
--   4  known by their primary key: the first one stays
-- Not those of this program, which are temporary, too: they are made anew from its own files.
CREATE TEMP TABLE merge_step AS
WITH wanted AS (
    SELECT t.name, coalesce(group_concat(f."table"), '') AS parents
    FROM temp.catalogue AS t LEFT JOIN pragma_foreign_key_list(t.name, 'main') AS f
    WHERE t.kind = 'table' AND t.name <> 'meta' AND t.name NOT IN (SELECT name FROM temp.sqlite_schema WHERE type = 'table')
    GROUP BY t.name
), described AS (       -- mapped: each column, references by their number here: "?1, (SELECT target ... source = ?2)"
    SELECT name, parents, min(iif(cid = 0, "column", NULL)) AS first, group_concat('"' || "column" || '"', ', ') AS columns,
           group_concat('?', ', ') AS marks, group_concat(iif(parent IS NULL, '?' || (cid + 1), printf(
               '(SELECT target FROM temp.map WHERE name = ''%s'' AND source = ?%d)', parent, cid + 1)), ', ') AS mapped
    FROM (SELECT w.*, c.cid, c.name AS "column", f."table" AS parent
          FROM wanted AS w CROSS JOIN pragma_table_info(w.name, 'main') AS c
          LEFT JOIN pragma_foreign_key_list(w.name, 'main') AS f ON f."from" = c.name
          ORDER BY w.name, c.cid)
    GROUP BY name
), sorted AS (
    SELECT *, CASE WHEN name IN ('run', 'trial_record', 'attempt') THEN 1 WHEN instr(parents, 'attempt') THEN 3
                   WHEN instr(parents, 'run') THEN 2 WHEN first = 'id' THEN 0 ELSE 4 END AS how,
           substr(columns, 7) AS others, -- than the id
           (SELECT group_concat(c.name) FROM pragma_index_list(d.name, 'main') AS i JOIN pragma_index_info(i.name, 'main') AS c
            WHERE i.origin = 'u') AS known_by
    FROM described AS d
)
SELECT row_number() OVER (ORDER BY how) AS place, how, name, columns,
       iif(how < 2, printf('CREATE TEMP TABLE in_%s AS SELECT %s FROM main.%s WHERE 0', name, columns, name), '') AS before,
       printf('SELECT %s FROM %s', columns, name) AS selected,
       CASE WHEN how < 2 THEN printf('INSERT INTO temp.in_%s VALUES (%s)', name, marks)
            WHEN how = 3 THEN printf('INSERT INTO main.%s (%s) SELECT %s WHERE EXISTS (SELECT 1 FROM temp.map WHERE name = ' ||
                                     '''attempt'' AND fresh AND source = ?1)', name, columns, mapped)
            ELSE printf('INSERT OR IGNORE INTO main.%s (%s) SELECT %s', name, columns, mapped) END AS inserted,
       iif(how = 0, printf('INSERT OR IGNORE INTO main.%s (%s) SELECT %s FROM temp.in_%s ORDER BY id; INSERT INTO temp.map ' ||
                           'SELECT ''%s'', i.id, t.id, 0 FROM temp.in_%s AS i JOIN main.%s AS t USING (%s)', name, others,
                           others, name, name, name, name, known_by), '') AS after
FROM sorted;
