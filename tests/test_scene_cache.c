// SPDX-License-Identifier: MIT
// The packed image, its cache, and its way to a device.
#include "check.h"
#include <unistd.h>
#include "folder_support.h"
#include "build_facts.h"
#include "trees/traverse.h"
#include "scene_support.h"
#include "scene/scene_image_check.h"
#include "scene/scene_read.h"
#include "scene/scene_cache.h"

// ---- cache

static struct hash key_of(const char *name)
{
    char path[1024];
    struct hash key;
    struct scene_file file;
    snprintf(path, sizeof path, "%s/%s.yaml", WARPSTUDY_SOURCE "/scenes", name);
    assert_true(scene_file_read(&file, path, &why));
    assert_true(scene_cache_key(&file, false, false, &key, &why));
    scene_file_finish(&file);
    return key;
}

static void cached_path(const char *name, char *path, size_t size)
{
    char text[HASH_TEXT];
    hash_text(key_of(name), text);
    snprintf(path, size, "%s/%s.scene", cache, text);
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = aligned_alloc(4096, (*size + 4095) / 4096 * 4096);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

// Hash of all that lies behind the header of the packed scene.
static void hash_of_image(const struct scene *scene, char text[HASH_TEXT])
{
    char path[128];
    size_t size;
    snprintf(path, sizeof path, "%s/packed", cache);
    assert_true(scene_pack(scene, path, &why));
    char *bytes = read_file(path, &size);
    hash_text(hash_bytes(bytes + sizeof(struct image_header), size - sizeof(struct image_header)), text);
    free(bytes);
    unlink(path);
}

// A scene is the same on every machine. And caches outlive programs: where the same file gives another image,
// IMAGE_VERSION must be raised, or old images go on being used.
TEST(built_in_scenes_are_the_recorded_ones)
{
    static const struct {
        const char *name, *content, *image;
    } recorded[] = {
        {"arch", "09cb6fd1ed64ca157ccc625635cab094", "b23289acbccfe8c2f43bef65632195c1"},
        {"arch_tree", "a001afa9fc8f65ec8fac02991fbb56db", "fa0c67169319b6d2d9719bcfda0c69c3"},
        {"cabin", "2a7d24a3045a987d7163413eb9d0e2a8", "6a71229ed80fa2900ec4b1d6b2edc3fb"},
        {"closed_box", "28575beb6382cbc7e58f8dd2c1d7d9db", "92a7d33ce7e6b110baaa7917e8367e91"},
        {"closed_lobes", "db20ecf21c91fc3623d88bee37485d67", "75b6e68975d2c27a539bfc44b9c0a9c3"},
        {"closed_varied", "eebc52227b0ed2b8d9636c951957c935", "96d11fcf74964e313596ca96a8e36ebf"},
        {"cloud", "cd2a7c74c93e546d75bb76cb3ea5e5f1", "e44e4d57d85287dec08d5403c49683dd"},
        {"cornell", "5ced81dd3598b21014d77b3417c21e70", "2669053eed1f965941e361c3f77f5455"},
        {"foliage", "32b21931e45aebf2ee94cfc4dd4b75e8", "3fefafb0b05493d3f52fb844bd67543b"},
        {"furnace", "65d5a3dcb3aaf947ea89090c0bafc648", "a477da8b09abb50349b8acc3c214939e"},
        {"furnace_sky", "abbae60d59865659b37c13a80d37882f", "de1853b989553ba15a666520e961e578"},
        {"glass", "f442cfea9d98675a59037aea5488282d", "e07e02d1627b9d93ad39ae975777b78b"},
        {"glass_tree", "660f9457091b964df608848be9b54302", "07740c9dff343c9837ab8fb44bd0b1d5"},
        {"grove", "c03e770539e7ada7e5cdefc8b83c0c24", "97567de58d7961f04629762eccfe009c"},
        {"interior", "4e48a240fdb9813fffdf49a2067c2d4a", "566401d732cb49c20bfbb299dd8ae90b"},
        {"materials", "4ab5675a456f81553b021223935504ec", "9e2d46c5bf4b79db8c666ac3da13c401"},
        {"mirror_corridor", "56a903dffd0c4619a6908439b7d7004c", "164defa291573e9b360f7986994c7c09"},
        {"open", "e131c26625c1b4b78e5cee541d66f94a", "fa7f838b83cb8cc50f94b6f1bd9242d3"},
        {"phantom_head", "1b35a1a363deb30fc37c01e6242fedc8", "7138c6cca15b0688893872c4c91ccde6"},
        {"phantom_knees", "fddbeceb01fe86e4158654b5d74e6566", "e038607aff6f2322c3e082c66555651c"},
        {"plane_sky", "c96958e097037b4236379ce19d376fec", "39e6109d958db9d810778d43406902bc"},
    };
    int changed = 0;
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; ++i) {
        char image[HASH_TEXT];
        struct scene *scene = scene_well(recorded[i].name);
        const char *content = scene_facts(scene)->content_text;
        hash_of_image(scene, image);
        if (strcmp(content, recorded[i].content) != 0 || strcmp(image, recorded[i].image) != 0) {
            print_message("{\"%s\", \"%s\", \"%s\"},\n", recorded[i].name, content, image);
            ++changed;
        }
        scene_close(scene);
    }
    if (changed)
        print_message("raise IMAGE_VERSION unless only scene files changed, and put these lines into this test\n");
    assert_int_equal(changed, 0);
}

TEST(damaged_cache_is_built_anew)
{
    char path[1024];
    size_t size, size_after;
    scene_close(scene_well("cornell"));
    cached_path("cornell", path, sizeof path);
    char *bytes = read_file(path, &size);
    for (int round = 0; round < 4; ++round) {
        char *damaged = malloc(size);
        memcpy(damaged, bytes, size);
        damaged[size / 4 * (size_t)round / 2 + 20] ^= 4;
        folder_write(NULL, path, damaged, round == 3 ? size / 2 : size);
        struct scene *scene = scene_well("cornell");
        assert_int_equal(scene_facts(scene)->triangles, 36);
        scene_close(scene);
        char *after = read_file(path, &size_after);
        assert_int_equal(size, size_after);
        assert_memory_equal(bytes, after, size);
        free(after);
        free(damaged);
    }
    folder_write(NULL, path, "", 0);
    scene_close(scene_well("cornell"));
    free(bytes);
}

// With the checksum put right, only the checks of the contents stand between a damaged file and a reader.
static void check_every_byte(uint32_t kind)
{
    char path[128];
    size_t size;
    const uint32_t holds = IMAGE_CONTENT | IMAGE_TREE;
    struct scene *scene = scene_open(&(struct scene_request){.name = "cornell", .tree = {.kind = kind}}, &why);
    assert_non_null(scene);
    snprintf(path, sizeof path, "%s/packed", cache);
    assert_true(scene_pack(scene, path, &why));
    scene_close(scene);
    char *bytes = read_file(path, &size);
    unlink(path);
    struct image_header *header = (struct image_header *)bytes;
    assert_true(image_validate(bytes, size, holds, NULL) && image_validate_tree(bytes, bytes, NULL));
    for (size_t i = offsetof(struct image_header, size); i < size; i += i < 1024 ? 1 : 7) {
        const char before = bytes[i];
        bytes[i] = (char)(before ^ (1 << i % 8));
        header->checksum = image_checksum(bytes, size);
        if (image_validate(bytes, size, holds, NULL) && image_validate_tree(bytes, bytes, NULL)) {
            const struct tree tree = image_tree(bytes, bytes);
            struct scene_view view = image_view(header, bytes);
            tree_view(&tree, header->box_low, header->box_high, &view);
            const struct ray ray = {vec3_make(0, 1, 3), vec3_normalize(vec3_make(0.01f, 0.02f, -1))};
            struct traversal_work work = traversal_work_none();
            const struct hit hit =
                traverse(&view, &ray, 1e30f, TRAVERSAL_CLOSEST, TRAVERSAL_WHILE_WHILE, false, 1, 0, &work);
            assert_true(hit.slot == HIT_NONE || hit.slot < view.triangle_count);
        }
        bytes[i] = before;
    }
    free(bytes);
}

TEST(no_byte_leads_out_of_the_image)
{
    for (uint32_t kind = 0; kind < TREE_KINDS; ++kind)
        check_every_byte(kind);
}

// One content serves all trees, each an image of its own.
// Of two files of the same text each has its own name, whichever the cache has.
TEST(equal_files_have_their_own_names)
{
    static const char *const names[] = {"first", "second", "first"};
    char from[1024], to[160], text[16384];
    snprintf(from, sizeof from, "%s/cornell.yaml", WARPSTUDY_SOURCE "/scenes");
    FILE *file = fopen(from, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    for (int i = 0; i < 3; ++i) {
        snprintf(to, sizeof to, "%s/%s.yaml", cache, names[i]);
        folder_write(NULL, to, text, size);
        struct scene *scene = scene_well(to);
        assert_string_equal(scene_facts(scene)->name, names[i]);
        snprintf(to, sizeof to, "%s/%s.scene", cache, i == 1 ? "packed" : "other");
        assert_true(scene_pack(scene, to, &why));
        scene_close(scene);
    }
    snprintf(to, sizeof to, "%s/packed.scene", cache);
    struct scene *packed = scene_well(to);
    assert_string_equal(scene_facts(packed)->name, "second");
    scene_close(packed);
}

TEST(trees_share_their_content)
{
    struct scene *binary = scene_well("cornell");
    struct scene *kd = scene_open(&(struct scene_request){.name = "cornell", .tree = {.kind = TREE_KD16}}, &why);
    assert_non_null(kd);
    assert_true(hash_equal(scene_facts(binary)->content, scene_facts(kd)->content));
    const struct scene_view *a = scene_host_view(binary), *b = scene_host_view(kd);
    assert_int_equal(a->tree, TREE_BINARY);
    assert_int_equal(b->tree, TREE_KD16);
    assert_int_equal(a->triangle_count, b->triangle_count);
    for (uint32_t i = 0; i < a->triangle_count; ++i)
        assert_memory_equal(&a->triangles[i], &b->triangles[a->triangles[i].id], sizeof *a->triangles);
    const struct hash content = scene_facts(kd)->content;
    const struct scene_tree_options kinds[] = {{.kind = TREE_BINARY, .leaf_size = 4, .bins = 32},
                                               {.kind = TREE_BINARY, .leaf_size = 2, .bins = 32},
                                               {.kind = TREE_KD16}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j)
            assert_false(
                hash_equal(scene_cache_tree_key(content, &kinds[i]), scene_cache_tree_key(content, &kinds[j])));
    scene_close(binary);
    scene_close(kd);
}

TEST(unwritable_cache_is_only_a_warning)
{
    setenv("WARPSTUDY_CACHE", "/proc/warpstudy", 1);
    scene_close(scene_well("cornell"));
    setenv("WARPSTUDY_CACHE", cache, 1);
}

// ---- devices

static int blocks_alive;

static void *stub_alloc(struct device *device, size_t bytes, struct error *error)
{
    ++blocks_alive;
    return aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static void stub_release(struct device *device, void *memory)
{
    --blocks_alive;
    free(memory);
}

static bool stub_upload(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                        struct error *error)
{
    memcpy(to, from, bytes);
    return true;
}

TEST(upload_copies_everything)
{
    static const struct device_ops ops = {.alloc = stub_alloc, .release = stub_release, .upload = stub_upload};
    struct device device = {&ops};
    struct scene_on_device there;
    struct scene *scene = scene_well("open");
    const struct scene_view *here = scene_host_view(scene);
    assert_true(scene_upload(scene, &device, &there, &why));
    assert_ptr_not_equal(there.view.nodes, here->nodes);
    assert_memory_equal(there.view.nodes, here->nodes, here->node_count * sizeof(struct bvh_node));
    assert_memory_equal(there.view.triangles, here->triangles, here->triangle_count * sizeof *here->triangles);
    assert_memory_equal(there.view.materials, here->materials, here->material_count * sizeof *here->materials);
    const struct environment *a = &there.view.environment, *b = &here->environment;
    assert_memory_equal(a->radiance, b->radiance, (size_t)b->width * b->height * sizeof *b->radiance);
    assert_memory_equal(a->row_cosine, b->row_cosine, (b->cell_height + 1) * sizeof *b->row_cosine);
    scene_release(&device, &there);
    assert_int_equal(blocks_alive, 0);
    scene_close(scene);
}

static const uint32_t *texture_words;
static uint64_t texture_count;

static bool stub_texture(struct device *device, const uint32_t *words, uint64_t count, uint64_t *texture,
                         struct error *error)
{
    assert_null(texture_words);
    texture_words = words;
    texture_count = count;
    *texture = 7;
    return true;
}

static void stub_release_texture(struct device *device, uint64_t texture)
{
    assert_true(texture == 7 && blocks_alive > 0); // before the memory
    texture_words = NULL;
}

TEST(textures_are_of_the_densities)
{
    static const char *const names[] = {"cloud", "fog", "cornell"}; // of 16 bits, of 8, without
    static const struct device_ops ops = {.alloc = stub_alloc,
                                          .release = stub_release,
                                          .upload = stub_upload,
                                          .create_texture = stub_texture,
                                          .release_texture = stub_release_texture};
    for (int i = 0; i < 3; ++i) {
        struct device device = {&ops};
        struct scene_on_device there;
        struct scene *scene = scene_well(names[i]);
        const struct volume_view *here = &scene_host_view(scene)->volume;
        const uint64_t bytes = (uint64_t)here->size[0] * here->size[1] * here->size[2] * here->density_bits / 8;
        assert_true(scene_upload(scene, &device, &there, &why));
        assert_int_equal(there.view.volume.density_texture, 0);
        for (int again = 0; again < 2; ++again)
            assert_true(scene_upload_texture(&device, &there, &why));
        assert_int_equal(there.view.volume.density_texture, i < 2 ? 7 : 0);
        assert_ptr_equal(texture_words, there.view.volume.density);
        if (i < 2) {
            assert_int_equal((uintptr_t)texture_words % 512, 0);
            assert_int_equal(texture_count, (bytes + 3) / 4);
            assert_memory_equal(texture_words, here->density, bytes);
            assert_memory_equal(there.view.volume.bricks, here->bricks, sizeof *here->bricks);
        }
        scene_release(&device, &there);
        assert_true(blocks_alive == 0 && !texture_words);
        scene_close(scene);
    }
}

TEST(packed_scene_needs_no_sources)
{
    char path[128], inner[160];
    struct scene *built = scene_well("cornell");
    snprintf(path, sizeof path, "%s/elsewhere.scene", cache);
    assert_true(scene_pack(built, path, &why));
    struct scene *packed = scene_well(path);
    assert_true(hash_equal(scene_facts(built)->content, scene_facts(packed)->content));
    scene_close(packed);
    setenv("WARPSTUDY_SCENES", cache, 1); // found by name too
    packed = scene_well("elsewhere");
    scene_close(packed);

    // Another tree is built over the packed content: the same as over the scene's own files.
    const struct scene_tree_options others[] = {{.leaf_size = 2}, {.kind = TREE_KD16}, {.kind = TREE_WIDE4}};
    for (int i = 0; i < 3; ++i) {
        packed = scene_open(&(struct scene_request){.name = path, .tree = others[i], .rebuild = true}, &why);
        struct scene *own = scene_open(&(struct scene_request){.name = "cornell", .tree = others[i]}, &why);
        assert_true(packed && own && scene_host_view(packed)->tree == others[i].kind);
        assert_int_equal(scene_facts(packed)->nodes, scene_facts(own)->nodes);
        const struct scene_view *a = scene_host_view(packed), *b = scene_host_view(own);
        assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
        scene_close(packed);
        scene_close(own);
    }
    refused(scene_open(&(struct scene_request){.name = path, .tree = {.split = true}}, &why), "", "");
    assert_int_equal(why.kind, ERROR_UNSUPPORTED);
    assert_int_equal(truncate(path, 700), 0);
    refused(scene_open(&(struct scene_request){.name = path}, &why), "damaged", "");
    const struct scene_request kd = {.name = "cornell", .tree = {.kind = TREE_KD16}};
    struct scene *other = scene_open(&kd, &why);
    assert_true(other && scene_pack(other, path, &why));
    scene_close(other);
    other = scene_open(&(struct scene_request){.name = path, .tree = {.kind = TREE_KD16}}, &why);
    assert_non_null(other);
    assert_int_equal(scene_host_view(other)->tree, TREE_KD16);
    scene_close(other);
    snprintf(inner, sizeof inner, "%s/no/such.scene", cache);
    refused(scene_pack(built, inner, &why), "", "");
    assert_int_equal(why.kind, ERROR_INPUT);
    scene_close(built);
    unlink(path);
    setenv("WARPSTUDY_SCENES", WARPSTUDY_SOURCE "/scenes", 1);
}

TEST_GROUP(scenes_begin, NULL)
