// SPDX-License-Identifier: MIT
// What an expression of an experiment file may do: read the plan's columns, call pure functions, and end.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "store/store_internal.h"

enum { GUARD_STEP = 1000 }; // virtual-machine steps between two looks at the limit

static const char *const functions[] = {"abs",   "ceil",   "ceiling", "coalesce",  "floor", "glob",   "ifnull", "iif",
                                        "instr", "length", "like",    "log",       "log10", "log2",   "lower",  "ltrim",
                                        "max",   "min",    "mod",     "nullif",    "pow",   "power",  "round",  "rtrim",
                                        "sign",  "sqrt",   "substr",  "substring", "trim",  "typeof", "upper",  NULL};

static bool listed(const char *name)
{
    for (size_t i = 0; functions[i]; ++i)
        if (!sqlite3_stricmp(name, functions[i]))
            return true;
    return false;
}

static int authorize(void *unused, int action, const char *first, const char *second, const char *database,
                     const char *trigger)
{
    (void)unused, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_READ:
    case SQLITE_UPDATE:
    case SQLITE_DELETE: return !strcmp(first, "plan") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION: return listed(second) ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY; // SQLITE_SELECT too: no subqueries
    }
}

static int spend(void *operations)
{
    int64_t *left = operations;
    *left -= GUARD_STEP;
    return *left < 0;
}

void expression_guard(sqlite3 *plan, int64_t *operations)
{
    sqlite3_set_authorizer(plan, authorize, NULL);
    sqlite3_progress_handler(plan, GUARD_STEP, spend, operations);
}

void expression_unguard(sqlite3 *plan)
{
    sqlite3_set_authorizer(plan, NULL, NULL);
    sqlite3_progress_handler(plan, 0, NULL, NULL);
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
