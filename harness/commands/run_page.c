// SPDX-License-Identifier: MIT
#include "commands/run_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/path.h"
#include "report/report_page.h"
#include "report/write/escape.h"
#include "report/sweep/sweep_choice.h"
#include "report/sweep/sweep_document.h"
#include "run/progress.h"
#include "store/query.h"

enum { RELOAD_SECONDS = 5, TABLE_ROWS_MOST = 300, REASONS_MOST = 20 };

// ---- what stands on it

static const char runs_sql[] =
    "SELECT s.experiment, s.run, sum(s.done), sum(s.skipped), sum(s.failed + s.gave_up), sum(s.due + s.running) "
    "FROM status s WHERE s.run >= CAST(:run AS INTEGER) GROUP BY s.run ORDER BY s.run";

static const char latest_sql[] = "SELECT strftime('%H:%M:%SZ', a.finished), t.id, printf('%s on %s, %dx%d, replicate "
                                 "%d', t.variant, t.scene, t.width, t.height, "
                                 "t.replicate), a.collection, "
                                 "coalesce((SELECT printf('%.4g ms', 1e3 * r.median_seconds) FROM replicate_time r "
                                 "WHERE r.attempt = a.id AND r.times), "
                                 "a.status) "
                                 "FROM attempt a JOIN trial_record t ON t.id = a.trial WHERE a.run >= CAST(:run AS "
                                 "INTEGER) AND a.finished IS NOT NULL "
                                 "ORDER BY a.id DESC LIMIT 10";

static const char troubles_sql[] =
    "SELECT status, collection, count(*), min(trial), reason FROM (SELECT status, collection, reason, trial FROM "
    "failures "
    "WHERE run >= CAST(:run AS INTEGER) AND NOT done_since UNION ALL SELECT 'skipped', collection, reason, trial FROM "
    "skips "
    "WHERE run >= CAST(:run AS INTEGER)) GROUP BY status, collection, reason ORDER BY count(*) DESC";

enum { TABLES_MOST = 100, RUN_STATES = 4 }; // done, skipped, failed, left

struct reading {
    struct document *document;
    struct doc_table *table;
    const char *experiments[TABLES_MOST];
    size_t experiment_count, states[RUN_STATES], reasons;
};

// A table of texts; all columns but the last hold few words.
static void begin_table(struct reading *reading, const char *key, const char *caption, size_t columns,
                        const char *const *titles)
{
    reading->table = doc_words_table(reading->document, key, caption, columns, titles);
    for (size_t i = 0; i + 1 < columns; ++i)
        reading->table->columns[i].narrow = true;
}

// A row of texts; the first value is its key.
static bool take_texts(void *context, const struct store_row *row)
{
    struct reading *reading = context;
    struct document *document = reading->document;
    struct doc_row *line = doc_row(document, reading->table, doc_text(document, "%s", row->values[0].text));
    for (size_t i = 1; i < row->count; ++i)
        doc_words(line, i - 1, doc_text(document, "%s", row->values[i].text ? row->values[i].text : ""));
    return true;
}

static bool take_reason(void *context, const struct store_row *row)
{
    struct reading *reading = context;
    return ++reading->reasons > REASONS_MOST || take_texts(context, row);
}

static bool take_run(void *context, const struct store_row *row)
{
    struct reading *reading = context;
    if (reading->experiment_count++ < TABLES_MOST)
        reading->experiments[reading->experiment_count - 1] = doc_text(reading->document, "%s", row->values[0].text);
    for (size_t i = 0; i < RUN_STATES; ++i)
        reading->states[i] += (size_t)row->values[2 + i].integer;
    return true;
}

static bool page_query(struct store *store, const char *sql, const struct run_state *state,
                       bool (*take)(void *, const struct store_row *), struct reading *reading, struct error *error)
{
    char run[32];
    snprintf(run, sizeof run, "%lld", (long long)state->first_run);
    const char *const bindings[] = {"run", run, NULL};
    return store_query(store, sql, bindings, take, reading, error);
}

static void add_bar(const struct reading *reading)
{
    static const char *const roles[RUN_STATES] = {"reproduced", "undecided", "refuted",
                                                  "unimplemented"}; // colours of page.css
    static const char *const words[RUN_STATES] = {"done", "skipped", "failed", "left"};
    doc_add(reading->document, DOC_BAR, DOC_PLAIN, NULL);
    for (size_t i = 0; i < RUN_STATES; ++i)
        if (reading->states[i])
            doc_item(reading->document, roles[i], words[i])->weight = reading->states[i];
}

static const char *format_moment(time_t when, struct document *document)
{
    char text[64];
    struct tm local;
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", localtime_r(&when, &local));
    return doc_text(document, "%s", text);
}

// How far it is, at what rate, and when it will end.
static void add_facts(const struct run_state *state, struct document *document)
{
    const int64_t left = state->total - state->finished;
    const double rate = state->seconds > 0 ? (double)state->finished / state->seconds : 0; // executions a second
    const time_t now = time(NULL);
    char spent[32];
    progress_duration(state->seconds, spent, sizeof spent);
    doc_add(document, DOC_LIST, DOC_FACTS, NULL);
    doc_item(document, "Executions",
             doc_text(document, "%lld of %lld that were due, in %s", (long long)state->finished,
                      (long long)state->total, spent));
    if (rate > 0)
        doc_item(document, "Rate", doc_text(document, rate < 1 ? "%.2g a minute" : "%.0f a minute", 60 * rate));
    if (!state->ended && rate > 0)
        doc_item(document, "Expected end", format_moment(now + (time_t)((double)left / rate), document));
    if (state->doing)
        doc_item(document, "Now", state->doing);
    doc_item(document, state->ended ? "Ended" : "Written", format_moment(now, document));
    doc_item(document, "Command", state->command_line);
    doc_item(document, "Database", state->database);
}

static void add_head(const struct run_state *state, const struct reading *reading)
{
    struct document *document = reading->document;
    const bool complete = state->ended && !strcmp(state->ended, "complete");
    const char *name = strrchr(state->database, '/');
    name = name ? name + 1 : state->database;
    doc_heading(document, 1, NULL,
                doc_text(document, "%s: %s", name,
                         !state->ended                    ? "running"
                         : !strcmp(state->ended, "until") ? "stopped by the clock"
                                                          : state->ended));
    doc_add(document, DOC_TEXT, DOC_ASIDE,
            complete && reading->states[2] ? "The same command with --retry-failed tries the failures again."
            : complete                     ? "Nothing is left to do."
            : state->ended                 ? "The same command continues it."
                           : "This page is written anew before an execution begins, and reloads itself. If the time "
                             "below stands still for longer than an execution takes, the run was killed; the same "
                             "command continues it.");
    add_facts(state, document);
}

static void add_table(struct store *store, const char *name, struct document *document)
{
    struct experiment_report report;
    struct sweep_rows rows = {.experiment = NULL};
    struct sweep_layout layout;
    struct error why = {.kind = ERROR_NONE};
    const char *remark;
    if (!sweep_choice_read(store, name, NULL, &report, &rows, &remark, &why) ||
        !sweep_layout_of(&rows, report.rows, report.columns, &layout, &why)) {
        doc_heading(document, 2, NULL, name);
        doc_add(document, DOC_TEXT, DOC_ASIDE, doc_text(document, "No table: %s.", why.message));
    } else if (rows.row_count > TABLE_ROWS_MOST) {
        doc_heading(document, 2, NULL, name);
        doc_add(document, DOC_TEXT, DOC_ASIDE,
                doc_text(document, "It has %zu settings; to see them: warpstudy table %s", rows.row_count, name));
    } else {
        sweep_document(&rows, &layout, document);
        if (remark[0])
            doc_add(document, DOC_TEXT, DOC_ASIDE, doc_text(document, "%s.", remark));
    }
    sweep_rows_finish(&rows);
}

static bool add_latest(struct store *store, const struct run_state *state, struct reading *reading, struct error *error)
{
    static const char *const titles[] = {"trial", "what", "collection", "result"};
    doc_heading(reading->document, 2, NULL, "Latest executions");
    begin_table(reading, "finished", "The latest executions, the last one first", sizeof titles / sizeof *titles,
                titles);
    reading->table->columns[1].narrow = false;
    return page_query(store, latest_sql, state, take_texts, reading, error);
}

static bool add_troubles(struct store *store, const struct run_state *state, struct reading *reading,
                         struct error *error)
{
    static const char *const titles[] = {"collection", "times", "first trial", "reason"};
    if (!reading->states[1] && !reading->states[2])
        return true;
    doc_heading(reading->document, 2, NULL, "Failures and skips");
    begin_table(reading, "status", "Failures and skips by their reason", sizeof titles / sizeof *titles, titles);
    if (!page_query(store, troubles_sql, state, take_reason, reading, error))
        return false;
    if (reading->reasons > REASONS_MOST)
        doc_add(reading->document, DOC_TEXT, DOC_ASIDE,
                doc_text(reading->document,
                         "And %zu more reasons; to see them: warpstudy query skips, warpstudy query failures",
                         reading->reasons - REASONS_MOST));
    return true;
}

static bool add_all(struct store *store, const struct run_state *state, struct document *document, struct error *error)
{
    struct reading reading = {.document = document};
    if (!page_query(store, runs_sql, state, take_run, &reading, error))
        return false;
    add_head(state, &reading);
    add_bar(&reading);
    if (!add_troubles(store, state, &reading, error))
        return false;
    for (size_t i = 0; i < reading.experiment_count && i < TABLES_MOST; ++i)
        add_table(store, reading.experiments[i], document);
    if (reading.experiment_count > TABLES_MOST)
        doc_add(document, DOC_TEXT, DOC_ASIDE,
                doc_text(document, "And %zu more experiments; to see them: warpstudy table EXPERIMENT",
                         reading.experiment_count - TABLES_MOST));
    return add_latest(store, state, &reading, error);
}

// ---- the file

static const char page_mark[] = "<meta name=\"generator\" content=\"warpstudy run\">";

// Lines of the page's head, by which it is known again: what it is, and of which database. To be freed.
static char *page_head(const char *database, bool reloads)
{
    char *head;
    size_t size;
    FILE *stream = memory_stream(&head, &size);
    fprintf(stream, "%s\n<meta name=\"database\"", page_mark);
    html_attribute("content", database, stream);
    fputs(">\n", stream);
    if (reloads)
        fprintf(stream, "<meta http-equiv=\"refresh\" content=\"%d\">\n", RELOAD_SECONDS);
    memory_close(stream);
    return head;
}

// Whether there is nothing yet, or the page of an earlier run into the same database: any other would be lost.
static bool page_is_free(const char *path, const char *database, struct error *error)
{
    char head[8192];
    FILE *file = fopen(path, "r");
    if (!file)
        return errno == ENOENT || error_set_errno(error, "read the page", path);
    const size_t size = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[size] = '\0';
    char *own = page_head(database, false);
    const bool is_page = strstr(head, page_mark), is_own = strstr(head, own);
    free(own);
    if (is_own)
        return true;
    error_set(error, ERROR_USE, "%s exists and is %s", path,
              is_page ? "the page of a run into another database" : "no page of a run");
    return error_remedy(error, "give another name: --page sweep.html");
}

static bool page_save(const struct run_page *page, const struct run_state *state, const struct document *document,
                      struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = memory_stream(&text, &size);
    char *head = page_head(state->database, !state->ended);
    page_write_html(document, state->database, head, stream);
    free(head);
    memory_close(stream);
    const bool done = path_replace(page->path, text, size, error);
    free(text);
    return done;
}

static bool page_show(struct run_watch *watch, const struct run_state *state, struct error *error)
{
    struct run_page *page = (struct run_page *)watch; // its first member
    struct document document = {.count = 0};
    if (!page->store)
        page->store = store_open(state->database, STORE_READ, error);
    const bool done =
        page->store && add_all(page->store, state, &document, error) && page_save(page, state, &document, error);
    document_finish(&document);
    if (state->ended) { // before the writer closes, which then folds its log into the file
        store_close(page->store);
        page->store = NULL;
    }
    return done;
}

bool run_page_open(struct run_page *page, const char *path, const char *database, struct error *error)
{
    *page = (struct run_page){.watch = {.show = page_show}, .path = path};
    if (!path[0]) {
        error_set(error, ERROR_USE, "--page has no name");
        return error_remedy(error, "give one: --page sweep.html");
    }
    return page_is_free(path, database, error) && path_replace(path, NULL, 0, error);
}

void run_page_close(struct run_page *page)
{
    store_close(page->store);
}
