// SPDX-License-Identifier: MIT
// Arrays that grow, and the end of a program that has no memory left.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "base/hash_index.h"
#include "base/memory.h"
#include "device/emulator/faults.h"

struct row {
    size_t number;
    char text[20];
};

static void fill(struct row **rows, size_t *count, size_t until)
{
    while (*count < until) {
        const size_t number = *count;
        struct row *row = ARRAY_ADD(*rows, *count);
        assert_int_equal(*count, number + 1);
        assert_ptr_equal(row, &(*rows)[number]);
        assert_int_equal(row->number, 0);
        assert_string_equal(row->text, "");
        row->number = number;
        snprintf(row->text, sizeof row->text, "%zu", 3 * number);
    }
}

TEST(arrays_keep_what_they_hold)
{
    struct row *rows = NULL;
    size_t count = 0;
    for (size_t cut = 1000; cut; cut /= 3) { // down to any count and up again
        fill(&rows, &count, 1000 + cut);
        for (size_t i = 0; i < count; ++i) {
            assert_int_equal(rows[i].number, i);
            assert_int_equal(atoi(rows[i].text), 3 * i);
        }
        count -= cut;
    }
    count = 0;
    fill(&rows, &count, 3);
    free(rows);
}

TEST(texts_are_copied_and_made)
{
    char *text = NULL, *copy = memory_copy("abc"), *made = memory_format("%s-%d", copy, 7);
    size_t size;
    FILE *stream = memory_stream(&text, &size);
    fprintf(stream, "%s.", made);
    memory_close(stream);
    assert_string_equal(text, "abc-7.");
    assert_int_equal(size, 6);
    assert_null(memory_copy(NULL));
    free(text);
    free(copy);
    free(made);
}

TEST(what_is_too_large_is_an_error)
{
    struct error error = {0};
    struct row *rows = memory_try(3, sizeof *rows, &error, "for %d rows", 3);
    assert_non_null(rows);
    assert_int_equal(rows[2].number, 0);
    rows[2].number = 5;
    assert_true(memory_resize(&rows, 100, sizeof *rows, &error, "for %d rows", 100));
    assert_int_equal(rows[2].number, 5);
    assert_int_equal(error.kind, ERROR_NONE);

    struct row *before = rows;
    assert_false(memory_resize(&rows, SIZE_MAX / 2, sizeof *rows, &error, "to sort %s", "them"));
    assert_ptr_equal(rows, before);
    assert_int_equal(error.kind, ERROR_SYSTEM);
    assert_string_equal(error.message, "no memory to sort them");
    assert_null(memory_try(SIZE_MAX / 2, sizeof *rows, &error, "for %s", "more"));
    assert_string_equal(error.message, "no memory for more");
    free(rows);
}

static void want_too_much(void)
{
    free(memory_new(SIZE_MAX / 2, 16));
}

static void want_too_large_an_array(void)
{
    char(*rows)[SIZE_MAX / 4] = NULL;
    size_t count = 0;
    ARRAY_ADD(rows, count);
}

TEST(without_memory_the_program_says_so_and_ends)
{
    void (*const wants[])(void) = {want_too_large_an_array, want_too_much};
    // A sanitizer takes the second for a mistake, and ends the process itself.
    for (size_t i = 0; i < (faults_left_to_sanitizer() ? 1 : 2); ++i) {
        char said[100] = "";
        int pipes[2], status;
        assert_int_equal(pipe(pipes), 0);
        const pid_t child = fork();
        if (!child) {
            dup2(pipes[1], 2);
            wants[i]();
            _exit(0);
        }
        close(pipes[1]);
        assert_true(read(pipes[0], said, sizeof said - 1) > 0);
        close(pipes[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 2);
        assert_string_equal(said, "warpstudy: out of memory\n");
    }
}

// The same number again for the same hash, also after the table has grown several times.
TEST(hashes_have_numbers)
{
    enum { HASHES = 5000 };
    struct hash_index index = {0};
    bool fresh;
    for (size_t round = 0; round < 2; ++round)
        for (size_t i = 0; i < HASHES; ++i) {
            const struct hash hash = {i / 7, i % 7}; // many share their place
            assert_int_equal(hash_index_add(&index, hash, &fresh), i);
            assert_int_equal(fresh, !round);
        }
    assert_int_equal(index.count, HASHES);
    hash_index_free(&index);
}
