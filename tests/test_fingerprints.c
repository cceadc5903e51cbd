// SPDX-License-Identifier: MIT
// Image hash, path hash and a digest of all counts of every variant of Wald 2011, on five built-in scenes at two bounce
// limits, against tests/fingerprints.txt: a table that was written before the house took in other documents. What
// changes a row of it changes what the Wald study measured. `test_fingerprints --write FILE` writes it anew.
#include <stdlib.h>
#include <string.h>

#include "trial/execute.h"

static const char *const scenes[] = {"open", "cornell", "mirror_corridor", "materials", "interior"};
static const char *const variants[] = {"naive", "whole_frame", "whole_frame_off", "tiled_global", "tiled_shared"};
static const int64_t limits[] = {2, 8};

static void add(struct hash_state *state, uint64_t value)
{
    hash_add(state, &value, sizeof value);
}

// The counts that there were when the table was written, one by one: a count that comes later changes no digest.
static void add_counts(struct hash_state *state, const struct measured_counts *row, int64_t limit)
{
    const struct bounce_counts *counts = &row->counts;
    add(state, row->launch);
    add(state, row->bounce == MEASURED_TOTALS ? (uint64_t)limit + 1 : row->bounce);
    add(state, counts->active_paths);
    add(state, counts->active_warps);
    for (int cause = 0; cause < DEATH_CAUSES; ++cause)
        add(state, counts->deaths[cause]);
    add(state, counts->shadow_rays);
    add(state, counts->occluded);
    add(state, counts->nodes);
    add(state, counts->triangles);
    add(state, counts->shadow_nodes);
    add(state, counts->shadow_triangles);
    add(state, counts->path_hash);
    for (int material = 0; material < COUNT_MATERIALS; ++material)
        add(state, counts->hits[material]);
}

static struct hash digest_of(const struct measurement *measurement, int64_t limit)
{
    struct hash_state *state = hash_begin();
    for (size_t i = 0; i < measurement->count_count; ++i)
        add_counts(state, &measurement->counts[i], limit);
    for (size_t i = 0; i < measurement->lockstep_count; ++i) {
        const struct measured_lockstep *row = &measurement->lockstep[i];
        add(state, row->launch);
        add(state, row->kind);
        add(state, row->bounce);
        add(state, row->steps.inner_steps);
        add(state, row->steps.inner_live);
        add(state, row->steps.triangle_steps);
        add(state, row->steps.triangle_live);
        add(state, row->steps.warps);
    }
    return hash_end(state);
}

static bool print_row(struct executor *executor, const char *scene, int64_t limit, const char *variant, FILE *to)
{
    struct trial_spec spec = {.device = "emulator", .parameters = parameters_default()};
    snprintf(spec.scene, sizeof spec.scene, "%s", scene);
    snprintf(spec.variant, sizeof spec.variant, "%s", variant);
    spec.parameters.width = 64;
    spec.parameters.height = 48;
    spec.parameters.max_bounces = limit;
    spec.parameters.materials = 1; // the scene's own
    const struct execute_request request = {
        .spec = &spec, .collection = COLLECTION_COUNTS, .policy = policy_once(), .keep_film = true};
    struct measurement measurement;
    struct error error = {0};
    const bool done = execute(executor, &request, &measurement, &error);
    if (done) {
        char image[HASH_TEXT], digest[HASH_TEXT];
        hash_text(measurement.image, image);
        hash_text(digest_of(&measurement, limit), digest);
        fprintf(to, "%s %lld %s %s %016llx %s\n", scene, (long long)limit, variant, image,
                (unsigned long long)measurement.path_hash, digest);
    } else {
        fprintf(stderr, "%s, %s: %s\n", scene, variant, error.message);
    }
    measurement_finish(&measurement);
    return done;
}

static bool print_table(struct executor *executor, FILE *to)
{
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; ++s)
        for (size_t b = 0; b < sizeof limits / sizeof *limits; ++b)
            for (size_t v = 0; v < sizeof variants / sizeof *variants; ++v)
                if (!print_row(executor, scenes[s], limits[b], variants[v], to))
                    return false;
    return true;
}

static int compare(FILE *wanted, FILE *found)
{
    char left[256], right[256];
    int rows = 0, differ = 0;
    rewind(found);
    while (fgets(left, sizeof left, wanted)) {
        if (left[0] == '#')
            continue;
        ++rows;
        if (fgets(right, sizeof right, found) && !strcmp(left, right))
            continue;
        ++differ;
        printf("wanted %sfound  %s", left, right);
    }
    printf("%d rows, %d differ\n", rows, differ);
    const int expected =
        (int)(sizeof scenes / sizeof *scenes * (sizeof limits / sizeof *limits) * (sizeof variants / sizeof *variants));
    return rows == expected && !differ ? 0 : 1;
}

int main(int count, char **arguments)
{
    struct executor *executor = executor_create();
    const bool write = count == 3 && !strcmp(arguments[1], "--write");
    FILE *table = count > 1 ? fopen(arguments[count - 1], write ? "w" : "r") : NULL, *found = write ? table : tmpfile();
    if (!table || !found) {
        fprintf(stderr, "usage: test_fingerprints [--write] FILE\n");
        return 2;
    }
    if (write)
        fprintf(table, "# scene, bounce limit, variant, image hash, path hash, digest of counts; 64x48, 1 path a pixel,"
                       " emulator\n");
    int result = print_table(executor, found) ? 0 : 1;
    if (!result && !write)
        result = compare(table, found);
    fclose(table);
    if (!write)
        fclose(found);
    executor_destroy(executor);
    return result;
}
