#define ND_ISA v3
#include "sort_module.h"
