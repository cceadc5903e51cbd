// SPDX-License-Identifier: MIT
// Constants for the choices of parameters: enum choice_<parameter> each, from choices.def.
#pragma once

#define CHOICES(parameter)                                                                                             \
    enum choice_##parameter                                                                                            \
    {
#define VALUE(NAME, text) NAME,
#define CHOICES_END(parameter)                                                                                         \
    CHOICES_OF_##parameter                                                                                             \
    }                                                                                                                  \
    ;
#include "lib/choices.def"
#undef CHOICES
#undef VALUE
#undef CHOICES_END
