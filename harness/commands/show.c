// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/utf8.h"
#include "commands/shared.h"
#include "commands/text_table.h"

struct section {
    const char *title, *sql;
    bool sideways; // one line a column
};

static const struct section sections[] = {
    {"trial", "SELECT * FROM trial_record WHERE id = :trial", true},
    {"requested by",
     "SELECT r.id AS run, e.name AS experiment, e.path, r.label, r.started, r.command_line FROM run_trial t "
     "JOIN run r ON r.id = t.run JOIN experiment e ON e.id = r.experiment WHERE t.trial = :trial ORDER BY r.id",
     false},
    {"attempts",
     "SELECT id AS attempt, collection, number, status, started, finished, stop_reason, prepare_seconds, image, "
     "path_hash, superseded, reason FROM attempt WHERE trial = :trial ORDER BY id",
     false},
    {"repetitions",
     "SELECT a.collection, count(*) AS n, min(r.host_seconds) AS least_s, avg(r.host_seconds) AS mean_s, "
     "max(r.host_seconds) AS most_s, avg(r.device_seconds) AS device_s, max(r.launches_path) AS launches, "
     "max(r.launches_aux) AS auxiliary, max(r.readbacks) AS readbacks, "
     "min(r.sm_mhz) AS least_mhz, max(r.sm_mhz) AS most_mhz, "
     "iif(a.times, '', 'not measured: this device has no clock that means something') AS note "
     "FROM repetition r JOIN result a USING (attempt) WHERE a.trial = :trial GROUP BY attempt ORDER BY attempt",
     false},
    {"conditions",
     "SELECT a.collection, c.moment, c.temperature, c.power, c.sm_mhz, c.memory_mhz, "
     "iif(c.throttle, substr(iif(c.throttle & 1, ', idle', '') || iif(c.throttle & 2, ', clocks set', '') || "
     "iif(c.throttle & 4, ', power cap', '') || iif(c.throttle & 8, ', heat', '') || "
     "iif(c.throttle & 16, ', power brake', '') || iif(c.throttle & 32, ', other', ''), 3), 'none') AS throttled_by, "
     "c.foreign_processes AS others, iif(c.moment = 'before', a.gate_seconds, NULL) AS cooled_s "
     "FROM condition c JOIN attempt a ON a.id = c.attempt WHERE a.trial = :trial AND a.status = 'done' "
     "AND NOT a.superseded ORDER BY a.id, c.moment DESC",
     false},
    {"counts by bounce",
     "SELECT bounce, active_paths, active_warps, deaths_miss AS miss, deaths_depth AS depth, deaths_absorb AS "
     "absorbed, "
     "deaths_roulette AS roulette, shadow_rays, nodes, triangles FROM bounce WHERE trial = :trial ORDER BY bounce",
     false},
    {"kernels",
     "SELECT DISTINCT a.collection, k.name AS kernel, f.registers, f.spill_bytes, f.local_bytes, "
     "f.static_shared_bytes, "
     "f.block, f.shared_bytes, f.resident_warps "
     "FROM kernel_facts f JOIN attempt a ON a.id = f.attempt JOIN kernel k ON k.id = f.kernel WHERE a.trial = :trial "
     "AND NOT a.superseded ORDER BY a.id, k.name",
     false},
    {"hardware counters (whole frame, and minimum and maximum over its launches)",
     "SELECT m.name AS counter, max(iif(v.launch < 0, v.value, NULL)) AS frame, "
     "min(iif(v.launch < 0, NULL, v.value)) AS least, max(iif(v.launch < 0, NULL, v.value)) AS most, d.unit, "
     "a.passes FROM metric_value v JOIN attempt a ON a.id = v.attempt JOIN metric_name m ON m.id = v.metric "
     "LEFT JOIN metric d ON d.name = m.name AND d.expression <> '' WHERE a.trial = :trial AND a.status = 'done' AND "
     "NOT a.superseded "
     "GROUP BY a.id, m.name ORDER BY a.id, m.name",
     false},
    {"instructions that the hardware counted (all launches)",
     "SELECT CASE s.site WHEN 0 THEN 'extension' WHEN 1 THEN 'inner' WHEN 2 THEN 'triangle' ELSE 'all' END AS site, "
     "sum(s.instructions) AS by_warps, sum(s.thread_instructions) AS by_lanes, "
     "1.0 * sum(s.thread_instructions) / nullif(sum(s.instructions), 0) AS lanes_a_warp, max(s.copies) AS copies "
     "FROM site_count s JOIN result a USING (attempt) WHERE a.trial = :trial AND s.launch >= 0 "
     "GROUP BY attempt, s.site ORDER BY attempt, s.site",
     false},
    {"samples of warps by reason (5 most frequent; selected: they issued)",
     "SELECT n.name AS reason, sum(s.samples) AS samples, "
     "round(100.0 * sum(s.samples) / (SELECT sum(samples) FROM stall WHERE attempt = a.attempt), 1) AS percent "
     "FROM stall s JOIN result a USING (attempt) JOIN stall_reason n ON n.id = s.reason WHERE a.trial = :trial "
     "GROUP BY attempt, n.name ORDER BY samples DESC, n.name LIMIT 5",
     false},
    {"samples of warps by line (5 most frequent)",
     "SELECT k.name AS kernel, f.name || ':' || s.line AS place, sum(s.samples) AS samples "
     "FROM stall_line s JOIN result a USING (attempt) JOIN kernel k ON k.id = s.kernel JOIN source_file f ON f.id = "
     "s.file "
     "WHERE a.trial = :trial AND f.name <> '' GROUP BY attempt, k.name, f.name, s.line "
     "ORDER BY samples DESC, place LIMIT 5",
     false},
    {"made by",
     "SELECT DISTINCT collection, device_name, driver, warp_width, multiprocessors, provenance FROM result "
     "WHERE trial = :trial",
     false},
    {"environment",
     "SELECT n.name, n.value FROM environment n WHERE n.run = (SELECT max(run) FROM attempt WHERE trial = :trial)",
     false},
};

static void print_text(const char *text)
{
    utf8_print(text, stdout);
    putchar('\n');
}

static bool print_sideways(void *context, const struct store_row *row)
{
    (void)context;
    for (size_t i = 0; i < row->count; ++i) {
        const struct store_value *value = &row->values[i];
        printf("  %-18s ", row->names[i]);
        if (value->type == STORE_INTEGER)
            printf("%lld\n", (long long)value->integer);
        else if (value->type == STORE_REAL)
            printf("%.9g\n", value->real);
        else if (value->type == STORE_TEXT && !value->text[0] && !strcmp(row->names[i], "camera"))
            printf("the scene's first\n");
        else
            print_text(value->type == STORE_TEXT ? value->text : "-");
    }
    return true;
}

static bool take_id(void *context, const struct store_row *row)
{
    int64_t *ids = context; // [0] the first, [1] how many
    if (!ids[1]++)
        ids[0] = row->values[0].integer;
    return true;
}

// A number, or the beginning of a key.
static bool find_trial(struct store *store, const char *word, char id[32], struct error *error)
{
    int64_t found[2] = {0, 0};
    const char *const bindings[] = {"word", word, NULL};
    if (!store_query(store,
                     "SELECT id FROM trial_record WHERE CAST(id AS TEXT) = :word UNION SELECT id FROM trial_record "
                     "WHERE length(:word) >= 6 AND substr(key, 1, length(:word)) = :word",
                     bindings, take_id, found, error))
        return false;
    snprintf(id, 32, "%lld", (long long)found[0]);
    if (found[1] == 1)
        return true;
    error_set(error, ERROR_USE, found[1] ? "%s: more than one trial's key begins with this" : "there is no trial %s",
              word);
    return error_remedy(error, "see warpstudy query trial");
}

static bool print_section(struct store *store, const struct section *section, const char *id, struct error *error)
{
    const char *const bindings[] = {"trial", id, NULL};
    struct text_table table = {0};
    if (section->sideways) {
        printf("%s\n", section->title);
        return store_query(store, section->sql, bindings, print_sideways, NULL, error);
    }
    const bool done = store_query(store, section->sql, bindings, text_table_visit, &table, error);
    if (done && table.rows > 1) {
        printf("\n%s\n", section->title);
        text_table_print(&table, TEXT_TABLE);
    }
    text_table_finish(&table);
    return done;
}

static bool show_read(struct store *store, const struct command_line *line, struct error *error)
{
    char id[32];
    bool done = find_trial(store, line->words[0], id, error);
    for (size_t i = 0; done && i < sizeof sections / sizeof *sections; ++i)
        done = print_section(store, &sections[i], id, error);
    return done;
}

const struct command command_show = {
    .name = "show",
    .arguments = "TRIAL",
    .summary = "shows everything stored about a trial",
    .details = "TRIAL is the trial's number or at least the first 6 digits of its key.",
    .options =
        {
            {COMMAND_OPTION_DB},
        },
    .least_words = 1,
    .most_words = 1,
    .read = show_read,
};
