// SPDX-License-Identifier: MIT
// The machine code that is loaded on a device, kept so that a counter's address can be turned into an instruction and
// its source line. Program counters are offsets in bytes from the start of their function.
#pragma once

#include "base/error.h"
#include "device/counters.h"

struct device_program;

struct cupti_line {
    const char *file; // as it stands in an #include; the name that the compiler saw where it is not embedded; "" = none
    uint32_t line;    // 0 where there is none
};

struct cupti_function {
    struct cupti_function *next;
    const char *name;          // as the linker knows it
    const unsigned char *code; // CUPTI_INSTRUCTION bytes each
    size_t instructions;
    struct cupti_line *lines; // one an instruction; NULL until asked for
    uint8_t *sites;           // one an instruction: enum device_site, DEVICE_SITE_ALL where it is at none; NULL alike
    uint32_t copies[DEVICE_SITES]; // instructions at each site
};
enum { CUPTI_INSTRUCTION = 16 }; // bytes, since compute capability 7.0

struct cupti_image {
    struct cupti_image *next;
    struct device_program *program; // that it was loaded for
    unsigned char *bytes;           // the cubin
    size_t size;
    uint64_t crc;      // CUPTI's name for it, which images may share; 0 until asked for
    uint64_t launched; // the device's count of launches when one of its kernels was launched last
    bool missed;       // a kernel's first launch was not sampled
    bool sampled;      // a launch was
    struct cupti_function *functions;
    struct cupti_file *files; // names that lines point to
};

// Takes the bytes over, also where it fails. NULL where they are no ELF file of a GPU.
struct cupti_image *cupti_image_create(struct device_program *program, unsigned char *bytes, size_t size,
                                       struct error *error);
void cupti_image_destroy(struct cupti_image *image); // NULL is fine

// The function of that name, NULL where there is none.
struct cupti_function *cupti_image_function(const struct cupti_image *image, const char *name);

// The name of a source file as it stands in an #include, from a path as the compiler writes it down. Lives as long as
// the image.
const char *cupti_image_file(struct cupti_image *image, const char *folder, const char *file);

// The site that an instruction at that line is: DEVICE_SITE_ALL where it is at none.
unsigned cupti_instruction_site(const unsigned char *instruction, const struct cupti_line *line);
