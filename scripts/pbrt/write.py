# SPDX-License-Identifier: MIT
"""Writes what was read as a scene file of warpstudy, with a mesh per material."""
import array
import json
import math
import re
import shutil
import struct

from materials import Value, read_pfm
from matrix import IDENTITY, determinant, inverse, multiply, normal, point, scale, vector
from parse import SceneError

# Of a latitude-longitude picture: pbrt has z up, warpstudy y, and both azimuths grow from +x.
SWAP_YZ = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
SUN_DEGREES = 1.0  # radius of the disc that takes the place of a distant light


def number(x):
    return f"{x:.9g}"


def numbers(values):
    return number(values[0]) if len(set(values)) == 1 else "[" + ", ".join(number(v) for v in values) + "]"


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


# ---- the world

def without_scale(matrix):
    """The rotation or reflection alone."""
    columns = [normal((matrix[j], matrix[4 + j], matrix[8 + j])) for j in range(3)]
    return tuple(v for i in range(3) for v in (columns[0][i], columns[1][i], columns[2][i], 0.0)) + (0.0, 0.0, 0.0, 1.0)


def base_of(reader):
    """Makes the world right-handed; where a picture lights it, turns it so that the picture's up is +y. And whether that picture is then mirrored."""
    handed = scale(-1.0, 1.0, 1.0) if reader.is_left_handed() else IDENTITY
    for light in reader.lights:
        if light.path:
            turn = multiply(SWAP_YZ, inverse(without_scale(light.ctm)))
            mirrored = determinant(turn) * determinant(handed) < 0
            return multiply(scale(1.0, 1.0, -1.0), turn) if mirrored else turn, mirrored
    return handed, False


# ---- pictures

def write_exr(path, width, height, channels, values):
    """OpenEXR in full floats, not compressed, of `values` as read_pfm gives them."""
    def attribute(name, kind, *parts):
        value = b"".join(parts)
        return name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value
    names = b"BGR" if channels == 3 else b"Y"
    listed = b"".join(struct.pack("<2s4i", bytes([name]), 2, 0, 1, 1) for name in names) + b"\0"
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    out = bytearray(b"\x76\x2f\x31\x01\x02\0\0\0" + attribute(b"channels", b"chlist", listed) + attribute(b"compression", b"compression", b"\0") +
                    attribute(b"dataWindow", b"box2i", window) + attribute(b"displayWindow", b"box2i", window) +
                    attribute(b"lineOrder", b"lineOrder", b"\0") + attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1)) +
                    attribute(b"screenWindowCenter", b"v2f", struct.pack("<2f", 0, 0)) + attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)) + b"\0")
    row_bytes = 4 * channels * width
    first = len(out) + 8 * height
    out += b"".join(struct.pack("<Q", first + y * (8 + row_bytes)) for y in range(height))
    for y in range(height):
        row = values[(height - 1 - y) * width * channels:(height - y) * width * channels]
        out += struct.pack("<2i", y, row_bytes)
        for channel in range(channels - 1, -1, -1):
            out += struct.pack(f"<{width}f", *row[channel::channels])
    path.write_bytes(out)


def binary_pnm(path):
    """A picture in PNM's text form (P2, P3) in its binary one: the other is not read."""
    words = re.sub(rb"#[^\n]*", b"", path.read_bytes()).split()
    try:
        kind, width, height, most = int(words[0][1:]) + 3, *map(int, words[1:4])
        values = bytes(int(v) * 255 // most for v in words[4:])
    except (ValueError, ZeroDivisionError):
        values = b""
    if not values or len(values) != width * height * (3 if kind == 6 else 1):
        raise ValueError("it is damaged or cut short")
    return b"P%d %d %d 255\n" % (kind, width, height) + values


def copy_picture(path, folder, names):
    """The name of a picture's copy in `folder`."""
    if path not in names:
        name = f"{len(names)}-{re.sub('[^A-Za-z0-9._-]', '_', path.name)}"
        try:
            if path.suffix.lower() == ".pfm":
                name = name[:-4] + ".exr"
                write_exr(folder / "pictures" / name, *read_pfm(path))
            elif path.read_bytes()[:2] in (b"P2", b"P3"):
                (folder / "pictures" / name).write_bytes(binary_pnm(path))
            else:
                shutil.copyfile(path, folder / "pictures" / name)
        except ValueError as fault:
            raise SceneError(f"{path}: {fault}\n  fetch the whole scene again") from None
        names[path] = f"pictures/{name}"
    return names[path]


# ---- parts of the scene file

def material_line(material, emission, folder, names):
    parts = [f"kind: {material.kind}"]
    for key, value in material.keys:
        parts.append(f"{key}: {numbers(value.factor) if isinstance(value, Value) else number(value)}")
        if isinstance(value, Value) and value.picture:
            parts.append(f"texture: {quoted(copy_picture(value.picture.path, folder, names))}")
    if emission:
        parts.append(f"emission: {numbers(emission)}")
    return "{" + ", ".join(parts) + "}"


def sun_solid_angle(azimuth, elevation):
    """Of the disc as the map of a sky holds it: taken at the centres of 512 x 256 texels, and soft over its outer half."""
    width, height, sum = 512, 256, 0.0
    outer, inner = (math.cos(math.radians(r)) for r in (SUN_DEGREES, SUN_DEGREES / 2))
    for row in range(height):
        y, band = math.cos(math.pi * (row + 0.5) / height), math.cos(math.pi * row / height) - math.cos(math.pi * (row + 1) / height)
        for column in range(width):
            across = math.cos(2 * math.pi * (column + 0.5) / width - azimuth) * math.cos(elevation) * math.sqrt(1 - y * y)
            t = min(max((across + y * math.sin(elevation) - outer) / (inner - outer), 0), 1)
            sum += t * t * (3 - 2 * t) * band * 2 * math.pi / width
    return sum


def sky_line(reader, distant, constant, base):
    x, y, z = normal(vector(base, vector(distant.ctm, distant.direction)))
    azimuth, elevation = math.atan2(z, x), math.asin(max(-1, min(1, y)))
    solid, background = sun_solid_angle(azimuth, elevation), numbers(constant) if constant else "0"
    return (f"environment: {{sky: {{zenith: {background}, horizon: {background}, ground: {background}, sun: {numbers([c / solid for c in distant.radiance])}, "
            f"sun_azimuth: {number(math.degrees(azimuth))}, sun_elevation: {number(math.degrees(elevation))}, "
            f"sun_radius: {number(SUN_DEGREES)}}}}}")


def picture_line(reader, light, mirrored, folder, names):
    tint, keys = light.radiance, [f"file: {quoted(copy_picture(light.path, folder, names))}"]
    if max(tint) > 0 and len(set(tint)) > 1:
        reader.note("the tint of the environment's picture is left out")
    keys += ["mapping: equal_area"] if light.equal_area else []
    keys += ["mirrored: true"] if mirrored else []
    keys += [f"illuminance: {number(light.illuminance)}"] if light.illuminance else []
    return f"environment: {{{', '.join(keys)}, intensity: {number(sum(tint) / 3)}}}"


def environment_line(reader, base, mirrored, folder, names):
    """Of all lights from infinity at most one is a picture or a sun."""
    pictures = [l for l in reader.lights if l.path]
    distant = [l for l in reader.lights if l.kind == "distant"]
    constant = [sum(c) for c in zip(*(l.radiance for l in reader.lights if l.kind != "distant" and not l.path))]
    if pictures:
        if len(reader.lights) > 1:
            reader.note("of several lights from infinity the picture alone is taken")
        return picture_line(reader, pictures[0], mirrored, folder, names)
    if distant:
        if len(distant) > 1:
            reader.note("of several distant lights the first alone is taken")
        reader.note(f"a distant light becomes a sun with a radius of {SUN_DEGREES:g} degrees")
        return sky_line(reader, distant[0], constant, base)
    return f"environment: {{constant: {numbers(constant)}, cells: [1, 1]}}" if constant else None


def camera_lines(reader, base):
    camera = reader.camera
    m = multiply(base, camera.to_world)
    keys = [f"eye: {vector_text(point(m, (0, 0, 0)))}", f"direction: {vector_text(normal(vector(m, (0, 0, 1))))}",
            f"up: {vector_text(normal(vector(m, (0, 1, 0))))}", f"fov: {number(reader.vertical_fov)}"]
    if camera.aperture > 0:
        keys += [f"aperture: {number(camera.aperture)}", f"focus: {number(camera.focus)}"]
    return [f"cameras:  # {reader.film[0]}x{reader.film[1]} in the original", "  main: {" + ", ".join(keys) + "}"]


def vector_text(v):
    return "[" + ", ".join(number(c) for c in v) + "]"


def unique_names(groups):
    """Of each material with its emission: one name, of at most 63 bytes."""
    names, taken = {}, set()
    for material, emission in groups:
        stem = re.sub(r"[^\w. -]", "_", material.name).encode()[:50].decode(errors="ignore") or "material"
        candidate, n = stem + (" light" if emission else ""), 1
        while candidate in taken:
            n += 1
            candidate = f"{stem}{' light' if emission else ''} {n}"
        taken.add(candidate)
        names[material, emission] = candidate
    return names


def write_scene(reader, folder, title):
    groups = {key: group for key, group in reader.groups.items() if len(group.indices)}
    if not groups:
        raise SceneError(f"{reader.path}: the scene holds no triangle\n  are its shapes all left out?")
    if not reader.camera:
        raise SceneError(f"{reader.path}: the scene has no perspective camera\n  add one in front of WorldBegin: Camera \"perspective\"")
    for part in ("meshes", "pictures"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (base, mirrored), pictures, names = base_of(reader), {}, unique_names(groups)
    files = {key: f"meshes/{i}-{re.sub('[^A-Za-z0-9._-]', '_', names[key])}.ply" for i, key in enumerate(groups)}
    lines = ["# written by scripts/convert-pbrt", f"title: {quoted(title)}", "materials:"]
    lines += [f"  {quoted(names[key])}: {material_line(*key, folder, pictures)}" for key in groups]
    lines += ["meshes:"] + [f"  {quoted(names[key])}: {{file: {quoted(files[key])}, material: {quoted(names[key])}}}" for key in groups]
    lines += ["objects:"] + [f"  - {{mesh: {quoted(names[key])}}}" for key in groups]
    lines += camera_lines(reader, base)
    environment = environment_line(reader, base, mirrored, folder, pictures)
    for key, group in groups.items():
        group.write(folder / files[key], base, (determinant(base) < 0) != key[0].turned)
    (folder / "scene.yaml").write_text("\n".join(lines + [environment] if environment else lines) + "\n", encoding="utf-8")
    return sum(len(g.indices) // 3 for g in groups.values()), len(groups)
