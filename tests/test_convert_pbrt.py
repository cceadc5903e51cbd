#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/convert-pbrt: what it writes against pbrt's own formulas, and what it says of what it does not know.

usage: test_convert_pbrt.py WARPSTUDY
"""
import contextlib
import io
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

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
    texts = [moved + TRIANGLE, matrix + TRIANGLE, "Translate 9 9 9\n" + matrix + TRIANGLE, "Translate 1 2 3\nConcatTransform [0 2 0 0  -2 0 0 0  0 0 2 0  0 0 0 1]\n" + TRIANGLE,
             'ObjectBegin "o"\nRotate 90 0 0 1\n' + TRIANGLE + 'ObjectEnd\nTranslate 1 2 3\nScale 2 2 2\nObjectInstance "o"\n',
             'Translate 1 2 3\nCoordinateSystem "s"\nIdentity\nCoordSysTransform "s"\nRotate 90 0 0 1\nScale 2 2 2\n' + TRIANGLE,
             "TransformBegin\nTranslate 5 5 5\nTransformEnd\nAttributeBegin\nTranslate 7 7 7\nAttributeEnd\n" + moved + TRIANGLE]
    texts += [moved + f'Shape "plymesh" "string filename" ["{name}"]\n' for name, _ in files]
    for text in texts:
        c = Converted(head + text, files=files)
        check(c.status == 0 and len(c.triangles()) == 1 and near(sum(c.triangles()[0], ()), sum(expected, ())), f"placed as by pbrt: {text}{c.said}")
    c = Converted(head + 'Shape "plymesh" "string filename" ["q.ply"]\n', files=[("q.ply", ply("binary_little_endian", ((0, 1, 3, 2), (0, 1, 2))))])
    check(len(c.triangles()) == 3, "faces of four corners beside those of three")


def test_included_files():
    c = Converted(HEAD + 'Include "part.pbrt"\nTranslate 1 0 0\nInclude "part.pbrt"\n', files=[("part.pbrt", TRIANGLE.encode())])
    check(len(c.triangles()) == 2, "a file included twice")


# ---- which side is the front: where the normals point, else pbrt's rule of handedness

def test_sides():
    head, normal = "Scale -1 1 1\n" + HEAD, '"normal N" [0 0 {0} 0 0 {0} 0 0 {0}]\n'
    plain = TRIANGLE.rstrip("\n")
    cases = [(TRIANGLE, 1), ("ReverseOrientation\n" + TRIANGLE, -1), ("Scale -1 1 1\n" + TRIANGLE, 1), ("Scale 1 1 -1\n" + TRIANGLE, -1),
             ("Scale -1 1 1\nReverseOrientation\n" + TRIANGLE, -1), (plain + normal.format(1), 1), (plain + normal.format(-1), -1),
             ("ReverseOrientation\n" + plain + normal.format(-1), -1), ("Scale 1 1 -1\n" + plain + normal.format(1), -1),
             ("Scale -1 1 1\n" + plain + normal.format(1), 1), ("Rotate 180 1 0 0\n" + plain + normal.format(1), -1),
             ('Shape "plymesh" "string filename" ["n.ply"]\n', -1), ('Material "glass" "float index" [0.8]\n' + plain + normal.format(1), -1)]
    for text, sign in cases:
        c = Converted(head + text, files=[("n.ply", ply("binary_little_endian", normals=(0, 0, -1)))])
        # pbrt without normals: cross(p1 - p0, p2 - p0) of the points in the world, turned where ReverseOrientation and a reflection differ
        check(c.status == 0 and front(c.triangles()[0])[2] * sign > 0, f"front of {text}{c.said}")
        mirrored = Converted(HEAD + text, files=[("n.ply", ply("binary_little_endian", normals=(0, 0, -1)))])
        check(front(mirrored.triangles()[0])[2] * sign > 0, f"front in a mirrored world of {text}")
    for shape in ('"sphere" "float radius" [2]', '"cylinder" "float radius" [2]'):
        c = Converted(head + f"Shape {shape}\n")
        outward = [dot(front(t), (t[0][0], t[0][1], 0 if "cyl" in shape else t[0][2])) > 0 for t in c.triangles()]
        check(all(outward) and len(outward) > 100, f"{shape} faces outwards")


# ---- light from infinity: a picture with one bright texel, found where pbrt would see it

def test_environment():
    width, height, row, column = 8, 4, 1, 5
    texels = [[0.0] * 3 for _ in range(width * height)]
    texels[(height - 1 - row) * width + column] = [8.0, 4.0, 2.0]
    pfm = f"PF\n{width} {height}\n-1\n".encode() + struct.pack(f"<{3 * width * height}f", *sum(texels, []))
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
        found = (int(math.acos(here[1]) / math.pi * height), int(turned * width))
        hdr = next((c.folder / "out/pictures").iterdir()).read_bytes().split(f"-Y {height} +X {width}\n".encode())[1]
        bright = [i for i in range(width * height) if any(hdr[4 * i:4 * i + 4])]
        check(len(bright) == 1, "one texel is bright")
        # of a picture that would be mirrored only the height is kept, and that is said
        place = divmod(bright[0], width)
        check(("mirrored" in c.said) != bool(handed), f"whether it is mirrored {c.said}")
        check(found == place if handed else found[0] == place[0], f"the bright texel is at {place}, pbrt sees it at {found}")
        r, g, b, e = hdr[4 * bright[0]:4 * bright[0] + 4]
        check(near([v * 2.0 ** (e - 136) for v in (r, g, b)], [8, 4, 2]), "its radiance")
        # what is seen must not be mirrored: right of the camera is +x in pbrt's world where it is right-handed, else -x
        camera = c.camera()
        right = cross(camera["direction"], camera["up"])
        check(dot(right, x) * (-1 if handed else 1) > 0.99, f"the camera's right hand {handed!r}")


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


def test_lights():
    c = Converted(HEAD + 'LightSource "infinite" "rgb L" [1 2 3] "rgb scale" [2 2 2]\n' + TRIANGLE)
    check("constant: [2, 4, 6]" in c.yaml, "constant light")
    c = Converted("Scale -1 1 1\n" + HEAD + 'LightSource "distant" "point from" [1 1 0] "point to" [0 0 0] "rgb L" [3 3 3]\n' + TRIANGLE)
    check("sun_azimuth: 0," in c.yaml and "sun_elevation: 45" in c.yaml, "distant light: direction")
    run = c.warpstudy("render", c.folder / "out/scene.yaml", "-o", "d.png", "-s", "width=8", "-s", "height=8")
    check(run.returncode == 0, run.stderr)
    c = Converted(HEAD + 'AreaLightSource "diffuse" "rgb L" [1 2 3] "float scale" [2]\n' + TRIANGLE)
    check("emission: [2, 4, 6]" in c.yaml, "area light")


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
    c = Converted(HEAD + 'Material "substrate" "rgb Ks" [0.04 0.04 0.04] "float uroughness" [0.001] "float vroughness" [0.001] "bool remaproughness" ["false"]\n' + TRIANGLE)
    check("kind: carpaint" in c.yaml and "ior: 1.5" in c.yaml, "a polished coat")
    # widths of microfacets, whose square root is the roughness here
    rough = '"float uroughness" [0.25] "float vroughness" [0.25] "bool remaproughness" ["false"]\n'
    c = Converted(HEAD + 'Material "substrate" "rgb Ks" [0.04 0.04 0.04] "rgb Kd" [1 1 1] ' + rough + TRIANGLE + 'Material "metal" "rgb eta" [2 2 2] "rgb k" [0 0 0] ' + rough + TRIANGLE)
    check("kind: glossy, diffuse: 1, ior: 1.5, roughness: 0.5" in c.yaml and "kind: reflective, specular: 0.111111111, roughness: 0.5" in c.yaml, f"rough materials: {c.yaml}")
    c = Converted(HEAD + 'Material "none"\n' + TRIANGLE + 'Material "matte"\n' + TRIANGLE)
    check(len(re.findall("mesh:", c.yaml)) == 1, "what is wholly transparent is not there")


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
    ('Material "matte" "texture Kd" ["none"]\n', 4, "no texture is called"),
    ('Material "matte" "spectrum Kd" ["file.spd"]\n', 4, "give it as colour"),
    ('LightSource "spot"\n', 4, "a light of kind 'spot'"),
    ('LightSource "infinite" "string mapname" ["gone.exr"]\n', 4, "there is no file"),
    ('AreaLightSource "diffuse" "float power" [10]\n', 4, "give its radiance"),
    ('ObjectInstance "o"\n', 4, "no object is called"),
    ("AttributeEnd\n", 4, "without its begin"),
    ("Translate 1 2\n", 4, "incomplete or damaged"),
    ("Transform [1 2 3]\n", 4, "3 numbers instead of 16"),
    ("Scale 0 1 1\nCamera \"perspective\"\n", 5, "incomplete or damaged"),
    ('Include "gone.pbrt"\n', 4, "there is no file"),
    ('\n\nCamera "orthographic"\n', 6, "make it a perspective one"),
]


def test_bad_input():
    files = [("cut.ply", ply("binary_little_endian")[:-5]), ("text.ply", b"hello")]
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
