// SPDX-License-Identifier: MIT
#include "frame/parameters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Those of each parameter, "|a|b|c".
#define CHOICES(parameter) static const char choices_of_##parameter[] = ""
#define VALUE(NAME, text) "|" text
#define CHOICES_END(parameter) ;
#include "lib/choices.def"
#undef CHOICES
#undef VALUE
#undef CHOICES_END

#define AUTO PARAMETER_AUTO
const struct parameter parameter_table[] = {
#define INTEGER(name, standard, least, most, role, unit, help)                                                         \
    {#name,                                                                                                            \
     NULL,                                                                                                             \
     (standard) == PARAMETER_AUTO ? "auto" : #standard,                                                                \
     least,                                                                                                            \
     most,                                                                                                             \
     (standard) == PARAMETER_AUTO,                                                                                     \
     PARAMETER_##role,                                                                                                 \
     unit,                                                                                                             \
     help,                                                                                                             \
     offsetof(struct parameters, name)},
#define CHOICE(name, standard, role, help)                                                                             \
    {#name, &choices_of_##name[1], standard, 0,    0,                                                                  \
     false, PARAMETER_##role,      "",       help, offsetof(struct parameters, name)},
#include "frame/parameters.def"
#undef INTEGER
#undef CHOICE
};
const size_t parameter_count = sizeof parameter_table / sizeof *parameter_table;

const struct parameter *parameter_find(const char *name)
{
    for (size_t i = 0; i < parameter_count; ++i)
        if (!strcmp(parameter_table[i].name, name))
            return &parameter_table[i];
    return NULL;
}

const struct parameter *parameter_named(const char *name, struct error *error)
{
    const char *names[128] = {NULL};
    for (size_t i = 0; i < parameter_count && i < 127; ++i)
        names[i] = parameter_table[i].name;
    const struct parameter *found = parameter_find(name);
    if (!found) {
        error_set(error, ERROR_USE, "there is no parameter '%s'", name);
        error_near(error, name, names, "see warpstudy list parameters");
    }
    return found;
}

bool parameter_set_has(const struct parameter_set *set, const struct parameter *parameter)
{
    return ((const bool *)set)[parameter - parameter_table];
}

int64_t parameter_get(const struct parameters *parameters, const struct parameter *parameter)
{
    int64_t value;
    memcpy(&value, (const char *)parameters + parameter->offset, sizeof value);
    return value;
}

static bool parse_choice(const struct parameter *parameter, const char *text, int64_t *value, struct error *error)
{
    const size_t length = strlen(text);
    const char *place = parameter->choices;
    for (int64_t index = 0; place; ++index) {
        const char *bar = strchr(place, '|');
        const size_t choice = bar ? (size_t)(bar - place) : strlen(place);
        if (choice == length && !memcmp(place, text, length)) {
            *value = index;
            return true;
        }
        place = bar ? bar + 1 : NULL;
    }
    error_set(error, ERROR_USE, "%s: '%s' is none of its choices", parameter->name, text);
    return error_remedy(error, "choose one of %s", parameter->choices);
}

static bool parse_integer(const struct parameter *parameter, const char *text, int64_t *value, struct error *error)
{
    if (parameter->automatic && !strcmp(text, "auto")) {
        *value = PARAMETER_AUTO;
        return true;
    }
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno) {
        error_set(error, ERROR_USE, "%s: '%s' is not a whole number", parameter->name, text);
    } else if (number < parameter->least || number > parameter->most) {
        error_set(error, ERROR_USE, "%s: %lld is out of bounds", parameter->name, number);
    } else {
        *value = number;
        return true;
    }
    return error_remedy(error, "give a whole number from %lld to %lld%s", (long long)parameter->least,
                        (long long)parameter->most, parameter->automatic ? ", or auto" : "");
}

bool parameter_parse(const struct parameter *parameter, const char *text, int64_t *value, struct error *error)
{
    return parameter->choices ? parse_choice(parameter, text, value, error)
                              : parse_integer(parameter, text, value, error);
}

static bool read_range(const char *text, struct parameter_range *range)
{
    long long from = 0, to = 0;
    int read = 0;
    const bool done = sscanf(text, "%lld..%lld%n", &from, &to, &read) == 2 && !text[read];
    *range = (struct parameter_range){from, to};
    return done;
}

bool parameter_is_range(const struct parameter *parameter, const char *text)
{
    struct parameter_range range;
    return !parameter->choices && read_range(text, &range);
}

bool parameter_range_parse(const struct parameter *parameter, const char *text, struct parameter_range *range,
                           struct error *error)
{
    enum { RANGE_MAX = 100000 };
    read_range(text, range);
    if (range->from <= range->to && range->from >= parameter->least && range->to <= parameter->most &&
        range->to - range->from < RANGE_MAX)
        return true;
    error_set(error, ERROR_USE, "%s: the range %s is empty, out of bounds or of more than %d values", parameter->name,
              text, RANGE_MAX);
    return error_remedy(error, "give FROM..TO within %lld..%lld", (long long)parameter->least,
                        (long long)parameter->most);
}

bool parameter_set(struct parameters *parameters, const struct parameter *parameter, const char *text,
                   struct error *error)
{
    int64_t value;
    if (!parameter_parse(parameter, text, &value, error))
        return false;
    memcpy((char *)parameters + parameter->offset, &value, sizeof value);
    return true;
}

struct parameters parameters_default(void)
{
    struct parameters parameters;
    for (size_t i = 0; i < parameter_count; ++i) {
        const struct parameter *row = &parameter_table[i];
        struct error error = {0};
        if (!parameter_set(&parameters, row, row->standard, &error)) {
            fprintf(stderr, "parameters.def: %s\n", error.message);
            abort();
        }
    }
    return parameters;
}

void parameter_format(const struct parameter *parameter, int64_t value, char *text, size_t size)
{
    if (!parameter->choices) {
        if (value == PARAMETER_AUTO)
            snprintf(text, size, "auto");
        else
            snprintf(text, size, "%lld", (long long)value);
        return;
    }
    const char *place = parameter->choices;
    for (int64_t index = 0; index < value && place; ++index) {
        place = strchr(place, '|');
        place = place ? place + 1 : NULL;
    }
    const char *from = place ? place : "?";
    snprintf(text, size, "%.*s", (int)strcspn(from, "|"), from);
}
