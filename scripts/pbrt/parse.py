# SPDX-License-Identifier: MIT
"""Reads pbrt's text: directives into triangles by material, lights and a camera, all in pbrt's world space."""
import bisect
import math
import re

import materials
import shapes
from matrix import IDENTITY, determinant, inverse, look_at, multiply, rotate, scale, translate


class SceneError(Exception):
    pass


class Place:
    """Where something stands in a file."""

    def __init__(self, path, line):
        self.path, self.line = path, line

    def __str__(self):
        return f"{self.path}:{self.line}"


TOKEN = re.compile(r'#[^\n]*|"([^"\n]*)"|([\[\]])|([^\s\[\]"#]+)')


def tokens(path):
    """Yields (kind, text, line): kind is 'text', 'bracket' or 'word'."""
    text = path.read_text(encoding="utf-8", errors="replace")
    ends = [m.start() for m in re.finditer("\n", text)]
    for match in TOKEN.finditer(text):
        kind = (None, "text", "bracket", "word")[match.lastindex or 0]
        if kind:
            yield kind, match.group(match.lastindex), bisect.bisect_left(ends, match.start()) + 1


class Parameters(dict):
    """Of one directive: name -> (type, values). Knows where it stands, and which names nobody asked for."""

    def __init__(self, place):
        super().__init__()
        self.place, self.kinds = place, {}

    def numbers(self, name, default=None, count=None):
        values = self.get(name, default)
        if values is default or values is None:
            return default
        try:
            values = [float(v) for v in values]
        except ValueError:
            raise SceneError(f"{self.place}: {name} holds {values[0]!r}, which is no number") from None
        if count and len(values) != count:
            raise SceneError(f"{self.place}: {name} holds {len(values)} numbers instead of {count}")
        return values

    def number(self, name, default):
        return self.numbers(name, [default], 1)[0]

    def text(self, name, default=None):
        return self.get(name, [default])[0]

    def flag(self, name, default=False):
        return str(self.get(name, [default])[0]).lower() == "true"


# What says nothing about the scene itself: an experiment says it, or it is about pbrt's own work.
IGNORED = {"Integrator", "SurfaceIntegrator", "VolumeIntegrator", "Sampler", "PixelFilter", "Accelerator", "Renderer", "Option", "ColorSpace",
           "ActiveTransform", "TransformTimes", "CoordinateSystem"}
MEDIA = {"MakeNamedMedium", "MediumInterface"}
TEXTS_FIRST = {"MakeNamedMedium": 1, "MediumInterface": 2, "Texture": 3, "Option": 0}  # names before the parameters; else 1


class State:
    def __init__(self, other=None):
        self.ctm = other.ctm if other else IDENTITY
        self.material = other.material if other else None
        self.light = other.light if other else None
        self.reverse = other.reverse if other else False


class Reader:
    def __init__(self, leave_out=False):
        self.leave_out, self.problems, self.notes = leave_out, [], {}
        self.state, self.stack = State(), []
        self.named, self.textures, self.systems, self.objects = {}, {}, {}, {}
        self.object, self.camera, self.film, self.lights = None, None, (1280, 720), []
        self.groups = {}  # (material name, emission) -> shapes.Group
        self.materials = {}  # name -> materials.Material

    # ---- messages

    def problem(self, place, what, remedy):
        self.problems.append(f"{place}: {what}\n  {remedy}")

    def note(self, text):
        self.notes[text] = self.notes.get(text, 0) + 1

    # ---- text

    def read(self, path):
        self.path = path
        stream = iter(tokens(path))
        self.pending = None
        for kind, word, line in self.peeked(stream):
            place = Place(path, line)
            if kind != "word":
                raise SceneError(f"{place}: a directive is expected instead of {word!r}")
            if word in ("Include", "Import"):
                self.include(path, place, stream)
                continue
            names, parameters = self.arguments(stream, place, word)
            self.directive(place, word, names, parameters, path)

    def include(self, path, place, stream):
        other = path.parent / next(stream, ("", "", 0))[1]
        if not other.is_file():
            raise SceneError(f"{place}: there is no file {other}")
        pending, self.pending = self.pending, None
        self.read(other)
        self.pending = pending

    def peeked(self, stream):
        while True:
            item, self.pending = self.pending or next(stream, None), None
            if item is None:
                return
            yield item

    def arguments(self, stream, place, word):
        """Of one directive: the bare values first, then named parameters."""
        bare, parameters = [], Parameters(place)
        items = self.peeked(stream)
        for item in items:
            kind, text, _ = item
            if kind == "word" and re.match("[A-Za-z]", text) and text not in ("true", "false"):
                self.pending = item
                break
            if kind == "text" and len(bare) >= TEXTS_FIRST.get(word, 1) and " " in text.strip():
                of, name = text.split()[:2]
                parameters.kinds[name], parameters[name] = of, self.values(items, place, name)
            else:
                bare.append(text if kind == "text" else None if kind == "bracket" else text)
        return [b for b in bare if b is not None], parameters

    def values(self, items, place, name):
        kind, text, _ = next(items, ("end", "", 0))
        if kind == "bracket":
            values = []
            for kind, text, _ in items:
                if kind == "bracket":
                    return values
                values.append(text)
        if kind not in ("text", "word"):
            raise SceneError(f"{place}: the parameter {name} has no value")
        return [text]

    # ---- directives

    def directive(self, place, word, names, parameters, path):
        if word in IGNORED:
            if word == "CoordinateSystem":
                self.systems[names[0]] = self.state.ctm
            return
        if word in MEDIA:
            self.note("media are left out: every object stands in empty space")
            return
        act = getattr(self, "on_" + re.sub("([A-Z])", lambda m: "_" + m.group(1).lower(), word).lstrip("_"), None)
        if not act:
            self.problem(place, f"the directive {word} is not known", "remove it, or convert the scene with --leave-out")
            return
        try:
            act(place, names, parameters, path.parent)
        except (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError) as fault:
            raise SceneError(f"{place}: {word} is incomplete or damaged ({type(fault).__name__}: {fault})") from None

    def transform(self, matrix):
        self.state.ctm = multiply(self.state.ctm, matrix)

    @staticmethod
    def matrix_of(place, names):
        if len(names) != 16:
            raise SceneError(f"{place}: a matrix of {len(names)} numbers instead of 16")
        columns = [float(v) for v in names]
        return tuple(columns[4 * j + i] for i in range(4) for j in range(4))

    def on_identity(self, place, names, parameters, folder):
        self.state.ctm = IDENTITY

    def on_transform(self, place, names, parameters, folder):
        self.state.ctm = self.matrix_of(place, names)

    def on_concat_transform(self, place, names, parameters, folder):
        self.transform(self.matrix_of(place, names))

    def on_translate(self, place, names, parameters, folder):
        self.transform(translate(*map(float, names)))

    def on_scale(self, place, names, parameters, folder):
        self.transform(scale(*map(float, names)))

    def on_rotate(self, place, names, parameters, folder):
        self.transform(rotate(*map(float, names)))

    def on_look_at(self, place, names, parameters, folder):
        v = [float(n) for n in names]
        self.transform(look_at(v[0:3], v[3:6], v[6:9]))

    def on_coord_sys_transform(self, place, names, parameters, folder):
        if names[0] not in self.systems:
            raise SceneError(f"{place}: no coordinate system is called {names[0]!r}")
        self.state.ctm = self.systems[names[0]]

    def on_world_begin(self, place, names, parameters, folder):
        self.state.ctm = IDENTITY

    def on_world_end(self, place, names, parameters, folder):
        pass

    def on_attribute_begin(self, place, names, parameters, folder):
        self.stack.append((self.state, None))
        self.state = State(self.state)

    def on_attribute_end(self, place, names, parameters, folder):
        if not self.stack:
            raise SceneError(f"{place}: an end without its begin")
        state, transform_only = self.stack.pop()
        if transform_only:
            self.state.ctm = transform_only
        else:
            self.state = state

    def on_transform_begin(self, place, names, parameters, folder):
        self.stack.append((None, self.state.ctm))

    on_transform_end = on_attribute_end

    def on_reverse_orientation(self, place, names, parameters, folder):
        self.state.reverse = not self.state.reverse

    def on_attribute(self, place, names, parameters, folder):
        self.note("attributes given for all shapes of a kind (Attribute) are left out")

    def on_object_begin(self, place, names, parameters, folder):
        self.on_attribute_begin(place, names, parameters, folder)
        self.object = self.objects[names[0]] = []

    def on_object_end(self, place, names, parameters, folder):
        self.on_attribute_end(place, names, parameters, folder)
        self.object = None

    def on_object_instance(self, place, names, parameters, folder):
        if names[0] not in self.objects:
            raise SceneError(f"{place}: no object is called {names[0]!r}")
        for mesh, ctm, reverse, key in self.objects[names[0]]:
            self.group(key).add(mesh, multiply(self.state.ctm, ctm), reverse)

    def on_film(self, place, names, parameters, folder):
        self.film = (int(parameters.number("xresolution", 1280)), int(parameters.number("yresolution", 720)))

    def on_camera(self, place, names, parameters, folder):
        self.systems["camera"] = inverse(self.state.ctm)
        if names[0] != "perspective":
            self.problem(place, f"a camera of kind {names[0]!r}", "make it a perspective one")
            return
        for name in ("screenwindow", "frameaspectratio"):
            if name in parameters:
                self.note(f"the camera's {name} is left out: the whole film is shown")
        fov = parameters.number("fov", 2 * parameters.number("halffov", 45))
        self.camera = (inverse(self.state.ctm), fov, parameters.number("lensradius", 0), parameters.number("focaldistance", 1e6))

    def on_make_named_material(self, place, names, parameters, folder):
        self.named[names[0]] = materials.convert(self, names[0], parameters.text("type", "matte"), parameters, folder)

    def on_material(self, place, names, parameters, folder):
        name = f"{names[0]} {place.line}"
        self.state.material = materials.convert(self, name, names[0], parameters, folder)

    def on_named_material(self, place, names, parameters, folder):
        if names[0] not in self.named:
            raise SceneError(f"{place}: no material is called {names[0]!r}")
        self.state.material = self.named[names[0]]

    def on_texture(self, place, names, parameters, folder):
        self.textures[names[0]] = materials.texture(self, names[2], parameters, folder)

    # ---- lights

    def on_area_light_source(self, place, names, parameters, folder):
        if names[0] not in ("diffuse", "area"):
            self.problem(place, f"an area light of kind {names[0]!r}", "make it a diffuse one")
            return
        for name in ("filename", "power"):
            if name in parameters:
                self.problem(place, f"an area light given by its {name}", "give its radiance: \"rgb L\"")
        if parameters.flag("twosided"):
            self.note("an area light that shines on both sides shines on one here")
        self.state.light = tuple(c * parameters.number("scale", 1) for c in materials.colour(self, parameters, "L", (1, 1, 1)))

    def on_light_source(self, place, names, parameters, folder):
        kind = names[0]
        if kind not in ("infinite", "exinfinite", "distant"):
            self.problem(place, f"a light of kind {kind!r}", "there are infinite, distant and area lights: put a small area light there")
            return
        radiance = materials.colour(self, parameters, "L", (1, 1, 1))
        radiance = [c * s * parameters.number("illuminance", 1) for c, s in zip(radiance, materials.colour(self, parameters, "scale", (1, 1, 1)))]
        name = parameters.text("mapname", parameters.text("filename"))
        path = folder / name if name else None
        if path and not path.is_file():
            self.problem(place, f"there is no file {path}", "fetch the whole scene again")
            path = None
        direction = [a - b for a, b in zip(parameters.numbers("from", [0, 0, 0], 3), parameters.numbers("to", [0, 0, 1], 3))]
        self.lights.append((place, kind, radiance, path, direction, self.state.ctm))

    # ---- shapes

    def group(self, key):
        return self.groups.setdefault(key, shapes.Group())

    def on_shape(self, place, names, parameters, folder):
        make = shapes.KINDS.get(names[0])
        if not make:
            self.problem(place, f"a shape of kind {names[0]!r}", f"make it a mesh; known are {', '.join(sorted(shapes.KINDS))}")
            return
        if "alpha" in parameters:
            self.note("an alpha texture is left out: its surface is opaque")
        try:
            mesh = make(parameters, folder)
        except shapes.MeshError as fault:
            self.problem(place, str(fault), "fetch the whole scene again")
            return
        material = self.state.material or materials.convert(self, "matte", "matte", Parameters(place), folder)
        if material.invisible and not self.state.light:
            self.note("a surface that is wholly transparent is left out")
            return
        key = (material.name, self.state.light)
        self.materials.setdefault(material.name, material)
        if self.object is None:
            self.group(key).add(mesh, self.state.ctm, self.state.reverse)
        else:
            self.object.append((mesh, self.state.ctm, self.state.reverse, key))

    def is_left_handed(self):
        return self.camera is not None and determinant(self.camera[0]) > 0

    def vertical_fov(self):
        width, height = self.film
        fov = math.radians(self.camera[1]) / 2
        return math.degrees(2 * (fov if width >= height else math.atan(math.tan(fov) * height / width)))
