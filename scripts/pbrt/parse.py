# SPDX-License-Identifier: MIT
"""Reads pbrt's text: directives into triangles by material, lights and a camera, all in pbrt's world space."""
import bisect
import collections
import math
import re

import materials
import shapes
from matrix import IDENTITY, determinant, inverse, look_at, multiply, rotate, scale, translate, uniform_scale


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
    try:
        text = shapes.read_bytes(path).decode("utf-8-sig", "replace")
    except ValueError as fault:
        raise SceneError(f"{path}: {fault}\n  fetch the whole scene again") from None
    ends = [m.start() for m in re.finditer("\n", text)]
    for match in TOKEN.finditer(text):
        kind = (None, "text", "bracket", "word")[match.lastindex or 0]
        if kind:
            yield kind, match.group(match.lastindex), bisect.bisect_left(ends, match.start()) + 1


class Parameters(dict):
    """Of one directive: name -> values, and their types in `kinds`. Knows where it stands, and whose values nobody took."""

    def __init__(self, place):
        super().__init__()
        self.place, self.kinds, self.used, self.version_4 = place, {}, set(), False
        self.of = "spectrum"  # the type of the textures that it may name

    def get(self, name, default=None):
        self.used.add(name)
        return super().get(name, default)

    def __getitem__(self, name):
        self.used.add(name)
        return super().__getitem__(name)

    def inherit(self, other):
        for name in other:
            if name not in self:
                self[name], self.kinds[name] = other[name], other.kinds[name]

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
IGNORED = {"Integrator", "SurfaceIntegrator", "VolumeIntegrator", "Sampler", "PixelFilter", "Accelerator", "Renderer", "Option", "TransformTimes"}
BARE_WORDS = ("true", "false", "All", "StartTime", "EndTime")  # that begin no directive
MEDIA = {"MakeNamedMedium", "MediumInterface"}
TEXTS_FIRST = {"MakeNamedMedium": 1, "MediumInterface": 2, "Texture": 3, "Option": 0}  # names before the parameters; else 1


# What `Attribute` calls the directives whose parameters it gives.
ATTRIBUTED = {"Shape": "shape", "LightSource": "light", "AreaLightSource": "light", "Material": "material", "MakeNamedMaterial": "material",
              "Texture": "texture"}

Light = collections.namedtuple("Light", "kind radiance path equal_area illuminance direction ctm")  # from infinity
Camera = collections.namedtuple("Camera", "place to_world fov aperture focus window aspect")  # the last two: None where the film says it


class State:
    def __init__(self, other=None):
        self.ctm = other.ctm if other else IDENTITY
        self.material = other.material if other else None
        self.light = other.light if other else None
        self.reverse = other.reverse if other else False
        self.at_end = other.at_end if other else False  # transformations are those of the shutter's end
        self.attributes = dict(other.attributes) if other else {}
        self.names = dict(other.names) if other else {}  # ("float" or "spectrum", name) -> Value; ("material", name) -> Material


class Reader:
    def __init__(self, leave_out=False):
        self.leave_out, self.problems, self.notes = leave_out, [], {}
        self.state, self.stack = State(), []
        self.systems, self.objects, self.pictures = {}, {}, {}
        self.object, self.camera, self.lights, self.files = None, None, [], []
        self.version_4 = False  # as films and materials tell that only that version has
        self.film, self.crop, self.film_place = (1280, 720), (0, 1, 0, 1), None
        self.groups = {}  # (Material, emission) -> shapes.Group

    # ---- messages

    def problem(self, place, what, remedy):
        self.problems.append(f"{place}: {what}\n  {remedy}")

    def note(self, text):
        self.notes[text] = self.notes.get(text, 0) + 1

    # ---- text

    def read(self, path):
        self.path, self.folder = path, path.parent
        self.read_file(path)
        if self.camera:
            self.show()

    def read_file(self, path):
        self.files.append(path.resolve())
        stream = iter(tokens(path))
        self.pending = None
        for kind, word, line in self.peeked(stream):
            place = Place(path, line)
            if kind != "word":
                raise SceneError(f"{place}: a directive is expected instead of {word!r}")
            if word in ("Include", "Import"):
                self.include(word, place, stream)
                continue
            names, parameters = self.arguments(stream, place, word)
            self.directive(place, word, names, parameters)
        self.files.pop()

    def include(self, word, place, stream):
        """As all names of files, it counts from the main file's folder. What an import changes of the state ends with it."""
        other = self.folder / next(stream, ("", "", 0))[1]
        if not other.is_file():
            raise SceneError(f"{place}: there is no file {other}\n  names of files count from the folder of {self.path}")
        if other.resolve() in self.files:
            raise SceneError(f"{place}: {other} includes itself\n  remove this line")
        pending, self.pending, state = self.pending, None, self.state
        if word == "Import":
            self.state = State(state)
        self.read_file(other)
        self.pending = pending
        if word == "Import":
            self.leave(state)

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
            if kind == "word" and re.match("[A-Za-z]", text) and text not in BARE_WORDS:
                self.pending = item
                break
            if kind == "text" and len(bare) >= TEXTS_FIRST.get(word, 1) and len(text.split()) > 1:
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

    def directive(self, place, word, names, parameters):
        if word in IGNORED:
            self.note(f"{word} is left out: an experiment says how a scene is rendered")
            return
        if word in MEDIA:
            self.note("media are left out: every object stands in empty space")
            return
        act = getattr(self, "on_" + re.sub("([A-Z])", lambda m: "_" + m.group(1).lower(), word).lstrip("_"), None)
        if not act:
            self.problem(place, f"the directive {word} is not known", "remove it, or convert the scene with --leave-out")
            return
        parameters.inherit(self.state.attributes.get(ATTRIBUTED.get(word), ()))
        problems = len(self.problems)
        try:
            act(place, names, parameters, self.folder)
        except (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError) as fault:
            raise SceneError(f"{place}: {word} is incomplete or damaged ({type(fault).__name__}: {fault})") from None
        for name in [n for n in parameters if n not in parameters.used] if len(self.problems) == problems else []:
            self.note(f"{word}: the parameter {name} is not used")

    def set_transform(self, matrix):
        if self.state.at_end:
            self.note("motion is left out: everything stands where it is when the shutter opens")
        else:
            self.state.ctm = matrix

    def transform(self, matrix):
        self.set_transform(multiply(self.state.ctm, matrix))

    @staticmethod
    def matrix_of(place, names):
        if len(names) != 16:
            raise SceneError(f"{place}: a matrix of {len(names)} numbers instead of 16")
        columns = [float(v) for v in names]
        if columns[3:15:4] != [0, 0, 0] or columns[15] <= 0:
            raise ValueError("a projective transformation")
        return tuple(columns[4 * j + i] / columns[15] for i in range(4) for j in range(4))

    def on_identity(self, place, names, parameters, folder):
        self.set_transform(IDENTITY)

    def on_transform(self, place, names, parameters, folder):
        self.set_transform(self.matrix_of(place, names))

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
        self.set_transform(self.systems[names[0]])

    def on_coordinate_system(self, place, names, parameters, folder):
        self.systems[names[0]] = self.state.ctm

    def on_active_transform(self, place, names, parameters, folder):
        self.state.at_end = names[0] == "EndTime"

    def on_color_space(self, place, names, parameters, folder):
        if names[0] != "srgb":
            self.problem(place, f"colours in the space {names[0]!r}", "give them in sRGB's primaries, and remove this line")

    def on_world_begin(self, place, names, parameters, folder):
        self.state.ctm, self.state.at_end = IDENTITY, False
        self.systems["world"] = IDENTITY

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
            self.leave(state)

    def leave(self, outer):
        """Back to an outer state. What it knows by a name it keeps, as version 3; what it does not know stays, as in version 4."""
        outer.names = {**self.state.names, **outer.names}
        self.state = outer

    def on_transform_begin(self, place, names, parameters, folder):
        self.stack.append((None, self.state.ctm))

    on_transform_end = on_attribute_end

    def on_reverse_orientation(self, place, names, parameters, folder):
        self.state.reverse = not self.state.reverse

    def on_attribute(self, place, names, parameters, folder):
        parameters.inherit(self.state.attributes.get(names[0], ()))
        self.state.attributes[names[0]] = parameters
        parameters.used.update(parameters)

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
        self.version_4 |= names[0] in ("rgb", "gbuffer", "spectral")
        width, height = self.film = int(parameters.number("xresolution", 1280)), int(parameters.number("yresolution", 720))
        bounds = parameters.numbers("pixelbounds", [0, width, 0, height], 4)
        crop = parameters.numbers("cropwindow", [bounds[0] / width, bounds[1] / width, bounds[2] / height, bounds[3] / height], 4)
        crop = [min(max(c, 0), 1) for c in crop]
        self.film_place, self.crop = place, (*sorted(crop[:2]), *sorted(crop[2:]))

    def on_camera(self, place, names, parameters, folder):
        self.systems["camera"] = to_world = inverse(self.state.ctm)
        if names[0] != "perspective":
            self.problem(place, f"a camera of kind {names[0]!r}", "make it a perspective one")
            return
        size = uniform_scale(to_world)
        if not size:
            self.problem(place, "the camera is stretched or sheared", "scale it by one factor along all axes")
            return
        fov, half = parameters.number("fov", 90), parameters.number("halffov", 0)
        self.camera = Camera(place, to_world, 2 * half if half > 0 else fov, parameters.number("lensradius", 0) * size,
                             parameters.number("focaldistance", 1e6) * size, parameters.numbers("screenwindow", None, 4),
                             parameters.number("frameaspectratio", None))

    def show(self):
        """What part of the camera's screen is seen, now that the film is known, too: its vertical angle, and the film's size."""
        camera, (width, height), crop = self.camera, self.film, self.crop
        aspect = camera.aspect or width / height
        whole = (-aspect, aspect, -1, 1) if aspect > 1 else (-1, 1, -1 / aspect, 1 / aspect)
        window = camera.window or whole
        if beside(*window[:2]) or beside(*window[2:]):
            self.problem(camera.place, "the camera's screenwindow is not about the middle of its picture, from left to right and bottom to top",
                         "make it so, since a camera here looks at the middle; --leave-out shows the whole film")
            window = whole
        if beside(crop[0] - 0.5, crop[1] - 0.5) or beside(crop[2] - 0.5, crop[3] - 0.5):
            self.problem(self.film_place, "the film's cropwindow or pixelbounds are not about the middle of the picture",
                         "make them so, since a camera here looks at the middle, or remove them; --leave-out shows the whole film")
            crop = (0, 1, 0, 1)
        across, up = (window[1] - window[0]) * (crop[1] - crop[0]), (window[3] - window[2]) * (crop[3] - crop[2])
        self.film = tuple(math.ceil(n * crop[i + 1]) - math.ceil(n * crop[i]) for n, i in ((width, 0), (height, 2)))
        self.vertical_fov = math.degrees(2 * math.atan(math.tan(math.radians(camera.fov) / 2) * up / 2))
        if abs(across / up * self.film[1] / self.film[0] - 1) > 0.01:
            self.note(f"pixels of the original are not square: render with a width of {across / up:.6g} times the height")

    def on_make_named_material(self, place, names, parameters, folder):
        self.state.names["material", names[0]] = materials.convert(self, names[0], parameters.text("type", "matte"), parameters, folder)

    def on_material(self, place, names, parameters, folder):
        name = f"{names[0]} {place.line}"
        self.state.material = materials.convert(self, name, names[0], parameters, folder)

    def on_named_material(self, place, names, parameters, folder):
        if ("material", names[0]) not in self.state.names:
            raise SceneError(f"{place}: no material is called {names[0]!r}")
        self.state.material = self.state.names["material", names[0]]

    def on_texture(self, place, names, parameters, folder):
        parameters.of = "float" if names[1] == "float" else "spectrum"
        self.state.names[parameters.of, names[0]] = materials.texture(self, names[2], parameters, folder)

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
        scale = materials.colour(self, parameters, "scale", (1, 1, 1))
        self.state.light = tuple(c * s for c, s in zip(materials.colour(self, parameters, "L", (1, 1, 1)), scale))

    def on_light_source(self, place, names, parameters, folder):
        kind = names[0]
        if kind not in ("infinite", "exinfinite", "distant"):
            self.problem(place, f"a light of kind {kind!r}", "there are infinite, distant and area lights: put a small area light there")
            return
        radiance, scale = (materials.colour(self, parameters, name, (1, 1, 1)) for name in ("L", "scale"))
        radiance = [c * s for c, s in zip(radiance, scale)]
        mapname, filename = parameters.text("mapname"), parameters.text("filename")  # of version 3, of version 4
        path = folder / (mapname or filename) if mapname or filename else None
        if path and not path.is_file():
            self.problem(place, f"there is no file {path}", "fetch the whole scene again")
            path = None
        if path and not uniform_scale(self.state.ctm):
            self.problem(place, "the picture of a light from infinity is stretched or sheared", "turn it only")
        illuminance = max(parameters.number("illuminance", 0), 0)
        if illuminance and not path:  # a white sky of radiance 1 gives pi
            radiance = [c * illuminance / (1 if kind == "distant" else math.pi) for c in radiance]
        direction = [a - b for a, b in zip(parameters.numbers("from", [0, 0, 0], 3), parameters.numbers("to", [0, 0, 1], 3))]
        self.lights.append(Light(kind, radiance, path, not mapname, illuminance, direction, self.state.ctm))

    # ---- shapes

    def group(self, key):
        return self.groups.setdefault(key, shapes.Group())

    def on_shape(self, place, names, parameters, folder):
        make = shapes.KINDS.get(names[0])
        if not make:
            self.problem(place, f"a shape of kind {names[0]!r}", f"make it a mesh; known are {', '.join(sorted(shapes.KINDS))}")
            return
        try:
            mesh = make(parameters, folder)
        except shapes.MeshError as fault:
            self.problem(place, str(fault), fault.remedy)
            return
        if mesh[1] and self.state.reverse and self.version_4:  # in version 3 normals win
            mesh = (mesh[0], [-n for n in mesh[1]], mesh[2])
        material, light = self.state.material or materials.convert(self, "matte", "matte", Parameters(place), folder), self.state.light
        if material.invisible and light and self.version_4:
            self.note("as in version 4 of pbrt, an area light on a material that is nothing does not shine")
            light = None
        if material.invisible and not light:
            self.note("a surface that is wholly transparent is left out")
            return
        key = (material, light)
        if self.object is None:
            self.group(key).add(mesh, self.state.ctm, self.state.reverse)
        else:
            self.object.append((mesh, self.state.ctm, self.state.reverse, key))

    def is_left_handed(self):
        return self.camera is not None and determinant(self.camera.to_world) > 0


def beside(low, high):
    """Whether it is no range about 0."""
    return not low < high or abs(low + high) > 1e-4 * (high - low)
