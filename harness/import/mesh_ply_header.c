// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "import/mesh_ply.h"

const uint8_t ply_type_sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};

static const struct {
    const char *name;
    enum ply_type type;
} type_names[] = {
    {"char", PLY_INT8},   {"uchar", PLY_UINT8},   {"short", PLY_INT16},     {"ushort", PLY_UINT16},
    {"int", PLY_INT32},   {"uint", PLY_UINT32},   {"float", PLY_FLOAT32},   {"double", PLY_FLOAT64},
    {"int8", PLY_INT8},   {"uint8", PLY_UINT8},   {"int16", PLY_INT16},     {"uint16", PLY_UINT16},
    {"int32", PLY_INT32}, {"uint32", PLY_UINT32}, {"float32", PLY_FLOAT32}, {"float64", PLY_FLOAT64},
};

enum { WORDS = 5 }; // of a line of a header, the longest: property list COUNT TYPE NAME

struct parse {
    struct ply_header *header;
    struct mesh_builder *builder;
    const char *ending; // of every line: that of the first
    char *words[WORDS + 1];
    size_t word_count;
    int line;
    bool formatted;
};

static bool bad_line(struct parse *parse, const char *what)
{
    return mesh_builder_fail(parse->builder, parse->line, "the header says '%.60s%s%.60s': %s", parse->words[0],
                             parse->word_count > 1 ? " " : "", parse->word_count > 1 ? parse->words[1] : "", what);
}

static bool parse_type(struct parse *parse, const char *word, enum ply_type *type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; ++i)
        if (strcmp(word, type_names[i].name) == 0) {
            *type = type_names[i].type;
            return true;
        }
    return mesh_builder_fail(parse->builder, parse->line, "the header names an unknown type, '%.60s'", word);
}

static bool parse_format(struct parse *parse)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    if (parse->word_count != 3 || strcmp(parse->words[2], "1.0") != 0)
        return bad_line(parse, "only formats of version 1.0 are known");
    if (parse->formatted)
        return bad_line(parse, "the format is given twice");
    for (int i = 0; i < 3; ++i)
        if (strcmp(parse->words[1], names[i]) == 0) {
            parse->header->order = (enum ply_order)i;
            parse->formatted = true;
            return true;
        }
    return bad_line(parse, "it may be ascii, binary_little_endian or binary_big_endian");
}

static bool parse_element(struct parse *parse)
{
    struct ply_header *header = parse->header;
    char *end;
    if (parse->word_count != 3)
        return bad_line(parse, "an element is a name and a number");
    const unsigned long long count = strtoull(parse->words[2], &end, 10);
    if (*end || parse->words[2][0] < '0' || parse->words[2][0] > '9')
        return bad_line(parse, "the number of them is none");
    if (ARRAY_FIND(header->elements, header->element_count, parse->words[1]))
        return bad_line(parse, "that element is there already");
    struct ply_element *element = ARENA_ADD(&header->arena, header->elements, header->element_count);
    element->name = parse->words[1];
    element->count = count;
    return true;
}

static bool parse_property(struct parse *parse)
{
    struct ply_header *header = parse->header;
    const bool list = parse->word_count > 1 && strcmp(parse->words[1], "list") == 0;
    if (header->element_count == 0)
        return bad_line(parse, "no element stands before it");
    if (parse->word_count != (list ? 5 : 3))
        return bad_line(parse, "a property is a type and a name, or list, two types and a name");
    struct ply_element *element = &header->elements[header->element_count - 1];
    struct ply_property *property = ARENA_ADD(&header->arena, element->properties, element->property_count);
    property->name = parse->words[parse->word_count - 1];
    property->list = list;
    return (!list || parse_type(parse, parse->words[2], &property->count)) &&
           parse_type(parse, parse->words[parse->word_count - 2], &property->type) &&
           (property->count < PLY_FLOAT32 || bad_line(parse, "a list has a whole number of values"));
}

static bool parse_words(struct parse *parse)
{
    const char *first = parse->words[0];
    if (strcmp(first, "format") == 0)
        return parse_format(parse);
    if (strcmp(first, "element") == 0)
        return parse_element(parse);
    if (strcmp(first, "property") == 0)
        return parse_property(parse);
    if (strcmp(first, "comment") != 0 && strcmp(first, "obj_info") != 0)
        mesh_builder_warn(parse->builder, "line %d of the header is none of PLY's: '%.60s ...'", parse->line, first);
    return true;
}

static void split_words(struct parse *parse, const char *from, size_t length)
{
    char *rest = arena_format(&parse->header->arena, "%.*s", (int)length, from);
    parse->word_count = 0;
    for (char *word; parse->word_count <= WORDS && (word = strtok_r(NULL, " \t\r", &rest)); ++parse->word_count)
        parse->words[parse->word_count] = word;
}

// Bytes of the next line, its ending not counted; -1 where none is left.
static ptrdiff_t next_line(const struct parse *parse, const char *from, const char *end)
{
    const char *found = memmem(from, (size_t)(end - from), parse->ending, strlen(parse->ending));
    return found && found - from < 65536 ? found - from : -1;
}

// Whether lines end with "\n", "\r\n" or, of old, "\r": a first byte of data may look like a part of another ending.
static const char *find_ending(const char *bytes, size_t size)
{
    const char *end = bytes + size;
    const char *at = bytes + 3; // "ply"
    while (at < end && (*at == ' ' || *at == '\t'))
        ++at;
    return at < end && *at == '\n' ? "\n" : at + 1 < end && *at == '\r' && at[1] == '\n' ? "\r\n" : "\r";
}

static bool parse_lines(struct parse *parse, const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    for (parse->line = 1;; ++parse->line) {
        const ptrdiff_t length = next_line(parse, at, end);
        if (length < 0)
            return mesh_builder_fail(parse->builder, parse->line, "the header has no end: no line says end_header");
        split_words(parse, at, (size_t)length);
        at += (size_t)length + strlen(parse->ending);
        if (parse->word_count == 0 || parse->line == 1)
            continue;
        if (strcmp(parse->words[0], "end_header") == 0)
            break;
        if (!parse_words(parse))
            return false;
    }
    parse->header->size = (size_t)(at - bytes);
    parse->header->lines = parse->line;
    return parse->formatted || mesh_builder_fail(parse->builder, parse->line, "the header names no format");
}

bool ply_header_read(struct ply_header *header, struct mesh_builder *builder, const char *bytes, size_t size)
{
    *header = (struct ply_header){0};
    if (size < 4 || memcmp(bytes, "ply", 3) != 0 || !strchr(" \t\r\n", bytes[3]))
        return mesh_builder_fail(builder, 1, "this is no PLY file: it does not begin with the line 'ply'");
    struct parse parse = {.header = header, .builder = builder, .ending = find_ending(bytes, size)};
    return parse_lines(&parse, bytes, size);
}

void ply_header_finish(struct ply_header *header)
{
    arena_free(&header->arena);
}
