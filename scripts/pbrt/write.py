# SPDX-License-Identifier: MIT
"""Writes what was read as a scene file of warpstudy, with a mesh per material."""
import array
import json
import math
import re
import shutil
import sys

from materials import Value
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


def base_of(reader, lights):
    """Makes the world right-handed; where a picture lights it, turns it so that the picture's up is +y."""
    handed = scale(-1.0, 1.0, 1.0) if reader.is_left_handed() else IDENTITY
    for place, _, _, path, _, ctm in lights:
        if path:
            turn = multiply(SWAP_YZ, inverse(without_scale(ctm)))
            if determinant(turn) * determinant(handed) > 0:
                return turn
            reader.note("the environment's picture appears mirrored")
            return multiply(turn, multiply(ctm_flip(ctm), IDENTITY))
    return handed


def ctm_flip(ctm):
    """Mirrors the picture's own first axis, so that up stays up."""
    turn = without_scale(ctm)
    return multiply(turn, multiply(scale(-1.0, 1.0, 1.0), inverse(turn)))


# ---- pictures

def read_pfm(path):
    try:
        with path.open("rb") as file:
            kind = file.readline().strip()
            width, height = map(int, file.readline().split())
            order = float(file.readline())
            values = array.array("f", file.read())
    except ValueError:
        raise SceneError(f"{path} is not a PFM file, or is cut short\n  fetch the whole scene again") from None
    if (order < 0) != (sys.byteorder == "little"):
        values.byteswap()
    channels = 3 if kind == b"PF" else 1
    if len(values) != width * height * channels:
        raise SceneError(f"{path} is cut short\n  fetch the whole scene again")
    return width, height, channels, values


def write_hdr(path, width, height, channels, values):
    """Radiance's format; a PFM file begins with its lowest row."""
    out = bytearray(f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode())
    for row in range(height - 1, -1, -1):
        for at in range(row * width * channels, (row + 1) * width * channels, channels):
            rgb = [max(v, 0.0) for v in values[at:at + channels]] * (4 - channels if channels == 1 else 1)
            most = max(rgb)
            if most < 1e-32:
                out += b"\0\0\0\0"
                continue
            fraction, exponent = math.frexp(most)
            out += bytes([min(int(c * fraction * 256 / most), 255) for c in rgb[:3]] + [exponent + 128])
    path.write_bytes(out)


def copy_picture(reader, path, folder, names):
    """The name of a picture's copy in `folder`."""
    if path not in names:
        name = f"{len(names)}-{re.sub('[^A-Za-z0-9._-]', '_', path.name)}"
        if path.suffix.lower() == ".pfm":
            name = name[:-4] + ".hdr"
            write_hdr(folder / "pictures" / name, *read_pfm(path))
        else:
            shutil.copyfile(path, folder / "pictures" / name)
        names[path] = f"pictures/{name}"
    return names[path]


# ---- parts of the scene file

def material_line(reader, material, emission, folder, names):
    parts = [f"kind: {material.kind}"]
    for key, value in material.keys.items():
        parts.append(f"{key}: {numbers([min(max(c, 0), 1) for c in value.rgb]) if isinstance(value, Value) else number(value)}")
        if isinstance(value, Value) and value.picture:
            parts.append(f"texture: {quoted(copy_picture(reader, value.picture, folder, names))}")
    if emission:
        parts.append(f"emission: {numbers(emission)}")
    return "{" + ", ".join(parts) + "}"


def sky_line(reader, distant, constant, base):
    place, _, radiance, _, direction, ctm = distant
    x, y, z = normal(vector(base, vector(ctm, direction)))
    # the disc is soft over its outer half: three quarters of the radius hold about its light
    solid = 2 * math.pi * (1 - math.cos(math.radians(0.77 * SUN_DEGREES)))
    background = numbers(constant) if constant else "0"
    return (f"environment: {{sky: {{zenith: {background}, horizon: {background}, ground: {background}, sun: {numbers([c / solid for c in radiance])}, "
            f"sun_azimuth: {number(math.degrees(math.atan2(z, x)))}, sun_elevation: {number(math.degrees(math.asin(max(-1, min(1, y)))))}, "
            f"sun_radius: {number(SUN_DEGREES)}}}}}")


def environment_line(reader, base, folder, names):
    """Of all lights from infinity at most one is a picture or a sun."""
    pictures = [l for l in reader.lights if l[3]]
    distant = [l for l in reader.lights if l[1] == "distant"]
    constant = [sum(c) for c in zip(*(l[2] for l in reader.lights if l[1] != "distant" and not l[3]))]
    if pictures:
        if len(reader.lights) > 1:
            reader.note("of several lights from infinity the picture alone is taken")
        tint = pictures[0][2]
        if max(tint) > 0 and len(set(tint)) > 1:
            reader.note("the tint of the environment's picture is left out")
        return f"environment: {{file: {quoted(copy_picture(reader, pictures[0][3], folder, names))}, intensity: {number(sum(tint) / 3)}}}"
    if distant:
        if len(distant) > 1:
            reader.note("of several distant lights the first alone is taken")
        reader.note(f"a distant light becomes a sun with a radius of {SUN_DEGREES:g} degrees")
        return sky_line(reader, distant[0], constant, base)
    return f"environment: {{constant: {numbers(constant)}, cells: [1, 1]}}" if constant else None


def camera_lines(reader, base):
    to_world, _, aperture, focus = reader.camera
    m = multiply(base, to_world)
    keys = [f"eye: {vector_text(point(m, (0, 0, 0)))}", f"direction: {vector_text(normal(vector(m, (0, 0, 1))))}",
            f"up: {vector_text(normal(vector(m, (0, 1, 0))))}", f"fov: {number(reader.vertical_fov())}"]
    if aperture > 0:
        keys += [f"aperture: {number(aperture)}", f"focus: {number(focus)}"]
    return [f"cameras:  # {reader.film[0]}x{reader.film[1]} in the original", "  main: {" + ", ".join(keys) + "}"]


def vector_text(v):
    return "[" + ", ".join(number(c) for c in v) + "]"


def unique_names(groups):
    """Of each material with its emission: one name, of at most 63 bytes."""
    names, taken = {}, set()
    for name, emission in groups:
        stem = re.sub(r"[^\w. -]", "_", name).encode()[:50].decode(errors="ignore") or "material"
        candidate, n = stem + (" light" if emission else ""), 1
        while candidate in taken:
            n += 1
            candidate = f"{stem}{' light' if emission else ''} {n}"
        taken.add(candidate)
        names[name, emission] = candidate
    return names


def write_scene(reader, folder, title):
    groups = {key: group for key, group in reader.groups.items() if len(group.indices)}
    if not groups:
        raise SceneError(f"{reader.path}: the scene holds no triangle\n  are its shapes all left out?")
    if not reader.camera:
        raise SceneError(f"{reader.path}: the scene has no perspective camera\n  add one in front of WorldBegin: Camera \"perspective\"")
    for part in ("meshes", "pictures"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    base, pictures, names = base_of(reader, reader.lights), {}, unique_names(groups)
    files = {key: f"meshes/{i}-{re.sub('[^A-Za-z0-9._-]', '_', names[key])}.ply" for i, key in enumerate(groups)}
    lines = ["# written by scripts/convert-pbrt", f"title: {quoted(title)}", "materials:"]
    lines += [f"  {quoted(names[key])}: {material_line(reader, reader.materials[key[0]], key[1], folder, pictures)}" for key in groups]
    lines += ["meshes:"] + [f"  {quoted(names[key])}: {{file: {quoted(files[key])}, material: {quoted(names[key])}}}" for key in groups]
    lines += ["objects:"] + [f"  - {{mesh: {quoted(names[key])}}}" for key in groups]
    lines += camera_lines(reader, base)
    environment = environment_line(reader, base, folder, pictures)
    for key, group in groups.items():
        group.write(folder / files[key], base, (determinant(base) < 0) != reader.materials[key[0]].turned)
    (folder / "scene.yaml").write_text("\n".join(lines + [environment] if environment else lines) + "\n", encoding="utf-8")
    return sum(len(g.indices) // 3 for g in groups.values()), len(groups)
