// SPDX-License-Identifier: MIT
// Parameters of a trial: one table (parameters.def), from which the struct, the checks, the messages and the help are
// made.
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "lib/choices.h"

#define PARAMETER_AUTO INT64_MIN

// A choice is stored as a constant of enum choice_<parameter>.
struct parameters {
#define INTEGER(name, standard, least, most, role, unit, help) int64_t name;
#define CHOICE(name, standard, role, help) int64_t name;
#include "frame/parameters.def"
#undef INTEGER
#undef CHOICE
};

// Some of the parameters: {.width = true, .height = true}.
struct parameter_set {
#define INTEGER(name, standard, least, most, role, unit, help) bool name;
#define CHOICE(name, standard, role, help) bool name;
#include "frame/parameters.def"
#undef INTEGER
#undef CHOICE
};

enum parameter_role { PARAMETER_WORK, PARAMETER_TREE, PARAMETER_SCHEDULE, PARAMETER_MACHINE };

struct parameter {
    const char *name;
    const char *choices;  // "a|b|c", NULL for an integer
    const char *standard; // default as text; "auto" where automatic
    int64_t least, most;  // of an integer
    bool automatic;       // whether `auto` is a value
    enum parameter_role role;
    const char *unit, *help;
    size_t offset; // of its int64_t in struct parameters
};

extern const struct parameter parameter_table[];
extern const size_t parameter_count;

const struct parameter *parameter_find(const char *name);                       // NULL where there is none
const struct parameter *parameter_named(const char *name, struct error *error); // else ERROR_USE with a suggestion
bool parameter_set_has(const struct parameter_set *set, const struct parameter *parameter);
struct parameters parameters_default(void);
int64_t parameter_get(const struct parameters *parameters, const struct parameter *parameter);

// Parses and checks one value. The message names parameter, value and what is allowed; place it with error->file/line.
bool parameter_parse(const struct parameter *parameter, const char *text, int64_t *value, struct error *error);

// FROM..TO: every whole number between, both included, of a parameter that is a number.
struct parameter_range {
    int64_t from, to;
};
bool parameter_is_range(const struct parameter *parameter, const char *text);
// false: it is empty, out of bounds, or of more than 100,000 values.
bool parameter_range_parse(const struct parameter *parameter, const char *text, struct parameter_range *range,
                           struct error *error);
bool parameter_set(struct parameters *parameters, const struct parameter *parameter, const char *text,
                   struct error *error);
// The value as text, as it would stand in an experiment file.
void parameter_format(const struct parameter *parameter, int64_t value, char *text, size_t size);

// One fully named trial, replicate apart.
enum { TRIAL_TEXT = 256 };
struct trial_spec {
    char scene[TRIAL_TEXT]; // name or path
    char camera[64];        // "" = the scene's first
    char variant[64];
    char device[32]; // emulator | cuda | cuda:N | cpu | null (`auto` is resolved when the plan is made)
    struct parameters parameters;
};
