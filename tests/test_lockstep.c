// SPDX-License-Identifier: MIT
// The lockstep model, against one that steps a warp symbol by symbol.
#include "check.h"
#include "base/random.h"
#include "emulator_rig.h"

// A traversal as text: an 'i' for each inner step, a 't' for each triangle test, a '.' where a round ends.
struct tape {
    char text[512];
    size_t at;
    uint32_t seed, inner, tests; // steps of either kind that have been taken
};

static struct tape tape_of(const struct script_traversal *traversal)
{
    struct tape tape = {.seed = traversal->seed};
    size_t length = 0;
    for (uint32_t round = 0; round < traversal->round_count; round++) {
        memset(tape.text + length, 'i', traversal->inner[round]);
        length += traversal->inner[round];
        memset(tape.text + length, 't', traversal->triangles[round]);
        length += traversal->triangles[round];
        tape.text[length++] = '.';
    }
    return tape;
}

// The n-th piece of memory of 32 bytes that a lane reads in the step at which it stands; false where there is no more.
static bool piece_of(const struct tape *tape, char symbol, uint32_t n, uint32_t *piece)
{
    const uint32_t place =
        symbol == 'i' ? script_place(tape->seed, tape->inner) : script_place(tape->seed + 1, tape->tests);
    *piece = place / PLACE_SECTORS + n;
    return tape->text[tape->at] == symbol && n <= place % PLACE_SECTORS;
}

// Distinct multiples of `size` pieces that lanes at a step read: those that no lane before them reads, nor they
// themselves before.
static uint32_t read_of(const struct tape *tapes, uint32_t count, char symbol, uint32_t size)
{
    uint32_t seen[PLACE_SECTORS * 64], found = 0, piece;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = 0; piece_of(&tapes[i], symbol, n, &piece); n++) {
            uint32_t k = 0;
            while (k < found && seen[k] != piece / size)
                k++;
            seen[k] = piece / size;
            found += k == found;
        }
    return found;
}

// One step of the lanes that stand at `symbol`; how many did.
static uint32_t step_tapes(struct tape *tapes, uint32_t count, char symbol)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tapes[i].text[tapes[i].at] == symbol) {
            tapes[i].at++;
            tapes[i].inner += symbol == 'i';
            tapes[i].tests += symbol == 't';
            live++;
        }
    return live;
}

// Counts the step that lanes at 'i' are about to take where two of them answer one of the questions differently.
static void ask(const struct tape *tapes, uint32_t count, struct device_lockstep *row)
{
    static const uint32_t first[STEP_QUESTIONS + 1] = {0, 2, 4, 7}; // bits of each question
    for (uint32_t question = 0; question < STEP_QUESTIONS; question++) {
        uint32_t answers = 0;
        for (uint32_t bit = first[question]; bit < first[question + 1]; bit++) {
            bool given = false;
            for (uint32_t i = 0; i < count; i++)
                given = given || (tapes[i].text[tapes[i].at] == 'i' &&
                                  (script_answers(tapes[i].seed, tapes[i].inner) >> bit & 1u));
            answers += given;
        }
        row->parted_steps[question] += answers > 1;
    }
}

// Adds what the step reads that lanes at `symbol` are about to take.
static void read_memory(const struct tape *tapes, uint32_t count, char symbol, struct device_lockstep *row)
{
    if (symbol == 'i') {
        row->node_lines += read_of(tapes, count, 'i', 4);
        row->node_sectors += read_of(tapes, count, 'i', 1);
        ask(tapes, count, row);
    } else {
        row->triangle_lines += read_of(tapes, count, 't', 4);
    }
}

// `full`: all lanes of the warp have one. `closest`: what steps read is recorded.
static void play_tapes(struct tape *tapes, uint32_t count, bool full, bool closest, struct device_lockstep *row)
{
    row->warps++;
    do {
        if (closest)
            read_memory(tapes, count, 'i', row);
        for (uint32_t live; (live = step_tapes(tapes, count, 'i')) > 0; row->inner_steps++) {
            row->inner_live += live;
            row->full_inner_steps += full;
            row->full_inner_live += full ? live : 0;
            if (closest)
                read_memory(tapes, count, 'i', row);
        }
        if (closest)
            read_memory(tapes, count, 't', row);
        for (uint32_t live; (live = step_tapes(tapes, count, 't')) > 0; row->triangle_steps++) {
            row->triangle_live += live;
            row->full_triangle_steps += full;
            row->full_triangle_live += full ? live : 0;
            if (closest)
                read_memory(tapes, count, 't', row);
        }
    } while (step_tapes(tapes, count, '.') > 0);
}

enum { MODEL_BOUNCES = 8 };

// The k-th traversal of `kind` in [first, last) of each lane, as one traversal of the warp. False where there is none.
static bool play_kth(const struct script *lanes, uint32_t count, uint32_t kind, uint32_t k, uint32_t first,
                     uint32_t last, struct device_lockstep *rows, struct device_lockstep *entered)
{
    struct tape tapes[64], again[64];
    uint32_t found = 0, bounce = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t seen = 0;
        for (uint32_t i = first; i < last && i < lanes[lane].traversal_count; i++) {
            const struct script_traversal *traversal = &lanes[lane].traversals[i];
            if (traversal->kind != kind || seen++ != k)
                continue;
            bounce = found == 0 ? traversal->bounce : bounce;
            tapes[found++] = tape_of(traversal);
        }
    }
    if (found == 0)
        return false;
    memcpy(again, tapes, sizeof again);
    if (kind == 0)
        play_tapes(again, found, found == count, true, &entered[found - 1]);
    play_tapes(tapes, found, found == count, kind == 0,
               &rows[kind * MODEL_BOUNCES + (bounce < MODEL_BOUNCES ? bounce : MODEL_BOUNCES - 1)]);
    return true;
}

static void play_warp(const struct script *lanes, uint32_t count, enum script_votes votes, struct device_lockstep *rows,
                      struct device_lockstep *entered)
{
    const uint32_t together = votes == SCRIPT_NO_VOTES ? SCRIPT_TRAVERSALS : 1;
    for (uint32_t first = 0; first < SCRIPT_TRAVERSALS; first += together)
        for (uint32_t kind = 0; kind < 2; kind++)
            for (uint32_t k = 0; play_kth(lanes, count, kind, k, first, first + together, rows, entered); k++)
                ;
}

static struct script_traversal random_traversal(uint64_t *random)
{
    struct script_traversal traversal = {
        random_below(random, 2),  random_below(random, 10), random_below(random, SCRIPT_ROUNDS + 1), {0}, {0},
        random_below(random, 100)};
    for (uint32_t i = 0; i < traversal.round_count; i++) {
        // A lane that votes may wait through a phase, or through a round.
        traversal.inner[i] = random_below(random, 4) == 0 ? 0 : 1 + random_below(random, 20);
        traversal.triangles[i] = random_below(random, 5);
    }
    return traversal;
}

static struct script *random_scripts(struct rig *rig, uint32_t count, bool equal_counts, uint64_t seed)
{
    struct script *scripts = rig->device->ops->alloc(rig->device, count * sizeof *scripts, NULL);
    uint64_t random = seed * 2 + 1;
    for (uint32_t lane = 0; lane < count; lane++) {
        scripts[lane].traversal_count = equal_counts ? SCRIPT_TRAVERSALS : random_below(&random, SCRIPT_TRAVERSALS + 1);
        for (uint32_t i = 0; i < SCRIPT_TRAVERSALS; i++)
            scripts[lane].traversals[i] = random_traversal(&random);
    }
    return scripts;
}

static void check_model(uint32_t width, enum script_votes votes, uint32_t threads)
{
    enum { GRID = 5, BLOCK = 75 };
    struct device_lockstep expected[2 * MODEL_BOUNCES] = {0}, actual[2 * MODEL_BOUNCES];
    struct device_lockstep entered[DEVICE_ENTRY_LANES] = {0}, found[DEVICE_ENTRY_LANES];
    struct rig rig = rig_open((struct device_settings){.warp_width = width, .threads = threads}, true);
    rig_reserve(&rig, GRID * BLOCK);
    rig.device->ops->release(rig.device, (void *)(uintptr_t)rig.args.in);
    struct script *scripts = random_scripts(&rig, GRID * BLOCK, votes == SCRIPT_VOTES_WITHIN, width);
    rig.args.in = (const uint32_t *)(const void *)scripts;
    rig.args.a = votes;
    for (uint32_t block = 0; block < GRID; block++)
        for (uint32_t first = 0; first < BLOCK; first += width)
            play_warp(scripts + block * BLOCK + first, warp_end(first, width, BLOCK) - first, votes, expected, entered);
    rig_run(&rig, "play", GRID, BLOCK, 0);
    assert_true(rig.device->ops->take_lockstep(rig.device, actual, 2, MODEL_BOUNCES, found));
    assert_true(expected[0].inner_steps > 0);
    assert_true(width == 1 || (expected[0].parted_steps[0] > 0 && expected[0].parted_steps[2] > 0));
    assert_memory_equal(actual, expected, sizeof expected);
    assert_memory_equal(found, entered, sizeof entered);
    rig.device->ops->take_lockstep(rig.device, actual, 2, MODEL_BOUNCES, found);
    memset(expected, 0, sizeof expected);
    memset(entered, 0, sizeof entered);
    assert_memory_equal(actual, expected, sizeof expected);
    assert_memory_equal(found, entered, sizeof entered);
    rig_close(&rig);
}

TEST(lockstep_model_equals_a_naive_one)
{
    for (uint32_t w = 0; w < WIDTHS; w++)
        for (int votes = SCRIPT_NO_VOTES; votes <= SCRIPT_BARRIERS; votes++) {
            check_model(widths[w], (enum script_votes)votes, 1);
            check_model(widths[w], (enum script_votes)votes, 3);
        }
}

TEST(clean_kernels_record_nothing)
{
    struct device_lockstep none[DEVICE_ENTRY_LANES] = {0}, actual[2 * 4], entered[DEVICE_ENTRY_LANES];
    struct rig rig = rig_open((struct device_settings){.threads = 1}, false);
    rig_reserve(&rig, 32);
    rig.device->ops->release(rig.device, (void *)(uintptr_t)rig.args.in);
    rig.args.in = (const uint32_t *)(const void *)random_scripts(&rig, 32, true, 1);
    rig_run(&rig, "play", 1, 32, 0);
    assert_true(rig.device->ops->take_lockstep(rig.device, actual, 2, 4, entered));
    assert_memory_equal(actual, none, sizeof actual);
    assert_memory_equal(entered, none, sizeof none);
    rig_close(&rig);
}

TEST(a_round_outside_a_traversal_is_a_fault)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, true);
    rig_reserve(&rig, 64);
    rig.args.a = 2;
    refused(rig_launch(&rig, "round_outside", 2, 32, 0, &why), "", "");
    assert_string_equal(why.message, "kernel round_outside: block 0, lane 2: records a round outside a traversal");
    rig_close(&rig);
}

TEST(answers_without_a_step_are_a_fault)
{
    static const char *const messages[] = {"records a round of which some steps have no answers",
                                           "records the answers of a step that reads no node, or behind steps without "
                                           "answers"};
    for (uint32_t stray = 0; stray < 2; stray++) {
        struct rig rig = rig_open((struct device_settings){.threads = 1}, true);
        char message[200];
        rig_reserve(&rig, 64);
        rig.args.a = stray ? 99 : 3;
        rig.args.b = stray ? 3 : 99;
        refused(rig_launch(&rig, "stray_answers", 2, 32, 0, &why), "", "");
        snprintf(message, sizeof message, "kernel stray_answers: block 0, lane 3: %s", messages[stray]);
        assert_string_equal(why.message, message);
        rig_close(&rig);
    }
}

TEST(nodes_that_no_step_has_read_are_a_fault)
{
    struct rig rig = rig_open((struct device_settings){.threads = 1}, true);
    rig_reserve(&rig, 64);
    rig.args.a = 5;
    refused(rig_launch(&rig, "unread_nodes", 2, 32, 0, &why), "", "");
    assert_string_equal(why.message, "kernel unread_nodes: block 0, lane 5: records a round of 3 inner steps that read "
                                     "another number of nodes");
    refused(rig_launch(&rig, "unread_triangles", 2, 32, 0, &why), "", "");
    assert_string_equal(why.message,
                        "kernel unread_triangles: block 0, lane 5: records a round of 3 triangle tests that read "
                        "another number of triangles");
    rig_close(&rig);
}
