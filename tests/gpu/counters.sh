# SPDX-License-Identifier: MIT
# Hardware counters against kernels whose counts are known.
exec "$BUILD/tests/test_cuda_counters"
