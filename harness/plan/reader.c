// SPDX-License-Identifier: MIT
#include "plan/reader.h"

#include "base/memory.h"

bool reader_stands_at(struct reader *reader, int line)
{
    snprintf(reader->error->file, sizeof reader->error->file, "%s", reader->experiment->path);
    reader->error->line = line;
    return false;
}

bool read_copy(struct reader *reader, const yaml_node_t *node, const char *what, struct experiment_text **texts,
               size_t *count, size_t most, const char *remedy)
{
    const char *text = yaml_word(&reader->yaml, node, what, reader->error);
    if (!text)
        return false;
    if (*count >= most) {
        yaml_fail(&reader->yaml, node, reader->error, "%s: more than %zu", what, most);
        return error_remedy(reader->error, "%s", remedy);
    }
    *ARRAY_ADD(*texts, *count) = (struct experiment_text){memory_copy(text), yaml_line(node)};
    return true;
}

bool each_value(struct reader *reader, const yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, const yaml_node_t *, const char *))
{
    if (node->type != YAML_SEQUENCE_NODE)
        return visit(reader, node, what);
    if (!yaml_length(node)) {
        yaml_fail(&reader->yaml, node, reader->error, "%s: the list is empty", what);
        return error_remedy(reader->error, "give it a value, or remove the key to have its default");
    }
    for (size_t i = 0; i < yaml_length(node); ++i)
        if (!visit(reader, yaml_value(&reader->yaml, node, i), what))
            return false;
    return true;
}

bool each_entry(struct reader *reader, yaml_node_t *node, const char *what,
                bool (*visit)(struct reader *, yaml_node_t *, const char *, int))
{
    struct yaml_source *yaml = &reader->yaml;
    if (!yaml_expect_keys(yaml, node, what, reader->error))
        return false;
    for (size_t i = 0; i < yaml_length(node); ++i)
        if (!visit(reader, yaml_value(yaml, node, i), yaml_key(yaml, node, i), yaml_line(yaml_key_node(yaml, node, i))))
            return false;
    return true;
}
