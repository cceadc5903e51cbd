# SPDX-License-Identifier: MIT
# Sort, scan and rank within blocks: results as the host's and CUB's, rates beside CUB's.
exec "$BUILD/tests/bench_blocks"
