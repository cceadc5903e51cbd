# SPDX-License-Identifier: MIT
"""Materials and textures of pbrt as warpstudy's. KINDS, at the end, is the one place that says which becomes which."""
import collections
import math

GREY = (0.5, 0.5, 0.5)


class Value(collections.namedtuple("Value", "rgb picture")):
    """A colour, times the mean of a picture where there is one."""

    def __new__(cls, rgb, picture=None):
        return super().__new__(cls, tuple(rgb), picture)

    def times(self, other, note):
        if self.picture and other.picture:
            note("a product of two pictures: the first alone is taken")
        return Value([a * b for a, b in zip(self.rgb, other.rgb)], self.picture or other.picture)


class Material(collections.namedtuple("Material", "name kind invisible turned keys")):
    """Surfaces whose materials are equal become one mesh. `turned`: they show their other side; `keys`: pairs as the scene file writes them,
    where a Value is a colour and `texture`."""

    def __new__(cls, name, kind="lambert", invisible=False, turned=False, **keys):
        return super().__new__(cls, name, kind, invisible, turned, tuple(keys.items()))


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
    return Value([min(max(c, 0), 1) for c in value.rgb], value.picture)


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
        return Value([parameters.number("scale", 1)] * 3, path)
    reader.problem(parameters.place, f"there is no file {path}", "fetch the whole scene again")
    return Value(GREY)


def mean_of(reader, parameters, folder):
    """Of two textures by halves, or by `amount`."""
    a, b = parameter(reader, parameters, "tex1", (1, 1, 1)), parameter(reader, parameters, "tex2", (0, 0, 0))
    share = parameter(reader, parameters, "amount", GREY, "float").rgb
    if a.picture or b.picture:
        reader.note("a pattern of two textures: its first alone is taken")
        return a
    return Value([x * (1 - s) + y * s for x, y, s in zip(a.rgb, b.rgb, share)])


TEXTURES = {
    "imagemap": picture,
    "constant": lambda r, p, f: parameter(r, p, "value", (1, 1, 1)),
    "scale": lambda r, p, f: parameter(r, p, "tex1" if "tex1" in p else "tex", (1, 1, 1)).times(parameter(r, p, "tex2", (1, 1, 1)) if "tex2" in p else parameter(r, p, "scale", (1, 1, 1), "float"), r.note),
    "mix": mean_of, "checkerboard": mean_of, "dots": mean_of,
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
        return Material(name, "chrome", specular=Value(clamped(value).rgb))
    return Material(name, "reflective", specular=Value(clamped(value).rgb), roughness=roughness(width))


def metal(reader, name, p, folder):
    width = alpha(p, 0 if p.version_4 else 0.01)
    if "reflectance" in p:
        return mirror_or_lobe(name, parameter(reader, p, "reflectance", GREY), width)
    if "eta" not in p or p.kinds["eta"] == "spectrum":
        return mirror_or_lobe(name, parameter(reader, p, "eta", METALS["Cu"]), width)
    eta, k = parameter(reader, p, "eta", (1, 1, 1)).rgb, parameter(reader, p, "k", (1, 1, 1)).rgb
    return mirror_or_lobe(name, Value([((n - 1) ** 2 + c * c) / ((n + 1) ** 2 + c * c) for n, c in zip(eta, k)]), width)


def mirror(reader, name, p, folder):
    return Material(name, "chrome", specular=Value(clamped(parameter(reader, p, "Kr", (0.9,) * 3)).rgb))


def glass(reader, name, p, folder):
    if "eta" in p and p.kinds["eta"] == "spectrum":
        reader.note("glass by its name: its index of refraction is taken as 1.5")
    if max(parameter(reader, p, "Kt", (1, 1, 1)).rgb) <= 0:
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
    if max(parameter(reader, p, "Kt", (0, 0, 0)).rgb) > 0.5:
        return glass(reader, name, p, folder)
    if max(parameter(reader, p, "Kr", (0, 0, 0)).rgb) > 0.5:
        return mirror(reader, name, p, folder)
    return plastic(reader, name, p, folder)


def translucent(reader, name, p, folder):
    reader.note("a translucent material reflects only")
    return coated(reader, name, p, parameter(reader, p, "reflectance" if "reflectance" in p else "Kd", (0.25,) * 3), parameter(reader, p, "Ks", (0,) * 3), alpha(p, 0.1))


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
