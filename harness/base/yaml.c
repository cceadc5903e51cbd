// SPDX-License-Identifier: MIT
#include "base/yaml.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

// ---- documents

static bool not_too_long(const char *path, size_t size, struct error *error)
{
    if (size <= YAML_SOURCE_MAX)
        return true;
    error_set_at(error, ERROR_INPUT, path, 0, "the file is longer than 1 MiB");
    return error_remedy(error, "keep what is long, such as meshes, in files of their own, and write long lists of "
                               "numbers as ranges FROM..TO");
}

static bool not_yaml(const struct yaml_source *source, const yaml_parser_t *parser, struct error *error)
{
    const size_t line = parser->problem_mark.line ? parser->problem_mark.line : parser->context_mark.line;
    error_set_at(error, ERROR_INPUT, source->path, (int)line + 1, "not YAML: %s%s%s",
                 parser->problem ? parser->problem : "cannot be read", parser->context ? ", " : "",
                 parser->context ? parser->context : "");
    return error_remedy(error, "look there, and in the line before, for indentation, brackets, colons and quotes; tabs "
                               "do not indent");
}

static bool refuse_more(const struct yaml_source *source, yaml_parser_t *parser, struct error *error)
{
    yaml_document_t more;
    if (!yaml_parser_load(parser, &more))
        return not_yaml(source, parser, error);
    const yaml_node_t *root = yaml_document_get_root_node(&more);
    if (root)
        yaml_fail(source, root, error, "a second document begins here");
    yaml_document_delete(&more);
    return !root || error_remedy(error, "a file holds one document: split it at the '---'");
}

bool yaml_source_parse(struct yaml_source *source, const char *path, const char *text, size_t size, struct error *error)
{
    yaml_parser_t parser;
    *source = (struct yaml_source){.path = path};
    if (!not_too_long(path, size, error))
        return false;
    if (!yaml_parser_initialize(&parser))
        return error_memory(error, "to read %s", path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    source->loaded = yaml_parser_load(&parser, &source->document);
    bool done = source->loaded ? refuse_more(source, &parser, error) : not_yaml(source, &parser, error);
    yaml_parser_delete(&parser);
    if (done && !yaml_source_root(source)) {
        error_set_at(error, ERROR_INPUT, path, 1, "the file is empty");
        done = error_remedy(error, "start from one like it, such as %s", path_shipped("experiments/quickstart.yaml"));
    }
    return done;
}

void yaml_source_finish(struct yaml_source *source)
{
    if (source->loaded)
        yaml_document_delete(&source->document);
    source->loaded = false;
}

char *yaml_file_text(const char *path, size_t *size, struct error *error)
{
    FILE *stream = path_stream(path, error);
    if (!stream)
        return NULL;
    char *text = memory_new(YAML_SOURCE_MAX + 2, 1);
    const size_t length = fread(text, 1, YAML_SOURCE_MAX + 1, stream);
    const bool done = ferror(stream) ? error_set_errno(error, "read", path) : not_too_long(path, length, error);
    fclose(stream);
    if (size)
        *size = length;
    if (done)
        return text;
    free(text);
    return NULL;
}

bool yaml_file_open(struct yaml_file *file, const char *path, struct error *error)
{
    size_t size;
    snprintf(file->path, sizeof file->path, "%s", path);
    char *text = yaml_file_text(path, &size, error);
    if (!text)
        return error_remedy(error, "install the program again, or correct the folder of papers");
    const bool done = yaml_source_parse(&file->source, file->path, text, size, error) &&
                      yaml_expect(&file->source, yaml_source_root(&file->source), YAML_MAPPING_NODE, "the file", error);
    free(text);
    if (!done)
        yaml_file_close(file);
    return done;
}

void yaml_file_close(struct yaml_file *file)
{
    yaml_source_finish(&file->source);
}

// ---- nodes

yaml_node_t *yaml_source_root(struct yaml_source *source)
{
    return yaml_document_get_root_node(&source->document);
}

int yaml_line(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

size_t yaml_length(const yaml_node_t *node)
{
    if (node && node->type == YAML_SEQUENCE_NODE)
        return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (node && node->type == YAML_MAPPING_NODE)
        return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    return 0;
}

yaml_node_t *yaml_value(struct yaml_source *source, const yaml_node_t *node, size_t i)
{
    const int index =
        node->type == YAML_SEQUENCE_NODE ? node->data.sequence.items.start[i] : node->data.mapping.pairs.start[i].value;
    return yaml_document_get_node(&source->document, index);
}

yaml_node_t *yaml_key_node(struct yaml_source *source, const yaml_node_t *mapping, size_t i)
{
    return yaml_document_get_node(&source->document, mapping->data.mapping.pairs.start[i].key);
}

const char *yaml_text(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

const char *yaml_key(struct yaml_source *source, const yaml_node_t *mapping, size_t i)
{
    const char *text = yaml_text(yaml_key_node(source, mapping, i));
    return text ? text : "";
}

yaml_node_t *yaml_find(struct yaml_source *source, yaml_node_t *mapping, const char *key)
{
    for (size_t i = 0; mapping->type == YAML_MAPPING_NODE && i < yaml_length(mapping); ++i)
        if (!strcmp(yaml_key(source, mapping, i), key))
            return yaml_value(source, mapping, i);
    return NULL;
}

// ---- what a node must be

static const char *type_word(yaml_node_type_t type)
{
    return type == YAML_MAPPING_NODE    ? "a mapping"
           : type == YAML_SEQUENCE_NODE ? "a list"
           : type == YAML_SCALAR_NODE   ? "a single value"
                                        : "nothing";
}

static const char *type_remedy(yaml_node_type_t type)
{
    return type == YAML_MAPPING_NODE    ? "write `key: value` lines, indented below it, or {key: value, ...}"
           : type == YAML_SEQUENCE_NODE ? "write a list: [a, b, c], or lines that begin with `- `"
                                        : "write one number or word, without brackets and keys of its own";
}

bool yaml_expect(struct yaml_source *source, const yaml_node_t *node, yaml_node_type_t type, const char *what,
                 struct error *error)
{
    if (node && node->type == type)
        return true;
    yaml_fail(source, node, error, "%s must be %s, not %s", what, type_word(type),
              type_word(node ? node->type : YAML_NO_NODE));
    return error_remedy(error, "%s", type_remedy(type));
}

const char *yaml_word(struct yaml_source *source, const yaml_node_t *node, const char *what, struct error *error)
{
    if (!yaml_expect(source, node, YAML_SCALAR_NODE, what, error))
        return NULL;
    const char *text = yaml_text(node);
    const size_t length = node->data.scalar.length;
    if (length && strlen(text) == length)
        return text;
    yaml_fail(source, node, error, "%s: %s", what, length ? "there is a NUL character in it" : "the value is missing");
    error_remedy(error, length ? "remove the \\0" : "put a value there, or remove the line to have its default");
    return NULL;
}

// Looking for a key that is there twice takes time with the square of this.
enum { KEYS_MAX = 4096 };

bool yaml_expect_keys(struct yaml_source *source, yaml_node_t *node, const char *what, struct error *error)
{
    if (!yaml_expect(source, node, YAML_MAPPING_NODE, what, error))
        return false;
    if (yaml_length(node) > KEYS_MAX) {
        yaml_fail(source, node, error, "%s: more than %d keys", what, KEYS_MAX);
        return error_remedy(error, "join some of them, or split the file");
    }
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const yaml_node_t *key = yaml_key_node(source, node, i);
        if (!yaml_word(source, key, "a key", error))
            return false;
        size_t first = 0;
        while (strcmp(yaml_key(source, node, first), yaml_text(key)) != 0)
            ++first;
        if (first < i) {
            yaml_fail(source, key, error, "%s: \"%.100s\" is given twice", what, yaml_text(key));
            return error_remedy(error, "keep one of the two, or rename it; the first is in line %d",
                                yaml_line(yaml_key_node(source, node, first)));
        }
    }
    return true;
}

yaml_node_t *yaml_member(struct yaml_source *source, yaml_node_t *mapping, const char *key, yaml_node_type_t type,
                         struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    if (!node) {
        yaml_fail(source, mapping, error, "'%s' is missing", key);
        return NULL;
    }
    return yaml_expect(source, node, type, key, error) ? node : NULL;
}

bool yaml_texts(struct yaml_source *source, yaml_node_t *mapping, const char *key, struct arena *arena,
                const char ***texts, size_t *count, struct error *error)
{
    const yaml_node_t *node = yaml_find(source, mapping, key);
    if (node && !yaml_expect(source, node, YAML_SEQUENCE_NODE, key, error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *text = yaml_text(yaml_value(source, node, i));
        if (!text)
            return yaml_fail(source, node, error, "%s must be a list of texts", key);
        *ARENA_ADD(arena, *texts, *count) = text;
    }
    return true;
}

// ---- words

bool yaml_unknown(struct yaml_source *source, const yaml_node_t *node, const char *what, const char *word,
                  const char *const *words, struct error *error)
{
    yaml_fail(source, node, error, "unknown %s \"%.100s\"", what, word);
    return error_near(error, word, words, NULL);
}

bool yaml_choose(struct yaml_source *source, const yaml_node_t *node, const char *what, const char *const *words,
                 uint32_t *chosen, struct error *error)
{
    const char *text = yaml_word(source, node, what, error);
    if (!text)
        return false;
    for (uint32_t i = 0; words[i]; ++i)
        if (!strcmp(words[i], text)) {
            *chosen = i;
            return true;
        }
    return yaml_unknown(source, node, what, text, words, error);
}

bool yaml_choice(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char *const *words,
                 uint32_t *chosen, struct error *error)
{
    const yaml_node_t *node = yaml_find(source, mapping, key);
    return !node || yaml_choose(source, node, key, words, chosen, error);
}
