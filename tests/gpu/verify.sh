# SPDX-License-Identifier: MIT
# Image hashes, path hashes and all counts, GPU against emulator: every variant on every built-in scene, then every choice of
# every parameter (register caps, tile shapes, block sizes, layouts, orders) on one.
"$WARPSTUDY" verify --quick --device cuda --against emulator --size 320x192 || exit 1
"$WARPSTUDY" verify materials --device cuda --against emulator --size 64x48
