// SPDX-License-Identifier: MIT
// Folders for the files of a test.
#pragma once

// Makes an empty one and returns its path; it goes, with what is in it, when the process ends. The test fails where it cannot be made.
const char *folder_new(void);
