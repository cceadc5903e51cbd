#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/convert-pbrt: what it writes against pbrt's own formulas, and what it says of what it does not know.

usage: test_convert_pbrt.py WARPSTUDY
"""
import contextlib
import gzip
import io
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
WARPSTUDY = pathlib.Path(sys.argv[1]).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts/pbrt"))
import convert  # noqa: E402
import materials  # noqa: E402

HEAD = 'LookAt 0 0 -5  0 0 0  0 1 0\nCamera "perspective" "float fov" [40]\nWorldBegin\n'
TRIANGLE = 'Shape "trianglemesh" "integer indices" [0 1 2] "point P" [0 0 0  1 0 0  0 1 0]\n'
failures = 0


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print(f"FAILED: {what}")


def near(a, b, tolerance=1e-5):
    return len(a) == len(b) and all(abs(x - y) <= tolerance * (1 + abs(y)) for x, y in zip(a, b))


class Converted:
    """A scene's text, converted in a folder of its own."""

    def __init__(self, text, *options, files=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        for name, content in files:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(content)
        (self.folder / "in.pbrt").write_text(text)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            self.status = convert.main([str(self.folder / "in.pbrt"), str(self.folder / "out"), *options])
        self.said = said.getvalue()
        self.yaml = (self.folder / "out/scene.yaml").read_text() if self.status == 0 else ""

    def camera(self):
        line = re.search(r"main: \{(.*)\}", self.yaml).group(1)
        found = {k: [float(v) for v in vs.strip("[]").split(",")] for k, vs in re.findall(r"(\w+): (\[[^\]]*\]|[^,]+)", line)}
        return found

    def triangles(self, material=0):
        """Of the n-th mesh, each as three points; read here by a reader of its own."""
        name = re.findall(r'file: "(meshes/[^"]*)"', self.yaml)[material]
        data = (self.folder / "out" / name).read_bytes()
        head, _, body = data.partition(b"end_header\n")
        vertices, faces = (int(n) for n in re.findall(rb"element \w+ (\d+)", head))
        points = [struct.unpack_from("<3f", body, 12 * i) for i in range(vertices)]
        return [tuple(points[i] for i in struct.unpack_from("<B3i", body, 12 * vertices + 13 * k)[1:]) for k in range(faces)]

    def warpstudy(self, *arguments):
        environment = dict(os.environ, WARPSTUDY_CACHE=str(scratch))
        return subprocess.run([WARPSTUDY, *map(str, arguments)], capture_output=True, text=True, env=environment, cwd=self.folder)


    def render(self, *settings):
        """Mean of 6 x 6 pixels, by channel."""
        run = self.warpstudy("render", self.folder / "out/scene.yaml", "-o", "f.hdr", "-d", "emulator", "-s", "width=6", "-s", "height=6",
                             "-s", "materials=tree", "-s", "roulette=none", "-s", "max_bounces=1", *(a for s in settings for a in ("-s", s)))
        check(run.returncode == 0, run.stderr)
        texels = (self.folder / "f.hdr").read_bytes().split(b"-Y 6 +X 6\n")[1]
        return [sum(texels[i + k] * 2.0 ** (texels[i + 3] - 136) for i in range(0, 144, 4)) / 36 for k in range(3)]


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def front(triangle):
    return cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]))


# ---- camera: pbrt's is left-handed, with x to the right; where its world is so too, everything is mirrored

def test_camera():
    c = Converted("Scale -1 1 1\nLookAt 1 2 3  4 6 3  0 0 1\n" + 'Film "image" "integer xresolution" [90] "integer yresolution" [60]\n'
                  'Camera "perspective" "float fov" [50] "float lensradius" [0.25] "float focaldistance" [7]\nWorldBegin\n' + TRIANGLE)
    camera = c.camera()
    check(near(camera["eye"], [1, 2, 3]) and near(camera["direction"], [0.6, 0.8, 0]) and near(camera["up"], [0, 0, 1]), "LookAt, mirrored by Scale")
    check(near(camera["fov"], [50]) and near(camera["aperture"], [0.25]) and near(camera["focus"], [7]), "lens and angle of view")
    c = Converted('Film "image" "integer xresolution" [60] "integer yresolution" [90]\n' + HEAD + TRIANGLE)
    check(near(c.camera()["fov"], [2 * math.degrees(math.atan(math.tan(math.radians(20)) * 1.5))]), "the angle of view is of the shorter side")
    # in the plain world the camera at z = -5 has x to its right; here right is direction x up = -x, so that x is turned
    check(near(c.camera()["eye"], [0, 0, -5]) and max(p[0] for p in c.triangles()[0]) <= 0, "a left-handed world is mirrored")


def test_windows():
    """The vertical angle, by what the upper edge of the picture's plane is from its middle."""
    def film(w, h, more=""):
        return f'Film "rgb" "integer xresolution" [{w}] "integer yresolution" [{h}] {more}\n'

    half = math.tan(math.radians(20))
    for text, window, up, size in ((film(640, 360), "-1 1 -0.5625 0.5625", 0.5625, "640x360"), (film(60, 90), "", 1.5, "60x90"),
                                   (film(90, 60), "", 1, "90x60"), (film(60, 90), "-2 2 -3 3", 3, "60x90"),
                                   (film(80, 80, '"float cropwindow" [0.25 0.75 0 1]'), "", 1, "40x80"),
                                   (film(80, 40, '"float cropwindow" [0.75 0.25 0.9 0.1]'), "-4 4 -2 2", 1.6, "40x32"),
                                   (film(80, 40, '"integer pixelbounds" [20 60 5 35]'), "", 0.75, "40x30")):
        c = Converted(text + HEAD.replace("[40]", "[40]" + (f' "float screenwindow" [{window}]' if window else "")) + TRIANGLE)
        check(c.status == 0 and near(c.camera()["fov"], [2 * math.degrees(math.atan(half * up))]) and f"# {size} in" in c.yaml and "square" not in c.said,
              f"{text} {window}: {c.yaml} {c.said}")
    for aspect, up, width in (("2", 1, "2"), ("0.5", 2, "0.5")):
        c = Converted(film(90, 60) + HEAD.replace("[40]", f'[40] "float frameaspectratio" {aspect}') + TRIANGLE)
        check(near(c.camera()["fov"], [2 * math.degrees(math.atan(half * up))]) and f"a width of {width} times" in c.said, f"frameaspectratio {aspect}: {c.said}")
    for text, window, what in ((film(9, 9), "-1 2 -1 1", "screenwindow"), (film(9, 9), "1 -1 -1 1", "screenwindow"),
                               (film(9, 9, '"float cropwindow" [0 1 0 0.5]'), "-1 1 -1 1", "cropwindow"), (film(9, 9, '"integer pixelbounds" [0 4 0 9]'), "-1 1 -1 1", "pixelbounds")):
        head = text + HEAD.replace("[40]", f'[40] "float screenwindow" [{window}]')
        check(Converted(head + TRIANGLE).status == 2 and what in Converted(head + TRIANGLE).said, f"{what} beside the middle is refused")
        c = Converted(head + TRIANGLE, "--leave-out")
        check(c.status == 0 and near(c.camera()["fov"], [40]) and "# 9x9" in c.yaml, f"without {what} the whole film: {c.yaml}")
    c = Converted("Scale 0.5 0.5 0.5\n" + HEAD.replace("[40]", '[40] "float halffov" 15 "float lensradius" 0.1 "float focaldistance" 3') + TRIANGLE)
    check(near(sum((c.camera()[k] for k in ("fov", "aperture", "focus")), []), [30, 0.2, 6]), f"a camera's scale: {c.yaml}")


# ---- transformations and instances: the same triangle by six ways

def ply(kind, faces=((0, 1, 2),), normals=None):
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    names = "xyz" if not normals else ("x", "y", "z", "nx", "ny", "nz")
    rows = [p + tuple(normals or ()) for p in points]
    head = f"ply\nformat {kind} 1.0\nelement vertex 4\n" + "".join(f"property float {n}\n" for n in names)
    head += f"element face {len(faces)}\nproperty uchar red\nproperty list uchar int vertex_indices\nend_header\n"
    if kind == "ascii":
        return (head + "".join(" ".join(map(str, r)) + "\n" for r in rows) + "".join(f"9 {len(f)} {' '.join(map(str, f))}\n" for f in faces)).encode()
    order = "<" if "little" in kind else ">"
    body = b"".join(struct.pack(f"{order}{len(r)}f", *r) for r in rows)
    return head.encode() + body + b"".join(struct.pack(f"{order}BB{len(f)}i", 9, len(f), *f) for f in faces)


def test_transformations():
    moved = "Translate 1 2 3\nRotate 90 0 0 1\nScale 2 2 2\n"
    expected = [(1, 2, 3), (1, 4, 3), (-1, 2, 3)]
    matrix = "Transform [0 2 0 0  -2 0 0 0  0 0 2 0  1 2 3 1]\n"
    files = [(f"{k}.ply", ply(k)) for k in ("ascii", "binary_little_endian", "binary_big_endian")]
    head = "Scale -1 1 1\n" + HEAD
    texts = [moved + TRIANGLE, matrix + TRIANGLE, "Transform [0 4 0 0  -4 0 0 0  0 0 4 0  2 4 6 2]\n" + TRIANGLE, "Translate 9 9 9\n" + matrix + TRIANGLE, "Translate 1 2 3\nConcatTransform [0 2 0 0  -2 0 0 0  0 0 2 0  0 0 0 1]\n" + TRIANGLE,
             'ObjectBegin "o"\nRotate 90 0 0 1\n' + TRIANGLE + 'ObjectEnd\nTranslate 1 2 3\nScale 2 2 2\nObjectInstance "o"\n',
             'Translate 1 2 3\nCoordinateSystem "s"\nIdentity\nCoordSysTransform "s"\nRotate 90 0 0 1\nScale 2 2 2\n' + TRIANGLE,
             "TransformBegin\nTranslate 5 5 5\nTransformEnd\nAttributeBegin\nTranslate 7 7 7\nAttributeEnd\n" + moved + TRIANGLE]
    texts += [moved + f'Shape "plymesh" "string filename" ["{name}"]\n' for name, _ in files]
    for text in texts:
        c = Converted(head + text, files=files)
        check(c.status == 0 and len(c.triangles()) == 1 and near(sum(c.triangles()[0], ()), sum(expected, ())), f"placed as by pbrt: {text}{c.said}")
    c = Converted(head + 'Shape "plymesh" "string filename" ["q.ply"]\n', files=[("q.ply", ply("binary_little_endian", ((0, 1, 3, 2), (0, 1, 2))))])
    check(len(c.triangles()) == 3, "faces of four corners beside those of three")
    lists = ply("ascii", ((0, 1, 3, 2),)).replace(b"property list", b"comment without end_header\nproperty list uchar int flags\nproperty list").replace(b"9 4", b"9 3 0 1 2 4")
    c = Converted(head + 'Shape "plymesh" "string filename" ["l.ply"]\n', files=[("l.ply", lists)])
    check(c.status == 0 and len(c.triangles()) == 2, f"a list beside the corners, end_header in a comment: {c.said}")


def test_included_files():
    c = Converted(HEAD + 'Include "part.pbrt"\nTranslate 1 0 0\nInclude "part.pbrt"\n', files=[("part.pbrt", TRIANGLE.encode())])
    check(len(c.triangles()) == 2, "a file included twice")


    # names count from the main file's folder, wherever they stand; all may be gzipped
    inner = 'Texture "t" "spectrum" "imagemap" "string filename" "t/p.ppm"\nMaterial "matte" "texture Kd" "t"\nShape "plymesh" "string filename" "g/m.ply.gz"\n'
    files = [("g/one.pbrt", b'Include "g/deep/two.pbrt.gz"\n'), ("g/deep/two.pbrt.gz", gzip.compress(inner.encode())), ("t/p.ppm", b"P3 1 1 # grey\n51 51 0 51"),
             ("g/m.ply.gz", gzip.compress(ply("binary_little_endian"))), ("bom.pbrt", b"\xef\xbb\xbf" + TRIANGLE.encode())]
    c = Converted(HEAD + 'Include "g/one.pbrt"\nInclude "bom.pbrt"\n', files=files)
    check(c.status == 0 and c.yaml.count("{mesh:") == 1 and len(c.triangles()) == 2, f"nested folders, gzip, byte order mark: {c.said}")
    check((c.folder / "out/pictures/0-p.ppm").read_bytes() == b"P6 1 1 255\n\xff\x00\xff", "a picture in PNM's text form")
    # what an import changes ends with it, what an include changes does not
    part = b"Translate 0 0 7\n" + TRIANGLE.encode()
    for word, z in (("Include", 7), ("Import", 0)):
        c = Converted(HEAD + f'{word} "part.pbrt"\n' + TRIANGLE, files=[("part.pbrt", part)])
        check([t[0][2] for t in c.triangles()] == [7, z], f"what {word} leaves behind: {c.triangles()}")


# ---- which side is the front: where the normals point, else pbrt's rule of handedness

def test_sides():
    head, normal = "Scale -1 1 1\n" + HEAD, '"normal N" [0 0 {0} 0 0 {0} 0 0 {0}]\n'
    plain = TRIANGLE.rstrip("\n")
    cases = [(TRIANGLE, 1), ("ReverseOrientation\n" + TRIANGLE, -1), ("Scale -1 1 1\n" + TRIANGLE, 1), ("Scale 1 1 -1\n" + TRIANGLE, -1),
             ("Scale -1 1 1\nReverseOrientation\n" + TRIANGLE, -1), (plain + normal.format(1), 1), (plain + normal.format(-1), -1),
             ("ReverseOrientation\n" + plain + normal.format(-1), -1), ("Scale 1 1 -1\n" + plain + normal.format(1), -1),
             ("Scale -1 1 1\n" + plain + normal.format(1), 1), ("Rotate 180 1 0 0\n" + plain + normal.format(1), -1),
             ('Shape "plymesh" "string filename" ["n.ply"]\n', -1), ('Material "diffuse"\nReverseOrientation\n' + plain + normal.format(-1), 1),
             ('Film "rgb"\nReverseOrientation\nShape "plymesh" "string filename" ["n.ply"]\n', 1), ('Material "glass" "float index" [0.8]\n' + plain + normal.format(1), -1)]
    for text, sign in cases:
        c = Converted(head + text, files=[("n.ply", ply("binary_little_endian", normals=(0, 0, -1)))])
        # pbrt without normals: cross(p1 - p0, p2 - p0) of the points in the world, turned where ReverseOrientation and a reflection differ
        check(c.status == 0 and front(c.triangles()[0])[2] * sign > 0, f"front of {text}{c.said}")
        mirrored = Converted(HEAD + text, files=[("n.ply", ply("binary_little_endian", normals=(0, 0, -1)))])
        check(front(mirrored.triangles()[0])[2] * sign > 0, f"front in a mirrored world of {text}")
    for shape in ('"sphere" "float radius" [2] "float phimax" 360 "float zmin" -2 "float zmax" 2', '"cylinder" "float radius" [2] "float phimax" 360'):
        for before, sign in (("", 1), ("Scale 1 -1 1\n", 1), ("ReverseOrientation\n", -1), ("Scale 1 -1 1\nReverseOrientation\n", -1)):
            c = Converted(f"{head}{before}Shape {shape}\n")
            outward = [sign * dot(front(t), (t[0][0], t[0][1], 0 if "cyl" in shape else t[0][2])) > 0 for t in c.triangles()]
            check(all(outward) and len(outward) > 100, f"{shape} faces outwards {before}{c.said}")
    check(len(Converted(head + 'Shape "disk" "float phimax" 360\n').triangles()) == 96, "a whole disk")


# ---- light from infinity: a picture with one bright texel, found where pbrt would see it

def test_environment():
    width, height, row, column = 8, 4, 1, 5
    texels = [[0.0] * 3 for _ in range(width * height)]
    texels[(height - 1 - row) * width + column] = [8.0, 4.0, 2.0]
    pfm = f"PF {width}\n{height} -2\n".encode() + struct.pack(f"<{3 * width * height}f", *sum(texels, []))
    # pbrt: u = phi / 2 pi from x towards y, v = theta / pi from z
    theta, phi = math.pi * (row + 0.5) / height, 2 * math.pi * (column + 0.5) / width
    light = (math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta))
    m = ((0.6, 0.8, 0.0), (0.0, 0.0, -1.0), (0.8, -0.6, 0.0))  # rows: light to world, a reflection as in pbrt's y-up scenes
    world = tuple(dot(r, light) for r in m)
    columns = " ".join(" ".join(f"{m[i][j]:g}" for i in range(3)) + " 0" for j in range(3)) + " 0 0 0 1"
    basis = 'Shape "trianglemesh" "integer indices" [0 1 2] "point P" [1 0 0  0 1 0  0 0 1]\n'
    for handed in ("Scale -1 1 1\n", ""):
        c = Converted(handed + HEAD + f'AttributeBegin\nTransform [{columns}]\nLightSource "infinite" "string mapname" ["e.pfm"]\nAttributeEnd\n' + basis,
                      files=[("e.pfm", pfm)])
        check(c.status == 0, c.said)
        x, y, z = sorted_basis(c)
        here = tuple(world[0] * x[i] + world[1] * y[i] + world[2] * z[i] for i in range(3))
        turned = (math.atan2(here[2], here[0]) / (2 * math.pi)) % 1
        check(("mirrored: true" in c.yaml) != bool(handed) and "equal_area" not in c.yaml, f"whether it is mirrored {c.yaml}")
        turned = turned if handed else 1 - turned
        found = (int(math.acos(here[1]) / math.pi * height), int(turned * width))
        rows = next((c.folder / "out/pictures").iterdir()).read_bytes()[-height * (8 + 12 * width):]  # of OpenEXR: y, size; blue, green, red
        floats = [struct.unpack(f"<{3 * width}f", rows[at + 8:at + 8 + 12 * width]) for at in range(0, len(rows), 8 + 12 * width)]
        found_texels = [tuple(floats[i // width][k * width + i % width] for k in (2, 1, 0)) for i in range(width * height)]
        bright = [i for i in range(width * height) if any(found_texels[i])]
        check(len(bright) == 1, "one texel is bright")
        check(found == divmod(bright[0], width), f"the bright texel is at {divmod(bright[0], width)}, pbrt sees it at {found}")
        check(found_texels[bright[0]] == (16, 8, 4), "its radiance, by the scale of the file")
        # what is seen must not be mirrored: right of the camera is +x in pbrt's world where it is right-handed, else -x
        camera = c.camera()
        right = cross(camera["direction"], camera["up"])
        check(dot(right, x) * (-1 if handed else 1) > 0.99, f"the camera's right hand {handed!r}")


# ---- pbrt-v4's pictures of equal areas: what a camera sees along a direction is the texel that pbrt looks up there

def square_of(d):
    """pbrt-v4's EqualAreaSphereToSquare (util/math.cpp), without its fits."""
    x, y, z = (abs(c) for c in d)
    r, a, b = math.sqrt(1 - z), max(x, y), min(x, y)
    phi = math.atan(b / a if a else 0) * 2 / math.pi
    phi = 1 - phi if x < y else phi
    v = phi * r
    u = r - v
    u, v = (1 - v, 1 - u) if d[2] < 0 else (u, v)
    return (math.copysign(u, d[0]) + 1) / 2, (math.copysign(v, d[1]) + 1) / 2


def test_equal_area_sky():
    side = 16
    colours = [[[0.5 + 0.03125 * column, 0.5 + 0.03125 * row, 1.0] for column in range(side)] for row in range(side)]
    pfm = f"PF\n{side} {side}\n-1\n".encode() + struct.pack(f"<{3 * side * side}f", *(v for row in reversed(colours) for c in row for v in c))
    c, s = math.cos(math.radians(40)), math.sin(math.radians(40))
    turns = {"": lambda d: d, "Rotate 40 0 0 1\n": lambda d: (c * d[0] + s * d[1], c * d[1] - s * d[0], d[2]), "Rotate -90 1 0 0\n": lambda d: (d[0], -d[2], d[1]),
             "Scale -2 2 2\nRotate 90 0 1 0\n": lambda d: (-d[2], d[1], -d[0])}  # from the world to the light's own space
    world = [(0.3, 0.2, 0.9), (-0.5, 0.7, 0.2), (-0.4, -0.8, 0.3), (0.8, -0.5, 0.4), (0.6, 0.3, -0.5), (-0.7, 0.2, -0.6), (-0.2, -0.6, -0.7), (0.4, -0.3, -0.8)]
    for turn, (text, to_light) in enumerate(turns.items()):
        for i, handed in enumerate(("", "Scale -1 1 1\n")):
            for d in world[turn % 2 + 2 * i::4 if turn else 1]:
                length = math.sqrt(dot(d, d))
                u, v = square_of(to_light([x / length for x in d]))
                expected = colours[int(v * side)][int(u * side)]
                eye = " ".join(f"{100 * x}" for x in d)
                c_ = Converted(f"{handed}LookAt {eye}  {' '.join(f'{101 * x}' for x in d)}  0 0.1 1\nCamera \"perspective\" \"float fov\" [1.5]\nWorldBegin\n"
                               f'AttributeBegin\n{text}LightSource "infinite" "string filename" "e.pfm"\nAttributeEnd\n' + TRIANGLE, files=[("e.pfm", pfm)])
                seen = c_.render("spp=16", "lighting=hits") if c_.status == 0 else [0] * 3
                check(near(seen, expected, 0.02), f"along {d} after {text!r}, {handed!r}: {seen}, pbrt sees {expected} {c_.said}")


def sorted_basis(c):
    """Where the world's axes are now; the corners' order may be turned."""
    a, b, d = c.triangles()[0]
    names = re.findall(r"up: (\[[^\]]*\])", c.yaml)
    up = [float(v) for v in names[0].strip("[]").split(",")]
    y = max((a, b, d), key=lambda p: dot(p, up))
    rest = [p for p in (a, b, d) if p is not y]
    direction = c.camera()["direction"]
    z = max(rest, key=lambda p: dot(p, direction))
    return next(p for p in rest if p is not z), y, z


PLATE = 'Material "matte" "rgb Kd" [1 1 1]\nShape "trianglemesh" "integer indices" [0 1 2 0 2 3] "point P" [-5 -5 0  5 -5 0  5 5 0  -5 5 0]\n'
ABOVE = 'LookAt 0 -5 5  0 0 0  0 0 1\nCamera "perspective" "float fov" [5]\nWorldBegin\n'


def test_amounts_of_light():
    """Of a white plate, whose radiance is its illuminance over pi."""
    pfm = b"PF\n2 2\n-1\n" + struct.pack("<12f", *[0] * 6, *[4] * 6)  # equal areas: all with y < 0, whose rows are the upper ones
    for handed in ("", "Scale -1 1 1\n"):
        for light, expected in (('"infinite" "float illuminance" 6.2831853 "rgb L" [1 2 3] "float scale" 0.5', (1, 2, 3)),
                                ('"infinite" "string filename" "e.pfm" "float illuminance" 9.4247780', (3, 3, 3)),
                                ('"infinite" "string filename" "e.pfm" "float illuminance" 9.4247780 "float scale" 2', (6, 6, 6)),
                                ('"infinite" "string filename" "e.pfm" "float scale" 2', (4, 4, 4)), ('"infinite" "spectrum L" "stdillum-D65" "float scale" 2', (2, 2, 2)),
                                ('"distant" "point from" [1 2 2] "point to" [0 0 0] "float illuminance" 9.4247780', (2, 2, 2)),
                                ('"distant" "point from" [-7 1 5] "point to" [0 0 0] "rgb L" [1 1 1]', [5 / math.sqrt(75) / math.pi] * 3)):
            c = Converted(handed + ABOVE + f"LightSource {light}\n" + PLATE, files=[("e.pfm", pfm)])
            seen = c.render("spp=256") if c.status == 0 else [0] * 3
            check(near(seen, expected, 0.03), f"{light}: {seen} instead of {expected} {c.said}")
    # the planckian locus, from CIE 15; the luminance of version 4 is 1, that of version 3 counts from the brightest wavelength
    for kelvin, x, y in ((2856, 0.4476, 0.4074), (4000, 0.3805, 0.3768), (6500, 0.3135, 0.3237), (10000, 0.2807, 0.2884)):
        r, g, b = materials.blackbody(kelvin)
        X, Y, Z = 0.4124 * r + 0.3576 * g + 0.1805 * b, 0.2126 * r + 0.7152 * g + 0.0722 * b, 0.0193 * r + 0.1192 * g + 0.9505 * b
        check(near((X / (X + Y + Z), Y / (X + Y + Z), Y), (x, y, 1), 0.002), f"{kelvin} K: {X / (X + Y + Z)} {Y / (X + Y + Z)} {Y}")
    r, g, b = materials.blackbody(5268, 3)  # brightest at 550 nm, so that over the observer's width it falls to 0.98 at most
    check(2.9 < 0.2126 * r + 0.7152 * g + 0.0722 * b < 3, f"version 3: {r} {g} {b}")


def test_lights():
    c = Converted(HEAD + 'LightSource "infinite" "rgb L" [1 2 3] "rgb scale" [2 2 2]\n' + TRIANGLE)
    check("constant: [2, 4, 6]" in c.yaml, "constant light")
    c = Converted("Scale -1 1 1\n" + HEAD + 'LightSource "distant" "point from" [1 1 0] "point to" [0 0 0] "rgb L" [3 3 3]\n' + TRIANGLE)
    check("sun_azimuth: 0," in c.yaml and "sun_elevation: 45" in c.yaml, "distant light: direction")
    run = c.warpstudy("render", c.folder / "out/scene.yaml", "-o", "d.png", "-s", "width=8", "-s", "height=8")
    check(run.returncode == 0, run.stderr)
    c = Converted(HEAD + 'AreaLightSource "diffuse" "rgb L" [1 2 3] "float scale" [2]\n' + TRIANGLE)
    check("emission: [2, 4, 6]" in c.yaml, "area light")
    # on a material that is nothing: in version 3 it shines, and lets pass what shines behind it; in version 4 it does not
    text = ABOVE + 'LightSource "infinite" "rgb L" [1 1 1]\nTranslate 0 0 -9\n' + TRIANGLE + 'Translate 0 0 9\nMaterial "none"\nAreaLightSource "diffuse" "rgb L" [2 2 2]\n' + PLATE.split("\n")[1] + "\n"
    seen = Converted(text).render()
    check(near(seen, (3, 3, 3), 0.01), f"a light of nothing: {seen}")
    c = Converted(text.replace('"none"', '"interface"'))
    alone = Converted(HEAD + 'Material "interface"\n' + TRIANGLE)
    check(alone.status == 2 and "wholly transparent" in alone.said and "no triangle" in alone.said, f"a scene of nothing: {alone.said}")
    check("emission" not in c.yaml and "does not shine" in c.said and "wholly transparent" in c.said, f"{c.yaml} {c.said}")


# A closed box that emits 1 and reflects half: every pixel is 2 - 2^-(B + 1) after B bounces.
def test_furnace():
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    inward = []
    for q in quads:
        n = cross(sub(corners[q[1]], corners[q[0]]), sub(corners[q[2]], corners[q[0]]))
        q = q if dot(n, corners[q[0]]) < 0 else q[::-1]
        inward += [q[0], q[1], q[2], q[0], q[2], q[3]]
    text = ("Scale -1 1 1\nLookAt 0 0 0  1 0.2 0.3  0 1 0\n" + 'Camera "perspective"\nWorldBegin\nTexture "t" "spectrum" "constant" "rgb value" [0.5 0.5 0.5]\n'
            'Material "matte" "texture Kd" ["t"]\nAreaLightSource "diffuse" "rgb L" [1 1 1]\nShape "trianglemesh" "integer indices" '
            f"[{' '.join(map(str, inward))}] \"point P\" [{' '.join(str(v) for p in corners for v in p)}]\n")
    c = Converted(text)
    run = c.warpstudy("render", c.folder / "out/scene.yaml", "-o", "f.hdr", "-s", "width=6", "-s", "height=6", "-s", "materials=scene", "-s", "lighting=hits",
                      "-s", "roulette=none", "-s", "max_bounces=3", "-d", "emulator")
    check(run.returncode == 0, run.stderr)
    texels = (c.folder / "f.hdr").read_bytes().split(b"-Y 6 +X 6\n")[1]
    values = [texels[i + k] * 2.0 ** (texels[i + 3] - 136) for i in range(0, 144, 4) for k in range(3)]
    check(len(texels) == 144 and all(abs(v - (2 - 2 ** -3)) < 0.01 for v in values), f"furnace: {values[:3]}")


# ---- materials: every kind that it knows opens

def test_materials():
    names = [k for k in materials.KINDS if k not in ("mix", "none", "", "interface")]
    text = 'MakeNamedMaterial "a" "string type" ["matte"]\nMakeNamedMaterial "m" "string type" ["mix"] "string namedmaterial1" ["a"] "string namedmaterial2" ["a"]\n'
    text += "".join(f'Material "{n}"\nTranslate 1 0 0\n' + TRIANGLE for n in names) + 'NamedMaterial "m"\n' + TRIANGLE
    c = Converted(HEAD + text)
    check(c.status == 0, c.said)
    run = c.warpstudy("scene", "info", c.folder / "out/scene.yaml")
    check(run.returncode == 0 and f"{len(names) + 1} " in run.stdout, run.stdout + run.stderr)
    mean = Converted(HEAD + 'Texture "p" "spectrum" "imagemap" "string filename" ["p.ppm"]\nTexture "s" "spectrum" "scale" "texture tex1" ["p"] "rgb tex2" [0.8 0.4 0.2]\n'
                     'Material "matte" "texture Kd" ["s"]\n' + TRIANGLE, files=[("p.ppm", b"P6 2 1 255\n\xff\xff\xff\0\0\0")])
    check("diffuse: [0.8, 0.4, 0.2]" in mean.yaml and mean.warpstudy("scene", "info", mean.folder / "out/scene.yaml").returncode == 0, "a texture of a picture and a colour")
    # Fresnel at normal incidence of a conductor, and of a coat with Ks = 0.04
    c = Converted(HEAD + 'Material "metal" "rgb eta" [2 1 1] "rgb k" [0 3 0] "float roughness" [0]\n' + TRIANGLE)
    check("kind: chrome, specular: [0.111111111, 0.692307692, 0]" in c.yaml, f"a conductor's reflectance: {c.yaml}")
    # version 4: alpha is the root of what is given, and a conductor is smooth unless told otherwise; roughness here is alpha's root
    for text, expected in (('"float roughness" 0.09', "roughness: 0.547722558"), ('"float roughness" 0.09 "bool remaproughness" false', "roughness: 0.3}"), ("", "kind: chrome")):
        c = Converted(HEAD + f'Material "conductor" "rgb reflectance" [0.5 0.5 0.5] {text}\n' + TRIANGLE)
        check(expected in c.yaml, f"a conductor with {text}: {c.yaml}")
    c = Converted(HEAD + 'Material "substrate" "rgb Ks" [0.04 0.04 0.04] "float uroughness" [0.001] "float vroughness" [0.001] "bool remaproughness" ["false"]\n' + TRIANGLE)
    check("kind: carpaint" in c.yaml and "ior: 1.5" in c.yaml, "a polished coat")
    # widths of microfacets, whose square root is the roughness here
    rough = '"float uroughness" [0.25] "float vroughness" [0.25] "bool remaproughness" ["false"]\n'
    c = Converted(HEAD + 'Material "substrate" "rgb Ks" [0.04 0.04 0.04] "rgb Kd" [1 1 1] ' + rough + TRIANGLE + 'Material "metal" "rgb eta" [2 2 2] "rgb k" [0 0 0] ' + rough + TRIANGLE)
    check("kind: glossy, diffuse: 1, ior: 1.5, roughness: 0.5" in c.yaml and "kind: reflective, specular: 0.111111111, roughness: 0.5" in c.yaml, f"rough materials: {c.yaml}")
    c = Converted(HEAD + 'Material "none"\n' + TRIANGLE + 'Material "matte"\n' + TRIANGLE)
    check(len(re.findall("mesh:", c.yaml)) == 1, "what is wholly transparent is not there")


def diffuse(text, *options, files=()):
    """Of each material of the converted scene."""
    c = Converted(HEAD + text, *options, files=files)
    check(c.status == 0, c.said)
    return re.findall(r"diffuse: (\[[^]]*\]|[^,}]*)", c.yaml)


def test_names():
    red, green = (f'Material "matte" "rgb Kd" [{c}]\n' for c in ("1 0 0", "0 1 0"))
    both = ["[1, 0, 0]", "[0, 1, 0]"]
    # materials of one kind in one line, of one file or of two; of one name, redefined or that of the default
    check(diffuse((red + TRIANGLE + green + TRIANGLE).replace("\n", " ") + "\n") == both, "two materials in a line")
    check(diffuse(red + TRIANGLE + 'Include "part.pbrt"\n', files=[("part.pbrt", ("\n" * 3 + green + TRIANGLE).encode())]) == both, "two in lines of one number")
    check(diffuse(2 * 'Include "part.pbrt"\n', files=[("part.pbrt", (red + TRIANGLE).encode())]) == both[:1], "equal materials become one")
    make = [f'MakeNamedMaterial "m" "string type" "matte" "rgb Kd" [{c}]\n' for c in ("1 0 0", "0 1 0")]
    use = 'NamedMaterial "m"\n' + TRIANGLE
    check(diffuse(make[0] + use + make[1] + use) == both, "a name defined again")
    check(diffuse(TRIANGLE + make[1].replace('"m"', '"matte"') + use.replace('"m"', '"matte"')) == ["0.5", "[0, 1, 0]"], "the default's name")
    # a name ends with its block where it was another's before, as in version 3; else it stays, as in version 4
    check(diffuse(make[0] + "AttributeBegin\n" + make[1] + "AttributeEnd\n" + use) == both[:1], "a material defined again in a block")
    check(diffuse("AttributeBegin\n" + make[1] + "AttributeEnd\n" + use) == both[1:], "a material defined in a block alone")
    texture = [f'Texture "t" "spectrum" "constant" "rgb value" [{c}]\n' for c in ("1 0 0", "0 1 0")]
    use = 'Material "matte" "texture Kd" "t"\n' + TRIANGLE
    check(diffuse(texture[0] + "AttributeBegin\n" + texture[1] + "AttributeEnd\n" + use) == both[:1], "a texture defined again in a block")
    check(diffuse(texture[0] + 'Texture "t" "float" "constant" "float value" 0.25\n' + use) == both[:1], "textures of two types and one name")
    number = 'Texture "t" "float" "constant" "float value" 0.25\nTexture "u" "spectrum" "mix" "rgb tex1" [1 0 0] "rgb tex2" [0 1 0] "texture amount" "t"\n'
    check(diffuse(number + use.replace('"t"', '"u"')) == ["[0.75, 0.25, 0]"], "a mixture by a number")
    check(diffuse(use.replace("texture Kd", "rgb\tKd").replace('"t"', "[1 0 0]").replace("integer indices", "integer\tindices")) == both[:1], "tabs in declarations")


# ---- pictures: their mean colour, where no texture of a scene file says it

def png(rows):
    """Of 8 bits, red, green and blue, with every filter."""
    def predicted(kind, left, up, both):
        by_left, by_up, by_both = (abs(left + up - both - v) for v in (left, up, both))
        return (0, left, up, (left + up) // 2, left if by_left <= min(by_up, by_both) else up if by_up <= by_both else both)[kind]

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    raw, above = b"", [0] * len(rows[0])
    for y, row in enumerate(rows):
        raw += bytes([y % 5] + [v - predicted(y % 5, *((row[i - 3], above[i], above[i - 3]) if i > 2 else (0, above[i], 0))) & 255 for i, v in enumerate(row)])
        above = row
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw)) +
            chunk(b"IEND", b""))


def test_pictures():
    rows = [[(37 * x * x + 101 * y + 11 * x * y) % 256 for x in range(21)] for y in range(10)]
    linear = [v / 255 / 12.92 if v < 11 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)]
    mean = [sum(linear[v] for row in rows for v in row[c::3]) / 70 for c in range(3)]
    files = [("p.png", png(rows)), ("cut.png", png(rows)[:-40]), ("text.jpg", b"?"), ("p.pfm", b"PF 1 2 -2\n" + struct.pack("<6f", 0.1, 0.2, 0.1, 0.1, 0.2, 0.3)),
             ("p.tga", struct.pack("<3B9x2H2B", 0, 0, 10, 3, 1, 24, 0) + b"\x81\xff\x00\x00" + b"\x00\x00\x00\xff")]  # runs: two blue, one red
    head = "".join(f'Texture "{k}" "{of}" "imagemap" "string filename" "p.{k}" "float scale" {scale}\n'
                   for k, of, scale in (("png", "spectrum", 1), ("pfm", "spectrum", 1), ("tga", "spectrum", 1), ("png", "float", 0.5)))
    c = Converted(ABOVE + head + 'LightSource "infinite" "rgb L" [1 1 1]\n' + PLATE.replace('"rgb Kd" [1 1 1]', '"texture Kd" "png"'), files=files)
    check("diffuse: 1, texture: " in c.yaml and near(c.render("spp=16"), mean, 0.01), f"the mean of a texture: {mean} {c.yaml}")
    black = 'Texture "s" "spectrum" "scale" "texture tex1" "png" "rgb tex2" [9 0 1]\n'
    two = 'Texture "s" "spectrum" "{0}" "texture {1}1" "pfm" "texture {1}2" "tga" {2}\n'
    for text, expected in (('Material "mirror" "texture Kr" "png"\n', mean), ('Material "conductor" "texture reflectance" "tga"\n', (1 / 3, 0, 2 / 3)),
                           ('Material "metal" "texture eta" "pfm" "texture k" "pfm" "float roughness" 0\n', [((n - 1) ** 2 + n * n) / ((n + 1) ** 2 + n * n) for n in (0.2, 0.4, 0.4)]),
                           (black + 'Material "matte" "texture Kd" "s"\n', (min(9 * mean[0], 1), 0, mean[2])),
                           (two.format("scale", "tex", "") + 'Material "matte" "texture Kd" "s"\n', (0.2 / 3, 0, 0.8 / 3)),
                           (two.format("mix", "tex", '"texture amount" "png"') + 'Material "matte" "texture Kd" "s"\n',
                            [a * (1 - m / 2) + b * m / 2 for a, b, m in zip((0.2, 0.4, 0.4), (1 / 3, 0, 2 / 3), mean)]),
                           (two.format("checkerboard", "tex", "") + 'Material "matte" "texture Kd" "s"\n', (0.8 / 3, 0.2, 1.6 / 3)),
                           ('Texture "s" "spectrum" "dots" "rgb inside" [1 0 0] "rgb outside" [0 1 0]\nMaterial "matte" "texture Kd" "s"\n', (0.848, 0.152, 0)),
                           ('MakeNamedMaterial "a" "string type" "matte" "rgb Kd" [1 0 0]\nMakeNamedMaterial "b" "string type" "matte" "rgb Kd" [0 1 0]\n'
                            'Material "mix" "string materials" ["a" "b"] "texture amount" "png"\n', (1, 0, 0))):
        c = Converted(HEAD + head + text + TRIANGLE, files=files)
        found = re.search(r"(diffuse|specular): (\[[^]]*\]|[^,}]*)", c.yaml + "diffuse: nothing}")[2]
        check(near([float(v) for v in found.strip("[]").split(",")], expected) and "texture" not in c.yaml, f"{text}: {expected} {c.yaml} {c.said}")
    for name, what in (("text.jpg", "only those of PNG, TGA and PFM"), ("cut.png", "damaged"), ("p.tga", "")):
        text = HEAD + f'Texture "t" "spectrum" "imagemap" "string filename" "{name}"\nMaterial "mirror" "texture Kr" "t"\n' + TRIANGLE
        c = Converted(text, files=files)
        check((c.status == 2 and ":4: the mean colour of" in c.said and what in c.said) if what else c.status == 0, f"{name}: {c.said}")
        check(not what or "specular: 1}" in Converted(text, "--leave-out", files=files).yaml, f"{name}, left out")


# ---- what is read and not used is named once; what changes other directives counts

def test_what_is_not_used():
    c = Converted('Film "rgb" "float iso" 200\nIntegrator "path"\n' + HEAD + 'Material "glass" "rgb Kr" [1 1 1]\n' + 2 * (TRIANGLE[:-1] + ' "float uv" [0 0 1 0 0 1]\n'))
    for said in ("Film: the parameter iso is not used", "Integrator is left out", "Material: the parameter Kr is not used", "Shape: the parameter uv is not used (2 times)"):
        check(c.said.count(said) == 1, f"{said}: {c.said}")
    check("parameter P" not in c.said and "parameter fov" not in c.said, c.said)
    for text, said in (('"glass" "rgb Kt" [1 0.2 0.2]', "glass transmits all colours alike"), ('"uber" "rgb Kr" [0.4 0.4 0.4] "rgb Ks" [0 0 0]', "at most half, is left out"),
                       ('"uber" "rgb Kt" [0.6 0.6 0.6]', "more than half, the rest is left out"), ('"plastic" "rgb Ks" [0.2 0 0]', "a coat reflects all colours alike"),
                       ('"substrate" "rgb Ks" [0.5 0.5 0.5]', "at most 0.36"), ('"plastic" "rgb Ks" [0.2 0.2 0.2]', None), ('"glass"', None), ('"uber"', None)):
        c = Converted(HEAD + f"Material {text}\n" + TRIANGLE)
        check(said in c.said if said else "note" not in c.said, f"{text}: {c.said}")
    c = Converted(HEAD + 'Material "translucent" "rgb Kd" [0.5 0.5 0.5] "rgb reflect" [1 0.5 0] "rgb Ks" [0 0 0]\n' + TRIANGLE)
    check("diffuse: [0.5, 0.25, 0]" in c.yaml, f"what a translucent material reflects: {c.yaml}")
    c = Converted("Scale -1 1 1\n" + HEAD + "AttributeBegin\n" + 'Attribute "light" "rgb L" [1 2 3] "float scale" 9\nAttribute "light" "float scale" 2\nAreaLightSource "diffuse"\n'
                  + TRIANGLE + 'AttributeEnd\nAreaLightSource "diffuse"\nTranslate 1 0 0\nActiveTransform EndTime\nTranslate 5 0 0\nActiveTransform All\n' + TRIANGLE)
    check("emission: [2, 4, 6]" in c.yaml and "emission: 1}" in c.yaml and c.triangles(1)[0][0] == (1, 0, 0) and "motion is left out" in c.said, f"{c.yaml} {c.said}")


# ---- bad input: file, line and what to do; nothing is written

BAD = [
    ("Sprinkle 1 2\n", 4, "directive Sprinkle is not known"),
    ('Shape "loopsubdiv"\n', 4, "make it a mesh"),
    ('Shape "plymesh" "string filename" ["gone.ply"]\n', 4, "there is no file"),
    ('Shape "plymesh" "string filename" ["cut.ply"]\n', 4, "cut short or damaged"),
    ('Shape "plymesh" "string filename" ["text.ply"]\n', 4, "not a PLY file"),
    ('Shape "trianglemesh" "integer indices" [0 1 7] "point P" [0 0 0 1 0 0 0 1 0]\n', 4, "refers to vertex 7"),
    ('Shape "trianglemesh" "integer indices" [0 1 2] "point P" [0 0 0 1 0 0 0 1 x]\n', 4, "no number"),
    ('Shape "trianglemesh" "integer indices" [0 1 2] "point P" [0 0 0 1 0 0 0 1 nan]\n', 4, "not a point"),
    ('Material "velvet"\n', 4, "a material of kind 'velvet'"),
    ('NamedMaterial "none such"\n', 4, "no material is called"),
    ('Texture "t" "spectrum" "marble"\n', 4, "a texture of kind 'marble'"),
    ('Material "matte" "texture Kd" ["none"]\n', 4, "no spectrum texture is called"),
    ('Material "matte" "spectrum Kd" ["file.spd"]\n', 4, "give it as colour"),
    ('LightSource "spot"\n', 4, "a light of kind 'spot'"),
    ('LightSource "infinite" "string mapname" ["gone.exr"]\n', 4, "there is no file"),
    ('AreaLightSource "diffuse" "float power" [10]\n', 4, "give its radiance"),
    ('ObjectInstance "o"\n', 4, "no object is called"),
    ("AttributeEnd\n", 4, "without its begin"),
    ("Translate 1 2\n", 4, "incomplete or damaged"),
    ("Transform [1 2 3]\n", 4, "3 numbers instead of 16"),
    ("Transform [1 0 0 1  0 1 0 0  0 0 1 0  0 0 0 1]\n", 4, "a projective transformation"),
    ('Shape "sphere" "float zmin" 0\n', 4, "a part of a sphere\n  make it a mesh"),
    ("Scale 0 1 1\nCamera \"perspective\"\n", 5, "incomplete or damaged"),
    ('Include "gone.pbrt"\n', 4, "there is no file"),
    ('Include "in.pbrt"\n', 4, "includes itself"),
    ('Shape "plymesh" "string filename" ["cut.ply.gz"]\n', 4, "gzip"),
    ('ColorSpace "rec2020"\n', 4, "in the space 'rec2020'"),
    ('Scale 1 2 1\nLightSource "infinite" "string filename" "text.ply"\n', 5, "stretched or sheared"),
    ('Scale 1 2 1\nCamera "perspective"\n', 5, "stretched or sheared"),
    ('Texture "t" "spectrum" "imagemap" "string filename" "gone.ppm"\n', 4, "there is no file"),
    ('\n\nCamera "orthographic"\n', 6, "make it a perspective one"),
]


def test_bad_input():
    files = [("cut.ply", ply("binary_little_endian")[:-5]), ("text.ply", b"hello"), ("cut.ply.gz", gzip.compress(ply("ascii"))[:-9])]
    for text, line, message in BAD:
        c = Converted(HEAD + text + TRIANGLE, files=files)
        check(c.status == 2 and f"in.pbrt:{line}:" in c.said and message in c.said and "Traceback" not in c.said, f"{text}-> {c.said}")
        check(not (c.folder / "out").exists(), f"nothing is written for {text}")
    for text, message in ((HEAD, "no triangle"), ("WorldBegin\n" + TRIANGLE, "no perspective camera"), ("", "no triangle")):
        c = Converted(text)
        check(c.status == 2 and message in c.said, c.said)
    program = subprocess.run([ROOT / "scripts/convert-pbrt", "gone.pbrt", scratch], capture_output=True, text=True)
    check(program.returncode == 2 and "gone.pbrt" in program.stderr, "the program itself")
    c = Converted(HEAD + 'Shape "loopsubdiv"\nLightSource "spot"\n' + TRIANGLE, "--leave-out")
    check(c.status == 0 and c.said.count("left out: ") == 2 and len(c.triangles()) == 1, "--leave-out goes on")


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    print(f"{failures} failures")
    return 1 if failures else 0


with tempfile.TemporaryDirectory() as scratch:
    sys.exit(main())
