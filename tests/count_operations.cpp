// SPDX-License-Identifier: MIT
// Counts the operations of the triangle tests, from the text of the kernels themselves, and looks for the counts in the
// view that the table and the claims read: paper_figures/kdtree2015/operations.sql, the argument. What is counted gives t,
// u and v, or t and whether the triangle is met; comparisons are not counted, nor is the sum u + v that is compared.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "lib/platform.h" // that of tests/counting: from here on a float counts

#include "trees/triangle_tests.h"

static const vec3 v0 = {0, 0, 1}, v1 = {2, 0, 1}, v2 = {0, 2, 1}, origin = {0.5f, 0.25f, 0}, direction = {0, 0, 1};

static int check(const std::string &text, const char *name, operations found, float t)
{
    char row[128];
    std::snprintf(row, sizeof row, "('%s', %d, %d, %d)", name, found.mul, found.addsub, found.div);
    std::printf("%s\n", row);
    if (t.value != 1.0f)
        return std::printf("  t is %g instead of 1\n", static_cast<double>(t.value)), 1;
    if (text.find(row) == std::string::npos)
        return std::printf("  is not in the view\n"), 1;
    return 0;
}

static operations take()
{
    const operations taken = done;
    done = operations{};
    return taken;
}

int main(int count, char **words)
{
    std::ifstream file(count > 1 ? words[1] : "");
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    int wrong = 0;
    take();
    const meeting standard = meet_moeller_trumbore(v0, v1, v2, origin, direction);
    wrong += check(text, "moeller_trumbore", take(), standard.t);
    const affine_map map = {{{0.5f, 0, 0}, 0}, {{0, 0.5f, 0}, 0}, {{0, 0, 1}, -1}};
    const float t = meet_affine_plane(&map.z, origin, direction);
    const float u = meet_affine_at(&map.x, origin, direction, t), v = meet_affine_at(&map.y, origin, direction, t);
    wrong += check(text, "affine", take(), t);
    if (u.value != 0.25f || v.value != 0.125f)
        wrong += std::printf("  u, v are %g, %g\n", static_cast<double>(u.value), static_cast<double>(v.value)) > 0;
    const vec3 across = {1, 0, 0}, upward = {0, 1, 0};
    float distance = 0;
    wrong += !meet_watertight(v0, v1, v2, origin, direction, across, upward, &distance);
    wrong += check(text, "watertight", take(), distance);
    return wrong != 0;
}
