// SPDX-License-Identifier: MIT
#include "report/papers/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/papers/report_query.h"

enum { FIELD_SIZE = 128 };

// "{name?otherwise:format}", taken apart; "{name to other:format}" and "{name..:format}" have two values.
struct field {
    char name[FIELD_SIZE], other[FIELD_SIZE], otherwise[FIELD_SIZE], format[FIELD_SIZE];
    bool ranges; // over a column of the table
};

static const char *row_field(const void *context, const char *name)
{
    return row_text(context, name);
}

struct template_source template_of_row(const struct store_row *row)
{
    return (struct template_source){.text = row_field, .context = row};
}

// ---- a field

static void copy_part(char *to, const char *from, const char *end)
{
    snprintf(to, FIELD_SIZE, "%.*s", (int)(end - from), from);
}

// Behind the field that begins with a brace at `text`.
static const char *field_split(const char *text, struct field *field)
{
    const char *end = text + strcspn(text, "}"), *colon = text + strcspn(text, ":}"),
               *mark = text + strcspn(text, "?:}");
    copy_part(field->name, text + 1, mark);
    copy_part(field->otherwise, *mark == '?' ? mark + 1 : mark, *mark == '?' ? colon : mark);
    copy_part(field->format, *colon == ':' ? colon + 1 : colon, end);
    char *dots = strstr(field->name, ".."), *to = strstr(field->name, " to ");
    field->ranges = dots != NULL;
    field->other[0] = '\0';
    if (to)
        snprintf(field->other, sizeof field->other, "%s", to + strlen(" to "));
    if (dots || to)
        *(dots ? dots : to) = '\0';
    return *end ? end + 1 : end;
}

// ".2f" and ".1%" (of a share): "0.54", "54.1"; "d": "54"; "+.2f": with a sign.
static const char *field_number(const char *format, double value, struct arena *memory)
{
    const bool sign = format[0] == '+';
    const int decimals = format[sign] == '.' ? (int)strtol(format + sign + 1, NULL, 10) : 0;
    return arena_format(memory, sign ? "%+.*f" : "%.*f", decimals, strchr(format, '%') ? 100 * value : value);
}

// "11 to 48", or one number where both print alike.
static const char *field_span(const struct field *field, double least, double most, struct arena *memory)
{
    const char *from = field_number(field->format, least, memory), *to = field_number(field->format, most, memory);
    return strcmp(from, to) ? arena_format(memory, "%s to %s", from, to) : from;
}

static const char *field_range(const struct field *field, const struct template_source *source, struct arena *memory)
{
    double least, most;
    const bool found = source->range && source->range(source->context, field->name, &least, &most);
    return found ? field_span(field, least, most, memory) : NULL;
}

static const char *field_text(const struct field *field, const struct template_source *source, struct arena *memory)
{
    if (field->ranges)
        return field_range(field, source, memory);
    const char *text = source->text(source->context, field->name), *bar = strchr(field->format, '|');
    const char *other = field->other[0] ? source->text(source->context, field->other) : NULL;
    if (!text[0] || (other && !other[0]))
        return field->otherwise[0] ? arena_format(memory, "%s", field->otherwise) : NULL;
    if (other)
        return field_span(field, strtod(text, NULL), strtod(other, NULL), memory);
    if (bar)
        return strcmp(text, "1") ? arena_format(memory, "%s", bar + 1)
                                 : arena_format(memory, "%.*s", (int)(bar - field->format), field->format);
    return field->format[0] ? field_number(field->format, strtod(text, NULL), memory) : text;
}

// ---- a template

static const char *fill_bracket(const char **at, const struct template_source *source, struct arena *memory);

// From `*at` up to one of the characters `ends`, or the end, where *at stands then. NULL where a field has no value.
static const char *fill_part(const char **at, const char *ends, const struct template_source *source,
                             struct arena *memory)
{
    const char *text = "";
    bool whole = true;
    while (**at && !strchr(ends, **at)) {
        const char *more;
        if (**at == '{') {
            struct field field;
            *at = field_split(*at, &field);
            more = field_text(&field, source, memory);
            whole = whole && more;
        } else if (**at == '[') {
            more = fill_bracket(at, source, memory);
        } else {
            const size_t length = strcspn(*at + 1, "{[|]") + 1;
            more = arena_format(memory, "%.*s", (int)length, *at);
            *at += length;
        }
        text = arena_format(memory, "%s%s", text, more ? more : "");
    }
    return whole ? text : NULL;
}

// [first|second|...]: the first of them whose fields have values; "" where there is none.
static const char *fill_bracket(const char **at, const struct template_source *source, struct arena *memory)
{
    const char *chosen = NULL;
    while (**at && **at != ']') {
        ++*at;
        const char *part = fill_part(at, "|]", source, memory);
        chosen = chosen ? chosen : part;
    }
    *at += **at == ']';
    return chosen ? chosen : "";
}

const char *template_fill(const char *template, const struct template_source *source, struct arena *memory)
{
    const char *text = fill_part(&template, "", source, memory);
    return text ? text : "";
}

// ---- checks

static bool has_field(const struct store_row *row, const char *name, const char *what, struct error *error)
{
    if (row_value(row, name))
        return true;
    error_set(error, ERROR_INPUT, "the query of %s has no column '%s', which a sentence names", what, name);
    return error_remedy(error, "add the column to the query, or correct '{%s}' in the YAML file", name);
}

bool template_check(const char *template, const struct store_row *row, const char *what, struct error *error)
{
    struct field field;
    for (const char *at = strchr(template, '{'); at; at = strchr(at, '{')) {
        at = field_split(at, &field);
        if (!field.ranges && !has_field(row, field.name, what, error))
            return false;
        if (field.other[0] && !has_field(row, field.other, what, error))
            return false;
    }
    return true;
}

bool template_is_whole(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char *template,
                       struct error *error)
{
    int fields = 0, brackets = 0;
    for (const char *at = template; *at && fields >= 0 && fields <= 1 && brackets >= 0; ++at) {
        fields += (*at == '{') - (*at == '}');
        brackets += (*at == '[') - (*at == ']');
    }
    if (!fields && !brackets)
        return true;
    yaml_fail(source, yaml_find(source, mapping, key), error, "the brackets of '%.80s' do not match", template);
    return error_remedy(error, "write fields as {NAME} or {NAME:.2f}, and put what may be left out into [ ]");
}
