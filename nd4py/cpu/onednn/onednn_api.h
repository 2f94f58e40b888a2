// Functions of oneDNN's C interface, found at run time.  So nothing of it is needed to build.
// Names, argument types and numbers: oneDNN 3 developer guide, https://uxlfoundation.github.io/oneDNN/.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "system_libraries.h"

namespace nd_onednn {

typedef int64_t Dims[12];
typedef void* Object;  // an engine, stream, memory, primitive, or a description of one

struct Argument {
  int name;
  Object memory;
};

enum Number {
  CPU_ENGINE = 1,
  IN_ORDER = 1,
  ANY_LAYOUT = 1,
  LAYOUT_OF_RANK = 1,  // plus the number of axes: row-major
  USER_SCRATCHPAD = 1,
  DIRECT_CONVOLUTION = 1,
  FORWARD_TRAINING = 64,
  FORWARD_INFERENCE = 96,
  SINGLE_PRECISION = 3,
  QUERY_IMPLEMENTATION = 8,
  QUERY_SOURCE = 129,
  QUERY_SOURCE_GRADIENT = 130,
  QUERY_WEIGHTS = 131,
  QUERY_WEIGHTS_GRADIENT = 132,
  QUERY_RESULT = 133,
  QUERY_RESULT_GRADIENT = 134,
  QUERY_SCRATCHPAD = 136,
  SOURCE = 1,
  RESULT = 17,
  WEIGHTS = 33,
  BIAS = 41,
  SCRATCHPAD = 80,
  SOURCE_GRADIENT = 129,
  RESULT_GRADIENT = 145,
  WEIGHTS_GRADIENT = 161,
  BIAS_GRADIENT = 169,
};

#define ND_ONEDNN_FUNCTIONS(F)                                                                                         \
  F(engine_create, (Object*, int, size_t))                                                                             \
  F(stream_create, (Object*, Object, unsigned))                                                                        \
  F(stream_wait, (Object))                                                                                             \
  F(stream_destroy, (Object))                                                                                          \
  F(memory_desc_create_with_tag, (Object*, int, const int64_t*, int, int))                                             \
  F(memory_desc_create_with_strides, (Object*, int, const int64_t*, int, const int64_t*))                              \
  F(memory_desc_equal, (Object, Object))                                                                               \
  F(memory_desc_destroy, (Object))                                                                                     \
  F(memory_create, (Object*, Object, Object, void*))                                                                   \
  F(memory_destroy, (Object))                                                                                          \
  F(primitive_attr_create, (Object*))                                                                                  \
  F(primitive_attr_set_scratchpad_mode, (Object, int))                                                                 \
  F(primitive_attr_destroy, (Object))                                                                                  \
  F(convolution_forward_primitive_desc_create,                                                                         \
    (Object*, Object, int, int, Object, Object, Object, Object, const int64_t*, const int64_t*, const int64_t*,        \
     const int64_t*, Object))                                                                                          \
  F(convolution_backward_data_primitive_desc_create, (Object*, Object, int, Object, Object, Object, const int64_t*,    \
                                                      const int64_t*, const int64_t*, const int64_t*, Object, Object)) \
  F(convolution_backward_weights_primitive_desc_create,                                                                \
    (Object*, Object, int, Object, Object, Object, Object, const int64_t*, const int64_t*, const int64_t*,             \
     const int64_t*, Object, Object))                                                                                  \
  F(matmul_primitive_desc_create, (Object*, Object, Object, Object, Object, Object, Object))                           \
  F(reorder_primitive_desc_create, (Object*, Object, Object, Object, Object, Object))                                  \
  F(primitive_desc_query, (Object, int, int, void*))                                                                   \
  F(primitive_desc_destroy, (Object))                                                                                  \
  F(primitive_create, (Object*, Object))                                                                               \
  F(primitive_execute, (Object, Object, int, const Argument*))                                                         \
  F(primitive_destroy, (Object))                                                                                       \
  F(set_primitive_cache_capacity, (int))

struct Version {
  int major, minor, patch;
};

#define ND_DECLARE(NAME, ARGUMENTS) int(*NAME) ARGUMENTS;
struct Functions {
  ND_ONEDNN_FUNCTIONS(ND_DECLARE)
  size_t (*memory_desc_get_size)(Object);
  Object (*primitive_desc_query_md)(Object, int, int);
  const Version* (*version)();
};
#undef ND_DECLARE

inline Functions call;

// Fills `call`; false where a function is missing.
inline bool find_functions(void* library) {
  bool found = true;
#define ND_FIND(NAME, ARGUMENTS)                                                           \
  call.NAME = reinterpret_cast<int(*) ARGUMENTS>(system_function(library, "dnnl_" #NAME)); \
  found = found && call.NAME;
  ND_ONEDNN_FUNCTIONS(ND_FIND)
#undef ND_FIND
  call.memory_desc_get_size =
      reinterpret_cast<size_t (*)(Object)>(system_function(library, "dnnl_memory_desc_get_size"));
  call.primitive_desc_query_md =
      reinterpret_cast<Object (*)(Object, int, int)>(system_function(library, "dnnl_primitive_desc_query_md"));
  call.version = reinterpret_cast<const Version* (*)()>(system_function(library, "dnnl_version"));
  return found && call.memory_desc_get_size && call.primitive_desc_query_md && call.version;
}

}  // namespace nd_onednn
