// SPDX-License-Identifier: MIT
#include "import/mesh_library.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "import/mesh_lines.h"

struct reading {
    struct mesh_library *library;
    struct mesh_library_material *now, other; // what the lines are about; `other` for a name that is there
    struct mesh_lines lines;
    const char *path, *obj;
    struct error *error;
};

struct mesh_material mesh_library_default(const char *name)
{
    struct mesh_material material = {.diffuse = {0.6, 0.6, 0.6}, .ior = 1, .opacity = 1};
    snprintf(material.name, sizeof material.name, "%.63s", name);
    return material;
}

static bool refuse_line(struct reading *reading, const char *why)
{
    return error_set_at(reading->error, ERROR_INPUT, reading->path, reading->lines.number, "%s", why);
}

// ---- statements

static bool read_newmtl(struct reading *reading, char *rest)
{
    struct mesh_library *library = reading->library;
    free(reading->other.texture);
    reading->other = (struct mesh_library_material){0};
    reading->now = &reading->other;
    const struct mesh_library_material *before = ARRAY_FIND(library->materials, library->count, rest);
    if (before) {
        library->twice = before->name;
    } else {
        reading->now = ARRAY_ADD(library->materials, library->count);
        reading->now->name = memory_copy(rest);
    }
    reading->now->material = mesh_library_default(rest);
    return true;
}

// One number is a grey.
static bool read_colour(struct reading *reading, char *rest, double colour[3])
{
    double c[3];
    int count = 0;
    if (strncmp(rest, "spectral", 8) == 0 || strncmp(rest, "xyz", 3) == 0)
        return refuse_line(reading, "colours as spectra or XYZ are not supported: give red, green and blue");
    for (; count < 3 && *rest; ++count)
        if (!mesh_word_number(&rest, &c[count]))
            return refuse_line(reading, "a colour is one number, or three");
    if (count == 0)
        return refuse_line(reading, "a colour without a number");
    if (count == 2)
        return refuse_line(reading, "a colour is one number, or three");
    for (int i = 0; i < 3; ++i)
        colour[i] = mesh_clamp(i < count ? c[i] : c[0], 0, 1);
    return true;
}

static bool read_kd(struct reading *reading, char *rest)
{
    return read_colour(reading, rest, reading->now->material.diffuse);
}

static bool read_ks(struct reading *reading, char *rest)
{
    return read_colour(reading, rest, reading->now->material.specular);
}

static bool read_value(struct reading *reading, char *rest, double low, double high, double *value)
{
    if (!mesh_word_number(&rest, value))
        return refuse_line(reading, "the value is no number");
    *value = mesh_clamp(*value, low, high);
    return true;
}

static bool read_ns(struct reading *reading, char *rest)
{
    return read_value(reading, rest, 0, 1e6, &reading->now->material.exponent);
}

static bool read_ni(struct reading *reading, char *rest)
{
    return read_value(reading, rest, 1, 4, &reading->now->material.ior);
}

static bool read_d(struct reading *reading, char *rest)
{
    if (strncmp(rest, "-halo", 5) == 0)
        return refuse_line(reading, "an opacity that depends on the direction (-halo) is not supported");
    return read_value(reading, rest, 0, 1, &reading->now->material.opacity);
}

static bool read_tr(struct reading *reading, char *rest)
{
    double transparency;
    if (!read_value(reading, rest, 0, 1, &transparency))
        return false;
    reading->now->material.opacity = 1 - transparency;
    return true;
}

// Goes past one option of a texture with its values; none of those changes its mean colour. False at the name.
static bool skip_option(char **rest)
{
    static const struct {
        const char *name;
        int least, most; // values
    } options[] = {{"-blendu", 1, 1}, {"-blendv", 1, 1}, {"-boost", 1, 1}, {"-bm", 1, 1},
                   {"-cc", 1, 1},     {"-clamp", 1, 1},  {"-o", 1, 3},     {"-s", 1, 3},
                   {"-t", 1, 3},      {"-texres", 1, 1}, {"-type", 1, 1},  {"-colorspace", 1, 1}};
    const size_t length = strcspn(*rest, " \t");
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        if (strlen(options[i].name) != length || strncmp(*rest, options[i].name, length) != 0)
            continue;
        *rest += length;
        for (int k = 0; k < options[i].most; ++k) {
            char *value = *rest + strspn(*rest, " \t"), *after;
            const double number = strtod(value, &after);
            (void)number;
            if (k >= options[i].least && (after == value || !strchr(" \t", *after) || !*after))
                break;
            *rest = value + strcspn(value, " \t");
        }
        *rest += strspn(*rest, " \t");
        return true;
    }
    return false;
}

static bool is_file(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool read_map_kd(struct reading *reading, char *rest)
{
    while (skip_option(&rest)) {
    }
    if (*rest == '-')
        return refuse_line(reading, "this option of a texture is not supported");
    if (!*rest)
        return refuse_line(reading, "a texture without a name");
    free(reading->now->texture);
    reading->now->texture = NULL;
    if (path_is_foreign(rest)) // so that the colour alone counts everywhere
        return true;
    reading->now->texture = path_beside(reading->path, rest);
    if (!is_file(reading->now->texture)) { // where the library lies in another folder than the mesh
        free(reading->now->texture);
        reading->now->texture = path_beside(reading->obj, rest);
    }
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct reading *reading, char *rest);
} statements[] = {
    {"newmtl", read_newmtl}, {"Kd", read_kd}, {"Ks", read_ks}, {"Ns", read_ns},
    {"Ni", read_ni},         {"d", read_d},   {"Tr", read_tr}, {"map_Kd", read_map_kd},
};

// Statements that are not listed do not matter to materials here: lights, bumps, reflections.
static bool read_line(struct reading *reading)
{
    char *rest = reading->lines.text;
    const char *word = mesh_word(&rest);
    rest += strspn(rest, " \t");
    for (size_t i = 0; word && i < sizeof statements / sizeof *statements; ++i)
        if (strcasecmp(word, statements[i].name) == 0)
            return reading->now || i == 0 ? statements[i].read(reading, rest)
                                          : refuse_line(reading, "no newmtl stands before it");
    return true;
}

bool mesh_library_add(struct mesh_library *library, const char *bytes, size_t size, const char *path, const char *obj,
                      struct error *error)
{
    struct reading reading = {.library = library, .path = path, .obj = obj, .error = error};
    bool done = !memchr(bytes, 0, size) || refuse_line(&reading, "a zero byte: this is no text in UTF-8");
    reading.lines = mesh_lines_make(bytes, size);
    while (done && mesh_lines_next(&reading.lines))
        done = read_line(&reading);
    mesh_lines_finish(&reading.lines);
    free(reading.other.texture);
    return done;
}

// A name may contain blanks; otherwise blanks separate several names.
bool mesh_library_find(const char *obj, char *names, bool (*each)(void *context, const char *path), void *context)
{
    char *path = path_beside(obj, names);
    bool done = true;
    if (is_file(path) || !strpbrk(names, " \t")) {
        done = each(context, path);
        names = names + strlen(names);
    }
    free(path);
    for (char *name; done && (name = mesh_word(&names));) {
        path = path_beside(obj, name);
        done = each(context, path);
        free(path);
    }
    return done;
}

void mesh_library_finish(struct mesh_library *library)
{
    for (size_t i = 0; i < library->count; ++i) {
        free(library->materials[i].name);
        free(library->materials[i].texture);
    }
    free(library->materials);
    *library = (struct mesh_library){0};
}
