// Libraries of the operating system, opened while a program runs.
#pragma once
#include <stddef.h>
#ifdef _WIN32
#include "system_windows.h"
#include <stdio.h>

// The library beside it is looked for in its folder too.
static inline void* open_system_library(const char* path) {
  return (void*)LoadLibraryExA(path, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR);
}
static inline void* system_function(void* library, const char* name) {
  return (void*)GetProcAddress((HMODULE)library, name);
}
static inline const char* library_error(void) {
  static char text[40];
  snprintf(text, sizeof text, "Windows' error %lu", (unsigned long)GetLastError());
  return text;
}
#else
#include <dlfcn.h>

static inline void* open_system_library(const char* path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static inline void* system_function(void* library, const char* name) { return dlsym(library, name); }
static inline const char* library_error(void) {
  const char* text = dlerror();
  return text ? text : "";
}
#endif
