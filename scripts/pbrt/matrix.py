# SPDX-License-Identifier: MIT
"""4 x 4 matrices as 16 numbers by rows, and what pbrt makes of its transformations."""
import math

IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def multiply(a, b):
    return tuple(sum(a[4 * i + k] * b[4 * k + j] for k in range(4)) for i in range(4) for j in range(4))


def translate(x, y, z):
    return (1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z, 0.0, 0.0, 0.0, 1.0)


def scale(x, y, z):
    return (x, 0.0, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 0.0, z, 0.0, 0.0, 0.0, 0.0, 1.0)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def normal(a):
    length = math.sqrt(dot(a, a))
    if length == 0:
        raise ValueError("a direction of length 0")
    return (a[0] / length, a[1] / length, a[2] / length)


def rotate(degrees, x, y, z):
    x, y, z = normal((x, y, z))
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    t = 1 - c
    return (t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0.0, t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0.0,
            t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0.0, 0.0, 0.0, 0.0, 1.0)


def look_at(eye, at, up):
    """World to camera: left-handed, the camera looks along +z, x is right."""
    forward = normal([a - e for a, e in zip(at, eye)])
    right = normal(cross(normal(up), forward))
    up = cross(forward, right)
    return inverse((right[0], up[0], forward[0], eye[0], right[1], up[1], forward[1], eye[1], right[2], up[2], forward[2], eye[2], 0.0, 0.0, 0.0, 1.0))


def determinant(m):
    """Of the upper left 3 x 3."""
    return dot(m[0:3], cross(m[4:7], m[8:11]))


def uniform_scale(m):
    """The factor by which it scales lengths; None where that depends on the direction."""
    columns = [(m[j], m[4 + j], m[8 + j]) for j in range(3)]
    size = math.sqrt(dot(columns[0], columns[0]))
    products = [dot(columns[i], columns[j]) / (size * size or 1) - (i == j) for i in range(3) for j in range(i + 1)]
    return size if max(map(abs, products)) < 1e-3 else None


def cofactors(m):
    """The inverse transpose of the upper left 3 x 3 times its determinant: what turns normals. By rows."""
    return cross(m[4:7], m[8:11]) + cross(m[8:11], m[0:3]) + cross(m[0:3], m[4:7])


def inverse(m):
    if m[12:16] != (0.0, 0.0, 0.0, 1.0):
        raise ValueError("a projective transformation")
    c, d = cofactors(m), determinant(m)
    r = tuple(c[3 * j + i] / d for i in range(3) for j in range(3))
    t = (m[3], m[7], m[11])
    return (*r[0:3], -dot(r[0:3], t), *r[3:6], -dot(r[3:6], t), *r[6:9], -dot(r[6:9], t), 0.0, 0.0, 0.0, 1.0)


def point(m, p):
    return (dot(m[0:3], p) + m[3], dot(m[4:7], p) + m[7], dot(m[8:11], p) + m[11])


def vector(m, v):
    return (dot(m[0:3], v), dot(m[4:7], v), dot(m[8:11], v))
