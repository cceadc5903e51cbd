// SPDX-License-Identifier: MIT
// Of a build in which the lockstep model records nothing.
#pragma once

#define lockstep_begin(kind, bounce) ((void)(kind), (void)(bounce))
#define lockstep_node(place) ((void)(place))
#define lockstep_answers(answers) ((void)(answers))
#define lockstep_test(place) ((void)(place))
#define lockstep_round(inner_steps, triangle_tests) ((void)(inner_steps), (void)(triangle_tests))
#define lockstep_end() ((void)0)
