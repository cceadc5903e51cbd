# SPDX-License-Identifier: MIT
# Traversal of the five ray sets: hits as the reference's, and Mrays/s beside published figures. WARPSTUDY_RAYS names a file that
# `bench rays --write-rays` made; without it the rays come from a built-in scene.
if [ -n "${WARPSTUDY_RAYS:-}" ]; then
    exec "$WARPSTUDY" bench rays --device cuda --rays "$WARPSTUDY_RAYS"
fi
exec "$WARPSTUDY" bench rays --device cuda --scene open
