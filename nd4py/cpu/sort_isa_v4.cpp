#define ND_ISA v4
#include "sort_module.h"
