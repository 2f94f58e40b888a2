#define ND_ISA v3
#include "isa_module.h"
