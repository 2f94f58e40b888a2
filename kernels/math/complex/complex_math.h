// Every complex function.
#pragma once
#include "complex_elementary.h"
#include "complex_power.h"
