# SPDX-License-Identifier: MIT
# The cuda backend's own test: memory, streams, events, builds, primitives, clocks, faults.
exec "$BUILD/tests/test_cuda_device"
