// SPDX-License-Identifier: MIT
#include "exr_support.h"

#include <vector>

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfDeepFrameBuffer.h>
#include <OpenEXR/ImfDeepScanLineOutputFile.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfRgbaFile.h>
#include <OpenEXR/ImfTiledOutputPart.h>
#include <OpenEXR/ImfTiledRgbaFile.h>

static std::vector<float> values_of(bool grey)
{
    std::vector<float> values;
    for (int y = 0; y < EXR_HEIGHT; ++y)
        for (int x = 0; x < EXR_WIDTH; ++x) {
            const float row = static_cast<float>(y + 1);
            values.insert(values.end(), {grey ? row : static_cast<float>(x + 1), row, grey ? row : 0.5f});
        }
    return values;
}

static std::vector<Imf::Rgba> halves_of(const std::vector<float> &values)
{
    std::vector<Imf::Rgba> texels;
    for (size_t i = 0; i < values.size(); i += 3)
        texels.emplace_back(values[i], values[i + 1], values[i + 2]);
    return texels;
}

static void write_tiles(const char *path, const std::vector<Imf::Rgba> &texels)
{
    Imf::TiledRgbaOutputFile file(path, EXR_WIDTH, EXR_HEIGHT, 16, 16, Imf::MIPMAP_LEVELS);
    for (int level = 0; level < file.numLevels(); ++level) { // the copies hold the corner of the picture
        file.setFrameBuffer(texels.data(), 1, EXR_WIDTH);
        file.writeTiles(0, file.numXTiles(level) - 1, 0, file.numYTiles(level) - 1, level);
    }
}

static void write_parts(const char *path, std::vector<float> values)
{
    std::vector<Imf::Header> headers(2, Imf::Header(EXR_WIDTH, EXR_HEIGHT));
    headers[0].setName("depth");
    headers[0].setType(Imf::SCANLINEIMAGE);
    headers[0].channels().insert("Z", Imf::Channel(Imf::FLOAT));
    headers[1].setName("beauty");
    headers[1].setType(Imf::TILEDIMAGE);
    headers[1].setTileDescription(Imf::TileDescription(16, 16));
    Imf::FrameBuffer depth, colour;
    const size_t step = 3 * sizeof(float);
    for (int c = 0; c < 3; ++c) {
        const std::string name(1, "RGB"[c]);
        headers[1].channels().insert(name, Imf::Channel(Imf::FLOAT));
        colour.insert(name, Imf::Slice(Imf::FLOAT, reinterpret_cast<char *>(&values[c]), step, step * EXR_WIDTH));
    }
    depth.insert("Z", Imf::Slice(Imf::FLOAT, reinterpret_cast<char *>(values.data()), step, step * EXR_WIDTH));
    Imf::MultiPartOutputFile file(path, headers.data(), 2);
    Imf::OutputPart first(file, 0);
    first.setFrameBuffer(depth);
    first.writePixels(EXR_HEIGHT);
    Imf::TiledOutputPart second(file, 1);
    second.setFrameBuffer(colour);
    second.writeTiles(0, second.numXTiles() - 1, 0, second.numYTiles() - 1);
}

static void write_deep(const char *path)
{
    Imf::Header header(EXR_WIDTH, EXR_HEIGHT);
    header.channels().insert("R", Imf::Channel(Imf::FLOAT));
    header.setType(Imf::DEEPSCANLINE);
    header.compression() = Imf::ZIPS_COMPRESSION;
    std::vector<unsigned> counts(EXR_WIDTH * EXR_HEIGHT, 0);
    std::vector<float *> samples(EXR_WIDTH * EXR_HEIGHT, nullptr);
    Imf::DeepFrameBuffer frame;
    frame.insertSampleCountSlice(
        Imf::Slice(Imf::UINT, reinterpret_cast<char *>(counts.data()), sizeof(unsigned), sizeof(unsigned) * EXR_WIDTH));
    frame.insert("R", Imf::DeepSlice(Imf::FLOAT, reinterpret_cast<char *>(samples.data()), sizeof(float *),
                                     sizeof(float *) * EXR_WIDTH, sizeof(float)));
    Imf::DeepScanLineOutputFile file(path, header);
    file.setFrameBuffer(frame);
    file.writePixels(EXR_HEIGHT);
}

void exr_write(const char *path, enum exr_form form)
{
    const std::vector<float> values = values_of(form == EXR_LUMINANCE_CHROMA);
    const std::vector<Imf::Rgba> texels = halves_of(values);
    if (form == EXR_TILES)
        return write_tiles(path, texels);
    if (form == EXR_PARTS)
        return write_parts(path, values);
    if (form == EXR_DEEP)
        return write_deep(path);
    Imf::Header header(EXR_WIDTH, EXR_HEIGHT);
    if (form == EXR_DWA)
        header.compression() = Imf::DWAA_COMPRESSION;
    Imf::RgbaOutputFile file(path, header, form == EXR_DWA ? Imf::WRITE_RGB : Imf::WRITE_YC);
    file.setFrameBuffer(texels.data(), 1, EXR_WIDTH);
    file.writePixels(EXR_HEIGHT);
}
