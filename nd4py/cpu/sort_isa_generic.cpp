#define ND_ISA generic
#include "sort_module.h"
