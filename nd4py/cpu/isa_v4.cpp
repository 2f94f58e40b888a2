#define ND_ISA v4
#include "isa_module.h"
