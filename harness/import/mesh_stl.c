// SPDX-License-Identifier: MIT
// STL: triangles without vertices in common, as text or binary.
#include <string.h>
#include <strings.h>

#include "import/bytes.h"
#include "import/mesh_builder.h"
#include "import/mesh_lines.h"

enum { HEADER = 84, FACET = 50 }; // bytes: eighty and a number; a normal, three corners, and two of an attribute

struct stl {
    struct mesh_builder *builder;
    struct mesh_lines lines;
    char *rest; // of the line
};

static bool add_facet(struct mesh_builder *builder, const double corners[9], int line)
{
    const uint32_t first = (uint32_t)builder->mesh->vertex_count, indices[3] = {first, first + 1, first + 2};
    for (int i = 0; i < 9; i += 3)
        if (!mesh_builder_vertex(builder, exact_vec_make(corners[i], corners[i + 1], corners[i + 2]), line))
            return false;
    return mesh_builder_face(builder, indices, 3, 0, line);
}

// ---- binary

static bool read_binary(struct mesh_builder *builder, const char *bytes, size_t size)
{
    const uint64_t count = size >= HEADER ? bytes_word(bytes + HEADER - 4, 4, false) : 0;
    if (size < HEADER || count > (size - HEADER) / FACET)
        return mesh_builder_fail(builder, 0,
                                 "the file is cut short, or is no STL: %zu bytes, and %llu triangles take %llu", size,
                                 (unsigned long long)count, HEADER + FACET * (unsigned long long)count);
    for (uint64_t i = 0; i < count; ++i) {
        double corners[9];
        for (size_t k = 0; k < 9; ++k)
            corners[k] = bytes_real32(bytes + HEADER + FACET * i + 12 + 4 * k, false);
        if (!add_facet(builder, corners, 0))
            return false;
    }
    if (HEADER + FACET * count < size)
        mesh_builder_warn(builder, "%llu bytes follow what the header says, and are left out",
                          (unsigned long long)(size - HEADER - FACET * count));
    return true;
}

// ---- text

// The next word, of this line or of one that follows; NULL at the end.
static char *next_word(struct stl *stl)
{
    char *word;
    while (!stl->rest || !(word = mesh_word(&stl->rest))) {
        if (!mesh_lines_next(&stl->lines))
            return NULL;
        stl->rest = stl->lines.text;
    }
    return word;
}

static bool take_words(struct stl *stl, const char *const *words)
{
    for (; *words; ++words) {
        const char *word = next_word(stl);
        if (!word)
            return mesh_builder_fail(stl->builder, stl->lines.number, "the file is cut short: %s is missing", *words);
        if (strcasecmp(word, *words) != 0)
            return mesh_builder_fail(stl->builder, stl->lines.number, "'%.60s' stands where STL has %s", word, *words);
    }
    return true;
}

static bool take_numbers(struct stl *stl, double numbers[3])
{
    for (int i = 0; i < 3; ++i) {
        char *word = next_word(stl);
        if (!word || !mesh_word_number(&word, &numbers[i]))
            return mesh_builder_fail(stl->builder, stl->lines.number, "three numbers are missing");
    }
    return true;
}

static bool read_facet(struct stl *stl)
{
    double corners[9];
    if (!take_words(stl, (const char *const[]){"normal", NULL}))
        return false;
    for (int i = 0; i < 3; ++i)
        next_word(stl); // not used, and often no number
    if (!take_words(stl, (const char *const[]){"outer", "loop", NULL}))
        return false;
    for (int i = 0; i < 9; i += 3)
        if (!take_words(stl, (const char *const[]){"vertex", NULL}) || !take_numbers(stl, corners + i))
            return false;
    return take_words(stl, (const char *const[]){"endloop", "endfacet", NULL}) &&
           add_facet(stl->builder, corners, stl->lines.number);
}

// What follows `solid` and `endsolid` on their lines is a name, up to a facet: some files have a single line.
static void skip_name(struct stl *stl)
{
    char *facet = stl->rest;
    while ((facet = strcasestr(facet, "facet normal")) && facet > stl->rest && !strchr(" \t", facet[-1]))
        ++facet;
    stl->rest = facet;
}

// Of any number of solids, which may be empty.
static bool read_text(struct stl *stl)
{
    bool inside = false;
    for (const char *word; (word = next_word(stl));) {
        if (strcasecmp(word, inside ? "endsolid" : "solid") == 0) {
            inside = !inside;
            skip_name(stl);
        } else if (!inside || strcasecmp(word, "facet") != 0) {
            return mesh_builder_fail(stl->builder, stl->lines.number, "'%.60s' stands where STL has %s", word,
                                     inside ? "facet or endsolid" : "solid");
        } else if (!read_facet(stl)) {
            return false;
        }
    }
    return !inside || mesh_builder_fail(stl->builder, stl->lines.number, "the file is cut short: endsolid is missing");
}

// Headers of binary files may begin with the word, too.
static bool is_text(const char *bytes, size_t size, size_t end)
{
    const char *word = bytes + (strncmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    word += strspn(word, " \t\r\n");
    return strncasecmp(word, "solid", 5) == 0 && !memchr(bytes, 0, end) &&
           !(size >= HEADER && size == HEADER + FACET * bytes_word(bytes + HEADER - 4, 4, false));
}

bool mesh_stl_read(struct mesh_builder *builder, const char *bytes, size_t size)
{
    size_t end = size; // of a text, which may have zeros behind it
    while (end > 0 && bytes[end - 1] == '\0')
        --end;
    struct stl stl = {.builder = builder, .lines = mesh_lines_make(bytes, end)};
    stl.lines.plain = true;
    const bool done = is_text(bytes, size, end) ? read_text(&stl) : read_binary(builder, bytes, size);
    mesh_lines_finish(&stl.lines);
    return done && mesh_builder_finish(builder);
}
