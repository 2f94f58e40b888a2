"""Diagnostics of memory: statistics, reports, recordings, and annotations for sanitizers.

The files, as the build lists them:

- allocation_site.pyx: Allocation sites: the line of the program that made an array, for tracemalloc and the debug mode.
- memory_statistics.py: Statistics of the memory pool.
- memory_wants.py: Out-of-memory errors, with reports of other layers.
- pool_events.pyx: Event log of the pool: every request, for plots of memory over time.
- pool_report.py: Memory reports as text: a summary, and a report on a failed request.
- recording.py: Recordings of memory over time, and their plots.
- sanitizer.h: Annotations of pool blocks for AddressSanitizer.
"""
