// SPDX-License-Identifier: MIT
// Experiment files: what is read, and what every mistake says. Needs no database.
#include "check.h"
#include "folder_support.h"
#include <sys/stat.h>

#include "plan/experiment.h"

#define SCENE "fixed: {scene: open, variant: naive}\n"

static struct experiment *parse(const char *text, struct error *error)
{
    *error = (struct error){0};
    return experiment_parse("try.yaml", text, strlen(text), error);
}

static const struct experiment_axis *axis_of(const struct experiment *experiment, const char *name)
{
    for (size_t i = 0; i < experiment->axis_count; ++i)
        if (!strcmp(experiment->axes[i].name, name))
            return &experiment->axes[i];
    return NULL;
}

TEST(reads_everything)
{
    struct experiment *experiment = made(
        parse("name: n1\nstudy: wald2011\ndevice: [emulator, cuda:1]\n"
              "fixed: {scene: open, seed: 007, registers: auto}\n"
              "sweep:\n  variant: [naive, whole_frame]\n  block: [32..34, 64]\n  far_first: [no, yes]\n"
              "where: block > 1\nderive: {lanes: block * 2}\n"
              "collect: [counts, frame, counters]\ncounters: [simd_efficiency, sm__warps_active.avg]\nreplicates: 3\n"
              "stop: {relative_ci: 0.02, warmups: 0, min_repetitions: 4, max_repetitions: 40, max_seconds: 1.5}\n"
              "gate: {max_temperature: 60, max_seconds: 5}\nshared_device: yes\n"
              "order: depth_first\norder_seed: 9\ntime_limit: 2.5\nretries: 0\n",
              &why));
    assert_string_equal(experiment->name, "n1");
    assert_string_equal(experiment->study, "wald2011");
    assert_int_equal(axis_of(experiment, "device")->count, 2);
    assert_string_equal(axis_of(experiment, "seed")->values[0].text, "7");
    assert_string_equal(axis_of(experiment, "registers")->values[0].text, "auto");
    const struct experiment_axis *block = axis_of(experiment, "block");
    assert_int_equal(block->count, 4);
    assert_string_equal(block->values[2].text, "34");
    assert_string_equal(block->values[3].text, "64");
    assert_int_equal(block->line, 7);
    assert_string_equal(axis_of(experiment, "far_first")->values[1].text, "yes");
    assert_int_equal(experiment->where_count, 1);
    assert_int_equal(experiment->where[0].line, 9);
    assert_string_equal(experiment->derived[0].name, "lanes");
    assert_int_equal(experiment->collections,
                     1u << COLLECTION_COUNTS | 1u << COLLECTION_FRAME | 1u << COLLECTION_COUNTERS);
    assert_int_equal(experiment->counter_count, 2);
    assert_int_equal(experiment->replicates, 3);
    assert_int_equal(experiment->warmups, 0);
    assert_int_equal(experiment->min_repetitions, 4);
    assert_int_equal(experiment->max_repetitions, 40);
    assert_true(experiment->relative_ci == 0.02 && experiment->max_seconds == 1.5 && experiment->time_limit == 2.5);
    assert_true(experiment->max_temperature == 60 && experiment->gate_seconds == 5 && experiment->shared_device);
    assert_int_equal(experiment->retries, 0);
    assert_false(experiment->breadth_first);
    assert_int_equal(experiment->order_seed, 9);
    experiment_free(experiment);
}

TEST(reads_the_former_name)
{
    struct experiment *experiment = made(parse(SCENE "seed: 7\n", &why));
    assert_int_equal(experiment->order_seed, 7);
    assert_null(axis_of(experiment, "seed")); // which is something else
    experiment_free(experiment);
}

TEST(has_defaults)
{
    struct experiment *experiment = made(parse(SCENE, &why));
    assert_string_equal(experiment->name, "try");
    assert_string_equal(axis_of(experiment, "device")->values[0].text, "auto");
    assert_int_equal(experiment->collections, 1u << COLLECTION_COUNTS);
    assert_int_equal(experiment->replicates, 1);
    assert_true(experiment->breadth_first && !experiment->shared_device && experiment->retries == 2);
    assert_true(experiment->max_temperature == 75 && experiment->gate_seconds == 120 && experiment->order_seed == 1);
    experiment_free(experiment);
    experiment = made(parse(SCENE "collect: frame\n", &why));
    assert_int_equal(experiment->replicates, 5);
    experiment_set_untimed(experiment); // five times nothing is nothing
    assert_int_equal(experiment->replicates, 1);
    experiment_free(experiment);
    experiment = made(parse(SCENE "collect: frame\nreplicates: 4\n", &why));
    experiment_set_untimed(experiment);
    assert_int_equal(experiment->replicates, 4);
    experiment_free(experiment);
}

struct mistake {
    const char *text;
    int line;
    const char *message, *remedy; // parts of them
};

static const struct mistake mistakes[] = {
    {"", 1, "empty", "quickstart"},
    {"- a\n", 1, "must be a mapping, not a list", "key: value"},
    {SCENE "swep: {}\n", 2, "unknown key of an experiment \"swep\"", "did you mean 'sweep'"},
    {SCENE "sweep: {blok: 3}\n", 2, "there is no parameter 'blok'", "did you mean 'block'"},
    {SCENE "sweep: {zzzzzzzzzzzz: 3}\n", 2, "there is no parameter", "list"},
    {"fixed: {scene: open, variant: naiv}\n", 1, "unknown variant 'naiv'", "did you mean 'naive'"},
    {SCENE "sweep:\n  block: []\n", 3, "the list is empty", ""},
    {SCENE "sweep:\n  block: [32,\n  9999]\n", 4, "9999 is out of bounds", "1 to 1024"},
    {SCENE "sweep:\n  block: 3.5\n", 3, "not a whole number", ""},
    {SCENE "sweep:\n  block: [[1]]\n", 3, "block must be a single value, not a list", ""},
    {SCENE "sweep:\n  block: {a: 1}\n", 3, "not a mapping", ""},
    {SCENE "sweep:\n  block:\n", 3, "the value is missing", ""},
    {SCENE "sweep:\n  block: auto\n", 3, "not a whole number", ""},
    {SCENE "sweep:\n  block: [9..3]\n", 3, "range", "FROM..TO"},
    {SCENE "sweep:\n  sampler: [conter]\n", 3, "none of its choices", "counter|padded"},
    {SCENE "sweep:\n  scene: cornell\n", 3, "has a value already, on line 1", "once"},
    {SCENE "name: a\nname: b\n", 3, "\"name\" is given twice", "line 2"},
    {SCENE "seed: 1\norder_seed: 2\n", 3, "already, on line 2", "`fixed` or `sweep`"},
    {SCENE "name: {a: 1}\n", 2, "name must be a single value, not a mapping", "without brackets"},
    {SCENE "name: a/b\n", 2, "cannot be used in a file name", ""},
    {SCENE "device: gpu\n", 2, "unknown device 'gpu'", ""},
    {SCENE "device: cuda:x\n", 2, "unknown device", ""},
    {SCENE "collect: [count]\n", 2, "unknown collection \"count\"", "did you mean 'counts'"},
    {SCENE "replicates: 0\n", 2, "out of bounds", "1 to 1000"},
    {SCENE "replicates: many\n", 2, "not a number", ""},
    {SCENE "replicates: 2.5\n", 2, "not a whole number", ""},
    {SCENE "order_seed: 99999999999999999999\n", 2, "not a whole number", "9223372036854775807"},
    {SCENE "stop: {relative_ci: 2}\n", 2, "out of bounds", ""},
    {SCENE "stop: {relative_ci: nan}\n", 2, "not a number", ""},
    {SCENE "stop: {repetitions: 2}\n", 2, "unknown key of stop \"repetitions\"", "repetitions'"},
    {SCENE "stop: {min_repetitions: 20, max_repetitions: 10}\n", 2, "is more than", ""},
    {SCENE "order: depth\n", 2, "unknown order \"depth\"", ""},
    {SCENE "time_limit: 0\n", 2, "out of bounds", ""},
    {SCENE "counters: [l2_hit_rate]\n", 2, "collect", ""},
    {SCENE "collect: counters\ncounters:\n  - l2_hit_rate\n  - l2_hit_rat\n", 5, "unknown counter \"l2_hit_rat\"",
     "did you mean 'l2_hit_rate'"},
    {SCENE "collect: counters\ncounters: [a__b!]\n", 3, "unknown counter", ""},
    {SCENE "gate: {temperature: 3}\n", 2, "unknown key of gate \"temperature\"", "max_temperature"},
    {SCENE "gate: {max_temperature: 1000}\n", 2, "out of bounds", ""},
    {SCENE "shared_device: maybe\n", 2, "unknown answer to shared_device \"maybe\"", "no, yes"},
    {SCENE "stop: {max_repetitions: 5}\n", 2, "min_repetitions 10 is more", ""},
    {"study: x\ninclude: [a.yaml]\n", 2, "includes others", ""},
    {"include: a.yaml\nsweep: {block: 32}\n", 2, "`sweep` cannot be combined with", "included files"},
    {"include: []\n", 1, "the list is empty", ""},
    {SCENE "fixed: {}\n", 2, "twice", ""},
    {"fixed: {scene: [a, b], variant: naive}\n", 1, "2 values", "sweep"},
    {"fixed: {variant: naive}\n", 1, "no scene", "list scenes"},
    {"fixed: {scene: open}\n", 1, "no variant", "list variants"},
    {SCENE "derive: {scene: 1}\n", 2, "cannot name a column", ""},
    {SCENE "derive: {Lanes: 1}\n", 2, "cannot name a column", ""},
    {SCENE "sweep: {block: 32}\nderive: {block: 1}\n", 3, "has a value already", ""},
    {SCENE "sweep: {block: [32}\n", 2, "not YAML", ""},
    {SCENE "\tname: x\n", 2, "not YAML", "tabs"},
    {SCENE "---\nname: x\n", 3, "second document", ""},
    {SCENE "name: \"a\\0b\"\n", 2, "NUL", ""},
    {SCENE "name: *nothing\n", 2, "not YAML", ""},
};

TEST(names_every_mistake)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        const struct mistake *mistake = &mistakes[i];
        refused(parse(mistake->text, &why), mistake->message, mistake->remedy);
        if (!why.remedy[0] || why.line != mistake->line || strcmp(why.file, "try.yaml"))
            fail_msg("%s\nsays %s:%d: %s; %s", mistake->text, why.file, why.line, why.message, why.remedy);
        assert_int_equal(error_exit_code(&why), 2);
    }
}

TEST(takes_its_name_from_the_file)
{
    static const struct {
        const char *path, *name; // NULL: refused
    } rows[] = {{"some/v1.0.yaml", "v1.0"}, {"v1.1.yml", "v1.1"}, {"/tmp/plain", "plain"},
                {"x.txt", "x.txt"},         {".h.yaml", ".h"},    {".yaml", NULL},
                {"a b.yaml", NULL},         {"", NULL},           {"a/b.yaml/", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (!rows[i].name) {
            refused(experiment_parse(rows[i].path, SCENE, strlen(SCENE), &why), "cannot be the experiment's", "name:");
            experiment_free(made(experiment_parse(rows[i].path, SCENE "name: n\n", strlen(SCENE) + 8, &why)));
            continue;
        }
        struct experiment *experiment = made(experiment_parse(rows[i].path, SCENE, strlen(SCENE), &why));
        assert_string_equal(experiment->name, rows[i].name);
        experiment_free(experiment);
    }
    char path[100] = "";
    memset(path, 'x', 63);
    struct experiment *experiment = made(experiment_parse(strcat(path, ".yaml"), SCENE, strlen(SCENE), &why));
    assert_int_equal(strlen(experiment->name), 63);
    experiment_free(experiment);
    memset(path, 'x', 69);
    refused(experiment_parse(path, SCENE, strlen(SCENE), &why), "longer than 63", "");
}

TEST(takes_aliases)
{
    // 64 is no tile height: the error stands where the value is written.
    refused(parse(SCENE "sweep:\n  block: &few [32, 64]\n  tile_m: *few\n", &why), "", "");
    assert_int_equal(why.line, 3);
    struct experiment *experiment = made(parse(SCENE "sweep:\n  block: &few [16, 32]\n  tile_m: *few\n", &why));
    assert_int_equal(axis_of(experiment, "tile_m")->count, 2);
    experiment_free(experiment);
}

TEST(has_limits)
{
    const size_t size = (1 << 20) + 1;
    char *text = malloc(size + 1);
    memset(text, '#', size);
    text[size] = 0;
    refused(experiment_parse("big.yaml", text, size, &why), "1 MiB", "");
    memset(text, '[', 10000); // nesting must not exhaust the stack (libyaml takes the square of the time)
    refused(experiment_parse("deep.yaml", text, 10000, &why), "", "");
    free(text);
}

TEST(names_missing_files)
{
    struct experiment_list list = {0};
    refused(experiment_list_load(&list, "/nonexistent/a.yaml", &why), "/nonexistent/a.yaml", "quickstart");
    refused(experiment_list_load(&list, "/tmp", &why), "folder", "file");
}

// ---- files made of files

static const char *folder;

static void write_file(const char *name, const char *text)
{
    folder_write_text(folder, name, text);
}

static bool load(struct experiment_list *list, const char *name, struct error *error)
{
    char path[256];
    *error = (struct error){0};
    *list = (struct experiment_list){0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return experiment_list_load(list, path, error);
}

static int make_folder(void **state)
{
    char inner[256];
    folder = folder_new();
    snprintf(inner, sizeof inner, "%s/inner", folder);
    if (mkdir(inner, 0777))
        return -1;
    write_file("one.yaml", "name: one\nfixed: {scene: open, width: 64}\nsweep: {variant: [naive, whole_frame]}\n"
                           "collect: [counts, frame]\nderive: {lanes: block * 2}\nstop: {max_repetitions: 50}\n");
    write_file("inner/two.yaml", "fixed: {scene: cornell, variant: naive}\nsweep: {width: [8, 16]}\nreplicates: 2\n"
                                 "order: depth_first\n");
    write_file("inner/both.yaml", "include: [../one.yaml, two.yaml]\nretries: 7\n");
    write_file("night.yaml", "study: x\ndevice: \"null\"\nfixed: {width: 32, seed: 9}\n"
                             "include: [inner/both.yaml, one.yaml]\nstop: {max_seconds: 30, relative_ci: 0.005}\n"
                             "order: breadth_first\nshared_device: yes\ntime_limit: 60\n");
    return 0;
}

TEST(includes_replace_what_they_name)
{
    struct experiment_list list;
    need(load(&list, "night.yaml", &why));
    assert_int_equal(list.count, 3);
    static const char *const names[] = {"one", "two", "one"};
    for (size_t i = 0; i < 3; ++i) {
        const struct experiment *experiment = list.items[i];
        assert_string_equal(experiment->name, names[i]);
        assert_string_equal(experiment->study, "x");
        assert_int_equal(axis_of(experiment, "width")->count, 1);
        assert_string_equal(axis_of(experiment, "width")->values[0].text, "32");
        assert_string_equal(axis_of(experiment, "seed")->values[0].text, "9");
        assert_string_equal(axis_of(experiment, "device")->values[0].text, "null");
        assert_int_equal(axis_of(experiment, "variant")->count, i == 1 ? 1 : 2); // nobody named it
        assert_true(experiment->max_seconds == 30 && experiment->relative_ci == 0.005);
        assert_int_equal(experiment->max_repetitions, i == 1 ? 1000 : 50);
        assert_int_equal(experiment->replicates, i == 1 ? 2 : 5);
        assert_int_equal(experiment->retries, i < 2 ? 7 : 2);
        assert_true(experiment->breadth_first && experiment->shared_device && experiment->time_limit == 60);
        assert_non_null(strstr(experiment->text, "study: x")); // what made it is all there
        assert_int_equal(strstr(experiment->text, "retries: 7") != NULL, i < 2);
    }
    experiment_list_finish(&list);
}

TEST(replicates_are_for_times)
{
    struct experiment_list list;
    write_file("often.yaml", "include: [one.yaml, inner/two.yaml]\nreplicates: 10\n");
    assert_true(load(&list, "often.yaml", &why));
    assert_int_equal(list.items[0]->replicates, 10);
    assert_int_equal(list.items[1]->replicates, 2); // its counts are exact the first time
    experiment_list_finish(&list);
}

TEST(a_plain_file_is_a_list_of_one)
{
    struct experiment_list list;
    assert_true(load(&list, "one.yaml", &why));
    assert_int_equal(list.count, 1);
    experiment_list_finish(&list);
    experiment_list_finish(&list);
}

TEST(includes_that_lead_nowhere)
{
    static const struct {
        const char *name, *text, *file;
        int line;
        const char *message;
    } rows[] = {
        {"self.yaml", "study: a\ninclude:\n  - one.yaml\n  - inner/../self.yaml\n", "self.yaml", 4, "back to itself"},
        {"ring.yaml", "include: inner/ring.yaml\n", "inner/ring.yaml", 2, "back to itself"},
        {"gone.yaml", "include:\n  - one.yaml\n  - gone/three.yaml\n", "gone.yaml", 3, "gone/three.yaml"},
        {"folder.yaml", "include: inner\n", "inner", 0, "folder"},
        {"bad.yaml", "include: inner/bad.yaml\n", "inner/bad.yaml", 2, "unknown key"},
        {"derived.yaml", "include: one.yaml\nfixed: {lanes: 3}\n", "derived.yaml", 2, "no parameter 'lanes'"},
        {"taken.yaml", "fixed:\n  tile_m: 3\ninclude: inner/taken.yaml\n", "taken.yaml", 2, "derived column"},
        {"stop.yaml", "include: one.yaml\nstop: {min_repetitions: 60}\n", "stop.yaml", 2, "is more than"},
    };
    write_file("inner/ring.yaml", "study: a\ninclude: ../ring.yaml\n");
    write_file("inner/bad.yaml", "study: a\nswep: {}\n");
    write_file("inner/taken.yaml", "fixed: {scene: open, variant: naive}\nderive: {tile_m: 2}\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct experiment_list list;
        write_file(rows[i].name, rows[i].text);
        refused(load(&list, rows[i].name, &why), rows[i].message, "");
        const size_t length = strlen(why.file), wanted = strlen(rows[i].file);
        if (length < wanted || strcmp(why.file + length - wanted, rows[i].file) || why.line != rows[i].line ||
            !why.remedy[0])
            fail_msg("%s says %s:%d: %s; %s", rows[i].name, why.file, why.line, why.message, why.remedy);
        experiment_list_finish(&list);
    }
}

TEST_GROUP(make_folder, NULL)
