// SPDX-License-Identifier: MIT
#include "plan/plan_check.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "plan/plan_handle.h"

double plan_expression_seconds = 20;

enum { WATCH_STEP = 1000 }; // virtual-machine steps between two looks at the clock

static const char *const functions[] = {"abs",   "ceil",   "ceiling", "coalesce",  "floor", "glob",   "ifnull", "iif",
                                        "instr", "length", "like",    "log",       "log10", "log2",   "lower",  "ltrim",
                                        "max",   "min",    "mod",     "nullif",    "pow",   "power",  "round",  "rtrim",
                                        "sign",  "sqrt",   "substr",  "substring", "trim",  "typeof", "upper",  NULL};

static bool is_listed(const char *name)
{
    for (size_t i = 0; functions[i]; ++i)
        if (!sqlite3_stricmp(name, functions[i]))
            return true;
    return false;
}

static int authorize_expression(void *unused, int action, const char *first, const char *second, const char *database,
                                const char *trigger)
{
    (void)unused, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_READ:
    case SQLITE_UPDATE:
    case SQLITE_DELETE: return !strcmp(first, "plan") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION: return is_listed(second) ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY; // SQLITE_SELECT too: no subqueries
    }
}

// Of this thread: a busy machine makes no expression too long.
static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int plan_ends(void *context)
{
    const struct plan *plan = context;
    return (plan->stop && plan->stop()) || (plan->deadline > 0 && processor_seconds() > plan->deadline);
}

void plan_watch(struct plan *plan)
{
    sqlite3_limit(plan->db.connection, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(plan->db.connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200);
    sqlite3_limit(plan->db.connection, SQLITE_LIMIT_VDBE_OP, 250000);
    sqlite3_limit(plan->db.connection, SQLITE_LIMIT_LENGTH, PLAN_TEXT_MAX);
    sqlite3_progress_handler(plan->db.connection, WATCH_STEP, plan_ends, plan);
}

// The clock is looked at between steps. What a step takes is limited by the length of its texts: instr, the slowest function,
// looks for one of 4,900 equal characters in one of 9,800 for a millisecond.
void expression_guard(struct plan *plan)
{
    plan->deadline = processor_seconds() + plan->expression_seconds;
    sqlite3_limit(plan->db.connection, SQLITE_LIMIT_LENGTH, EXPRESSION_MAX);
    sqlite3_set_authorizer(plan->db.connection, authorize_expression, NULL);
}

bool expression_unguard(struct plan *plan)
{
    plan->expression_seconds = plan->deadline - processor_seconds();
    plan->deadline = 0;
    sqlite3_limit(plan->db.connection, SQLITE_LIMIT_LENGTH, PLAN_TEXT_MAX);
    sqlite3_set_authorizer(plan->db.connection, NULL, NULL);
    return plan->expression_seconds > 0;
}

static bool complain(char *why, size_t size, const char *text)
{
    snprintf(why, size, "%s", text);
    return false;
}

// The end of a text that begins at its quote, or NULL.
static const char *past_text(const char *place)
{
    for (++place; *place; ++place)
        if (*place == '\'' && *++place != '\'')
            return place;
    return NULL;
}

static bool check_character(const char *place, int *depth, char *why, size_t size)
{
    if (*place == '(')
        ++*depth;
    if (*place == ')' && --*depth < 0)
        return complain(why, size, "a ')' closes nothing");
    if (strchr("\"`[", *place))
        return complain(why, size, "it has double quotes or brackets; write text as 'text' and columns bare");
    if (strchr("?:@$#;", *place))
        return complain(why, size, "it has one of ? : @ $ # ; outside a text");
    if ((place[0] == '-' && place[1] == '-') || (place[0] == '/' && place[1] == '*'))
        return complain(why, size, "it has an SQL comment; use YAML's # comments");
    return true;
}

// Queries inside an expression: the authorizer sees most of them, but not `IN (SELECT column FROM table)`.
static bool begins_query(const char *word, size_t length)
{
    static const char *const words[] = {"select", "values", "with", NULL};
    for (size_t i = 0; words[i]; ++i)
        if (strlen(words[i]) == length && !sqlite3_strnicmp(word, words[i], (int)length))
            return true;
    return false;
}

static size_t word_length(const char *place)
{
    size_t length = 0;
    while (place[length] == '_' || (unsigned char)place[length] >= 128 || isalnum((unsigned char)place[length]))
        ++length;
    return length;
}

bool expression_contained(const char *text, char *why, size_t size)
{
    int depth = 0;
    const char *place = text + strspn(text, " \t\n\r");
    if (!*place)
        return complain(why, size, "it is empty");
    if (strlen(text) > EXPRESSION_MAX / 2) {
        snprintf(why, size, "it has more than %d characters", EXPRESSION_MAX / 2);
        return false;
    }
    while (*place) {
        const size_t word = word_length(place);
        if (word && begins_query(place, word))
            return complain(why, size, "it has a query inside; it may only use the columns of its own row");
        if (word) {
            place += word;
        } else if (*place == '\'') {
            place = past_text(place);
            if (!place)
                return complain(why, size, "a text in quotes does not end");
        } else if (!check_character(place, &depth, why, size)) {
            return false;
        } else {
            ++place;
        }
    }
    return depth ? complain(why, size, "a '(' is not closed") : true;
}
