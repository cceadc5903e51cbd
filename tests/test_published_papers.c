// SPDX-License-Identifier: MIT
// Guards the published values of papers by what ties them to facts, quotations and words; what ties the cells of tables to one
// another is in tests/claims/published_*.yaml.
#include <math.h>

#include "check.h"
#include "published_support.h"

static struct published *published; // of the paper under test

static int off(double value, double expected, double by)
{
    return !(fabs(value - expected) <= by); // also of NaN
}

static double at(const char *table, const char *row, const char *column)
{
    return published_value(published, table, row, column);
}

// ---- cmu2023

enum { SCENES = 7 };
static const char *const scenes[SCENES] = {"Bathroom", "Salle de bain", "Dining Room", "Dragon",
                                           "Kitchen",  "Spaceship",     "Landscape"};

// The ranges that the text prints are those of Table 2; paths per second of two stages.
TEST(test_cmu)
{
    static const double mpaths[SCENES] = {6.41, 19.48, 9.30, 91.25, 13.57, 4.03, 0.61};
    published = published_of("cmu2023");
    double least = INFINITY, most = 0, least_cpu = INFINITY, most_cpu = 0;
    for (int s = 0; s < SCENES; ++s) {
        const double wave2 = at("table2", scenes[s], "wave2"), gain = at("table2", scenes[s], "mega") / wave2,
                     cpu = at("table2", scenes[s], "cpu") / wave2;
        least = fmin(least, gain);
        most = fmax(most, gain);
        least_cpu = fmin(least_cpu, cpu);
        most_cpu = fmax(most_cpu, cpu);
        assert_false(off(published_number(published, "setup", "pixels") / wave2 / 1e6, mpaths[s], 0.0051));
    }
    char text[40];
    snprintf(text, sizeof text, "%.2f-%.2f", least, most);
    assert_string_equal(published_quote(published, "Q01")->value, text);
    snprintf(text, sizeof text, "%.2f-%.2f", least_cpu, most_cpu);
    assert_string_equal(published_quote(published, "Q02")->value, text);
    assert_int_equal(published->width * published->height, 921600);
    assert_int_equal(published_number(published, "setup", "pixels"), 921600);
    published_free(published);
}

// ---- volpt2018

static const char *const volumes[] = {"cgg_logo", "ad", "artifix", "manix"};

// The misprint: the bounded row among the unbounded.
static void check_volpt_printed(void)
{
    static const char row[] = "regenerationSK (warp)";
    for (size_t v = 0; v < sizeof volumes / sizeof *volumes; ++v) {
        const double bounded = at("table44", row, volumes[v]);
        assert_float_equal(published_printed(published, "table45", row, volumes[v]), bounded, 0);
        assert_float_equal(published_printed(published, "table46", row, volumes[v]), bounded, 0);
    }
}

TEST(test_volpt)
{
    published = published_of("volpt2018");
    check_volpt_printed();
    // 64 registers of 65,536 leave 32 warps of 64; 3.91 rays a second would take 47.4 days.
    const double registers = published_number(published, "setup", "registers_per_multiprocessor");
    assert_int_equal(registers / (64 * 32), 32);
    assert_string_equal(published_said(published, "parameters", "occupancy_at_64_registers"), "50 %");
    assert_false(off(400.0 * 400 * 100 / at("table41", "naiveSK", "rate") / 86400, 47.4, 0.051));
    assert_int_equal(published_number(published, "parameters", "morton_key_bits"),
                     3 * published_number(published, "parameters", "morton_bits_per_axis"));
    assert_string_equal(published_said(published, "external", "table42.resolution"), "1920, 1920");
    assert_int_equal(published->width, 0); // not stated
    assert_int_equal(published->year, 0);
    published_free(published);
}

// ---- kdtree2015

static int check_kdtree(void)
{
    const double mul = published_printed(published, "triangle_test", "standard", "mul"),
                 add = at("triangle_test", "standard", "addsub"), woop_mul = at("triangle_test", "woop", "mul"),
                 woop_add = published_printed(published, "triangle_test", "woop", "addsub"),
                 pointers = at("node_layouts", "pointer tree", "bytes"), packed = at("node_layouts", "packed", "bytes"),
                 line = published_number(published, "setup", "memory_line"),
                 left = at("node_bits", "left_child", "bits"), count = at("node_bits", "triangle_count", "bits");
    int wrong = off(1 - woop_mul / mul, 0.2308, 0.00006) + off(1 - woop_add / add, 0.4348, 0.00006) +
                off(1 - (woop_mul + woop_add) / (mul + add), 0.3265, 0.00006);
    wrong += off(1 - packed / pointers, 0.36, 1e-9) + off(line / pointers, 5.12, 1e-9) + off(line / packed, 8, 1e-9);
    wrong += pointers != 1 + 6 * 4; // a byte that tells a leaf, and six words
    wrong += at("node_layouts", "packed", "words") * 4 != packed;
    wrong += at("node_bits", "axis", "bits") + count + at("node_bits", "is_leaf", "bits") + left != 32;
    wrong += exp2(left) != published_number(published, "parameters", "max_nodes");
    wrong += exp2(count) - 1 != published_number(published, "parameters", "max_triangles_per_leaf");
    // Counted in code: the numbers that the misprints are corrected to.
    return wrong + (at("triangle_test", "standard", "mul") != 27) + (at("triangle_test", "woop", "addsub") != 17);
}

TEST(test_kdtree)
{
    published = published_of("kdtree2015");
    assert_int_equal(check_kdtree(), 0);
    published_corrupt_numbers(published, check_kdtree);
    assert_string_equal(published_said(published, "paper", "year_least"), "2015");
    published_free(published);
}

// ---- frolov2015: the walk-through of Listing 1

enum { TILES = 16, POOL = 8, STEPS = 11 };

// "F E A B" to 4 characters; X, an empty slot, included. The length, or -1 where it is not tiles and blanks.
static int parse_tiles(const char *text, char tiles[TILES + 1])
{
    int count = 0;
    for (; *text; text += text[1] == ' ' ? 2 : 1) {
        if (count == TILES || !strchr("0123456789ABCDEFX", *text) || (text[1] && text[1] != ' '))
            return -1;
        tiles[count++] = *text;
    }
    tiles[count] = '\0';
    return count;
}

struct step {
    char pool[TILES + 1], queue[TILES + 1];
    const char *event;
    int slots, waiting;
};

static struct step read_step(int number)
{
    char row[12];
    struct step step;
    snprintf(row, sizeof row, "%d", number);
    const char *full = published_words(published, "listing1", row, "queue_in_full");
    step.slots = parse_tiles(published_words(published, "listing1", row, "pool"), step.pool);
    step.waiting = parse_tiles(full[0] ? full : published_words(published, "listing1", row, "queue"), step.queue);
    step.event = published_words(published, "listing1", row, "event");
    return step;
}

// What an event says: "9,5 -> D,3", old tiles and new ones in the order of the slots.
static int check_event(const struct step *before, const struct step *after)
{
    char text[80] = "";
    size_t used = 0;
    for (int side = 0; side < 2; ++side) {
        bool more = false;
        for (int i = 0; i < POOL; ++i)
            if (before->pool[i] != after->pool[i]) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%c", more ? "," : "",
                                         side ? after->pool[i] : before->pool[i]);
                more = true;
            }
        if (!side && more)
            used += (size_t)snprintf(text + used, sizeof text - used, " -> ");
    }
    return strcmp(text, before->event) != 0;
}

// New tiles come from the queue's head in the order of the slots; X where it is empty.
static int check_step(const struct step *before, const struct step *after)
{
    int taken = 0, wrong = 0;
    if (before->slots != POOL || after->slots != POOL || before->waiting < 0 || after->waiting < 0)
        return 1;
    for (int i = 0; i < POOL; ++i) {
        if (before->pool[i] == after->pool[i])
            continue;
        const char next = taken < before->waiting ? before->queue[taken++] : 'X';
        wrong += after->pool[i] != next;
    }
    return wrong + (strcmp(before->queue + taken, after->queue) != 0);
}

static int check_listing(void)
{
    struct step steps[STEPS + 1];
    int wrong = 0;
    char order[TILES + 1] = "", row[12];
    for (int i = 1; i <= STEPS; ++i)
        steps[i] = read_step(i);
    for (int i = 0; i < TILES; ++i) {
        snprintf(row, sizeof row, "%d", i + 1);
        order[i] = published_words(published, "listing1_order", row, "tile")[0];
        wrong += strchr(order, order[i]) != order + i; // each tile enters once
        wrong += (strchr("0148C", order[i]) != NULL) !=
                 !strcmp(published_words(published, "listing1_order", row, "depth_one"), "yes");
    }
    wrong += strcmp(steps[1].pool, "XXXXXXXX") != 0 || strcmp(steps[1].queue, order) != 0 || steps[1].event[0];
    for (int i = 1; i < STEPS; ++i) {
        wrong += check_step(&steps[i], &steps[i + 1]);
        wrong += i > 1 && check_event(&steps[i], &steps[i + 1]); // the first filling has none
    }
    return wrong + (steps[STEPS].event[0] != '\0');
}

// What the cells print where they are misprinted or shortened, against the right ones.
static int check_listing_printed(void)
{
    const struct published_table *table = published_table(published, "listing1");
    int wrong = 0, corrected = 0;
    for (size_t i = 0; i < table->row_count; ++i) {
        const struct published_cell *queue = published_cell(table, table->row_keys[i], "queue"),
                                    *full = published_cell(table, table->row_keys[i], "queue_in_full"),
                                    *pool = published_cell(table, table->row_keys[i], "pool");
        const size_t shown = strcspn(queue->printed, ".");
        wrong += (queue->printed[shown] == '.') != (full->printed != NULL);
        wrong += full->printed && strncmp(queue->printed, full->printed, shown) != 0;
        if (queue->misprint) // F-M2: 0 and 4 are left out
            wrong += strcmp(queue->printed, "D 3 2 1 8 C") != 0;
        if (pool->misprint) // F-M1: 2 in the eighth slot
            wrong += strlen(pool->printed) != 15 || strncmp(pool->printed, pool->corrected, 14) != 0 ||
                     pool->printed[14] != '2';
        corrected += (queue->misprint != NULL) + (pool->misprint != NULL);
    }
    return wrong + (corrected != 7);
}

static int check_frolov(void)
{
    return check_listing() + check_listing_printed();
}

// Every tile of the walk-through, put to another, must be found out; so must what is printed there.
static void corrupt_listing(void)
{
    const struct published_table *table = published_table(published, "listing1");
    int cells = 0;
    for (size_t i = 0; i < table->row_count * table->column_count; ++i) {
        struct published_cell *cell = &table->cells[i];
        const char **texts[] = {&cell->printed, &cell->corrected};
        for (int t = 0; t < 2; ++t) {
            char other[PUBLISHED_TEXT];
            const char *good = *texts[t];
            const bool event = !strcmp(table->columns[i % table->column_count].name, "event");
            if (!good || !good[0] || (event && cell->corrected && !t))
                continue;
            snprintf(other, sizeof other, "%s", good);
            other[0] = good[0] == '7' ? '6' : '7';
            *texts[t] = other;
            if (!check_frolov())
                fail_msg("listing1, row %s: '%s' may be anything", table->row_keys[i / table->column_count], good);
            *texts[t] = good;
            ++cells;
        }
    }
    assert_true(cells > 30);
    assert_int_equal(check_frolov(), 0);
}

TEST(test_frolov)
{
    published = published_of("frolov2015");
    assert_int_equal(check_frolov(), 0);
    corrupt_listing();
    const double slots = published_number(published, "parameters", "tile_slots"),
                 threshold = published_number(published, "parameters", "regeneration_threshold");
    assert_int_equal(slots, 16 * 16);
    assert_int_equal(published_number(published, "parameters", "warps_per_tile"), slots / 32);
    // dead > threshold * live is dead / all > 1/3, which lies within the gaps that cost nothing.
    assert_false(off(threshold / (1 + threshold), 1 / 3.0, 1e-12));
    assert_string_equal(published_said(published, "parameters", "dead_gaps_tolerated"), "0.25, 0.50");
    assert_string_equal(published_quote(published, "Q03")->value, "25-50");
    // Six launches a bounce without regeneration: all kernels but one.
    int kernels = 1;
    for (const char *text = published_said(published, "parameters", "kernels"); (text = strchr(text, ',')); ++text)
        ++kernels;
    assert_int_equal(kernels, published_number(published, "parameters", "kernel_count"));
    assert_int_equal(kernels - 1, 6);
    assert_int_equal(published_table(published, "tests")->row_count, 4);
    published_free(published);
}
