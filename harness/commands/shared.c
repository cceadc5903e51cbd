// SPDX-License-Identifier: MIT
#include "commands/shared.h"

#include <string.h>
#include <strings.h>

#include "device/device.h"
#include "frame/variant.h"
#include "plan/device_choice.h"
#include "store/query.h"

const char *command_database(const struct command_line *line)
{
    return command_flag(line, "db") ? command_option(line, "db") : store_default_path();
}

struct store *command_open_store(const struct command_line *line, enum store_mode mode, struct error *error)
{
    return store_open(command_database(line), mode, error);
}

bool command_execute(const struct command_line *line, struct error *error)
{
    if (line->command->run)
        return line->command->run(line, error);
    struct store *store = command_open_store(line, STORE_READ, error);
    const bool done = store && line->command->read(store, line, error);
    store_close(store);
    return done;
}

enum { RELATIONS_MAX = 256 };
struct relations {
    char names[RELATIONS_MAX][64];
    size_t count;
};

static bool keep_name(void *context, const struct store_row *row)
{
    struct relations *relations = context;
    snprintf(relations->names[relations->count++], sizeof relations->names[0], "%s", row->values[0].text);
    return relations->count < RELATIONS_MAX;
}

bool command_check_relation(struct store *store, const char *name, struct error *error)
{
    struct relations found = {.count = 0};
    const char *names[RELATIONS_MAX + 1] = {NULL};
    if (!store_query(store,
                     "SELECT name FROM sqlite_schema WHERE type IN ('view', 'table') UNION SELECT name FROM catalogue",
                     NULL, keep_name, &found, error))
        return false;
    for (size_t i = 0; i < found.count; ++i) {
        names[i] = found.names[i];
        if (!strcasecmp(found.names[i], name))
            return true;
    }
    error_set(error, ERROR_USE, "there is no view or table '%.60s'", name);
    return error_near(error, name, names, "`warpstudy query` lists them");
}

static bool set_parameter(struct parameters *parameters, const char *text, struct error *error)
{
    char name[64];
    const char *equals = strchr(text, '=');
    if (!equals) {
        error_set(error, ERROR_USE, "--set: '%s' gives no value", text);
        return error_remedy(error, "write NAME=VALUE");
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const struct parameter *parameter = parameter_named(name, error);
    return parameter && parameter_set(parameters, parameter, equals + 1, error);
}

bool command_set_parameters(const struct command_line *line, struct parameters *parameters, struct error *error)
{
    const char *text;
    for (size_t place = 0; (text = command_next_option(line, "set", &place));)
        if (!set_parameter(parameters, text, error))
            return false;
    return true;
}

static bool lists(const char *names, const char *word, size_t length)
{
    while (*names && (strncmp(names, word, length) != 0 || strcspn(names, ",") != length)) {
        names += strcspn(names, ",");
        names += strspn(names, ", ");
    }
    return *names;
}

bool command_set_of(const struct command_line *line, const char *names, struct parameters *parameters,
                    struct error *error)
{
    const char *text;
    if (!command_set_parameters(line, parameters, error))
        return false;
    for (size_t place = 0; (text = command_next_option(line, "set", &place));) {
        const size_t length = strcspn(text, "=");
        if (lists(names, text, length))
            continue;
        error_set(error, ERROR_USE, "--set: %.*s has no effect here", (int)length, text);
        return error_remedy(error, "these have: %s", names);
    }
    return true;
}

const char *command_device(const struct command_line *line, const char *option)
{
    const char *device = command_option(line, option);
    return device && strcmp(device, "auto") ? device : device_auto();
}

static bool set_text(char *to, size_t size, const char *what, const char *text, struct error *error)
{
    if (strlen(text) >= size)
        return error_set(error, ERROR_USE, "%s: '%.40s...' is too long", what, text);
    strcpy(to, text);
    return true;
}

bool command_trial_spec(const struct command_line *line, const char *scene, struct trial_spec *spec,
                        struct error *error)
{
    *spec = (struct trial_spec){.parameters = parameters_default()};
    const char *variant = command_option(line, "variant"), *camera = command_option(line, "camera");
    return set_text(spec->scene, sizeof spec->scene, "scene", scene, error) &&
           set_text(spec->device, sizeof spec->device, "--device", command_device(line, "device"), error) &&
           set_text(spec->variant, sizeof spec->variant, "--variant", variant ? variant : "naive", error) &&
           set_text(spec->camera, sizeof spec->camera, "--camera", camera ? camera : "", error) &&
           command_set_parameters(line, &spec->parameters, error) && variant_check(spec->variant, error) &&
           device_check_usable(spec->device, error);
}

void command_print_structure(const struct device_structure *structure, const struct device_tracing *tracing,
                             uint64_t triangles)
{
    printf("%s, %s: %.1f MB over %llu triangles, built in %.1f ms with %.1f MB in use\n", tracing->name,
           tracing->rt_cores ? "with RT cores" : "on a GPU without RT cores", 1e-6 * (double)structure->bytes,
           (unsigned long long)triangles, 1e3 * structure->seconds, 1e-6 * (double)structure->build_bytes);
}
