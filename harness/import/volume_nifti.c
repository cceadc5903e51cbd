// SPDX-License-Identifier: MIT
// Headers of NIfTI-1 and NIfTI-2 files that hold a single volume (https://nifti.nimh.nih.gov).
#include <math.h>
#include <nifti/nifti1.h>
#include <nifti/nifti2.h>

#include "import/bytes.h"
#include "import/volume_samples.h"

// The fields of both versions that matter here.
struct fields {
    int64_t dimensions[8];
    double spacing[3], slope, intercept, offset;
    int64_t datatype;
    bool big_endian;
};

#define AT(type, member) (header + offsetof(type, member))

static void read_first_version(const unsigned char *header, bool big, struct fields *fields)
{
    typedef struct nifti_1_header nifti;
    *fields = (struct fields){.slope = bytes_real32(AT(nifti, scl_slope), big),
                              .intercept = bytes_real32(AT(nifti, scl_inter), big),
                              .offset = bytes_real32(AT(nifti, vox_offset), big),
                              .datatype = (int16_t)bytes_word(AT(nifti, datatype), 2, big),
                              .big_endian = big};
    for (int i = 0; i < 8; ++i)
        fields->dimensions[i] = (int16_t)bytes_word(AT(nifti, dim) + 2 * i, 2, big);
    for (int i = 0; i < 3; ++i)
        fields->spacing[i] = bytes_real32(AT(nifti, pixdim) + 4 * (i + 1), big);
}

static void read_second_version(const unsigned char *header, bool big, struct fields *fields)
{
    typedef struct nifti_2_header nifti;
    *fields = (struct fields){.slope = bytes_real64(AT(nifti, scl_slope), big),
                              .intercept = bytes_real64(AT(nifti, scl_inter), big),
                              .offset = (double)(int64_t)bytes_word(AT(nifti, vox_offset), 8, big),
                              .datatype = (int16_t)bytes_word(AT(nifti, datatype), 2, big),
                              .big_endian = big};
    for (int i = 0; i < 8; ++i)
        fields->dimensions[i] = (int64_t)bytes_word(AT(nifti, dim) + 8 * i, 8, big);
    for (int i = 0; i < 3; ++i)
        fields->spacing[i] = bytes_real64(AT(nifti, pixdim) + 8 * (i + 1), big);
}

static bool read_fields(const unsigned char *header, size_t size, struct fields *fields)
{
    enum { FIRST = sizeof(struct nifti_1_header), SECOND = sizeof(struct nifti_2_header) };
    _Static_assert((int)FIRST == 348 && (int)SECOND == NIFTI_HEADER_MAX, "layout");
    for (int big = 0; big < 2 && size >= FIRST; ++big) {
        const uint64_t length = bytes_word(header, 4, big);
        if (length == FIRST && memcmp(AT(struct nifti_1_header, magic), "n+1", 4) == 0)
            return read_first_version(header, big, fields), true;
        if (length == SECOND && size >= SECOND && memcmp(AT(struct nifti_2_header, magic), "n+2", 4) == 0)
            return read_second_version(header, big, fields), true;
    }
    return false;
}

static bool type_of(int64_t datatype, uint32_t *type)
{
    switch (datatype) {
    case NIFTI_TYPE_UINT8: *type = VOLUME_UINT8; return true;
    case NIFTI_TYPE_INT8: *type = VOLUME_INT8; return true;
    case NIFTI_TYPE_UINT16: *type = VOLUME_UINT16; return true;
    case NIFTI_TYPE_INT16: *type = VOLUME_INT16; return true;
    case NIFTI_TYPE_UINT32: *type = VOLUME_UINT32; return true;
    case NIFTI_TYPE_INT32: *type = VOLUME_INT32; return true;
    case NIFTI_TYPE_UINT64: *type = VOLUME_UINT64; return true;
    case NIFTI_TYPE_INT64: *type = VOLUME_INT64; return true;
    case NIFTI_TYPE_FLOAT32: *type = VOLUME_FLOAT32; return true;
    case NIFTI_TYPE_FLOAT64: *type = VOLUME_FLOAT64; return true;
    default: return false;
    }
}

// Three dimensions, or more of one voxel each.
static bool size_of(const struct fields *fields, uint32_t size[3])
{
    const int64_t *dimensions = fields->dimensions;
    if (dimensions[0] < 3 || dimensions[0] > 7)
        return false;
    for (int i = 1; i <= dimensions[0]; ++i)
        if (dimensions[i] < 1 || dimensions[i] > (i <= 3 ? VOLUME_EDGE_MAX : 1))
            return false;
    for (int i = 0; i < 3; ++i)
        size[i] = (uint32_t)dimensions[i + 1];
    return true;
}

static bool spacing_of(const struct fields *fields, double spacing[3])
{
    for (int i = 0; i < 3; ++i) {
        spacing[i] = fabs(fields->spacing[i]);
        if (!(spacing[i] >= 1e-6 && spacing[i] <= 1e6))
            return false;
    }
    return true;
}

// As in the format's reference library, a slope of 0 or of no number means none, an intercept of no number 0.
static bool scale_of(const struct fields *fields, struct volume_layout *layout)
{
    if (fields->slope == 0 || isnan(fields->slope))
        return true;
    layout->slope = fields->slope;
    layout->intercept = isnan(fields->intercept) ? 0 : fields->intercept;
    return fabs(layout->slope) <= 1e30 && fabs(layout->intercept) <= 1e30;
}

static bool nifti_wrong(const char *path, const char *what, const char *remedy, struct error *error)
{
    error_set_at(error, ERROR_INPUT, path, 0, "%s", what);
    return error_remedy(error, "%s", remedy);
}

bool volume_nifti_layout(const unsigned char *header, size_t size, const char *path, struct volume_layout *layout,
                         double spacing[3], struct error *error)
{
    struct fields fields;
    *layout = (struct volume_layout){.slope = 1};
    if (!read_fields(header, size, &fields))
        return nifti_wrong(path, "it is no NIfTI file in one piece",
                           "name a .nii or .nii.gz file, or choose format: raw", error);
    if (!size_of(&fields, layout->size))
        return nifti_wrong(path, "its header does not describe one volume of 1 to 4096 voxels along each axis",
                           "extract one volume of three dimensions", error);
    if (!type_of(fields.datatype, &layout->type))
        return nifti_wrong(path, "its values are of a type that is not read here", "convert it to int16 or float32",
                           error);
    if (!spacing_of(&fields, spacing))
        return nifti_wrong(path, "the spacing in its header is zero or no number", "correct the header's pixdim",
                           error);
    if (!(fields.offset >= (double)sizeof(struct nifti_1_header) && fields.offset <= 1e9))
        return nifti_wrong(path, "its header says that the values begin at an impossible place",
                           "correct the header's vox_offset", error);
    layout->big_endian = fields.big_endian;
    layout->offset = (uint64_t)fields.offset;
    return scale_of(&fields, layout) || nifti_wrong(path, "the slope or intercept in its header is beyond 1e30",
                                                    "correct the header's scl_slope and scl_inter", error);
}
