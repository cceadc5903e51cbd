// SPDX-License-Identifier: MIT
// Pictures that scene files name, and images that are written.
#include "check.h"
#include <dirent.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <OpenEXR/ImfCRgbaFile.h>
#include "base/image.h"
#include "import/picture.h"
#include "scene/scene_image_check.h"
#include "scene_file_support.h"

// ---- pictures

TEST(texture_gives_its_mean_colour)
{
    // Two texels, white and black: the mean of their linear values is 1/2, times Kd.
    static const char obj[] = "mtllib tex.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl t\nf 1/1 2/1 3/1\n";
    static const unsigned char ppm[] = "P6 2 1 255\n\xff\xff\xff\0\0";
    write_text("tex.obj", obj);
    write_text("tex.mtl", "newmtl t\nKd 0.8 0.4 0.2\nmap_Kd tex.ppm\n");
    write_bytes("tex.ppm", ppm, sizeof ppm); // the terminator is the last byte
    void *image = build_well(MESH_SCENE("tex.obj", ""));
    const struct material *material = view_of(image).materials;
    assert_float_equal(material->diffuse.x, 0.4, 1e-6);
    assert_float_equal(material->diffuse.z, 0.1, 1e-6);
    free(image);
    uint64_t size;
    write_text("tex.mtl", "newmtl t\nKd 0.8 0.4 0.2\nmap_Kd gone.png\n");
    refused(build_text(MESH_SCENE("tex.obj", ""), &size, &why), "", "");
    assert_non_null(strstr(why.file, "gone.png"));
    write_text("tex.ppm", "P6 2");
    write_text("tex.mtl", "newmtl t\nmap_Kd tex.ppm\n");
    refused(build_text(MESH_SCENE("tex.obj", ""), &size, &why), "", "");
    write_text("tex.mtl", "newmtl t\nKd 0.8 0.4 0.2\nmap_Kd /home/somebody/else.png\n");
    free(build_well(MESH_SCENE("tex.obj", "")));
}

// An even mean of 0.5, or what is said of a texture.
static void texture_is(const char *text, size_t size, const char *wanted)
{
    double mean[3] = {0, 0, 0};
    if (*wanted) {
        refused(picture_mean_memory(text, size, "t", NULL, mean, &why), wanted, "");
        return;
    }
    need(picture_mean_memory(text, size, "t", NULL, mean, &why));
    assert_true(mean[0] == 0.5 && mean[1] == mean[2]);
}

#define TEXTURE(text, wanted) texture_is(text, sizeof(text) - 1, wanted)

TEST(values_of_a_pnm_are_shares_of_its_greatest)
{
    TEXTURE("P6 2 1 100\n\x64\x64\x64\0\0\0", "");
    TEXTURE("P5\n# 1 2\n2 # 3\n1\n15\n\x0f\0", "");
    TEXTURE("P6 2 1 100\n\x64\x64\x65\0\0\0", "above the greatest");
    TEXTURE("P6 2 1 0\n\x64\x64\x64\0\0\0", "a PNM without a greatest value");
    TEXTURE("P4 8 1\n\0", "a PNM in text, of bits or");
}

// Of two texels, red with no alpha, black with all.
TEST(bytes_that_are_no_alpha_have_no_weight)
{
#define TEXELS "\0\0\xff\0\0\0\0\xff"
#define TGA(bits) "\0\0\2\0\0\0\0\0\0\0\0\0\2\0\1\0\x20" bits TEXELS
    double mean[3], alpha = 0;
    TEXTURE(TGA("\0"), "");
    TEXTURE("BM\x3e\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\2\0\0\0\1\0\0\0\1\0\x20\0\0\0\0\0"
            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" TEXELS,
            "");
    need(picture_mean_memory(TGA("\x8"), 26, "t", NULL, mean, &why));
    assert_true(mean[0] == 0);
    need(picture_mean_memory(TGA("\x8"), 26, "t", &alpha, mean, &why));
    assert_true(mean[0] == 0.5 && alpha == 0.5);
}

TEST(damaged_pngs_are_refused)
{
    static const char good[] = "\x89PNG\r\n\x1a\n\0\0\0\xdIHDR\0\0\0\2\0\0\0\1\x8\0\0\0\0\xd1\x49\x20\x56"
                               "\0\0\0\xbIDAT\x78\x9c\x63\xf8\xcf\0\0\2\1\1\0\x32\xba\x2b\x92"
                               "\0\0\0\0IEND\xae\x42\x60\x82";
    char bad[sizeof good];
    static const struct {
        size_t at; // of a byte that is another
        const char *wanted;
    } cases[] = {{29, "the checksum of a part is wrong"},
                 {50, "its data are damaged"}, // their own checksum
                 {55, "the checksum of a part is wrong"}};
    TEXTURE(good, "");
    texture_is(good, sizeof good - 2, "it is cut short");
    texture_is(good, sizeof good - 13, "it is cut short");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        memcpy(bad, good, sizeof good);
        ++bad[cases[i].at];
        texture_is(bad, sizeof good - 1, cases[i].wanted);
    }
}

#define ENVIRONMENT_SCENE(file) "objects:\n  - {shape: box}\n" CAMERA "environment: {file: " file ", cells: [4, 2]}\n"

TEST(hdr_environment_is_read)
{
    // Two texels, radiance 1 and 2.
    static const unsigned char hdr[] =
        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x80\x80\x80\x81\x80\x80\x80\x82";
    write_bytes("two.hdr", hdr, sizeof hdr - 1);
    void *image = build_well(ENVIRONMENT_SCENE("two.hdr"));
    const struct environment e = view_of(image).environment;
    assert_true(e.width == 2 && e.height == 1 && e.cell_width == 4 && e.cell_height == 2);
    assert_true(e.radiance[0].x == 1 && e.radiance[1].y == 2);
    assert_float_equal(e.cell_density[0] * 2, e.cell_density[3], 1e-6); // half the radiance, half the density
    free(image);
    uint64_t size;
    write_bytes("cut.hdr", hdr, sizeof hdr - 4);
    refused(build_text(ENVIRONMENT_SCENE("cut.hdr"), &size, &why), "cut short", "");
    write_bytes("cut.hdr", hdr, 20);
    refused(build_text(ENVIRONMENT_SCENE("cut.hdr"), &size, &why), "", "");
    assert_non_null(strstr(why.file, "cut.hdr"));
    write_text("none.hdr", "no picture");
    refused(build_text(ENVIRONMENT_SCENE("none.hdr"), &size, &why), "neither Radiance HDR nor OpenEXR", "");
}

static void write_exr(const char *name, float value)
{
    char path[256];
    ImfRgba texels[8];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (int i = 0; i < 8; ++i) {
        ImfFloatToHalf(i == 5 ? value : (float)i, &texels[i].r);
        texels[i].g = texels[i].b = texels[i].a = texels[i].r;
    }
    ImfHeader *header = ImfNewHeader();
    ImfHeaderSetDisplayWindow(header, 0, 0, 3, 1);
    ImfHeaderSetDataWindow(header, 0, 0, 3, 1);
    ImfOutputFile *file = ImfOpenOutputFile(path, header, IMF_WRITE_RGBA);
    assert_non_null(file);
    assert_true(ImfOutputSetFrameBuffer(file, texels, 1, 4) && ImfOutputWritePixels(file, 2));
    ImfCloseOutputFile(file);
    ImfDeleteHeader(header);
}

TEST(exr_environment_is_read)
{
    write_exr("eight.exr", 5);
    void *image = build_well(ENVIRONMENT_SCENE("eight.exr"));
    const struct environment e = view_of(image).environment;
    assert_true(e.width == 4 && e.height == 2);
    for (int i = 0; i < 8; ++i)
        assert_true(e.radiance[i].x == (float)i);
    free(image);
    uint64_t size;
    write_exr("nan.exr", NAN);
    refused(build_text(ENVIRONMENT_SCENE("nan.exr"), &size, &why), "texel (1, 1) is not finite", "");
    write_text("cut.exr", "\x76\x2f\x31\x01\x02");
    refused(build_text(ENVIRONMENT_SCENE("cut.exr"), &size, &why), "", "");
    assert_non_null(strstr(why.file, "cut.exr"));
}

TEST(rotation_turns_the_map)
{
    write_exr("eight.exr", 5);
    void *image = build_well("objects:\n  - {shape: box}\n" CAMERA
                             "environment: {file: eight.exr, rotation: 90, intensity: 2}\n");
    const struct environment e = view_of(image).environment;
    assert_true(e.radiance[1].x == 0 && e.radiance[2].x == 2 && e.radiance[0].x == 6);
    free(image);
}

// ---- images

enum { IMAGE_SIDE = 96 };
static const char *const image_endings[] = {"png", "exr", "hdr"};

static void noise_image(float radiance[IMAGE_SIDE * IMAGE_SIDE * 3], uint64_t stream)
{
    struct exact_random random = exact_random_make(5, stream);
    for (int i = 0; i < IMAGE_SIDE * IMAGE_SIDE * 3; ++i)
        radiance[i] = (float)exact_uniform(&random);
}

static size_t size_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (size_t)status.st_size;
}

static struct hash hash_of(const char *path)
{
    struct hash hash;
    assert_true(hash_file(path, &hash, NULL));
    return hash;
}

static int files_in(const char *path)
{
    int count = 0;
    DIR *entries = opendir(path);
    assert_non_null(entries);
    while (readdir(entries))
        ++count;
    closedir(entries);
    return count;
}

static void set_file_limit(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// Wherever writing stops, the older image stays as it was and nothing else is left.
TEST(image_that_finds_no_room_leaves_the_old_one)
{
    static float old[IMAGE_SIDE * IMAGE_SIDE * 3], new[IMAGE_SIDE * IMAGE_SIDE * 3];
    noise_image(old, 0);
    noise_image(new, 1);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < 3; ++i) {
        char path[256];
        struct error error = {0};
        snprintf(path, sizeof path, "%s/image.%s", folder, image_endings[i]);
        assert_true(image_write(path, new, IMAGE_SIDE, IMAGE_SIDE, 0, &error));
        const size_t size = size_of(path);
        assert_true(image_write(path, old, IMAGE_SIDE, IMAGE_SIDE, 0, &error));
        const struct hash before = hash_of(path);
        const int files = files_in(folder);
        const size_t limits[] = {0, 1, 100, 500, 4096, size / 3, size / 2, size - 4097, size - 100, size - 1};
        for (size_t k = 0; k < sizeof limits / sizeof limits[0]; ++k) {
            set_file_limit(limits[k]);
            const bool done = image_write(path, new, IMAGE_SIDE, IMAGE_SIDE, 0, &error);
            set_file_limit(RLIM_INFINITY);
            assert_false(done);
            assert_true(error.message[0] && error.remedy[0] && error_exit_code(&error) == 2);
            assert_true(hash_equal(hash_of(path), before));
            assert_int_equal(files_in(folder), files);
        }
        set_file_limit(size);
        assert_true(image_write(path, new, IMAGE_SIDE, IMAGE_SIDE, 0, &error));
        set_file_limit(RLIM_INFINITY);
        assert_int_equal(size_of(path), size);
    }
    signal(SIGXFSZ, SIG_DFL);
}

enum { NO_MOUNT = 77 };

// In a child, on a file system of 16 KiB that only it sees: 0 where the error is the right one.
static int fill_disk(void)
{
    static float radiance[IMAGE_SIDE * IMAGE_SIDE * 3];
    char place[256], path[300];
    snprintf(place, sizeof place, "%s/tiny", folder);
    if ((unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) || mkdir(place, 0700) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount("tiny", place, "tmpfs", 0, "size=16k") != 0)
        return NO_MOUNT;
    noise_image(radiance, 2);
    for (size_t i = 0; i < 3; ++i) {
        struct error error = {0};
        snprintf(path, sizeof path, "%s/image.%s", place, image_endings[i]);
        if (image_write(path, radiance, IMAGE_SIDE, IMAGE_SIDE, 0, &error) || files_in(place) != 2)
            return 1;
        if (!strstr(error.message, "No space left") || !strstr(error.remedy, "free some space"))
            return 2;
    }
    return 0;
}

TEST(full_disk_is_told)
{
    int status;
    const pid_t child = fork();
    if (child == 0)
        _exit(fill_disk());
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MOUNT) {
        print_message("skipped: no small file system may be mounted here\n");
        skip();
    }
    assert_int_equal(status, 0);
}

TEST(image_without_a_folder_is_an_error)
{
    static const float radiance[3] = {1, 1, 1};
    for (size_t i = 0; i < 3; ++i) {
        char path[256];
        snprintf(path, sizeof path, "%s/nowhere/image.%s", folder, image_endings[i]);
        refused(image_write(path, radiance, 1, 1, 0, &why), "nowhere", "folder exists");
    }
}

TEST_GROUP(set_up, NULL)
