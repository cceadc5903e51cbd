# SPDX-License-Identifier: MIT
# Traversal of the five ray sets: every hit as in double precision, and Mrays/s beside published kernels. WARPSTUDY_RAY_MESH names
# the published mesh (docs/scenes.md); without it the rays go through a built-in scene.
if [ -n "${WARPSTUDY_RAY_MESH:-}" ]; then
    exec "$WARPSTUDY" bench rays --device cuda --mesh "$WARPSTUDY_RAY_MESH"
fi
exec "$WARPSTUDY" bench rays --device cuda --scene open
