// SPDX-License-Identifier: MIT
// Whose results count in a report where databases of two programs were merged, and what tables say of it.
#include <unistd.h>

#include "check.h"
#include "ask_support.h"
#include "folder_support.h"
#include "report_support.h"
#include "report/papers/prepare.h"
#include "sql/statement.h"
#include "store/merge.h"
#include "store/store_handle.h"
#include "store/tables.h"

enum { FRAME = 1 << COLLECTION_FRAME, STAGES = 1 << COLLECTION_LAUNCHES };

static char names[3][96];
static const char *const paths[] = {names[0], names[1]};

static int name_databases(void **state)
{
    static const char *const stems[] = {"large", "small", "into"};
    const char *folder = folder_new();
    for (int i = 0; i < 3; ++i)
        snprintf(names[i], sizeof names[i], "%s/%s.db", folder, stems[i]);
    return 0;
}

static struct store *open_file(const char *path, enum store_mode mode)
{
    return made(store_open(path, mode, &why));
}

// One trial, measured by the program `harness`.
static void add(struct store *store, int64_t run, const char *harness, const char *variant, uint32_t collections)
{
    struct made made = made_fairy(variant, fairy_warps);
    made.harness = harness, made.device = "cuda";
    const double seconds[] = {0.1, 0.101, 0.099};
    const struct measured_launch launch = {.bounce = 0, .seconds = 0.05};
    const int64_t trial = made_asked(store, run, &made, collections);
    if (collections & FRAME)
        made_frames(store, run, trial, &made, seconds, 3, 100);
    if (collections & STAGES)
        made_launches(store, run, trial, &made, &launch, 1, 0.001, 100);
}

// A database of one program, that measured `variants`, ended by NULL.
static void make(int which, const char *harness, const char *const *variants, uint32_t collections)
{
    unlink(names[which]);
    struct store *store = open_file(names[which], STORE_WRITE);
    const int64_t run = made_run(store, which ? "small" : "large");
    for (; *variants; ++variants)
        add(store, run, harness, *variants, collections);
    store_close(store);
}

static void merge(const int *order)
{
    struct merge_counts counts;
    unlink(names[2]);
    struct store *to = open_file(names[2], STORE_WRITE);
    need(store_merge_begin(to, &why));
    for (int i = 0; i < 2; ++i) {
        struct store *from = open_file(paths[order[i]], STORE_READ);
        need(store_merge(to, from, &counts, &why));
        store_close(from);
    }
    need(store_merge_end(to, &why));
    store_close(to);
}

// What a query finds in the merged file after the choice.
static void check(const char *run, const char *sql, const char *wanted)
{
    struct store *store = open_file(names[2], STORE_READ);
    need(store_prefer_programs(store, "wald2011", run, &why));
    assert_string_equal(ask(store, sql), wanted);
    store_close(store);
}

static const char counting[] =
    "SELECT group_concat(variant || harness || collection, ' ') FROM (SELECT t.variant, t.harness, "
    "a.collection FROM done_attempt AS a JOIN trial_record AS t ON t.id = a.trial ORDER BY 1, 2, 3)",
                  others[] = "SELECT group_concat(variant || harness, ' ') FROM (SELECT t.variant, t.harness FROM "
                             "other_program AS o JOIN trial_record AS t ON t.id = o.trial ORDER BY 1, 2)";
static const int orders[2][2] = {{0, 1}, {1, 0}};
static const char *const both[] = {"naive", "whole_frame", NULL}, *const one[] = {"naive", NULL},
                         *const another[] = {"tiled_global", NULL};

TEST(most_results_count)
{
    make(0, "p", both, FRAME | STAGES);
    make(1, "q", one, FRAME);
    for (int i = 0; i < 2; ++i) {
        merge(orders[i]);
        check(NULL, counting, "naivepframe naiveplaunches whole_framepframe whole_frameplaunches");
        check(NULL, others, "NULL");
        check("small", counting, "naivepframe naiveplaunches naiveqframe whole_framepframe whole_frameplaunches");
    }
}

// What nobody else measured is not left out, nor a case of which this program measured more.
TEST(nothing_is_lost)
{
    make(0, "p", both, FRAME);
    make(1, "q", another, FRAME);
    merge(orders[0]);
    check(NULL, counting, "naivepframe tiled_globalqframe whole_framepframe");
    check(NULL, others, "tiled_globalq");
    make(0, "p", (const char *const[]){"naive", "whole_frame", "tiled_global", NULL}, FRAME);
    make(1, "q", one, FRAME | STAGES);
    merge(orders[0]);
    check(NULL, counting, "naivepframe naiveqframe naiveqlaunches tiled_globalpframe whole_framepframe");
    check(NULL, others, "naiveq");
}

// The same program on two machines; and a new program in the same file, which was asked for.
TEST(others_are_as_before)
{
    make(0, "p", both, FRAME);
    make(1, "p", one, FRAME);
    merge(orders[0]);
    check(NULL, counting, "naivepframe naivepframe whole_framepframe");
    make(0, "p", both, FRAME);
    struct store *store = open_file(names[0], STORE_WRITE);
    add(store, made_run(store, "again"), "q", "naive", FRAME);
    store_close(store);
    make(1, "p", (const char *const[]){"whole_frame", NULL}, FRAME);
    merge(orders[0]);
    check(NULL, counting, "naivepframe naiveqframe whole_framepframe whole_framepframe");
    check(NULL, others, "naiveq");
}

TEST(tables_name_the_other)
{
    struct bench bench;
    bench_open(&bench);
    for (int i = 0; i < 3; ++i)
        add(bench.store, bench.run, i == 2 ? "q" : "p",
            i == 0   ? "naive"
            : i == 1 ? "tiled_global"
                     : "whole_frame",
            FRAME);
    bench_table(&bench, "table1", (struct report_options){.all = true});
    const struct report_panel *panel = &bench.table->panels[0];
    const char *alone = "", *part = "";
    for (size_t i = 0; i < panel->row_count; ++i)
        for (size_t k = 0; k < bench.table->definition->column_count; ++k) {
            const struct report_cell *cell = &panel->rows[i].cells[k];
            const bool noted = strstr(cell->flags, "by another program than most of this page");
            alone = strstr(cell->flags, "measured by another") ? cell->trials : alone;
            part = strstr(cell->flags, "measured in part by another") ? cell->trials : part;
            assert_int_equal(noted, !isnan(cell->value) && strchr(cell->trials, '3') != NULL);
        }
    assert_string_equal(alone, "3");
    assert_string_equal(part, "3, 1");
    bench_close(&bench);
}

TEST_GROUP(name_databases, NULL)
