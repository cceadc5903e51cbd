// SPDX-License-Identifier: MIT
#include "report/yaml_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *yaml_file_text(const char *path, size_t *size, struct error *error)
{
    FILE *stream = fopen(path, "rb");
    char *text = stream ? malloc(YAML_SOURCE_MAX + 2) : NULL;
    const size_t length = text ? fread(text, 1, YAML_SOURCE_MAX + 1, stream) : 0;
    bool done = text && !ferror(stream);
    if (!done) {
        error_set_errno(error, "read", path);
        error_remedy(error, "install the program again, or mend the folder of papers");
    } else if (length > YAML_SOURCE_MAX) {
        done = error_set_at(error, ERROR_INPUT, path, 0, "the file is longer than %d bytes", YAML_SOURCE_MAX);
    }
    if (stream)
        fclose(stream);
    if (!done) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    if (size)
        *size = length;
    return text;
}

bool yaml_file_open(struct yaml_file *file, const char *path, struct error *error)
{
    *file = (struct yaml_file){0};
    snprintf(file->path, sizeof file->path, "%s", path);
    size_t size = 0;
    file->text = yaml_file_text(path, &size, error);
    if (!file->text)
        return false;
    bool done = yaml_source_parse(&file->source, file->path, file->text, size, error) &&
                yaml_expect(&file->source, yaml_source_root(&file->source), YAML_MAPPING_NODE, "the file", error);
    if (!done)
        yaml_file_close(file);
    return done;
}

void yaml_file_close(struct yaml_file *file)
{
    yaml_source_finish(&file->source);
    free(file->text);
    file->text = NULL;
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

const char *yaml_text(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

const char *yaml_key(struct yaml_source *source, const yaml_node_t *mapping, size_t i)
{
    const char *text = yaml_text(yaml_document_get_node(&source->document, mapping->data.mapping.pairs.start[i].key));
    return text ? text : "";
}

yaml_node_t *yaml_member(struct yaml_source *source, yaml_node_t *mapping, const char *key, yaml_node_type_t type,
                         struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    if (!node) {
        error_set_at(error, ERROR_INPUT, source->path, yaml_line(mapping), "'%s' is missing", key);
        return NULL;
    }
    return yaml_expect(source, node, type, key, error) ? node : NULL;
}

bool yaml_texts(struct yaml_source *source, yaml_node_t *mapping, const char *key, const char ***texts, size_t *count,
                struct error *error)
{
    yaml_node_t *node = yaml_find(source, mapping, key);
    *texts = yaml_array(yaml_length(node), sizeof **texts, error);
    if (!*texts || (node && !yaml_expect(source, node, YAML_SEQUENCE_NODE, key, error)))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i) {
        const char *text = yaml_text(yaml_value(source, node, i));
        if (!text)
            return error_set_at(error, ERROR_INPUT, source->path, yaml_line(node), "%s must be a list of texts", key);
        (*texts)[(*count)++] = text;
    }
    return true;
}

void *yaml_array(size_t count, size_t size, struct error *error)
{
    void *array = calloc(count ? count : 1, size);
    if (!array)
        error_set(error, ERROR_SYSTEM, "no memory for %zu entries", count);
    return array;
}
