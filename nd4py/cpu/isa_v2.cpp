#define ND_ISA v2
#include "isa_module.h"
