#define ND_ISA v2
#include "sort_module.h"
