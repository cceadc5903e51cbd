// SPDX-License-Identifier: MIT
// Where the numbers of a page come from, as queries over the database.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "build_facts.h"
#include "base/shell.h"
#include "report/report_page.h"
#include "store/query.h"
#include "version.h"

// One line each: the values of the query's rows, joined by "; ". Without rows there is no line.
static const struct fact_query {
    const char *title, *sql;
} fact_queries[] = {
    {"Trials", "SELECT count(*) || ' trials, ' || (SELECT count(*) FROM done_attempt) "
               "|| ' collections done, ' || (SELECT count(*) FROM attempt WHERE status IN ('failed', 'killed', "
               "'timeout')) || ' failed, ' || (SELECT count(*) FROM attempt WHERE status = 'skipped') || ' skipped, ' "
               "|| (SELECT count(*) FROM repetition) || ' timed repetitions' FROM trial_record"},
    {"Devices",
     "SELECT device_name || iif(coalesce(driver, '') = '', '', ', driver ' || driver) || ' (' || count(*) || "
     "' collections)' FROM done_attempt GROUP BY device_name, driver ORDER BY count(*) DESC"},
    {"Measured", "SELECT min(started) || ' to ' || max(coalesce(ended, started)) || ', ' || count(*) || ' run' || "
                 "iif(count(*) = 1, '', 's') FROM run HAVING count(*) > 0"},
    {"Experiments", "SELECT DISTINCT path FROM experiment ORDER BY path"},
    {"Labels of runs", "SELECT DISTINCT label FROM run WHERE label <> '' ORDER BY label"},
    {"Programs", "SELECT e.value || ' (' || count(*) || ' collections)' FROM done_attempt AS a JOIN environment AS e "
                 "ON e.run = a.run AND e.name = 'commit' GROUP BY e.value ORDER BY count(*) DESC, e.value"},
    {"Left out", "SELECT count(*) || ' trials, which another program with more results of this study measured too' "
                 "FROM outranked HAVING count(*) > 0"},
    {"Hosts", "SELECT DISTINCT (SELECT value FROM environment WHERE run = r.id AND name = 'processor') || ', ' || "
              "(SELECT value FROM environment WHERE run = r.id AND name = 'cores') || ' cores, ' || "
              "(SELECT value FROM environment WHERE run = r.id AND name = 'system') FROM run r"},
};

struct joining {
    struct document *document;
    const char *text;
};

static bool join_row(void *context, const struct store_row *row)
{
    struct joining *joining = context;
    if (row->values[0].type != STORE_NULL)
        joining->text =
            doc_join(joining->document, joining->text, "; ", doc_text(joining->document, "%s", row->values[0].text));
    return true;
}

static void add_fact(struct document *document, const char *title, const char *text)
{
    if (text && text[0])
        doc_item(document, title, text);
}

// The command that makes the page again, and by which program, when.
static void add_making(const struct report_page *page, struct document *document)
{
    const struct report_request *request = page->request;
    const char *const options[][2] = {
        {"--db", request->database}, {"--run", request->options.run}, {"--scene", request->options.scene}};
    const time_t now = time(NULL);
    struct tm parts;
    char date[40], word[1100];
    const char *command = doc_text(document, "warpstudy report %s", page->paper->id);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        if (!options[i][1])
            continue;
        shell_word(options[i][1], word, sizeof word);
        command = doc_text(document, "%s %s %s", command, options[i][0], word);
    }
    add_fact(document, "Made by", doc_text(document, "%s%s", command, request->options.all ? " --all" : ""));
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &parts));
    add_fact(document, "Made at",
             doc_text(document, "%s, warpstudy %s (%s)", date, WARPSTUDY_VERSION, WARPSTUDY_COMMIT));
}

bool page_facts(const struct report_page *page, struct document *document, struct error *error)
{
    const struct published *published = page->paper->published;
    add_fact(document, "Paper",
             doc_text(document, "%s%s%s%s%s", published->authors, published->authors[0] ? ": " : "", published->title,
                      published->venue[0] ? ". " : "", published->venue));
    if (page->store)
        add_fact(document, "Database", page->request->database);
    for (size_t i = 0; page->store && i < sizeof fact_queries / sizeof *fact_queries; ++i) {
        struct joining joining = {.document = document};
        if (!store_query(page->store, fact_queries[i].sql, NULL, join_row, &joining, error))
            return false;
        add_fact(document, fact_queries[i].title, joining.text);
    }
    add_making(page, document);
    return true;
}

bool page_hardware(const struct report_page *page, struct document *document, struct error *error)
{
    static const char sql[] =
        "SELECT device_name || iif(coalesce(driver, '') = '', '', ', driver ' || driver) FROM attempt "
        "WHERE status = 'done' AND NOT superseded GROUP BY device_name ORDER BY count(*) DESC LIMIT 1";
    static const char programs[] =
        "SELECT iif(count(*) = 1, 'by program ' || max(value), 'by ' || count(*) || ' programs, most of it by ' || "
        "(SELECT e.value FROM done_attempt AS a JOIN environment AS e ON e.run = a.run AND e.name = 'commit' "
        "GROUP BY e.value ORDER BY count(*) DESC, e.value LIMIT 1)) "
        "FROM (SELECT DISTINCT e.value FROM done_attempt AS a JOIN environment AS e ON e.run = a.run AND e.name = "
        "'commit') "
        "HAVING count(*) > 0";
    struct joining joining = {.document = document}, made = joining;
    if (page->store && (!store_query(page->store, sql, NULL, join_row, &joining, error) ||
                        !store_query(page->store, programs, NULL, join_row, &made, error)))
        return false;
    const char *text = joining.text ? doc_text(document, "Measured on: %s%s%s", joining.text, made.text ? ", " : "",
                                               made.text ? made.text : "")
                                    : "Nothing was measured";
    if (page->paper->published->gpu[0])
        text = doc_text(document, "%s. Original hardware: %s", text, page->paper->published->gpu);
    doc_add(document, DOC_TEXT, DOC_ASIDE, doc_text(document, "%s.", text));
    return true;
}
