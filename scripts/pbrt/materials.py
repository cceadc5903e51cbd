# SPDX-License-Identifier: MIT
"""Materials and textures of pbrt as warpstudy's. KINDS, at the end, is the one place that says which becomes which."""
import array
import collections
import functools
import math
import re
import struct
import sys
import zlib

GREY = (0.5, 0.5, 0.5)


class Value(collections.namedtuple("Value", "factor picture")):
    """A colour: the factor, times the mean colour of a picture where there is one."""

    def __new__(cls, factor, picture=None):
        return super().__new__(cls, tuple(factor), picture)

    @property
    def rgb(self):
        return tuple(f * m for f, m in zip(self.factor, self.picture.mean)) if self.picture else self.factor

    def times(self, other, note):
        if self.picture and other.picture:
            note("a product of two pictures: that of their mean colours is taken")
            return Value([a * b for a, b in zip(self.rgb, other.rgb)])
        return Value([a * b for a, b in zip(self.factor, other.factor)], self.picture or other.picture)


class Material(collections.namedtuple("Material", "name kind invisible turned keys")):
    """Surfaces whose materials are equal become one mesh. `turned`: they show their other side; `keys`: pairs as the scene file writes them,
    where a Value is a colour and `texture`."""

    def __new__(cls, name, kind="lambert", invisible=False, turned=False, **keys):
        return super().__new__(cls, name, kind, invisible, turned, tuple((k, clamped(v) if isinstance(v, Value) else v) for k, v in keys.items()))


# ---- pictures

class Picture:
    """Of a texture. Its mean colour is read when somebody asks: a picture that is a texture in the end is not read at all."""

    def __init__(self, path, refuse):
        self.path, self.refuse = path, refuse

    @functools.cached_property
    def mean(self):
        try:
            return mean_colour(self.path)
        except ValueError as fault:
            self.refuse(f"the mean colour of {self.path} is needed here, and {fault}")
            return (1.0, 1.0, 1.0)


def mean_colour(path):
    """Linear, without alpha. Pictures that are not in floats are sRGB."""
    data = path.read_bytes()
    if data[:2] in (b"PF", b"Pf"):
        *_, channels, values = read_pfm(path)
        return tuple(sum(values[c % channels::channels]) * channels / len(values) for c in range(3))
    read = read_png if data.startswith(b"\x89PNG") else read_tga if path.suffix.lower() == ".tga" else None
    if not read:
        raise ValueError("only those of PNG, TGA and PFM files are read")
    try:
        linear = [v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)]
        return tuple(sum(n * linear[v] for v, n in counts) / sum(n for _, n in counts) for counts in read(data))
    except (IndexError, KeyError, TypeError, struct.error, zlib.error, ZeroDivisionError):
        raise ValueError("it is damaged, or of a kind that is not read") from None


def read_pfm(path):
    """Width, height, channels and values, lowest row first."""
    data = path.read_bytes()
    header = re.match(rb"(P[Ff])\s+(\d+)\s+(\d+)\s+([-+0-9.eE]+)\s", data)
    try:
        width, height, scale, channels = int(header[2]), int(header[3]), float(header[4]), 3 if header[1] == b"PF" else 1
        values = array.array("f", data[header.end():])
    except (TypeError, ValueError):
        raise ValueError("it is not a PFM file, or is cut short") from None
    if len(values) != width * height * channels or not values:
        raise ValueError("it is cut short")
    if (scale < 0) != (sys.byteorder == "little"):
        values.byteswap()
    if abs(scale) != 1:
        values = array.array("f", (abs(scale) * v for v in values))
    return width, height, channels, values


PREDICTED = (None, lambda left, up, both: left, lambda left, up, both: up, lambda left, up, both: (left + up) // 2,  # of PNG's filters
             lambda left, up, both: min((left, up, both), key=lambda v: abs(left + up - both - v)))


def read_png(data):
    """By red, green and blue: pairs of a byte and how often it occurs."""
    chunks, at = collections.defaultdict(bytes), 8
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        chunks[name] += data[at + 8:at + 8 + size]
        at += 12 + size
    width, height, depth, kind, _, _, interlaced = struct.unpack(">2I5B", chunks[b"IHDR"])
    channels, raw, palette = (1, None, 3, 1, 2, None, 4)[kind], zlib.decompress(chunks[b"IDAT"]), chunks[b"PLTE"]
    size, step = (width * channels * depth + 7) // 8, max(channels * depth // 8, 1)
    if interlaced or len(raw) != height * (size + 1):
        raise ValueError("it is interlaced, or cut short")
    counts, up = [collections.Counter() for _ in range(channels)], bytes(size)
    for at in range(0, len(raw), size + 1):
        row, predicted = bytearray(raw[at + 1:at + 1 + size]), PREDICTED[raw[at]]
        for i in range(size) if predicted else ():
            left, both = (row[i - step], up[i - step]) if i >= step else (0, 0)
            row[i] = row[i] + predicted(left, up[i], both) & 255
        samples = row[::depth // 8] if depth >= 8 else [row[i * depth // 8] >> 8 - depth - i * depth % 8 & (1 << depth) - 1 for i in range(width * channels)]
        for c in range(channels):
            counts[c].update(samples[c::channels])
        up = row
    most = (1 << min(depth, 8)) - 1
    return [[(palette[3 * v + c] if kind == 3 else v * 255 // most, n) for v, n in counts[c if channels > 2 else 0].items()] for c in range(3)]


def read_tga(data):
    """As read_png: of files without a palette."""
    skipped, _, kind, width, height, depth = struct.unpack_from("<3B9x2HB", data)
    step, at, pixels = {(2, 24): 3, (2, 32): 4, (3, 8): 1}[kind & 7, depth], 18 + skipped, bytearray()
    while kind > 8 and len(pixels) < width * height * step:  # runs
        n, run = (data[at] & 127) + 1, data[at] & 128
        pixels += data[at + 1:at + 1 + step] * n if run else data[at + 1:at + 1 + n * step]
        at += 1 + (step if run else n * step)
    pixels = pixels or data[at:at + width * height * step]
    if len(pixels) != width * height * step:
        raise ValueError("it is cut short")
    return [collections.Counter(pixels[2 - c if step > 1 else 0::step]).items() for c in range(3)]


# ---- parameters

# Reflectance at normal incidence of the metals that pbrt knows by name, from their measured eta and k.
METALS = {"Ag": (0.963, 0.949, 0.907), "Al": (0.912, 0.914, 0.920), "Au": (1.0, 0.766, 0.336), "Cu": (0.955, 0.638, 0.538)}


# Lobes of the CIE 1931 observer: height, middle in nm, widths below and above (Wyman, Sloan and Shirley, JCGT 2(2), 2013).
OBSERVER = (((1.056, 599.8, 37.9, 31.0), (0.362, 442.0, 16.0, 26.7), (-0.065, 501.1, 20.4, 26.2)),
            ((0.821, 568.8, 46.9, 40.5), (0.286, 530.9, 16.3, 31.1)), ((1.217, 437.0, 11.8, 36.0), (0.681, 459.0, 26.0, 13.8)))
ILLUMINANTS = {"stdillum-A": (0.44758, 0.40745), "stdillum-D50": (0.34567, 0.35850), "stdillum-D65": (0.31271, 0.32902)}  # x, y


def rgb_of(x, y, z):
    """Linear Rec. 709 of XYZ."""
    rows = ((3.2404542, -1.5371385, -0.4985314), (-0.9692660, 1.8760108, 0.0415560), (0.0556434, -0.2040259, 1.0572252))
    return [max(a * x + b * y + c * z, 0) for a, b, c in rows]


def blackbody(kelvin, gain=None):
    """Of version 4, which gives the temperature alone, with a luminance of 1; of version 3 times `gain`, 1 at its brightest wavelength."""
    def radiance(nm):
        return nm ** -5 / math.expm1(1.43877688e7 / (nm * kelvin))

    xyz = [sum(radiance(nm) * h * math.exp(-((nm - m) / (below if nm < m else above)) ** 2 / 2) for nm in range(360, 831) for h, m, below, above in lobes)
           for lobes in OBSERVER]
    unit = xyz[1] if gain is None else radiance(2.8977720e6 / kelvin) * 106.857 / gain
    return rgb_of(*(v / unit for v in xyz))


def colour(reader, parameters, name, default):
    value = parameter(reader, parameters, name, default)
    return value.rgb


def parameter(reader, parameters, name, default, of=None):
    """`of`: the type of the texture that it may name, "float" or "spectrum": names of each are apart."""
    if name not in parameters:
        return Value(default)
    kind, values = parameters.kinds[name], parameters[name]
    if kind == "texture":
        of = of or parameters.of
        if (of, values[0]) not in reader.state.names:
            reader.problem(parameters.place, f"no {of} texture is called {values[0]!r}", "define it before it is used")
        return reader.state.names.get((of, values[0]), Value(default))
    if kind in ("rgb", "color") or kind == "float":
        numbers = parameters.numbers(name)
        return Value(numbers if len(numbers) == 3 else numbers[:1] * 3)
    if kind == "blackbody":
        return Value(blackbody(*parameters.numbers(name)[:2]))
    if kind == "spectrum" and values[0] in ILLUMINANTS:
        x, y = ILLUMINANTS[values[0]]
        return Value(rgb_of(x / y, 1, (1 - x - y) / y))
    metal = next((m for m in METALS if f"-{m}-" in values[0] or values[0].startswith((f"{m}.", f"spds/{m}."))), None)
    if kind == "spectrum" and metal:
        return Value(METALS[metal])
    reader.problem(parameters.place, f"{name} is given as {kind}", f"give it as colour: \"rgb {name}\" [ red green blue ]")
    return Value(default)


def clamped(value):
    """A reflectance. A scene file says no factor above 1, so that of a picture's mean colour remains one."""
    picture = value.picture if max(value.factor) <= 1 else None
    return Value([min(max(c, 0), 1) for c in (value.factor if picture else value.rgb)], picture)


def alpha(parameters, default):
    """Width of pbrt's microfacets, of the smoother direction."""
    names = [n for n in ("uroughness", "vroughness", "roughness") if n in parameters and parameters.kinds[n] != "texture"]
    rough = min(parameters.number(n, default) for n in names) if names else default
    if parameters.flag("remaproughness", True) and rough:
        if parameters.version_4:
            return math.sqrt(rough)
        x = math.log(max(rough, 1e-3))
        return 1.62142 + 0.819955 * x + 0.1734 * x * x + 0.0171201 * x ** 3 + 0.000640711 * x ** 4
    return rough


SMOOTH = 0.02  # widths below this are mirrors


def roughness(width):
    """Of glossy and reflective, whose microfacets have its square for their width."""
    return min(max(math.sqrt(width), 0.1), 1)


def eta_of(parameters, default=1.5):
    eta = next((parameters.number(n, 0) for n in ("eta", "index") if n in parameters and parameters.kinds[n] == "float"), default)
    if eta <= 0:
        raise ValueError(f"an index of refraction of {eta:g}")
    return min(max(eta, 1 / eta), 4)


def turns(parameters):
    """Of less than 1: the medium is on the outside."""
    return any(n in parameters and parameters.kinds[n] == "float" and parameters.number(n, 1) < 1 for n in ("eta", "index"))


# ---- textures

def picture(reader, parameters, folder):
    path = folder / parameters.text("filename", "")
    if path.is_file():
        remedy = "convert it to PNG, not interlaced, or give a colour; --leave-out takes it for white"
        one = reader.pictures.setdefault(path, Picture(path, lambda what: reader.problem(parameters.place, what, remedy)))
        return Value([parameters.number("scale", 1)] * 3, one)
    reader.problem(parameters.place, f"there is no file {path}", "fetch the whole scene again")
    return Value(GREY)


def mean_of(reader, parameters, first, second, share):
    """Of two textures, given as their names and defaults; `share` is that of the second."""
    a, b = (parameter(reader, parameters, name, (default,) * 3).rgb for name, default in (first, second))
    return Value([x * (1 - s) + y * s for x, y, s in zip(a, b, share)])


# Of the area, by pbrt's own noise: 0.394 of the cells hold a dot, with a radius of 0.35. `inside` is what surrounds it: pbrt exchanges the two.
DOTS = (0.152,) * 3
TEXTURES = {
    "imagemap": picture,
    "constant": lambda r, p, f: parameter(r, p, "value", (1, 1, 1)),
    "scale": lambda r, p, f: parameter(r, p, "tex1" if "tex1" in p else "tex", (1, 1, 1)).times(parameter(r, p, "tex2", (1, 1, 1)) if "tex2" in p else parameter(r, p, "scale", (1, 1, 1), "float"), r.note),
    "mix": lambda r, p, f: mean_of(r, p, ("tex1", 0), ("tex2", 1), parameter(r, p, "amount", GREY, "float").rgb),
    "checkerboard": lambda r, p, f: mean_of(r, p, ("tex1", 1), ("tex2", 0), GREY),
    "dots": lambda r, p, f: mean_of(r, p, ("inside", 1), ("outside", 0), DOTS),
}


def texture(reader, kind, parameters, folder):
    if kind in TEXTURES:
        return TEXTURES[kind](reader, parameters, folder)
    reader.problem(parameters.place, f"a texture of kind {kind!r}", f"give a colour instead; known are {', '.join(sorted(TEXTURES))}")
    return Value(GREY)


# ---- materials

def matte(reader, name, p, folder):
    return Material(name, diffuse=parameter(reader, p, "reflectance" if "reflectance" in p else "Kd", GREY))


def coated(reader, name, p, base, gloss, width):
    """A diffuse base under a coat that reflects by Fresnel's law, as a mirror or with microfacets."""
    most = max(gloss.rgb)
    if most <= 0:
        return Material(name, diffuse=base)
    if min(gloss.rgb) < most or most > 0.36:
        reader.note("a coat reflects all colours alike, and at most 0.36 at normal incidence: what Ks has besides is left out")
    root = math.sqrt(min(most, 0.36))
    ior = (1 + root) / (1 - root)
    if width < SMOOTH:
        return Material(name, "carpaint", diffuse=base, specular=Value((0, 0, 0)), ior=ior)
    return Material(name, "glossy", diffuse=base, ior=ior, roughness=roughness(width))


def plastic(reader, name, p, folder):
    return coated(reader, name, p, parameter(reader, p, "Kd", (0.25,) * 3), parameter(reader, p, "Ks", (0.25,) * 3), alpha(p, 0.1))


def substrate(reader, name, p, folder):
    return coated(reader, name, p, parameter(reader, p, "Kd", GREY), parameter(reader, p, "Ks", GREY), alpha(p, 0.1))


def coated_diffuse(reader, name, p, folder):
    f = (eta_of(p) - 1) / (eta_of(p) + 1)
    return coated(reader, name, p, parameter(reader, p, "reflectance", GREY), Value([f * f] * 3), alpha(p, 0))


def mirror_or_lobe(name, value, width):
    if width < SMOOTH:
        return Material(name, "chrome", specular=Value(value.rgb))
    return Material(name, "reflective", specular=Value(value.rgb), roughness=roughness(width))


def metal(reader, name, p, folder):
    width = alpha(p, 0 if p.version_4 else 0.01)
    if "reflectance" in p:
        return mirror_or_lobe(name, parameter(reader, p, "reflectance", GREY), width)
    if "eta" not in p or p.kinds["eta"] == "spectrum":
        return mirror_or_lobe(name, parameter(reader, p, "eta", METALS["Cu"]), width)
    eta, k = parameter(reader, p, "eta", (1, 1, 1)).rgb, parameter(reader, p, "k", (1, 1, 1)).rgb
    return mirror_or_lobe(name, Value([((n - 1) ** 2 + c * c) / ((n + 1) ** 2 + c * c) for n, c in zip(eta, k)]), width)


def mirror(reader, name, p, folder):
    return mirror_or_lobe(name, parameter(reader, p, "Kr", (0.9,) * 3), 0)


def glass(reader, name, p, folder):
    if "eta" in p and p.kinds["eta"] == "spectrum":
        reader.note("glass by its name: its index of refraction is taken as 1.5")
    transmitted = parameter(reader, p, "Kt", (1, 1, 1)).rgb
    if min(transmitted) < 1 and max(transmitted) > 0:
        reader.note("glass transmits all colours alike, and wholly: its Kt is left out")
    if max(transmitted) <= 0:
        return Material(name, "carpaint", diffuse=Value((0, 0, 0)), specular=Value((0, 0, 0)), ior=eta_of(p))
    if alpha(p, 0) >= SMOOTH:
        reader.note("rough glass becomes smooth")
    return Material(name, "glass", turned=turns(p), ior=eta_of(p))


def thin(reader, name, p, folder):
    return Material(name, "transparent", ior=eta_of(p))


def uber(reader, name, p, folder):
    opacity = max(parameter(reader, p, "opacity", (1, 1, 1)).rgb)
    if opacity <= 0:
        return nothing(reader, name, p, folder)
    if opacity < 1:
        reader.note("a material that is partly transparent becomes opaque")
    transmitted, mirrored = (max(parameter(reader, p, key, (0, 0, 0)).rgb) for key in ("Kt", "Kr"))
    if max(transmitted, mirrored) > 0.5:
        reader.note("of an uber material that transmits or mirrors more than half, the rest is left out")
        return (glass if transmitted > 0.5 else mirror)(reader, name, p, folder)
    if max(transmitted, mirrored) > 0:
        reader.note("what an uber material transmits or mirrors, at most half, is left out")
    return plastic(reader, name, p, folder)


def translucent(reader, name, p, folder):
    reader.note("a translucent material reflects only")
    if p.version_4:
        return Material(name, diffuse=parameter(reader, p, "reflectance", (0.25,) * 3))
    base, gloss = (parameter(reader, p, key, (0.25,) * 3).times(parameter(reader, p, "reflect", GREY), reader.note) for key in ("Kd", "Ks"))
    return coated(reader, name, p, base, gloss, alpha(p, 0.1))


def mix(reader, name, p, folder):
    names = p.get("materials", [p.text("namedmaterial1"), p.text("namedmaterial2")])
    share = sum(parameter(reader, p, "amount", GREY, "float" if "materials" in p else "spectrum").rgb) / 3
    chosen = names[0 if (share >= 0.5) != ("materials" in p) else 1]  # version 3 weighs the first by `amount`, version 4 the second
    reader.note("of a mixture of materials the heavier is taken")
    if ("material", chosen) not in reader.state.names:
        reader.problem(p.place, f"no material is called {chosen!r}", "define it before it is used")
        return Material(name)
    return reader.state.names["material", chosen]._replace(name=name)


def nothing(reader, name, p, folder):
    """Where it is a light of version 3, light passes what shines."""
    return Material(name, "transparent", invisible=True, ior=1)


VERSION_4 = {"diffuse", "coateddiffuse", "conductor", "dielectric", "thindielectric", "diffusetransmission", "interface"}
KINDS = {  # of version 3, then of version 4
    "matte": matte, "plastic": plastic, "substrate": substrate, "metal": metal, "mirror": mirror, "glass": glass, "uber": uber,
    "translucent": translucent, "mix": mix, "none": nothing, "": nothing,
    "diffuse": matte, "coateddiffuse": coated_diffuse, "conductor": metal, "dielectric": glass, "thindielectric": thin,
    "diffusetransmission": translucent, "interface": nothing,
}


def convert(reader, name, kind, parameters, folder):
    if kind not in KINDS:
        reader.problem(parameters.place, f"a material of kind {kind!r}", f"take another; known are {', '.join(sorted(k for k in KINDS if k))}")
        return Material(name)
    parameters.version_4 = kind in VERSION_4
    reader.version_4 |= parameters.version_4
    return KINDS[kind](reader, name, parameters, folder)
