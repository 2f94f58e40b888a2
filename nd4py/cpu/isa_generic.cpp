#define ND_ISA generic
#include "isa_module.h"
