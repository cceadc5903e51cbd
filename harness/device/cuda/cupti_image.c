// SPDX-License-Identifier: MIT
#include "device/cuda/cupti_image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/sources.h"

struct cupti_file {
    struct cupti_file *next;
    char name[];
};

// ---- functions of an ELF file

static bool within(const struct cupti_image *image, uint64_t offset, uint64_t size)
{
    return offset <= image->size && size <= image->size - offset;
}

static void add_function(struct cupti_image *image, const char *name, const Elf64_Shdr *section)
{
    if (!within(image, section->sh_offset, section->sh_size))
        return;
    struct cupti_function *function = memory_new(1, sizeof *function);
    function->name = name;
    function->code = image->bytes + section->sh_offset;
    function->instructions = section->sh_size / CUPTI_INSTRUCTION;
    function->next = image->functions;
    image->functions = function;
}

// A function's code is the section `.text.NAME`.
static bool find_functions(struct cupti_image *image, struct error *error)
{
    static const char prefix[] = ".text.";
    Elf64_Ehdr header;
    if (image->size < sizeof header || memcmp(image->bytes, ELFMAG, SELFMAG) != 0)
        return error_set(error, ERROR_FAILED, "machine code of %zu bytes is no ELF file", image->size);
    memcpy(&header, image->bytes, sizeof header);
    if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum ||
        !within(image, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr)))
        return error_set(error, ERROR_FAILED, "machine code of %zu bytes has no sections", image->size);
    const unsigned char *table = image->bytes + header.e_shoff;
    Elf64_Shdr names, section;
    memcpy(&names, table + header.e_shstrndx * sizeof names, sizeof names);
    if (!within(image, names.sh_offset, names.sh_size) || names.sh_size == 0 ||
        image->bytes[names.sh_offset + names.sh_size - 1] != 0)
        return error_set(error, ERROR_FAILED, "machine code of %zu bytes has no names", image->size);
    for (size_t i = 0; i < header.e_shnum; ++i) {
        memcpy(&section, table + i * sizeof section, sizeof section);
        if (section.sh_name >= names.sh_size)
            continue;
        const char *name = (const char *)image->bytes + names.sh_offset + section.sh_name;
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            add_function(image, name + strlen(prefix), &section);
    }
    return true;
}

struct cupti_image *cupti_image_create(struct device_program *program, unsigned char *bytes, size_t size,
                                       struct error *error)
{
    struct cupti_image *image = memory_new(1, sizeof *image);
    image->program = program;
    image->bytes = bytes;
    image->size = size;
    if (find_functions(image, error))
        return image;
    cupti_image_destroy(image);
    return NULL;
}

void cupti_image_destroy(struct cupti_image *image)
{
    if (!image)
        return;
    for (struct cupti_function *function = image->functions; function;) {
        struct cupti_function *next = function->next;
        free(function->lines);
        free(function->sites);
        free(function);
        function = next;
    }
    for (struct cupti_file *file = image->files; file;) {
        struct cupti_file *next = file->next;
        free(file);
        file = next;
    }
    free(image->bytes);
    free(image);
}

struct cupti_function *cupti_image_function(const struct cupti_image *image, const char *name)
{
    for (struct cupti_function *function = image->functions; function; function = function->next)
        if (strcmp(function->name, name) == 0)
            return function;
    return NULL;
}

// ---- source lines

static bool path_ends_with(const char *path, const char *name)
{
    const size_t all = strlen(path), tail = strlen(name);
    return all >= tail && strcmp(path + all - tail, name) == 0 && (all == tail || path[all - tail - 1] == '/');
}

const char *cupti_image_file(struct cupti_image *image, const char *folder, const char *file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    for (const struct kernel_text *source = kernel_texts; source->name; ++source)
        if (path_ends_with(path, source->name))
            return source->name;
    for (const struct cupti_file *known = image->files; known; known = known->next)
        if (strcmp(known->name, file) == 0)
            return known->name;
    struct cupti_file *added = memory_new(1, sizeof *added + strlen(file) + 1);
    strcpy(added->name, file);
    added->next = image->files;
    image->files = added;
    return added->name;
}

// The source line, without its newline; NULL where it is not embedded.
static const char *line_text(const struct cupti_line *line, size_t *length)
{
    const struct kernel_text *source = kernel_texts;
    while (source->name && strcmp(source->name, line->file) != 0)
        ++source;
    const char *text = line->line ? source->text : NULL;
    for (uint32_t i = 1; text && i < line->line; ++i) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    *length = text ? strcspn(text, "\n") : 0;
    return text;
}

// Site whose tag `// site: NAME` ends the line.
static unsigned tagged_site(const struct cupti_line *line)
{
    size_t length;
    const char *text = line_text(line, &length);
    for (unsigned site = DEVICE_SITE_INNER; text && site < DEVICE_SITE_ALL; ++site) {
        char tag[64];
        const size_t size = (size_t)snprintf(tag, sizeof tag, "// site: %s", device_site_names[site]);
        if (size < length && memcmp(text + length - size, tag, size) == 0)
            return site;
    }
    return DEVICE_SITE_ALL;
}

// ---- instructions

// Seen alike in what NVRTC 13.0 makes for sm_75, 80, 90, 100 and 120: the low 12 bits of an instruction are its
// operation, of which the upper three tell the kind of operands; the next four are its predicate.
enum {
    OPERATION_BITS = 0xFFF,
    OPERATION_KIND_BITS = 0x1FF,
    OPERATION_TRIGGER = 0x801, // PMTRIG, of __prof_trigger(); a bit per trigger in the upper half
    OPERATION_LOAD = 0x181,    // LDG
    OPERATION_FETCH = 0x166,   // TLD, a word of a texture
};

unsigned cupti_instruction_site(const unsigned char *instruction, const struct cupti_line *line)
{
    uint64_t low;
    memcpy(&low, instruction, sizeof low);
    if ((low & OPERATION_BITS) == OPERATION_TRIGGER)
        return low >> 32 == 1 ? DEVICE_SITE_EXTENSION : DEVICE_SITE_ALL;
    const uint64_t operation = low & OPERATION_KIND_BITS;
    return operation == OPERATION_LOAD || operation == OPERATION_FETCH ? tagged_site(line) : DEVICE_SITE_ALL;
}
