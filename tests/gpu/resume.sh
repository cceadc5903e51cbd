# SPDX-License-Identifier: MIT
# A sweep on the GPU, its coordinator killed again and again: nothing is lost, nothing done twice.
exec "$HERE/../test_resume.sh" "$WARPSTUDY" 10 1 cuda
