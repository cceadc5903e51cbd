// SPDX-License-Identifier: MIT
#pragma once
enum tickets { TICKETS_ORDERED, TICKETS_ATOMIC }; // in the order of the parameter's choices
