"""Who holds memory, what happened to it over time, and what tools such as sanitizers are told of it.

The files, as the build lists them:

- allocation_site.pyx: Who owns a block: the line of the program that made the array, for tracemalloc and the debug
  mode.
- memory_statistics.py: What the pool holds, for people and tests.
- memory_wants.py: What the layers tell of memory that is wanted, or was not to be had.
- pool_events.pyx: A record of every request, for the picture of memory over time.
- pool_report.py: Who holds memory, as text: the summary, and the report about a request that failed.
- recording.py: What happened to memory over time, and its picture.
- sanitizer.h: What builds with AddressSanitizer (ND4PY_SANITIZE=address) are told of the pool: which bytes of a block
  may be used.
"""
