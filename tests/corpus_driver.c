// SPDX-License-Identifier: MIT
// Runs a fuzz target over every file of the folders given: the regression test that a fuzzer leaves behind. `tests/fuzz --replay` calls it.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(status.st_size > 0 ? (size_t)status.st_size : 1);
    if (!file || !bytes) {
        perror(path);
        exit(1);
    }
    const size_t size = fread(bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

static int run_folder(const char *folder)
{
    int count = 0;
    DIR *entries = opendir(folder);
    if (!entries) {
        perror(folder);
        exit(1);
    }
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count += run_file(path);
    }
    closedir(entries);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; ++i)
        count += run_folder(argv[i]);
    printf("%d files\n", count);
    return count > 0 ? 0 : 1;
}
