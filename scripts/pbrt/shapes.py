# SPDX-License-Identifier: MIT
"""Shapes as triangles. A mesh is (points, normals or None, triples), numbers in flat lists; a Group collects them in pbrt's world space."""
import array
import gzip
import math
import re
import struct
import sys
import zlib

from matrix import IDENTITY, cofactors, determinant


class MeshError(Exception):
    def __init__(self, what, remedy="fetch the whole scene again"):
        super().__init__(what)
        self.remedy = remedy


def read_bytes(path):
    """A file's content, unpacked where gzip packed it."""
    data = path.read_bytes()
    try:
        return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (EOFError, OSError, zlib.error) as fault:
        raise ValueError(f"what gzip packed is cut short or damaged: {fault}") from None


# ---- PLY

FORMATS = {"ascii": None, "binary_little_endian": "<", "binary_big_endian": ">"}
TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d", "int8": "b",
         "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "float32": "f", "float64": "d"}


def ply_header(path, data):
    end = re.search(rb"\nend_header[^\n]*\n", data)
    if not data.startswith(b"ply") or not end:
        raise MeshError(f"{path} is not a PLY file")
    order, elements = "?", []
    for line in data[:end.start()].decode("ascii", "replace").splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            order = FORMATS.get(words[1], "?")
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append((words[-1], [TYPES[w] for w in words[1:-1] if w != "list"], words[1] == "list"))
    if order == "?":
        raise MeshError(f"{path}: a PLY file of an unknown format")
    return order, elements, end.end()


def uniform_rows(order, data, at, count, sides, columns):
    """Faces that all have `sides` corners: their structure, or None where they have not."""
    layout = "".join(("%s%d%s" % (kind[0], sides, kind[1])) if listed else kind[0] for _, kind, listed in columns)
    row = struct.Struct(order + layout)
    if at + count * row.size > len(data):
        return None
    rows = list(row.iter_unpack(data[at:at + count * row.size]))
    lead = sum(1 for _, _, listed in columns[:[c[2] for c in columns].index(True)])
    return (rows, lead, row.size) if all(r[lead] == sides for r in rows) else None


def read_lists(order, data, at, count, columns):
    """Rows with lists of any length: each property's value."""
    rows = []
    for _ in range(count):
        values = []
        for _, kind, listed in columns:
            length = 1
            if listed:
                (length,) = struct.unpack_from(order + kind[0], data, at)
                at += struct.calcsize(kind[0])
            item = struct.Struct(order + f"{length}{kind[-1]}")
            values.append(item.unpack_from(data, at) if listed else item.unpack_from(data, at)[0])
            at += item.size
        rows.append(values)
    return rows, at


def fan(corners):
    return [v for k in range(1, len(corners) - 1) for v in (corners[0], corners[k], corners[k + 1])]


def corners(columns):
    """Which property of a face holds them."""
    found = next((i for i, c in enumerate(columns) if c[0] in ("vertex_indices", "vertex_index")), None)
    if found is None:
        raise MeshError("its faces have no corners")
    return found


def binary_faces(order, data, at, count, columns):
    indices = corners(columns)
    found = uniform_rows(order, data, at, count, 3, columns) if sum(c[2] for c in columns) == 1 and count else None
    if found:
        rows, lead, size = found
        return [v for r in rows for v in r[lead + 1:lead + 4]], at + count * size
    rows, at = read_lists(order, data, at, count, columns)
    return [v for r in rows for v in fan(r[indices])], at


def ascii_element(words, count, columns):
    rows = []
    for _ in range(count):
        rows.append([[float(next(words)) for _ in range(int(next(words)))] if listed else float(next(words)) for _, _, listed in columns])
    return rows


def pick(rows, columns, names):
    where = [next((i for i, c in enumerate(columns) if c[0] == n), None) for n in names]
    return [r[i] for r in rows for i in where] if None not in where else None


def read_ply(path):
    data = read_bytes(path)
    order, elements, at = ply_header(path, data)
    words = iter(data[at:].split()) if order is None else None
    points = normals = faces = None
    for name, count, columns in elements:
        if name == "face":
            if words:
                faces = [int(v) for r in ascii_element(words, count, columns) for v in fan(r[corners(columns)])]
            else:
                faces, at = binary_faces(order, data, at, count, columns)
            continue
        if words:
            rows = ascii_element(words, count, columns)
        elif any(c[2] for c in columns):
            rows, at = read_lists(order, data, at, count, columns)
        else:
            row = struct.Struct(order + "".join(c[1][0] for c in columns))
            rows = list(row.iter_unpack(data[at:at + count * row.size]))
            at += count * row.size
        if name == "vertex":
            points, normals = pick(rows, columns, "xyz"), pick(rows, columns, ("nx", "ny", "nz"))
    if points is None or faces is None:
        raise MeshError(f"{path} holds no faces")
    return points, normals, faces


# ---- kinds

def plymesh(parameters, folder):
    path = folder / parameters.text("filename", "")
    if not path.is_file():
        raise MeshError(f"there is no file {path}")
    try:
        return checked(read_ply(path), path)
    except (struct.error, StopIteration, ValueError, IndexError, KeyError, MeshError) as fault:
        raise MeshError(f"{path} is cut short or damaged ({fault})") from None


def trianglemesh(parameters, folder):
    points = parameters.numbers("P", [])
    indices = [int(i) for i in parameters.numbers("indices", [0, 1, 2] if len(points) == 9 else [])]
    return checked((points, parameters.numbers("N"), indices), parameters.place)


def checked(mesh, what):
    points, normals, indices = mesh
    if not points or not indices or len(points) % 3 or len(indices) % 3:
        raise MeshError(f"{what}: a mesh without whole triangles")
    if min(indices) < 0 or 3 * max(indices) >= len(points):
        raise MeshError(f"{what}: a triangle refers to vertex {max(indices)}, and there are {len(points) // 3}")
    if not math.isfinite(sum(points)):
        raise MeshError(f"{what}: a vertex is not a point")
    return points, normals if normals and len(normals) == len(points) else None, indices


def sphere(parameters, folder):
    r, rows, columns, points, indices = parameters.number("radius", 1), 48, 96, [], []
    ends = parameters.number("zmin", -r), parameters.number("zmax", r)
    if min(ends) > -r or max(ends) < r or parameters.number("phimax", 360) < 360:
        raise MeshError("a part of a sphere", "make it a mesh")
    for i in range(rows + 1):
        for j in range(columns + 1):
            theta, phi = math.pi * i / rows, 2 * math.pi * j / columns
            points += [r * math.sin(theta) * math.cos(phi), r * math.sin(theta) * math.sin(phi), r * math.cos(theta)]
    for i in range(rows):
        for j in range(columns):
            a, b = i * (columns + 1) + j, (i + 1) * (columns + 1) + j
            indices += ([a, b, a + 1] if i else []) + ([a + 1, b, b + 1] if i < rows - 1 else [])
    return points, None, indices


def disk(parameters, folder):
    r, inner, h = parameters.number("radius", 1), parameters.number("innerradius", 0), parameters.number("height", 0)
    if parameters.number("phimax", 360) < 360:
        raise MeshError("a part of a disk", "make it a mesh")
    n, points, indices = 96, [], []
    for k in range(n):
        c, s = math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n)
        points += [inner * c, inner * s, h, r * c, r * s, h]
        a, b = 2 * k, 2 * ((k + 1) % n)
        indices += [a, a + 1, b + 1] + ([a, b + 1, b] if inner else [])
    return points, None, indices


def cylinder(parameters, folder):
    r, low, high = parameters.number("radius", 1), parameters.number("zmin", -1), parameters.number("zmax", 1)
    if parameters.number("phimax", 360) < 360:
        raise MeshError("a part of a cylinder", "make it a mesh")
    n, points, indices = 96, [], []
    for k in range(n):
        c, s = math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n)
        points += [r * c, r * s, low, r * c, r * s, high]
        a, b = 2 * k, 2 * ((k + 1) % n)
        indices += [a, b, b + 1, a, b + 1, a + 1]
    return points, None, indices


KINDS = {"plymesh": plymesh, "trianglemesh": trianglemesh, "sphere": sphere, "disk": disk, "cylinder": cylinder}


# ---- triangles of one material

class Group:
    """Front sides are those of pbrt: where the vertices' normals point, else by the order of the corners and the handedness."""

    def __init__(self):
        # The first vertex is used by no triangle. It makes 0 the first byte behind a PLY file's header: assimp 5.2 takes that of a line's end for
        # a part of the header.
        self.points, self.indices = array.array("d", [0, 0, 0]), array.array("I")

    def add(self, mesh, ctm, reverse):
        points, normals, indices = mesh
        first = len(self.points) // 3
        if ctm != IDENTITY:
            a, b, c, d, e, f, g, h, i, j, k, l = ctm[:12]
            points = [v for x, y, z in zip(points[0::3], points[1::3], points[2::3])
                      for v in (a * x + b * y + c * z + d, e * x + f * y + g * z + h, i * x + j * y + k * z + l)]
        self.points.extend(points)
        swap = reverse != (determinant(ctm) < 0)
        if normals:
            self.add_towards(points, normals, indices, first, ctm)
        else:
            self.indices.extend(first + v for v in (indices if not swap else turned(indices)))

    def add_towards(self, points, normals, indices, first, ctm):
        m, sign = cofactors(ctm), -1 if determinant(ctm) < 0 else 1
        add = self.indices.extend
        for a, b, c in zip(indices[0::3], indices[1::3], indices[2::3]):
            i, j, k = 3 * a, 3 * b, 3 * c
            x, y, z = points[i], points[i + 1], points[i + 2]
            ux, uy, uz = points[j] - x, points[j + 1] - y, points[j + 2] - z
            vx, vy, vz = points[k] - x, points[k + 1] - y, points[k + 2] - z
            nx, ny, nz = (normals[i + t] + normals[j + t] + normals[k + t] for t in range(3))
            if ctm != IDENTITY:
                nx, ny, nz = (sign * (m[t] * nx + m[t + 1] * ny + m[t + 2] * nz) for t in (0, 3, 6))
            along = (uy * vz - uz * vy) * nx + (uz * vx - ux * vz) * ny + (ux * vy - uy * vx) * nz
            add((first + a, first + b, first + c) if along >= 0 else (first + a, first + c, first + b))

    def write(self, path, base, turn):
        """As binary PLY, after the transformation `base`; `turn`: the order of the corners turned."""
        indices = array.array("I", turned(self.indices)) if turn else self.indices
        p, (a, b, c, d, e, f, g, h, i, j, k, l) = self.points, base[:12]
        if base != IDENTITY:
            p = [v for x, y, z in zip(p[0::3], p[1::3], p[2::3])
                 for v in (a * x + b * y + c * z + d, e * x + f * y + g * z + h, i * x + j * y + k * z + l)]
        points = array.array("f", p)
        if sys.byteorder != "little":
            points.byteswap()
        pack = struct.Struct("<B3I").pack
        with path.open("wb") as file:
            file.write(("ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
                        "element face %d\nproperty list uchar uint vertex_indices\nend_header\n" % (len(points) // 3, len(indices) // 3)).encode())
            points.tofile(file)
            file.write(b"".join(pack(3, x, y, z) for x, y, z in zip(indices[0::3], indices[1::3], indices[2::3])))


def turned(indices):
    return [v for a, b, c in zip(indices[0::3], indices[1::3], indices[2::3]) for v in (a, c, b)]
