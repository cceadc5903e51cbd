// SPDX-License-Identifier: MIT
// Which key holds which hash of sources (contract 4). Here all of these can be changed: source_hashes.h is made of variables, and what
// includes it is compiled once more. Each is changed in turn, and those keys must change that are listed with it, and no others.
#include "check.h"
#include "build_facts.h"
#include "run/environment.h"
#include "run/made_by.h"
#include "scene/scene_cache.h"
#include "source_hashes.h" // tests/source_hashes.h of the build folder
#include "store/store_handle.h"
#include "trial/execute.h"
#include "trial/execute_settings.h"
#include "scene/scene_read.h"

enum { HASH_SIZE = 64, RESULTS = 64, NAMES = 5, NAME = 96 };

#define ROW(name) char hashed_##name[HASH_SIZE];
SOURCE_HASH_ROWS
#undef ROW

static const struct {
    const char *name;
    char *text;
} hashes[] = {
#define ROW(name) {#name, hashed_##name},
    SOURCE_HASH_ROWS
#undef ROW
};
enum { HASHES = sizeof hashes / sizeof *hashes };

// A key, and the names of all hashes that it is to hold.
struct result {
    char what[NAME], key[HASH_TEXT], names[NAMES][NAME];
};

struct results {
    struct result rows[RESULTS];
    size_t count;
};

static struct result *add(struct results *results, struct hash key, const char *format, ...)
{
    assert_true(results->count < RESULTS);
    struct result *row = &results->rows[results->count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->what, sizeof row->what, format, arguments);
    va_end(arguments);
    hash_text(key, row->key);
    return row;
}

static void holds(struct result *row, const char *format, ...)
{
    size_t i = 0;
    while (i < NAMES && row->names[i][0])
        ++i;
    assert_true(i < NAMES);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->names[i], NAME, format, arguments);
    va_end(arguments);
}

// ---- the cache

static const struct {
    const char *tree, *instances, *source;
} trees[] = {
    {"binary", "flat", "binary"},    {"binary_padded", "flat", "binary"},
    {"kd16", "flat", "kd16"},        {"kd_ptr25", "flat", "kd16"},
    {"wide", "flat", "wide"},        {"wide_compressed", "flat", "wide"},
    {"wide4", "flat", "wide4"},      {"binary", "two_level", "levels"},
    {"wide", "two_level", "levels"},
};
enum { TREES = sizeof trees / sizeof *trees };

static struct parameters parameters_of(size_t tree)
{
    struct parameters parameters = parameters_default();
    assert_true(parameter_set(&parameters, parameter_find("tree"), trees[tree].tree, &why));
    assert_true(parameter_set(&parameters, parameter_find("instances"), trees[tree].instances, &why));
    return parameters;
}

static void add_scene(struct results *results)
{
    struct scene_file file;
    struct hash key;
    assert_true(scene_file_read(&file, WARPSTUDY_SOURCE "/scenes/cornell.yaml", &why));
    for (int split = 0; split < 2; ++split) {
        assert_true(scene_cache_key(&file, split, false, &key, &why));
        holds(add(results, key, "a scene's content, split %d", split), "HOST_SOURCE_SHAPES");
    }
    scene_file_finish(&file);
    for (size_t i = 0; i < TREES; ++i) {
        const struct parameters parameters = parameters_of(i);
        const struct scene_tree_options wanted = execute_tree_options(&parameters);
        struct scene_tree_options settled;
        assert_true(tree_settle(&wanted, &settled, &why));
        struct result *row = add(results, scene_cache_tree_key((struct hash){1, 2}, &settled),
                                 "the image of tree %s, %s", trees[i].tree, trees[i].instances);
        holds(row, "HOST_SOURCE_TREE_%s", trees[i].source);
    }
}

// ---- results

static char *find_hash(const char *name)
{
    for (size_t i = 0; i < HASHES; ++i)
        if (!strcmp(hashes[i].name, name))
            return hashes[i].text;
    return NULL;
}

// Of the emulator's builds that which this processor runs.
static const char *speed_of(const struct execute_facts *facts)
{
    const char *fast = find_hash("EMULATOR_PROVENANCE_clean_fast");
    return fast && strstr(facts->programs, fast) ? "fast" : "portable";
}

static void add_trial(struct results *results, const char *device, const char *variant, size_t tree)
{
    struct execute_facts facts;
    struct trial_keys keys;
    struct trial_row row = {.spec.parameters = parameters_of(tree)};
    snprintf(row.spec.device, sizeof row.spec.device, "%s", device);
    snprintf(row.spec.variant, sizeof row.spec.variant, "%s", variant);
    struct executor *executor = executor_create();
    assert_true(execute_describe(executor, &row.spec, &facts, &why));
    assert_string_equal(facts.unsupported, "");
    executor_destroy(executor);
    const struct trial_provenance provenance = {.scene_content = "content",
                                                .programs = facts.programs,
                                                .device_name = facts.device_name,
                                                .driver = facts.driver,
                                                .policy = "once",
                                                .harness = environment_harness()};
    trial_keys_make(&row, &provenance, &keys);

    static const char *counting = "";
    if (!strcmp(device, "emulator")) // which counts for the device cpu too
        counting = speed_of(&facts);
    const char *const clean = strcmp(device, "cpu") ? counting : "alone";
    const bool walks = estimator_uses(variant_find(variant)->estimator, parameter_find("tree"));
    struct result *trial = add(results, hash_bytes(keys.key, strlen(keys.key)), "%s of %s over %s, %s", variant, device,
                               trees[tree].tree, trees[tree].instances);
    holds(trial, "HOST_SOURCE_HARNESS");
    holds(trial, "HOST_SOURCE_%s", variant);
    holds(trial, "EMULATOR_PROVENANCE_clean_%s", clean);
    holds(trial, "EMULATOR_SOURCE_clean_%s_%s", clean, variant);
    if (walks)
        holds(trial, "HOST_SOURCE_TREE_%s", trees[tree].source);
    struct result *counts = add(results, hash_bytes(facts.counting, strlen(facts.counting)),
                                "counts of %s of %s, %s, %s", variant, device, trees[tree].tree, trees[tree].instances);
    holds(counts, "EMULATOR_PROVENANCE_counting_%s", counting);
    holds(counts, "EMULATOR_SOURCE_counting_%s_%s", counting, variant);
}

static void add_timeline(struct results *results)
{
    static const char text[] =
        "name: one\ndevice: 'null'\nfixed: {scene: cornell, variant: naive}\ncollect: [timeline]\n";
    struct experiment *experiment = made(experiment_parse("one.yaml", text, strlen(text), &why));
    char *words = made_by_timeline(experiment);
    holds(add(results, hash_bytes(words, strlen(words)), "a timeline"), "HOST_SOURCE_TIMELINE");
    free(words);
    experiment_free(experiment);
}

static void find_keys(struct results *results)
{
    results->count = 0;
    memset(results, 0, sizeof *results);
    add_scene(results);
    for (size_t i = 0; i < TREES; ++i)
        add_trial(results, "emulator", "naive", i);
    add_trial(results, "emulator", "tiled_global", 0);
    add_trial(results, "emulator", "volume_naive", 0);
    if (find_hash("EMULATOR_PROVENANCE_clean_alone"))
        add_trial(results, "cpu", "naive", 0);
    add_timeline(results);
}

static bool is_listed(const struct result *row, const char *name)
{
    for (size_t i = 0; i < NAMES; ++i)
        if (!strcmp(row->names[i], name))
            return true;
    return false;
}

TEST(each_key_holds_its_hashes)
{
    static struct results before, after;
    size_t wrong = 0, changes = 0;
    for (size_t i = 0; i < HASHES; ++i)
        snprintf(hashes[i].text, HASH_SIZE, "<%zu>", i);
    find_keys(&before);
    for (size_t i = 0; i < HASHES; ++i) {
        hashes[i].text[0] = '(';
        find_keys(&after);
        hashes[i].text[0] = '<';
        for (size_t k = 0; k < before.count; ++k) {
            const bool changed = strcmp(before.rows[k].key, after.rows[k].key) != 0;
            changes += changed;
            if (changed == is_listed(&before.rows[k], hashes[i].name))
                continue;
            print_message("%s %s the key of %s\n", hashes[i].name, changed ? "changes" : "does not change",
                          before.rows[k].what);
            ++wrong;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(changes > 50);
}

// ---- what decides a tree

enum part { WALK, ARRANGED, BUILT };

// Every parameter of role TREE, and those of role WORK that trees are built by: whether it decides the image in the cache, only what a
// device has of it, or neither.
static const struct {
    const char *name;
    enum part part;
} deciding[] = {
    {"tree", BUILT},           {"leaf_size", BUILT},        {"bins", BUILT},
    {"reinsert", BUILT},       {"splits", BUILT},           {"instances", BUILT},
    {"top_tree", BUILT},       {"tree_width", BUILT},       {"child_order", BUILT},
    {"node_align", BUILT},     {"tree_stack", ARRANGED},    {"kd_order", ARRANGED},
    {"optix_build", ARRANGED}, {"optix_compact", ARRANGED}, {"triangle_test", ARRANGED},
    {"kd_step", WALK},         {"kd_stack", WALK},          {"affine_order", WALK},
    {"tree_loads", WALK},      {"reorder", WALK},
};

static struct hash key_of(const struct scene_tree_options *options)
{
    struct scene_tree_options settled = {0};
    if (!tree_settle(options, &settled, &why))
        return (struct hash){0, 0};
    return scene_cache_tree_key((struct hash){1, 2}, &settled);
}

// Of a parameter at all its values, over all trees: BUILT where the key of the image changes, ARRANGED where only the options do.
static enum part part_of(const struct parameter *parameter)
{
    int64_t most = parameter->most;
    enum part part = WALK;
    for (const char *mark = parameter->choices; mark && (mark = strchr(mark, '|')); ++mark)
        ++most; // of a choice it is 0
    for (size_t i = 0; i < TREES; ++i)
        for (int64_t value = parameter->least; value <= most; ++value) {
            struct parameters parameters = parameters_of(i), others = parameters;
            char text[64] = "";
            parameter_format(parameter, value, text, sizeof text);
            assert_true(parameter_set(&others, parameter, text, &why));
            const struct scene_tree_options options = execute_tree_options(&parameters),
                                            other = execute_tree_options(&others);
            if (!scene_tree_options_equal(&options, &other) && part == WALK)
                part = ARRANGED;
            if (hash_equal(key_of(&other), (struct hash){0, 0}))
                continue;
            if (!hash_equal(key_of(&options), key_of(&other)))
                part = BUILT;
        }
    return part;
}

TEST(what_decides_a_tree_is_in_its_key)
{
    size_t found = 0;
    for (size_t i = 0; i < parameter_count; ++i) {
        size_t row = 0;
        while (row < sizeof deciding / sizeof *deciding && strcmp(deciding[row].name, parameter_table[i].name))
            ++row;
        const bool listed = row < sizeof deciding / sizeof *deciding;
        if (parameter_table[i].role == PARAMETER_TREE && !listed)
            fail_msg("%s is of role TREE: say in test_keys.c what it decides", parameter_table[i].name);
        if (listed && part_of(&parameter_table[i]) != deciding[row].part)
            fail_msg("%s decides another part than %d of a tree", parameter_table[i].name, (int)deciding[row].part);
        found += listed;
    }
    assert_int_equal(found, sizeof deciding / sizeof *deciding);
}
