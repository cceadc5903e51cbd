// SPDX-License-Identifier: MIT
// The front matter of a page: where its figures come from, as queries over the database.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/escape.h"
#include "report/report_page.h"
#include "version.h"

// One line each: the values of the query's rows, joined by "; ". Without rows there is no line.
static const struct fact_query {
    const char *title, *sql;
} fact_queries[] = {
    {"Trials",
     "SELECT count(*) || ' trials, ' || (SELECT count(*) FROM attempt WHERE status = 'done' AND NOT superseded) "
     "|| ' collections done, ' || (SELECT count(*) FROM attempt WHERE status IN ('failed', 'killed', "
     "'timeout')) || ' failed, ' || (SELECT count(*) FROM attempt WHERE status = 'skipped') || ' skipped, ' "
     "|| (SELECT count(*) FROM repetition) || ' timed repetitions' FROM trial_record"},
    {"Devices",
     "SELECT device_name || iif(coalesce(driver, '') = '', '', ', driver ' || driver) || ' (' || count(*) || "
     "' collections)' FROM attempt WHERE status = 'done' AND NOT superseded GROUP BY device_name, driver "
     "ORDER BY count(*) DESC"},
    {"Measured", "SELECT min(started) || ' to ' || max(coalesce(ended, started)) || ', ' || count(*) || ' run' || "
                 "iif(count(*) = 1, '', 's') FROM run HAVING count(*) > 0"},
    {"Experiments", "SELECT DISTINCT path FROM experiment ORDER BY path"},
    {"Labels of runs", "SELECT DISTINCT label FROM run WHERE label <> '' ORDER BY label"},
    {"Commits", "SELECT DISTINCT value FROM environment WHERE name = 'commit' ORDER BY value"},
    {"Hosts", "SELECT DISTINCT (SELECT value FROM environment WHERE run = r.id AND name = 'processor') || ', ' || "
              "(SELECT value FROM environment WHERE run = r.id AND name = 'cores') || ' cores, ' || "
              "(SELECT value FROM environment WHERE run = r.id AND name = 'system') FROM run r"},
};

struct joining {
    FILE *stream;
    bool any;
};

static bool join_row(void *context, const struct store_row *row)
{
    struct joining *joining = context;
    if (row->values[0].type == STORE_NULL)
        return true;
    fprintf(joining->stream, "%s%s", joining->any ? "; " : "", row->values[0].text);
    joining->any = true;
    return true;
}

static FILE *begin_fact(struct page_facts *facts, const char *title, size_t *size)
{
    struct page_fact *fact = &facts->list[facts->count];
    if (facts->count == PAGE_FACTS)
        return NULL;
    snprintf(fact->title, sizeof fact->title, "%s", title);
    fact->text = NULL;
    return open_memstream(&fact->text, size);
}

// Keeps the line unless it is empty.
static void end_fact(struct page_facts *facts, FILE *stream)
{
    struct page_fact *fact = &facts->list[facts->count];
    if (!stream || fclose(stream) != 0 || !fact->text)
        return;
    if (fact->text[0])
        ++facts->count;
    else
        free(fact->text);
}

static bool query_fact(struct store *store, const struct fact_query *query, struct page_facts *facts,
                       struct error *error)
{
    size_t size;
    struct joining joining = {.stream = begin_fact(facts, query->title, &size)};
    if (!joining.stream)
        return error_set(error, ERROR_SYSTEM, "no memory");
    const bool done = store_query(store, query->sql, NULL, join_row, &joining, error);
    end_fact(facts, joining.stream);
    return done;
}

static void add_source(const struct report_page *page, struct page_facts *facts)
{
    const struct published *published = page->paper->published;
    size_t size;
    FILE *stream = begin_fact(facts, "Paper", &size);
    if (stream)
        fprintf(stream, "%s%s%s%s%s", published->authors, published->authors[0] ? ": " : "", published->title,
                published->venue[0] ? ". " : "", published->venue);
    end_fact(facts, stream);
}

// The command that makes the page again, and by which program, when.
static void add_making(const struct report_page *page, struct page_facts *facts)
{
    const struct report_request *request = page->request;
    const char *const options[][2] = {
        {"--db", request->database}, {"--run", request->options.run}, {"--scene", request->options.scene}};
    const time_t now = time(NULL);
    struct tm parts;
    char date[40], word[1100];
    size_t size;
    FILE *stream = begin_fact(facts, "Made by", &size);
    if (!stream)
        return;
    fprintf(stream, "warpstudy report %s", page->paper->id);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        if (!options[i][1])
            continue;
        shell_word(options[i][1], word, sizeof word);
        fprintf(stream, " %s %s", options[i][0], word);
    }
    fputs(request->options.all ? " --all" : "", stream);
    end_fact(facts, stream);
    stream = begin_fact(facts, "Made at", &size);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &parts));
    if (stream)
        fprintf(stream, "%s, warpstudy %s (%s)", date, WARPSTUDY_VERSION, WARPSTUDY_COMMIT);
    end_fact(facts, stream);
}

bool page_facts_load(const struct report_page *page, struct page_facts *facts, struct error *error)
{
    bool done = true;
    facts->count = 0;
    add_source(page, facts);
    if (page->store) {
        size_t size;
        FILE *stream = begin_fact(facts, "Database", &size);
        if (stream)
            fputs(page->request->database, stream);
        end_fact(facts, stream);
    }
    for (size_t i = 0; done && page->store && i < sizeof fact_queries / sizeof *fact_queries; ++i)
        done = query_fact(page->store, &fact_queries[i], facts, error);
    add_making(page, facts);
    return done;
}

void page_facts_finish(struct page_facts *facts)
{
    for (size_t i = 0; i < facts->count; ++i)
        free(facts->list[i].text);
    facts->count = 0;
}
