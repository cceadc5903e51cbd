// SPDX-License-Identifier: MIT
#include "ask_support.h"

#include "check.h"

static bool take_text(void *context, const struct store_row *row)
{
    snprintf(context, 256, "%s", row->values[0].type == STORE_NULL ? "NULL" : row->values[0].text);
    return false;
}

const char *ask(struct store *store, const char *sql)
{
    static char text[256];
    strcpy(text, "no row");
    need(store_query(store, sql, NULL, take_text, text, &why));
    return text;
}

int64_t ask_int(struct store *store, const char *sql)
{
    int64_t value = -1;
    need(store_query(store, sql, NULL, store_take_integer, &value, &why));
    return value;
}
