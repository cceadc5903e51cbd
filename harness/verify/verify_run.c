// SPDX-License-Identifier: MIT
// One run of a case, and what it is compared by.
#include "verify/verify.h"

#include <stdlib.h>

#include "frame/counts.h"

void verify_result_finish(struct verify_result *result)
{
    free(result->path_length);
    *result = (struct verify_result){0};
}

static void take_result(struct measurement *measurement, const struct verify_case *row, struct verify_result *result)
{
    *result = (struct verify_result){
        .counted = !row->clean, .image = measurement->image, .path_hash = measurement->path_hash};
    for (size_t i = 0; i < measurement->count_count; ++i)
        count_add(measurement->counts[i].bounce == MEASURED_TOTALS
                      ? &result->totals
                      : &result->bounces[count_bin(measurement->counts[i].bounce)],
                  &measurement->counts[i].counts);
    result->path_length = measurement->path_length;
    measurement->path_length = NULL;
}

bool verify_run(struct executor *executor, const struct trial_spec *spec, const struct verify_case *row,
                struct verify_result *result, struct error *error)
{
    const struct execute_request request = {.spec = spec,
                                            .collection = row->clean ? COLLECTION_FRAME : COLLECTION_COUNTS,
                                            .policy = policy_once(),
                                            .keep_film = !row->clean};
    struct measurement measurement;
    const bool done = execute(executor, &request, &measurement, error);
    if (done)
        take_result(&measurement, row, result);
    measurement_finish(&measurement);
    return done;
}
