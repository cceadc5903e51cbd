// SPDX-License-Identifier: MIT
#include "report/report_claims.h"

#include <string.h>

bool report_claims_files(struct staging *staging, const struct claims_page *page, const char *format,
                         struct error *error)
{
    for (const struct report_format *row = report_formats; row->name; ++row) {
        char name[80];
        if (format && strcmp(row->name, format) != 0)
            continue;
        snprintf(name, sizeof name, "claims.%s", row->suffix);
        FILE *stream = staging_open(staging, name, error);
        if (!stream)
            return false;
        claims_write(row, page, stream);
        if (!staging_close(staging, stream, error))
            return false;
    }
    return true;
}

static bool write_files(const struct report_request *request, const struct claims_page *page, struct error *error)
{
    struct staging staging = {.count = 0};
    const bool done = staging_begin(&staging, request->folder, error) &&
                      report_claims_files(&staging, page, request->format, error) && staging_commit(&staging, error);
    for (size_t i = 0; done && i < staging.count; ++i)
        fprintf(request->stream, "%s/%s\n", request->folder, staging.names[i]);
    staging_abandon(&staging);
    return done;
}

static bool write_page(const struct report_request *request, const struct claims_page *page, struct error *error)
{
    if (request->folder)
        return write_files(request, page, error);
    claims_write(report_format_of(request->format), page, request->stream);
    return true;
}

bool report_names_claim(const struct report_request *request)
{
    struct error unread = {0};
    struct paper *paper = request->target && request->item ? paper_load(request->target, &unread) : NULL;
    struct claims *claims = paper ? claims_load(paper->id, &unread) : NULL;
    // Claims that cannot be read say so themselves, unless a table is meant.
    const bool other = paper && (paper_table_find(paper, request->item) || paper_figure_find(paper, request->item));
    const bool found = paper && !other && (!claims || claim_find(claims, request->item));
    claims_unload(claims);
    paper_free(paper);
    return found;
}

// There is such a paper, and such a claim of it.
static bool check_target(const struct report_request *request, struct error *error)
{
    if (!request->target)
        return true;
    struct paper *paper = paper_load(request->target, error);
    struct claims *claims = NULL;
    if (paper && paper->synthesis) {
        error_set(error, ERROR_USE, "%s makes no claims: it is no document", paper->id);
        error_remedy(error, "leave it out for those of all papers");
    } else if (paper) {
        claims = claims_load(paper->id, error);
    }
    paper_free(paper);
    bool done = claims && (!request->item || claim_find(claims, request->item));
    if (claims && !done) {
        error_set(error, ERROR_USE, "%s makes no claim '%.60s'", request->target, request->item);
        done = claims->count
                   ? error_remedy(error, "there are: %s to %s", claims->list[0].id, claims->list[claims->count - 1].id)
                   : error_remedy(error, "no claims of it are listed");
    }
    claims_unload(claims);
    return done;
}

bool report_claims(const struct report_request *request, struct error *error)
{
    struct store *store = check_target(request, error) ? store_open(request->database, STORE_READ, error) : NULL;
    struct claims_survey *survey = store ? claims_survey(store, request->target, &request->options, NULL, error) : NULL;
    const struct claims_page page = {
        .survey = survey, .paper = request->target, .claim = request->item, .database = request->database};
    const bool done = survey && write_page(request, &page, error);
    claims_survey_free(survey);
    store_close(store);
    return done;
}
