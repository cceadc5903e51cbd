// SPDX-License-Identifier: MIT
// OpenEXR through its C++ interface: that of C knows neither attributes nor values that no half holds.
#include "import/picture_formats.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfChromaticities.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfRgbaFile.h>
#include <OpenEXR/ImfStandardAttributes.h>

using Imath::Box2i;
using Imath::M33d;
using Imath::M44f;
using Imath::V2f;
using Imath::V3d;
using Imath::V3f;

namespace
{

// What is wrong with a picture, and the remedy.
struct refusal : std::runtime_error {
    refusal(const std::string &why, const char *how) : std::runtime_error(why), remedy(how)
    {
    }
    const char *remedy;
};

struct told {
}; // the error is set already

// ---- colours

M33d three(const M44f &m)
{
    return M33d(m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]);
}

bool alike(const Imf::Chromaticities &a, const Imf::Chromaticities &b)
{
    const float near = 0.001f;
    return a.red.equalWithAbsError(b.red, near) && a.green.equalWithAbsError(b.green, near) &&
           a.blue.equalWithAbsError(b.blue, near) && a.white.equalWithAbsError(b.white, near);
}

// For rows of values, as all matrices of OpenEXR.
M33d to_rec709(const Imf::Chromaticities &from, const V2f &neutral)
{
    static const M33d cones(0.8951, -0.7502, 0.0389, 0.2664, 1.7135, -0.0685, -0.1614, 0.0367, 1.0296); // Bradford's
    const Imf::Chromaticities rec709, xyz(V2f(1, 0), V2f(0, 1), V2f(0, 0), from.white);
    const char *const remedy = "convert it to linear Rec. 709";
    if (alike(from, xyz))
        throw refusal("its primaries are those of CIE XYZ", remedy);
    if (alike(Imf::Chromaticities(from.red, from.green, from.blue, neutral), rec709))
        return M33d();
    try {
        const V3f white(neutral.x / neutral.y, 1, (1 - neutral.x - neutral.y) / neutral.y);
        const V3f target(rec709.white.x / rec709.white.y, 1, (1 - rec709.white.x - rec709.white.y) / rec709.white.y);
        const V3d ratio = V3d(target) * cones / (V3d(white) * cones);
        const M33d adapt = cones * M33d(ratio.x, 0, 0, 0, ratio.y, 0, 0, 0, ratio.z) * cones.inverse(true);
        const M33d all = three(Imf::RGBtoXYZ(from, 1)) * adapt * three(Imf::XYZtoRGB(rec709, 1));
        for (int i = 0; i < 9; ++i)
            if (!(std::abs(all[i / 3][i % 3]) < 1e6))
                throw std::invalid_argument("no matrix");
        return all;
    } catch (const std::invalid_argument &) {
        throw refusal("its primaries and white span no colours", "correct or remove them in its header");
    }
}

bool report(struct error *error, const char *path, int line)
{
    try {
        throw;
    } catch (const told &) {
        return false;
    } catch (const refusal &why) {
        return picture_refuse(error, path, line, why.what(), why.remedy);
    } catch (const std::bad_alloc &) {
        return error_set(error, ERROR_SYSTEM, "no memory for the picture %s", path);
    } catch (const std::exception &why) {
        return picture_refuse(error, path, line, why.what(), nullptr);
    }
}

// ---- which part, and which of its channels

enum class kind { none, colour, luminance_and_chroma, grey };

kind kind_of(const Imf::Header &header, int part)
{
    const Imf::ChannelList &channels = header.channels();
    if (header.hasType() && Imf::isDeepData(header.type()))
        return kind::none;
    if (channels.findChannel("R") && channels.findChannel("G") && channels.findChannel("B"))
        return kind::colour;
    const bool chroma = channels.findChannel("RY") || channels.findChannel("BY");
    if (!channels.findChannel("Y") || (chroma && part > 0))
        return kind::none;
    return chroma ? kind::luminance_and_chroma : kind::grey;
}

std::string names_of(const Imf::MultiPartInputFile &file)
{
    std::string text;
    for (int part = 0; part < file.parts(); ++part) {
        const Imf::Header &header = file.header(part);
        const std::string place = header.hasName() && file.parts() > 1 ? header.name() + ":" : "";
        const std::string deep = header.hasType() && Imf::isDeepData(header.type()) ? " (deep)" : "";
        for (auto i = header.channels().begin(); i != header.channels().end() && text.size() < 400; ++i)
            text += (text.empty() ? "" : ", ") + place + i.name() + deep;
    }
    return text.size() < 400 ? text : text + ", ...";
}

// The first that holds colours.
int choose_part(const Imf::MultiPartInputFile &file)
{
    for (int part = 0; part < file.parts(); ++part)
        if (kind_of(file.header(part), part) != kind::none)
            return part;
    throw refusal("it has neither channels R, G and B nor a channel Y, but " + names_of(file),
                  "save it with its colours in channels called R, G and B");
}

// ---- texels

// Fills a line of colours, which it was made for, with row `y` of the data window.
using row_reader = std::function<void(int y)>;

// Where texel 0 of a row would be that begins at `first` with texel `left`.
template <class T> char *origin(T *first, int left, ptrdiff_t step)
{
    return reinterpret_cast<char *>(reinterpret_cast<intptr_t>(first) - left * step);
}

row_reader read_channels(Imf::MultiPartInputFile &file, int part, bool grey, std::vector<float> &line)
{
    const ptrdiff_t step = 3 * sizeof(float);
    auto input = std::make_shared<Imf::InputPart>(file, part);
    char *texel = origin(line.data(), input->header().dataWindow().min.x, step);
    Imf::FrameBuffer frame;
    for (int c = 0; c < (grey ? 1 : 3); ++c)
        frame.insert(grey ? "Y" : std::string(1, "RGB"[c]), Imf::Slice(Imf::FLOAT, texel + c * sizeof(float), step, 0));
    input->setFrameBuffer(frame);
    return [=, &line](int y) {
        input->readPixels(y);
        for (size_t i = 0; grey && i < line.size(); i += 3)
            line[i + 1] = line[i + 2] = line[i];
    };
}

// In halves, which chroma always is.
row_reader read_luminance_and_chroma(const char *path, std::vector<float> &line)
{
    auto input = std::make_shared<Imf::RgbaInputFile>(path);
    auto texels = std::make_shared<std::vector<Imf::Rgba>>(line.size() / 3);
    for (const char *name : {"Y", "RY", "BY"}) {
        const Imf::Channel *channel = input->header().channels().findChannel(name);
        if (channel && channel->type != Imf::HALF)
            throw refusal("its luminance and chroma are not halves", "save it with channels R, G and B");
    }
    char *texel = origin(texels->data(), input->dataWindow().min.x, sizeof(Imf::Rgba));
    input->setFrameBuffer(reinterpret_cast<Imf::Rgba *>(texel), 1, 0);
    return [=, &line](int y) {
        input->readPixels(y);
        for (size_t i = 0; i < texels->size(); ++i) {
            line[3 * i] = (*texels)[i].r;
            line[3 * i + 1] = (*texels)[i].g;
            line[3 * i + 2] = (*texels)[i].b;
        }
    };
}

// What of the data lies in the frame; the rest of the frame stays black.
void read_frame(const row_reader &read, const std::vector<float> &line, const Box2i &data, const Box2i &frame,
                const M33d &colours, float *values)
{
    const bool convert = colours != M33d();
    const int64_t left = std::max(data.min.x, frame.min.x), right = std::min(data.max.x, frame.max.x);
    const int64_t width = static_cast<int64_t>(frame.max.x) - frame.min.x + 1;
    for (int64_t y = std::max(data.min.y, frame.min.y); y <= std::min(data.max.y, frame.max.y); ++y) {
        read(static_cast<int>(y));
        for (int64_t x = left; x <= right; ++x) {
            const float *from = &line[3 * (x - data.min.x)];
            float *to = values + 3 * ((y - frame.min.y) * width + x - frame.min.x);
            const V3d colour = V3d(from[0], from[1], from[2]) * (convert ? colours : M33d());
            for (int c = 0; c < 3; ++c)
                to[c] = convert ? static_cast<float>(colour[c]) : from[c];
        }
    }
}

// OpenEXR's maps begin at -z, and have +x a quarter further on (ImfEnvmap.h); ours begin at +x. Both turn towards +z.
void turn_map(struct picture_values *picture)
{
    const size_t row = 3 * static_cast<size_t>(picture->width),
                 quarter = 3 * ((static_cast<size_t>(picture->width) + 2) / 4);
    for (size_t y = 0; y < picture->height; ++y)
        std::rotate(picture->values + y * row, picture->values + y * row + quarter, picture->values + (y + 1) * row);
}

void read_picture(struct picture_values *picture, const char *path, struct error *error)
{
    Imf::MultiPartInputFile file(path);
    const int part = choose_part(file);
    const Imf::Header &header = file.header(part);
    if (Imf::hasEnvmap(header) && Imf::envmap(header) != Imf::ENVMAP_LATLONG)
        throw refusal("it is a cube map, not one of latitude and longitude",
                      "convert it with OpenEXR's tool: exrenvmap -l -w 2048 OLD.exr NEW.exr");
    // By OpenEXR's definition a map of the environment fills the data window.
    const Box2i data = header.dataWindow(), frame = Imf::hasEnvmap(header) ? data : header.displayWindow();
    const auto size = [](int from, int to) { return static_cast<int64_t>(to) - from + 1; };
    const Imf::Chromaticities primaries =
        Imf::hasChromaticities(header) ? Imf::chromaticities(header) : Imf::Chromaticities();
    const M33d colours =
        to_rec709(primaries, Imf::hasAdoptedNeutral(header) ? Imf::adoptedNeutral(header) : primaries.white);
    if (size(data.min.x, data.max.x) > 4 * PICTURE_MAX)
        throw refusal("its data window is too wide", "crop it to its display window");
    if (!picture_values_make(picture, size(frame.min.x, frame.max.x), size(frame.min.y, frame.max.y), path, error))
        throw told();
    const kind kind = kind_of(header, part);
    std::vector<float> line(3 * static_cast<size_t>(size(data.min.x, data.max.x)));
    read_frame(kind == kind::luminance_and_chroma ? read_luminance_and_chroma(path, line)
                                                  : read_channels(file, part, kind == kind::grey, line),
               line, data, frame, colours, picture->values);
    if (Imf::hasEnvmap(header))
        turn_map(picture);
}

} // namespace

bool picture_to_rec709(const double primaries[8], double matrix[3][3], const char *path, int line, struct error *error)
{
    V2f points[4];
    for (int i = 0; i < 4; ++i)
        points[i] = V2f(static_cast<float>(primaries[2 * i]), static_cast<float>(primaries[2 * i + 1]));
    try {
        const M33d rows = to_rec709(Imf::Chromaticities(points[0], points[1], points[2], points[3]), points[3]);
        for (int i = 0; i < 9; ++i)
            matrix[i / 3][i % 3] = rows[i % 3][i / 3];
        return true;
    } catch (...) {
        return report(error, path, line);
    }
}

bool picture_exr_read(struct picture_values *picture, const char *path, struct error *error)
{
    try {
        read_picture(picture, path, error);
        return true;
    } catch (...) {
        return report(error, path, 0);
    }
}
