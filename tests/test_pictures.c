// SPDX-License-Identifier: MIT
// Pictures kept in the database, and the contact sheet that a report makes of them without the scenes' files.

#include "check.h"
#include "folder_support.h"
#include "base/image.h"
#include "report/pictures.h"
#include "report_support.h"
#include "store/picture.h"

enum { WIDE = 20, HIGH = 12 };

static bool gnuplot_is_there(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

// A picture in one shade; to be freed.
static char *shade(float brightness, size_t *size)
{
    float radiance[WIDE * HIGH * 3];
    char *jpeg;
    for (size_t i = 0; i < sizeof radiance / sizeof *radiance; ++i)
        radiance[i] = brightness;
    need(image_encode_jpeg(radiance, WIDE, HIGH, 0, &jpeg, size, &why));
    return jpeg;
}

static void put_of(struct store *store, const char *scene, const char *camera, const char *content, float brightness,
                   int32_t paths)
{
    struct store_picture picture = {.scene = scene,
                                    .scene_content = content,
                                    .camera = camera,
                                    .width = WIDE,
                                    .height = HIGH,
                                    .spp = paths,
                                    .image = "0123456789abcdef0123456789abcdef"};
    char *jpeg = shade(brightness, &picture.size);
    picture.jpeg = jpeg;
    need(store_put_picture(store, &picture, &why));
    free(jpeg);
}

static void put(struct store *store, const char *scene, const char *camera, const char *content, float brightness)
{
    put_of(store, scene, camera, content, brightness, 4);
}

// ---- the store

struct seen {
    size_t count, stop_after;
    char scenes[8][32], contents[8][32];
    size_t sizes[8];
    unsigned char first[8][64];
};

static bool see(void *context, const struct store_picture *picture)
{
    struct seen *seen = context;
    snprintf(seen->scenes[seen->count], sizeof seen->scenes[0], "%s", picture->scene);
    snprintf(seen->contents[seen->count], sizeof seen->contents[0], "%s", picture->scene_content);
    assert_int_equal(picture->width, WIDE);
    assert_int_equal(picture->height, HIGH);
    assert_int_equal(picture->spp, 4);
    assert_string_equal(picture->image, "0123456789abcdef0123456789abcdef");
    assert_true(picture->size > 40);
    memcpy(seen->first[seen->count], picture->jpeg, 40);
    seen->sizes[seen->count] = picture->size;
    return ++seen->count != seen->stop_after;
}

TEST(test_kept)
{
    struct seen seen = {0};
    struct store *store = made(store_open("", STORE_MEMORY, &why));
    need(store_each_picture(store, see, &seen, &why));
    assert_int_equal(seen.count, 0);
    put(store, "forest", "", "one", 0.25F);
    put(store, "forest", "side", "one", 0.25F);
    put(store, "forest", "", "two", 0.5F);
    put(store, "forest", "", "one", 0.75F); // in the place of the first
    need(store_each_picture(store, see, &seen, &why));
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.contents[1], "two");
    assert_string_equal(seen.contents[2], "one");
    size_t size;
    char *jpeg = shade(0.75F, &size);
    assert_int_equal(seen.sizes[2], size);
    assert_memory_equal(seen.first[2], jpeg, 40);
    free(jpeg);
    seen = (struct seen){.stop_after = 1};
    need(store_each_picture(store, see, &seen, &why));
    assert_int_equal(seen.count, 1);
    seen = (struct seen){0}; // and again, after one that was stopped
    need(store_each_picture(store, see, &seen, &why));
    assert_int_equal(seen.count, 3);
    store_close(store);
}

// ---- the sheet

struct sheet {
    char database[100], output[100];
    char *remarks;
};

static void sheet_open(struct sheet *sheet)
{
    const char *folder = folder_new();
    snprintf(sheet->database, sizeof sheet->database, "%s/p.db", folder);
    snprintf(sheet->output, sizeof sheet->output, "%s/out", folder);
    assert_int_equal(setenv("WARPSTUDY_DATA", folder, 1), 0); // no scene's own files
    sheet->remarks = NULL;
}

static bool sheet_make(struct sheet *sheet, const char *scene)
{
    size_t size;
    struct staging staging = {0};
    struct plots plots = {0};
    struct paper *paper = made(paper_load("wald2011", &why));
    free(sheet->remarks);
    FILE *remarks = open_memstream(&sheet->remarks, &size);
    need(staging_begin(&staging, sheet->output, &why));
    const bool made = pictures_make(&staging, &plots, paper, paper_figure_find(paper, "figure1"), sheet->database,
                                    scene, remarks, &why) &&
                      plot_finish(&plots, &why) == PLOT_DONE;
    fclose(remarks);
    if (made)
        need(staging_commit(&staging, &why));
    staging_abandon(&staging);
    paper_free(paper);
    return made;
}

static char *file_text(const struct sheet *sheet, const char *name, size_t *size)
{
    char path[200], *text = calloc(1, 1 << 20);
    snprintf(path, sizeof path, "%s/%s", sheet->output, name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(text);
    if (!stream)
        fail_msg("there is no %s", path);
    *size = fread(text, 1, (1 << 20) - 1, stream);
    fclose(stream);
    return text;
}

// Of the newest contents, in the paper's order; what is missing is told with the commands that make it.
TEST(test_sheet)
{
    struct sheet sheet;
    size_t size, wanted;
    sheet_open(&sheet);
    struct store *store = made(store_open(sheet.database, STORE_WRITE, &why));
    put(store, "villa", "", "a", 0.5F);
    put(store, "open", "", "a", 0.5F);
    put(store, "forest", "", "old", 0.1F);
    put(store, "forest", "", "new", 0.9F);
    put(store, "forest", "side", "new", 0.3F);
    put_of(store, "villa", "", "a", 0.7F, 1); // of fewer paths than the one before
    put(store, "no such scene", "", "a", 0.3F);
    store_close(store);
    need(sheet_make(&sheet, NULL));
    char *list = file_text(&sheet, "figure1.csv", &size);
    const char *open = strstr(list, "open.jpg,\"open for fairy\",20,12,4,"),
               *forest = strstr(
                   list, "forest.jpg,\"forest for fairy\",20,12,4,0123456789abcdef0123456789abcdef,new,scene\r\n"),
               *villa = strstr(list, "villa.jpg,\"villa for dreamhome\",20,12,4,");
    assert_true(open && forest && villa && open < villa && forest < villa);
    assert_null(strstr(list, "no such"));
    free(list);
    char *jpeg = file_text(&sheet, "forest.jpg", &size);
    char *bright = shade(0.9F, &wanted);
    assert_int_equal(size, wanted);
    assert_memory_equal(jpeg, bright, size);
    free(jpeg);
    free(bright);
    assert_non_null(strstr(sheet.remarks, "armadillo, for troll is left out because no picture of it is stored; "));
    assert_non_null(strstr(sheet.remarks, "warpstudy render armadillo --store --db "));
    if (gnuplot_is_there())
        for (size_t i = 0; i < 3; ++i) {
            char *drawn =
                file_text(&sheet, (const char *const[]){"figure1.svg", "figure1.pdf", "figure1.png"}[i], &size);
            assert_true(size > 2000);
            assert_true(i > 0 || (strstr(drawn, "for fairy") && strstr(drawn, "data:image/jpeg;base64,/9j/")));
            free(drawn);
        }
    free(sheet.remarks);
}

TEST(test_no_picture)
{
    struct sheet sheet;
    sheet_open(&sheet);
    static const char *const scenes[] = {"armadillo", "open"}; // whose files may be at hand: a report renders nothing
    for (size_t i = 0; i < 2; ++i) {                           // nor is there a database
        char command[80];
        snprintf(command, sizeof command, "warpstudy render %s --store --db ", scenes[i]);
        assert_false(sheet_make(&sheet, scenes[i]));
        assert_int_equal(why.kind, ERROR_USE);
        assert_non_null(strstr(why.remedy, command));
        assert_non_null(strstr(sheet.remarks, command));
        error_clear(&why);
    }
    free(sheet.remarks);
}
